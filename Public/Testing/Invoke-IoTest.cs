using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Tests storage, and returns each result as its test ends.</summary>
[Cmdlet(
    VerbsLifecycle.Invoke,
    "IoTest",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Invoke-IoTest"
)]
[OutputType(typeof(IoTestResult))]
public sealed class InvokeIoTestCommand : TestOptionCmdlet<string[], IoSize[], int[], IoAccessPattern[]>
{
    private readonly PlanRequestCollector _requests = new();
    private OptionValues? _options;
    private IReadOnlyList<string>? _paths;
    private string? _output;
    private bool _isDeclined;
    private IoBenchException? _outputRefusal;

    /// <summary>Files, folders for a file iobench.dat, or devices.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Parameter(Position = 0, ParameterSetName = "InputObject")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    [Parameter(ParameterSetName = "Path", Position = 1)]
    [Parameter(ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject", Position = 1)]
    [Parameter(ParameterSetName = "ParameterFile")]
    [Parameter(ParameterSetName = "Role")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Workload { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? FileSize { get; set; }

    /// <summary>Duration of the measurement of each test; default 30 seconds.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public override IoDuration Duration { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? BlockSize { get; set; }

    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? OutstandingIO { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? ThreadCount { get; set; }

    /// <summary>Write percentage; default 0.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? WritePercent { get; set; }

    /// <summary>Access pattern; default Random.</summary>
    [Parameter]
    public override IoAccessPattern[]? AccessPattern { get; set; }

    [Parameter]
    [ValidateRange(1, 10000)]
    public int Repeat { get; set; } = 1;

    /// <summary>Runs rounds of each test until five of them are steady.</summary>
    [Parameter]
    public SwitchParameter SteadyState { get; set; }

    /// <summary>Number of times that each file is overwritten before its test, such as 2x.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Precondition { get; set; }

    /// <summary>Open loop: target rate in IOPS.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double TargetIops { get; set; }

    /// <summary>Ends a test whose latency stays above this value, such as 50ms.</summary>
    [Parameter]
    [Input(InputRule.Milliseconds)]
    [ValidateRange(0.001, 1e6)]
    public double StopAboveMs { get; set; }

    /// <summary>Size of the storage cache. IoBench uses it to check that the test file is large enough.</summary>
    [Parameter]
    public IoSize StorageCacheSize { get; set; }

    /// <summary>Label for all results, or one label per path.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Label { get; set; }

    /// <summary>Paths, table rows whose columns are settings, specifications, workloads, and results whose tests are repeated.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Command lines of sqlio, diskspd, or fio, or files of them.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "CommandLine")]
    public string[]? CommandLine { get; set; }

    /// <summary>SQLIO's param.txt: paths, threads, masks, and sizes.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "ParameterFile")]
    public string? ParameterFile { get; set; }

    /// <summary>Path of data files. With several file roles, each runs alone, and then all run concurrently.</summary>
    [Parameter(ParameterSetName = "Role")]
    public string? DataPath { get; set; }

    [Parameter(ParameterSetName = "Role")]
    public string? LogPath { get; set; }

    [Parameter(ParameterSetName = "Role")]
    public string? TempdbPath { get; set; }

    [Parameter(ParameterSetName = "Role")]
    public string? BackupPath { get; set; }

    /// <summary>Also runs all roles concurrently with each at this percentage of the rate that it reached alone.</summary>
    [Parameter(ParameterSetName = "Role")]
    [ValidateRange(1, 100)]
    public int MixLoad { get; set; }

    /// <summary>Tests several paths one by one, together, or both.</summary>
    [Parameter]
    public IoPathMode PathMode { get; set; }

    /// <summary>Kind of storage, which selects the rule set; default: the kind that the host reports, otherwise flash.</summary>
    [Parameter]
    public StorageClass Storage { get; set; }

    /// <summary>Runs on the hosts of these sessions; each test is sent to all hosts at the same time.</summary>
    [Parameter]
    public PSSession[]? Session { get; set; }

    /// <summary>JSON file to which each result is saved; <c>{date}</c> in its name becomes the current date.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>File (.prom) for metrics for monitoring. Each run replaces it.</summary>
    [Parameter]
    public string? MetricsPath { get; set; }

    /// <summary>Resumes an interrupted run: the run of -OutputPath, otherwise the last run.</summary>
    [Parameter]
    public SwitchParameter Resume { get; set; }

    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Replaces the output file without a question.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

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

    protected override void Begin()
    {
        if (ParameterSetName == "Path" && Workload is [var name] && name.AsSpan().IndexOfAny('/', '\\') >= 0)
            throw IoBenchException.Usage(
                ErrorIds.UnknownWorkload,
                $"'{name}' is a path, but the second argument must be a workload.",
                name,
                advice: $"Separate several paths with commas: {string.Join(", ", [.. Path!, name])}"
            );
        if (Session is not null)
            CheckSessionParameters(ThreadCount, DataPath, LogPath, TempdbPath, BackupPath);
        _options = ReadOptions(OptionTables.RunAndColumns);
        if (string.IsNullOrEmpty(OutputPath))
            return;
        _output = PathResolver.ResolveOutputPath(SessionState, OutputPath);
        try
        {
            _isDeclined = !Resume && !UserPrompts.IsWhatIf(this) && !UserPrompts.ConfirmReplace(Host, _output, Force);
        }
        catch (IoBenchException error) when (error.ErrorId == ErrorIds.FileExists && !MyInvocation.ExpectingInput)
        {
            // Thrown at the end, after the reasons why targets are refused. A pipeline ends at once, because its objects can take long.
            _outputRefusal = error;
        }
    }

    protected override void Process()
    {
        var context = PathResolver.CreatePathResolver(SessionState);
        switch (ParameterSetName)
        {
            case "InputObject":
                Array.ForEach(InputObject!, AddInputObject);
                break;
            case "CommandLine":
                var lines = LegacyToolTests.FromCommandLines(
                    CommandLine!,
                    context,
                    SessionState.Path.CurrentFileSystemLocation.ProviderPath
                );
                WriteWarnings(lines.Warnings);
                if (lines.Tests.Count == 0)
                    throw IoBenchException.Usage(
                        "IoBench.NoCommandLines",
                        $"'{string.Join("', '", CommandLine!)}' contains no command line of sqlio, diskspd, or fio.",
                        CommandLine![0],
                        advice: "Start each command line with the name of the tool."
                    );
                _requests.Add([], _options!, lines.Tests);
                break;
            case "ParameterFile":
                // The tests of a parameter file already contain the workloads.
                var rest = ReadOptions([.. OptionTables.Run.Where(row => row.Name != nameof(Workload))]);
                _requests.Add([], rest, LegacyToolTests.FromParameterFile(ParameterFile!, Workload ?? [], context));
                break;
            case "Role":
                _requests.Add(new PlanRequest([], _options!));
                break;
            default:
                if (GetBoundPaths().Count > 0)
                    _requests.Add(GetBoundPaths(), _options!);
                break;
        }
    }

    protected override void End()
    {
        if (_requests.All.Count == 0 && _outputRefusal is not null)
            throw _outputRefusal;
        if (_isDeclined || _requests.All.Count == 0)
            return;
        var plan = _requests.Create(error => WriteNonTerminatingError(error));
        WriteWarnings(plan.Warnings);
        if (ParameterSetName == "CommandLine" && Session is null && LegacyToolTests.FindTargetError(plan.Tests) is { } refusal)
            throw refusal;
        if (_outputRefusal is not null)
        {
            if (Session is null)
                Approve(plan.Tests, _requests.All[0].Suite);
            throw _outputRefusal;
        }
        if (plan.Tests.Count == 0)
            return;
        var settings = _requests.All[0].Suite;
        var activity = DescribeActivity(plan.Tests);
        var request = new OutputRequest
        {
            OutputPath = _output,
            MetricsPath = string.IsNullOrEmpty(MetricsPath) ? null : PathResolver.ResolveOutputPath(SessionState, MetricsPath),
            // The user was asked at the beginning.
            Force = true,
            Resume = settings.Resume,
            IsRemote = Session is not null,
        };
        if (Session is null)
            RunTests(plan.Tests, settings, request, activity, WriteObject);
        else
            new SessionSuite(this, activity, settings, request, WriteObject, StopToken) { WarningHandler = Front.OnJournalProblem }.Run(
                plan.Tests,
                Session
            );
    }

    private void AddInputObject(object? item)
    {
        if (item is null)
            return;
        // An invalid pipeline object must not affect the other objects.
        if (MyInvocation.ExpectingInput)
            TryProcessRow(item, () => AddRequest(item));
        else
            AddRequest(item);
    }

    private void AddRequest(object item)
    {
        var input = PipelineInput.FromObject(item);
        var hasBoundPath = IsBound(nameof(Path)) || IsBound(nameof(LiteralPath));
        if (hasBoundPath && GetBoundPaths().Count == 0)
            return;
        if (input.Test is { } test)
        {
            _requests.Add(GetBoundPaths(), _options!, [test]);
            return;
        }
        if (input.Workload is { } workload)
        {
            _requests.AddWorkload(GetBoundPaths(), _options!, workload);
            return;
        }
        if (!hasBoundPath && !input.HasPath)
            throw PipelineInput.CreateNoPathError(item);
        var values = ReadOptions(OptionTables.RunAndColumns);
        WriteColumnWarnings(input.ApplyTo(values));
        var paths = hasBoundPath ? GetBoundPaths() : ResolveTargetPaths(input.Paths, input.LiteralPaths);
        if (paths.Count > 0)
            _requests.Add(paths, values);
    }

    private OptionValues ReadOptions(IReadOnlyList<OptionRow> rows) => ReadParameters(rows, isElsewhere: Session is not null);

    /// <summary>Resolves the paths once, so that each error is reported once.</summary>
    private IReadOnlyList<string> GetBoundPaths() => _paths ??= ResolveTargetPaths(Path, LiteralPath);

    private List<string> ResolveTargetPaths(IEnumerable<string>? paths, IEnumerable<string>? literalPaths) =>
        Session is null
            ? ResolvePaths(paths, literalPaths)
            : [.. PathResolver.ResolveRemotePaths(paths, literalPaths, (error, name) => WriteNonTerminatingError(error, name))];

    private void WriteWarnings(IEnumerable<IoWarning> warnings)
    {
        foreach (var warning in warnings)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
    }

    private static readonly OptionName s_sessionOption = new("Session");

    /// <exception cref="IoBenchException">Hosts would run different tests (Auto threads), or a path is not a full path.</exception>
    private static void CheckSessionParameters(string[]? threadCount, params string?[] rolePaths)
    {
        if (threadCount?.Contains("Auto", StringComparer.OrdinalIgnoreCase) == true)
            throw IoBenchException.Usage(
                "IoBench.AutoThreads",
                $"All hosts of {s_sessionOption} run the same test, but Auto can mean a different number of threads on each host.",
                advice: $"Set {OptionNames.ThreadCount} to a number."
            );
        foreach (var role in rolePaths.OfType<string>())
            PathResolver.CheckRemotePath(role, isLiteral: false);
    }

    private static string DescribeActivity(IReadOnlyList<IoTestSpecification> tests)
    {
        var kind = tests.Any(test => test.Workload is not null) ? " of SQL Server's I/O" : "";
        return $"IoBench: {tests.Count} test{(tests.Count == 1 ? "" : "s")}{kind}";
    }
}
