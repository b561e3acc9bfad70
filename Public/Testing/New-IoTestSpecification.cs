using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.PowerShell;

/// <summary>Creates a specification with all settings of a test, for Invoke-IoTest.</summary>
[Cmdlet(VerbsCommon.New, "IoTestSpecification", HelpUri = HelpPages.Root + "New-IoTestSpecification")]
[OutputType(typeof(IoTestSpecification))]
public sealed class NewIoTestSpecificationCommand : RunOptionCmdlet<string, IoSize, int, IoAccessPattern>
{
    /// <summary>Targets; Invoke-IoTest can also specify them.</summary>
    [Parameter(Position = 0)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>Specification whose settings are the initial values, or a result whose test supplies them.</summary>
    [Parameter(ValueFromPipeline = true)]
    [ValidateNotNull]
    public IoTestSpecification? InputObject { get; set; }

    /// <summary>Idle time before the test, in which the caches of the storage can drain.</summary>
    [Parameter]
    public IoDuration RestBefore { get; set; }

    /// <summary>Ends a test whose latency stays above this value, such as 50ms.</summary>
    [Parameter]
    [Input(InputRule.Milliseconds)]
    [ValidateRange(0.001, 1e6)]
    public double StopAboveMs { get; set; }

    /// <summary>Size of the storage cache. IoBench uses it to check that the test file is large enough.</summary>
    [Parameter]
    public IoSize StorageCacheSize { get; set; }

    /// <summary>Number of blocks in a stripe (SQLIO -f).</summary>
    [Parameter]
    [ValidateRange(1, 1048576)]
    public int StripeColumns { get; set; }

    /// <summary>Rows of a stride.</summary>
    [Parameter]
    [ValidateRange(1, 1048576)]
    public int StripeRows { get; set; }

    /// <summary>File that supplies the bytes to write; it need not exist yet.</summary>
    [Parameter]
    public string? WriteContentFile { get; set; }

    /// <summary>For content from a file: number of its bytes that writes use.</summary>
    [Parameter]
    public IoSize WriteContentSize { get; set; }

    /// <summary>Closed loop: maximum IOPS per thread and target.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double MaxIopsPerThread { get; set; }

    /// <summary>Closed loop: maximum bytes per second, per thread and target.</summary>
    [Parameter]
    [ValidateRange(1.0, 1e15)]
    public double MaxBytesPerSecondPerThread { get; set; }

    /// <summary>Priority of the I/O.</summary>
    [Parameter]
    public IoPriority Priority { get; set; }

    [Parameter]
    public SwitchParameter LargePages { get; set; }

    [Parameter]
    public SwitchParameter SequentialScanHint { get; set; }

    [Parameter]
    public SwitchParameter RandomAccessHint { get; set; }

    [Parameter]
    public SwitchParameter TemporaryHint { get; set; }

    /// <summary>Starts all outstanding I/Os of a thread at the same offset.</summary>
    [Parameter]
    public SwitchParameter ParallelSameOffset { get; set; }

    [Parameter]
    public SwitchParameter Verify { get; set; }

    /// <summary>Uses one pool of threads for all targets.</summary>
    [Parameter]
    public SwitchParameter SharedThreadPool { get; set; }

    /// <summary>Outstanding I/Os of each pool thread over all targets.</summary>
    [Parameter]
    [ValidateRange(1, SpecificationValidator.MaxPoolOutstanding)]
    public int PoolOutstandingIO { get; set; }

    /// <summary>For the Null backend: I/Os that are served at the same time; 0 for no limit.</summary>
    [Parameter]
    [ValidateRange(0, 100000)]
    public int NullServers { get; set; }

    /// <summary>For the Null backend: mean service time in milliseconds.</summary>
    [Parameter]
    [ValidateRange(0.0, 60000.0)]
    public double NullServiceMs { get; set; }

    /// <summary>For the Null backend: distribution of service times.</summary>
    [Parameter]
    public NullServiceTime NullServiceKind { get; set; }

    protected override void Process()
    {
        var values = ReadParameters(GetOptionRows());
        var test = CreateInitialSpecification();
        if (Label is not null)
            test.Label = Label;
        if (!string.IsNullOrEmpty(WriteContentFile))
        {
            test.WriteContent = IoWriteContentKind.File;
            test.WriteContentFile = PathResolver.GetFullPath(SessionState, WriteContentFile);
        }
        if (Path is { Length: > 0 })
        {
            var paths = PathResolver.ResolvePaths(
                SessionState,
                Path,
                null,
                allowMissing: true,
                (error, name) => WriteNonTerminatingError(error, name)
            );
            if (TestPlacement.HasNoPath(test))
                TestPlacement.SetPaths(test, [.. paths]);
            else
                test.Targets = [.. paths.Select(path => new IoTargetSpecification(path))];
        }
        values.ApplyTo(test);
        WriteObject(test);
    }

    /// <summary>WriteContentFile sets the content kind File. As a value of WriteContent, File would be the name of a file.</summary>
    private IReadOnlyList<OptionRow> GetOptionRows() =>
        string.IsNullOrEmpty(WriteContentFile)
            ? OptionTables.Specification
            : [.. OptionTables.Specification.Where(row => row.Name != nameof(WriteContent))];

    private IoTestSpecification CreateInitialSpecification()
    {
        if (InputObject is not null)
            return InputObject.Clone();
        if (string.IsNullOrEmpty(Workload))
            return new IoTestSpecification();
        var workload = WorkloadCatalog.Find(Workload);
        if (workload.Kind == CatalogEntryKind.Suite)
            throw IoBenchException.Usage(
                "IoBench.SuiteNotPossible",
                $"{Workload} is a suite.",
                Workload,
                advice: $"To get its tests as specifications, use Get-IoWorkload {Workload} -AsSpecification."
            );
        return workload.CreateSpecifications()[0];
    }
}
