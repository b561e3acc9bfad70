using System.Management.Automation;
using System.Management.Automation.Runspaces;

namespace IoBench.PowerShell;

/// <summary>Tests storage; each result goes out as its test ends.</summary>
[Cmdlet(
    VerbsLifecycle.Invoke,
    "IoTest",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Invoke-IoTest"
)]
[OutputType(typeof(IoTestResult))]
public sealed class InvokeIoTestCommand : SuiteOptionCmdlet
{
    private readonly PlanRequests _requests = new();
    private OptionValues? _given;
    private IReadOnlyList<string>? _places;
    private string? _output;
    private bool _isDeclined;

    /// <summary>Files, folders for a file iobench.dat, or devices.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Parameter(Position = 0, ParameterSetName = "InputObject")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>SQL Server's I/O by name.</summary>
    [Parameter(ParameterSetName = "Path", Position = 1)]
    [Parameter(ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject", Position = 1)]
    [Parameter(ParameterSetName = "ParameterFile")]
    [Parameter(ParameterSetName = "Role")]
    [ArgumentCompleter(typeof(WorkloadCompleter))]
    public override string[]? Workload { get; set; }

    /// <summary>Default 20 GB, at most 10 % of the free space.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(FileSizeCompleter))]
    public override IoSize[]? FileSize { get; set; }

    /// <summary>Measured time of each test; default 30 s.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoDuration Duration { get; set; }

    /// <summary>Bytes per I/O; default 8 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? BlockSize { get; set; }

    /// <summary>Outstanding I/Os per thread and target; default 8.</summary>
    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? OutstandingIO { get; set; }

    /// <summary>Threads per target, or Auto; default 4.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? ThreadCount { get; set; }

    /// <summary>Share of writes; default 0.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? WritePercent { get; set; }

    /// <summary>Order of blocks; default Random.</summary>
    [Parameter]
    public override IoAccessPattern[]? AccessPattern { get; set; }

    /// <summary>Run all tests this many times, round by round.</summary>
    [Parameter]
    [ValidateRange(1, 10000)]
    public override int Repeat { get; set; } = 1;

    /// <summary>Rounds of each test until five of them are steady.</summary>
    [Parameter]
    public SwitchParameter SteadyState { get; set; }

    /// <summary>Rounds at most; default 25.</summary>
    [Parameter]
    [ValidateRange(5, 1000)]
    public int MaxRounds { get; set; }

    /// <summary>Your name for the results: one for all, or one per path.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(LabelCompleter))]
    public override string[]? Label { get; set; }

    /// <summary>
    /// Through the pipeline: paths, rows of a table whose columns are settings, specifications, workloads, and results, whose tests are repeated.
    /// </summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    [Alias("Specification")]
    public object[]? InputObject { get; set; }

    /// <summary>Command lines of sqlio, diskspd or fio, or files of them.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "CommandLine")]
    public string[]? CommandLine { get; set; }

    /// <summary>SQLIO's param.txt: paths, threads, masks and sizes.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "ParameterFile")]
    public string? ParameterFile { get; set; }

    /// <summary>Where data files lie. With two or more roles: each role's own workloads alone, then all at once.</summary>
    [Parameter(ParameterSetName = "Role")]
    public string? DataPath { get; set; }

    /// <summary>Where transaction logs lie.</summary>
    [Parameter(ParameterSetName = "Role")]
    public string? LogPath { get; set; }

    /// <summary>Where tempdb lies.</summary>
    [Parameter(ParameterSetName = "Role")]
    public string? TempdbPath { get; set; }

    /// <summary>Where backups lie.</summary>
    [Parameter(ParameterSetName = "Role")]
    public string? BackupPath { get; set; }

    /// <summary>Beside full speed all roles at once, each at so many percent of the rate that it reached alone.</summary>
    [Parameter(ParameterSetName = "Role")]
    [ValidateRange(1, 100)]
    public int MixLoad { get; set; }

    /// <summary>Several paths: each, together, or both.</summary>
    [Parameter]
    public IoPathMode PathMode { get; set; }

    /// <summary>A test that reaches less than 97 % of its target rate is an error.</summary>
    [Parameter]
    public SwitchParameter RequireRate { get; set; }

    /// <summary>The kind of storage that judges; by default what the host says of the disk, else flash.</summary>
    [Parameter]
    public StorageClass Storage { get; set; }

    /// <summary>Units in which throughput is shown: MiB/s, or MB/s of 10^6 bytes.</summary>
    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>Compare each read with what the file must hold.</summary>
    [Parameter]
    public SwitchParameter Verify { get; set; }

    /// <summary>Of a checked test: where acknowledged writes are noted, a new file on another volume or an iobench witness.</summary>
    [Parameter]
    public string? Witness { get; set; }

    /// <summary>Draw the order of the tests.</summary>
    [Parameter]
    public SwitchParameter Shuffle { get; set; }

    /// <summary>Run on the hosts of these sessions, each test sent to all of them at once.</summary>
    [Parameter]
    public PSSession[]? Session { get; set; }

    /// <summary>A JSON file that keeps each result as it comes; <c>{date}</c> in its name becomes today's date.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>Go on with an interrupted run: that of -OutputPath, else the last one.</summary>
    [Parameter]
    public SwitchParameter Resume { get; set; }

    /// <summary>Remove the test files at the end.</summary>
    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Use files that IoBench did not make, replace the output, and ask nothing.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <summary>Raw devices that may be written although they hold unknown data.</summary>
    [Parameter]
    public string[]? EraseDevice { get; set; }

    /// <inheritdoc/>
    protected override void Begin()
    {
        if (Session is not null)
            SessionRules.Check(ThreadCount, DataPath, LogPath, TempdbPath, BackupPath);
        _given = Given(OptionTables.RunAndColumns);
        if (string.IsNullOrEmpty(OutputPath))
            return;
        _output = OutputPaths.Resolve(SessionState, OutputPath);
        _isDeclined = !Resume && !UserPrompts.IsWhatIf(this) && !UserPrompts.MayReplace(Host, _output, Force);
    }

    /// <inheritdoc/>
    protected override void Process()
    {
        var context = GivenOptions.Context(SessionState);
        switch (ParameterSetName)
        {
            case "InputObject":
                Array.ForEach(InputObject!, TakeItem);
                break;
            case "CommandLine":
                var lines = TestSources.FromCommandLines(CommandLine!, context, SessionState.Path.CurrentFileSystemLocation.ProviderPath);
                WriteWarnings(lines.Warnings);
                _requests.Add([], _given!, lines.Tests);
                break;
            case "ParameterFile":
                // The workloads are in the tests already.
                var rest = Given([.. OptionTables.Run.Where(row => row.Name != nameof(Workload))]);
                _requests.Add([], rest, TestSources.FromParameterFile(ParameterFile!, Workload ?? [], context));
                break;
            case "Role":
                _requests.Add(new PlanRequest([], _given!));
                break;
            default:
                if (GivenPlaces().Count > 0)
                    _requests.Add(GivenPlaces(), _given!);
                break;
        }
    }

    /// <inheritdoc/>
    protected override void End()
    {
        if (_isDeclined || _requests.All.Count == 0)
            return;
        Throughput.Units = Units;
        var made = _requests.Create(error => WriteProblem(error));
        WriteWarnings(made.Warnings);
        if (ParameterSetName == "CommandLine" && Session is null && OldToolTargets.Refusal(made.Tests) is { } refusal)
            throw refusal;
        if (made.Tests.Count == 0)
            return;
        var call = new SuiteCall(SessionRules.Activity(made.Tests), _requests.All[0].Suite)
        {
            OutputFile = _output,
            SizeIsGiven = IsGiven(nameof(FileSize)),
            IsElsewhere = Session is not null,
            Emit = WriteObject,
        };
        if (Session is null)
            Run(made.Tests, call);
        else
            new SessionSuite(this, call, Stopped) { Warn = SayWhyNotKept }.Run(made.Tests, Session);
    }

    private void TakeItem(object? item)
    {
        if (item is null)
            return;
        // One object of many that will not do costs only itself.
        if (MyInvocation.ExpectingInput)
            Try(item, () => Take(item));
        else
            Take(item);
    }

    private void Take(object item)
    {
        var input = PipelineInput.Of(item);
        var hasPlace = IsGiven(nameof(Path)) || IsGiven(nameof(LiteralPath));
        if (hasPlace && GivenPlaces().Count == 0)
            return;
        if (input.Test is { } test)
        {
            _requests.Add(GivenPlaces(), _given!, [test]);
            return;
        }
        if (input.Workload is { } workload)
        {
            _requests.AddWorkload(GivenPlaces(), _given!, workload);
            return;
        }
        if (!hasPlace && !input.HasPlace)
            throw PipelineInput.NotAPlace(item);
        var values = Given(OptionTables.RunAndColumns);
        WarnOfColumns(input.ApplyTo(values));
        var places = hasPlace ? GivenPlaces() : PlacesOf(input.Paths, input.LiteralPaths);
        if (places.Count > 0)
            _requests.Add(places, values);
    }

    private OptionValues Given(IReadOnlyList<OptionRow> rows) => GivenOptions.Read(this, rows, isElsewhere: Session is not null);

    /// <summary>The places that were given by hand; looked up once, so that each error is one.</summary>
    private IReadOnlyList<string> GivenPlaces() => _places ??= PlacesOf(Path, LiteralPath);

    private List<string> PlacesOf(IEnumerable<string>? paths, IEnumerable<string>? literalPaths) =>
        Session is null
            ? Places(paths, literalPaths)
            : [.. SessionPaths.Resolve(paths, literalPaths, (error, name) => WriteProblem(error, name))];

    private void WriteWarnings(IEnumerable<IoWarning> warnings)
    {
        foreach (var warning in warnings)
            WriteWarning(warning.Text.Render(ModuleSpelling.Default));
    }
}
