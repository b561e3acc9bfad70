using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Who or what limits the storage.</summary>
[Cmdlet(
    VerbsCommon.Find,
    "IoCap",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Find-IoCap"
)]
[OutputType(typeof(CapResult))]
public sealed class FindIoCapCommand : TestCmdlet
{
    private static readonly string[] s_ofResults = [nameof(Specification), nameof(Units)];

    private readonly List<IoTestResult> _results = [];
    private readonly List<string> _places = [];
    private bool _hasResults;
    private bool _hasInput;
    private StorageSpecification? _storage;

    /// <summary>Files, or folders for a file iobench.dat; with two or more it shows whether they share a limit.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Through the pipeline: results that are there already, in place of new runs; or paths, files and objects with a path.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Each alone, together, or both; with several paths both by default.</summary>
    [Parameter]
    public IoPathMode PathMode { get; set; }

    /// <summary>Default 20 GB, at most 10 % of the free space.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(FileSizeCompleter))]
    public IoSize FileSize { get; set; }

    /// <summary>Of each run; default 20 s.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration Duration { get; set; }

    /// <summary>Before the measured time of each run.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration WarmUp { get; set; }

    /// <summary>Sizes of the reads; default 8, 64 and 256 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize[]? BlockSize { get; set; }

    /// <summary>Total outstanding I/Os, ascending.</summary>
    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, 4096)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public int[]? OutstandingIO { get; set; }

    /// <summary>To judge whether the file is large enough.</summary>
    [Parameter]
    public IoSize StorageCacheSize { get; set; }

    /// <summary>Interface to the operating system.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Backend { get; set; }

    /// <summary>What was bought: an offer such as azure:P30, @{ IOPS = 5000; Throughput = '200 MB/s' }, or the same as text.</summary>
    [Parameter]
    [Alias("StorageSpecification")]
    [ArgumentCompleter(typeof(StorageFigureCompleter))]
    public BoughtStorage? Specification { get; set; }

    /// <summary>Units in which throughput is shown: MiB/s, or MB/s of 10^6 bytes.</summary>
    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>Remove the test files at the end.</summary>
    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Use a file that IoBench did not make, without questions.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <summary>Raw devices that may be written although they hold unknown data.</summary>
    [Parameter]
    public string[]? EraseDevice { get; set; }

    /// <inheritdoc/>
    protected override void Begin() => (_storage, Throughput.Units) = (Specification?.Read(), Units);

    /// <inheritdoc/>
    protected override void Process()
    {
        if (InputObject is null)
            _places.AddRange(Places(Path, LiteralPath));
        foreach (var item in InputObject ?? [])
            if (item is not null)
                Try(item, () => Take(item));
    }

    /// <inheritdoc/>
    protected override void End()
    {
        if (_hasResults)
            CheckResultsAlone();
        else if (_places.Count > 0)
            Test();
        // Nothing was tested, for a reason that was said; what came through an empty pipeline is still to be said.
        if (_results.Count == 0 && (_places.Count > 0 || _hasInput || ParameterSetName != "InputObject"))
            return;
        foreach (var cap in CapFinder.Judge(_results, _storage))
        {
            foreach (var warning in cap.Warnings)
                WriteWarning(warning);
            WriteObject(cap);
        }
    }

    private void Take(object item)
    {
        _hasInput = true;
        if (DeserializedObject.IsResult(item))
        {
            _results.Add(DeserializedObject.ToResult(item));
            _hasResults = true;
            return;
        }
        var input = PipelineInput.Of(item);
        if (!input.HasPlace)
            throw PipelineInput.NotAPlace(item);
        // All places are tested with one set of loads, so that they can be compared.
        WarnOfColumns(input.ApplyTo(new OptionValues([]) { Columns = [] }));
        _places.AddRange(Places(input.Paths, input.LiteralPaths));
    }

    /// <summary>Results answer by themselves: what is about new runs, or asks for some, would have no effect.</summary>
    private void CheckResultsAlone()
    {
        if (_places.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                "Results and paths came through the pipeline: results are judged as they are, and paths are tested.",
                advice: "Give one kind at a time."
            );
        if (OptionTables.Cap.FirstOrDefault(row => IsGiven(row.Name) && !s_ofResults.Contains(row.Name)) is { } option)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{option.Option} is about new runs, and these are results that are there already.",
                advice: "Leave it out, or give paths."
            );
    }

    private void Test()
    {
        // What was bought may be a table of names and values, and is read by now.
        var values = GivenOptions.Read(this, [.. OptionTables.Cap.Where(row => row.Name != nameof(Specification))]);
        var request = CapRequest.Create(_places, values);
        _results.AddRange(
            Run(
                request.Tests,
                new SuiteCall("IoBench: finding what limits the storage", new PlanRequest(_places, values).Suite)
                {
                    SizeIsGiven = IsGiven(nameof(FileSize)),
                }
            )
        );
    }
}
