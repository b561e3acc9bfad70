using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Finds out what limits the storage.</summary>
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
    private static readonly string[] s_resultOptions = [nameof(Provisioned), nameof(Units)];

    private readonly List<IoTestResult> _results = [];
    private readonly List<string> _paths = [];
    private bool _hasResults;
    private bool _hasInput;
    private StorageSpecification? _specification;

    /// <summary>Files, or folders for a file iobench.dat. Two or more paths also show whether they share a limit.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Pipeline input: existing results instead of new runs; or paths, files, and objects with a path.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Tests each path alone, all paths together, or both; the default for several paths is both.</summary>
    [Parameter]
    public IoPathMode PathMode { get; set; }

    /// <summary>Size of the test file; default 20 GB, at most 10% of the free space.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize FileSize { get; set; }

    /// <summary>Duration of each run; default 20 seconds.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public IoDuration Duration { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration WarmUp { get; set; }

    /// <summary>Block sizes of the reads; default 8, 64, and 256 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize[]? BlockSize { get; set; }

    /// <summary>Total outstanding I/Os, ascending.</summary>
    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, 4096)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public int[]? OutstandingIO { get; set; }

    [Parameter]
    public IoSize StorageCacheSize { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Backend { get; set; }

    /// <summary>Provisioned limits: a SKU such as azure:P30, @{ IOPS = 5000; Throughput = '200 MB/s' }, or the same as text.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Alias("Specification", "StorageSpecification")]
    public ProvisionedStorage? Provisioned { get; set; }

    [Parameter]
    public ThroughputUnits Units { get; set; }

    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Files that the test may overwrite although IoBench did not create them, by name or path.</summary>
    [Parameter]
    public string[]? OverwriteFile { get; set; }

    /// <summary>Raw devices that the test may overwrite, by name or path.</summary>
    [Parameter]
    public string[]? EraseDevice { get; set; }

    /// <summary>Creates a test file even if free space drops below 10% of its volume or 10 GB, whichever is smaller.</summary>
    [Parameter]
    public SwitchParameter FillVolume { get; set; }

    /// <summary>Reads SQL Server files without a question.</summary>
    [Parameter]
    public SwitchParameter ReadDatabase { get; set; }

    protected override void Begin() => (_specification, ThroughputDisplay.Units) = (Provisioned?.ToSpecification(), Units);

    protected override void Process()
    {
        if (InputObject is null)
            _paths.AddRange(ResolvePaths(Path, LiteralPath));
        foreach (var item in InputObject ?? [])
            if (item is not null)
                TryProcess(item, () => AddObject(item));
    }

    protected override void End()
    {
        if (_hasResults)
            CheckResultOptions();
        else if (_paths.Count > 0)
            RunCapTests();
        // If no test ran, the reason was already reported. An empty pipeline still has to be reported.
        if (_results.Count == 0 && (_paths.Count > 0 || _hasInput || ParameterSetName != "InputObject"))
            return;
        foreach (var cap in CapResult.Analyze(_results, _specification))
        {
            foreach (var warning in cap.Warnings)
                WriteWarning(warning);
            WriteObject(cap);
        }
    }

    private void AddObject(object item)
    {
        _hasInput = true;
        if (DeserializedObject.IsResult(item))
        {
            _results.Add(DeserializedObject.ToResult(item));
            _hasResults = true;
            return;
        }
        var input = PipelineInput.FromObject(item);
        if (!input.HasPath)
            throw PipelineInput.CreateNoPathError(item);
        // All paths are tested with the same set of loads, so that they can be compared. Columns therefore set nothing.
        WriteColumnWarnings(input.ApplyTo(new OptionValues([]) { Columns = [] }));
        _paths.AddRange(ResolvePaths(input.Paths, input.LiteralPaths));
    }

    private void CheckResultOptions()
    {
        if (_paths.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                "The pipeline contains both results and paths. IoBench analyzes results, but runs new tests on paths.",
                advice: "Use only results, or only paths."
            );
        if (OptionTables.Cap.FirstOrDefault(row => IsBound(row.Name) && !s_resultOptions.Contains(row.Name)) is { } option)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{option.Option} applies to new tests, but the input contains existing results.",
                advice: "Remove the option, or specify paths."
            );
    }

    private void RunCapTests()
    {
        // The specification can be a hashtable, and Begin has already read it.
        var values = ReadParameters([.. OptionTables.Cap.Where(row => row.Name != nameof(Provisioned))]);
        var request = CapSearchPlan.Create(_paths, values);
        _results.AddRange(
            RunTests(request.Tests, new PlanRequest(_paths, values).Suite, new OutputRequest(), "IoBench: finding what limits the storage")
        );
    }
}
