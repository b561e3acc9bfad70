using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Who or what limits the storage.</summary>
[Cmdlet(VerbsCommon.Find, "IoCap", DefaultParameterSetName = "Path", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium, HelpUri = HelpPages.Root + "Find-IoCap")]
[OutputType(typeof(CapResult))]
public sealed class FindIoCapCommand : TestCmdlet
{
    private readonly List<IoTestResult> _results = [];
    private StorageSpecification? _storage;

    /// <summary>Files, or folders for a file iobench.dat; with two or more it shows whether they share a limit.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Results that are there already, in place of new runs.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Each alone, together, or both; with several paths both by default.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    public IoPathMode PathMode { get; set; }

    /// <summary>Default 20 GB, at most 10 % of the free space.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    [ArgumentCompleter(typeof(FileSizeCompleter))]
    public IoSize FileSize { get; set; }

    /// <summary>Of each run; default 20 s.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration Duration { get; set; }

    /// <summary>Before the measured time of each run.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration WarmUp { get; set; }

    /// <summary>Sizes of the reads; default 8, 64 and 256 KB.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize[]? BlockSize { get; set; }

    /// <summary>Total outstanding I/Os, ascending.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, 4096)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public int[]? OutstandingIO { get; set; }

    /// <summary>Interface to the operating system.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Backend { get; set; }

    /// <summary>What was bought: an offer such as azure:P30, @{ IOPS = 5000; Throughput = '200 MB/s' }, or the same as text.</summary>
    [Parameter]
    [Alias("StorageSpecification")]
    [ArgumentCompleter(typeof(StorageFigureCompleter))]
    public object? Specification { get; set; }

    /// <summary>Units in which throughput is shown: MiB/s, or MB/s of 10^6 bytes.</summary>
    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>Remove the test files at the end.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Use a file that IoBench did not make, without questions.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    public SwitchParameter Force { get; set; }

    /// <summary>Raw devices that may be written although they hold unknown data.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    public string[]? EraseDevice { get; set; }

    /// <inheritdoc/>
    protected override void Begin() => (_storage, Throughput.Units) = (BoughtStorage.Read(Specification), Units);

    /// <inheritdoc/>
    protected override void Process()
    {
        if (InputObject is not null)
            _results.AddRange(InputObject.Where(result => result is not null));
    }

    /// <inheritdoc/>
    protected override void End()
    {
        if (ParameterSetName != "InputObject")
        {
            Test();
            if (_results.Count == 0)
                return;
        }
        foreach (var cap in CapFinder.Judge(_results, _storage))
        {
            foreach (var warning in cap.Warnings)
                WriteWarning(warning);
            WriteObject(cap);
        }
    }

    private void Test()
    {
        var places = Places(Path, LiteralPath);
        if (places.Count == 0)
            return;
        // What was bought may be a table of names and values, and is read by now.
        var values = GivenOptions.Read(this, [.. OptionTables.Cap.Where(row => row.Name != nameof(Specification))]);
        var request = CapRequest.Create(places, values);
        _results.AddRange(Run(request.Tests, new SuiteCall("IoBench: finding what limits the storage", new PlanRequest(places, values).Suite) { SizeIsGiven = IsGiven(nameof(FileSize)) }));
    }
}
