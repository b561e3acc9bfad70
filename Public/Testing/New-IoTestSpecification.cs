using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>A test in all it can be, for Invoke-IoTest.</summary>
[Cmdlet(VerbsCommon.New, "IoTestSpecification", HelpUri = HelpPages.Root + "New-IoTestSpecification")]
[OutputType(typeof(IoTestSpecification))]
public sealed class NewIoTestSpecificationCommand : RunOptionCmdlet<string, IoSize, int, IoAccessPattern>
{
    /// <summary>Targets; they may also be given to Invoke-IoTest.</summary>
    [Parameter(Position = 0)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>Begin with this specification's settings, or those of the result's test.</summary>
    [Parameter(ValueFromPipeline = true)]
    [ValidateNotNull]
    public IoTestSpecification? InputObject { get; set; }

    /// <summary>Rest before the test, for the storage's caches to drain.</summary>
    [Parameter]
    public IoDuration RestBefore { get; set; }

    /// <summary>Blocks per row of a stride.</summary>
    [Parameter]
    [ValidateRange(1, 1048576)]
    public int StripeColumns { get; set; }

    /// <summary>Rows of a stride.</summary>
    [Parameter]
    [ValidateRange(1, 1048576)]
    public int StripeRows { get; set; }

    /// <summary>A file that the bytes come from; it need not be there yet.</summary>
    [Parameter]
    public string? WriteContentFile { get; set; }

    /// <summary>For content from a file: writes are cut from so many of its bytes.</summary>
    [Parameter]
    public IoSize WriteContentSize { get; set; }

    /// <summary>Closed loop: limit per thread and target.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double MaxIopsPerThread { get; set; }

    /// <summary>Closed loop: limit per thread and target.</summary>
    [Parameter]
    [ValidateRange(1.0, 1e15)]
    public double MaxBytesPerSecondPerThread { get; set; }

    /// <summary>Of the I/O.</summary>
    [Parameter]
    public IoPriority Priority { get; set; }

    /// <summary>Large pages for the buffers.</summary>
    [Parameter]
    public SwitchParameter LargePages { get; set; }

    /// <summary>Open the file with the hint of a sequential scan.</summary>
    [Parameter]
    public SwitchParameter SequentialScanHint { get; set; }

    /// <summary>Open the file with the hint of random access.</summary>
    [Parameter]
    public SwitchParameter RandomAccessHint { get; set; }

    /// <summary>Open the file as a temporary one.</summary>
    [Parameter]
    public SwitchParameter TemporaryHint { get; set; }

    /// <summary>The outstanding I/Os of a thread all start at the same offset.</summary>
    [Parameter]
    public SwitchParameter ParallelSameOffset { get; set; }

    /// <summary>Compare each read with what the file must hold.</summary>
    [Parameter]
    public SwitchParameter Verify { get; set; }

    /// <summary>One pool of threads over all targets.</summary>
    [Parameter]
    public SwitchParameter SharedThreadPool { get; set; }

    /// <summary>Of a pool's thread over all targets.</summary>
    [Parameter]
    [ValidateRange(1, SpecificationValidator.MaxPoolOutstanding)]
    public int PoolOutstandingIO { get; set; }

    /// <summary>For the Null backend: I/Os served at once, 0 = without limit.</summary>
    [Parameter]
    [ValidateRange(0, 100000)]
    public int NullServers { get; set; }

    /// <summary>For the Null backend: mean service time in milliseconds.</summary>
    [Parameter]
    [ValidateRange(0.0, 60000.0)]
    public double NullServiceMs { get; set; }

    /// <summary>For the Null backend: how service times are spread.</summary>
    [Parameter]
    public NullServiceTime NullServiceKind { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        var values = GivenOptions.Read(this, Rows());
        var test = Begun();
        if (Label is not null)
            test.Label = Label;
        if (!string.IsNullOrEmpty(WriteContentFile))
            (test.WriteContent, test.WriteContentFile) = (IoWriteContentKind.File, InputPaths.Full(SessionState, WriteContentFile));
        if (Path is { Length: > 0 })
        {
            var places = InputPaths.Resolve(SessionState, Path, null, allowMissing: true, (error, name) => WriteProblem(error, name));
            if (MixedTests.IsOpen(test))
                MixedTests.Place(test, [.. places]);
            else
                test.Targets = [.. places.Select(place => new IoTargetSpecification(place))];
        }
        values.ApplyTo(test);
        WriteObject(test);
    }

    /// <summary>The content File is said by the file's parameter; as a value it would be a file of that name.</summary>
    private IReadOnlyList<OptionRow> Rows() =>
        string.IsNullOrEmpty(WriteContentFile)
            ? OptionTables.Specification
            : [.. OptionTables.Specification.Where(row => row.Name != nameof(WriteContent))];

    private IoTestSpecification Begun()
    {
        if (InputObject is not null)
            return InputObject.Clone();
        if (string.IsNullOrEmpty(Workload))
            return new IoTestSpecification();
        var workload = WorkloadCatalog.Find(Workload);
        if (workload.Kind == IoWorkloadKind.Suite)
            throw IoBenchException.Usage(
                "IoBench.SuiteNotPossible",
                $"{Workload} is a suite.",
                Workload,
                advice: $"For its tests as specifications use Get-IoWorkload {Workload} -AsSpecification."
            );
        return workload.CreateSpecifications()[0];
    }
}
