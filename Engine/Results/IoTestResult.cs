namespace IoBench.Engine.Results;

/// <summary>
/// What came out of one run, measured now or read from an old file. Flat scalars for tables and databases, details nested.
/// What a source does not report is null, never 0. Latency in milliseconds, sizes 1024-based, MBps are MiB/s.
/// </summary>
public sealed class IoTestResult
{
    // Made when they are asked for: of a million results of an old log most have none of them.
    private List<string>? _warnings;
    private List<IoWarning>? _warningDetails;
    private List<IoTargetResult>? _targets;
    private Func<IoTestResult, List<IoTargetResult>>? _makeTargets;
    private IoTestSpecification? _specification;
    private Func<IoTestResult, IoTestSpecification>? _makeSpecification;
    private List<IoThreadResult>? _threads;
    private List<IoPercentile>? _percentiles;
    private Func<IoTestResult, List<IoPercentile>>? _makePercentiles;
    private OpenLoopFigures? _openLoop;
    private List<IoTimelinePoint>? _timeline;
    private SlowFigures? _slow;
    private GroupPlace? _group;
    private List<IoProcessorLoad>? _processors;
    private Dictionary<string, string>? _toolDetails;
    private IReadOnlyList<KeyValuePair<string, string>>? _toolDetailsToMake;
    private Dictionary<string, string>? _host;
    private string _source = OwnSource;

    // Figures in the room of one number each: a nullable one takes two.
    private CompactFigure _fileSizeMB,
        _blockSizeKB,
        _targetIops,
        _durationSeconds,
        _bandwidthMBps,
        _iops,
        _readMBps,
        _readIOPS,
        _writeMBps,
        _writeIOPS,
        _averageLatencyMs,
        _minLatencyMs,
        _maxLatencyMs,
        _latencyStdDevMs,
        _p50Ms,
        _p90Ms,
        _p95Ms,
        _p99Ms,
        _p999Ms,
        _readAverageLatencyMs,
        _readP99Ms,
        _writeAverageLatencyMs,
        _writeP99Ms,
        _littlesLawLatencyMs,
        _iopsStdDev,
        _cpuPercent,
        _cpuUsPerIO,
        _processorWaitPercent;

    /// <summary>The source of what IoBench measured itself.</summary>
    public const string OwnSource = "IoBench";

    /// <summary>The version of IoBench, such as 0.1.0.</summary>
    public static readonly string OwnVersion = typeof(IoTestResult).Assembly.GetName().Version!.ToString(3);

    /// <summary>Where the result comes from: <see cref="OwnSource"/>, or the name that the format it was read from gives its results (<c>Sqlio</c>, <c>DiskSpdXml</c>); never null.</summary>
    public string Source
    {
        get => _source;
        set => _source = string.IsNullOrEmpty(value) ? OwnSource : value;
    }

    /// <summary>The file it was read from.</summary>
    public string? SourceFile { get; set; }

    /// <summary>The line at which its run begins, from 1.</summary>
    public int? SourceLine { get; set; }

    /// <summary>Version of the tool that measured.</summary>
    public string? ToolVersion { get; set; }

    /// <summary>How the run ended.</summary>
    public IoResultStatus Status { get; set; }

    /// <summary>A run's own id; the same for all results of one suite's run is <see cref="IoTestSpecification.Label"/>.</summary>
    public string? RunId { get; set; }

    /// <summary>The user's name for it.</summary>
    public string? Label { get; set; }

    /// <summary>Name of the workload it belongs to, such as <c>oltp</c>; null for a test of one's own.</summary>
    public string? Workload { get; set; }

    /// <summary>Where SQL Server does this.</summary>
    public string? WorkloadRole { get; set; }

    /// <summary>The computer it ran on.</summary>
    public string? ComputerName { get; set; }

    /// <summary>When the run began, with its offset from UTC.</summary>
    public DateTimeOffset? StartTime { get; set; }

    /// <summary>Path of the target; several joined by <c>; </c>.</summary>
    public string? Path { get; set; }

    /// <summary>Number of targets.</summary>
    public int? TargetCount { get; set; }

    /// <summary>Size of the test file in MiB; of several, their sum.</summary>
    public double? FileSizeMB
    {
        get => _fileSizeMB.Value;
        set => _fileSizeMB = new(value);
    }

    /// <summary>All threads of the run.</summary>
    public int? ThreadCount { get; set; }

    /// <summary>Outstanding I/Os per thread and target.</summary>
    public int? OutstandingIO { get; set; }

    /// <summary>Outstanding I/Os of the whole run.</summary>
    public int? TotalOutstanding { get; set; }

    /// <summary>Bytes per I/O / 1024.</summary>
    public double? BlockSizeKB
    {
        get => _blockSizeKB.Value;
        set => _blockSizeKB = new(value);
    }

    /// <summary>Read, Write or Mixed.</summary>
    public IoOperation? Operation { get; set; }

    /// <summary>Share of writes in percent, 0 to 100.</summary>
    public int? WritePercent { get; set; }

    /// <summary>The order of blocks.</summary>
    public IoAccessPattern? AccessPattern { get; set; }

    /// <summary>The pattern in words, such as <c>8KB random read</c>.</summary>
    public string? IOPattern { get; set; }

    /// <summary>Which caches were allowed.</summary>
    public IoBuffering? Buffering { get; set; }

    /// <summary>What paced the I/O.</summary>
    public IoLoadModel? LoadModel { get; set; }

    /// <summary>The rate an open loop aimed at, in I/Os per second; null for a closed loop.</summary>
    public double? TargetIops
    {
        get => _targetIops.Value;
        set => _targetIops = new(value);
    }

    /// <summary>Number among equal runs, from 1.</summary>
    public int? Repeat { get; set; }

    /// <summary>Measured time in seconds.</summary>
    public double? DurationSeconds
    {
        get => _durationSeconds.Value;
        set => _durationSeconds = new(value);
    }

    /// <summary>MiB per second over the measured time, reads and writes together.</summary>
    public double? BandwidthMBps
    {
        get => _bandwidthMBps.Value;
        set => _bandwidthMBps = new(value);
    }

    /// <summary>I/Os per second over the measured time, reads and writes together.</summary>
    public double? IOPS
    {
        get => _iops.Value;
        set => _iops = new(value);
    }

    /// <summary>MiB per second read, over the measured time; null where the source does not report reads by themselves.</summary>
    public double? ReadMBps
    {
        get => _readMBps.Value;
        set => _readMBps = new(value);
    }

    /// <summary>Reads per second over the measured time; null where the source does not report reads by themselves.</summary>
    public double? ReadIOPS
    {
        get => _readIOPS.Value;
        set => _readIOPS = new(value);
    }

    /// <summary>MiB per second written, over the measured time; null where the source does not report writes by themselves.</summary>
    public double? WriteMBps
    {
        get => _writeMBps.Value;
        set => _writeMBps = new(value);
    }

    /// <summary>Writes per second over the measured time; null where the source does not report writes by themselves.</summary>
    public double? WriteIOPS
    {
        get => _writeIOPS.Value;
        set => _writeIOPS = new(value);
    }

    /// <summary>Average latency in milliseconds, of all I/Os; null where the source does not report it.</summary>
    public double? AverageLatencyMs
    {
        get => _averageLatencyMs.Value;
        set => _averageLatencyMs = new(value);
    }

    /// <summary>Lowest latency of any I/O in milliseconds; null where the source does not report it.</summary>
    public double? MinLatencyMs
    {
        get => _minLatencyMs.Value;
        set => _minLatencyMs = new(value);
    }

    /// <summary>Highest latency of any I/O in milliseconds; null where the source does not report it.</summary>
    public double? MaxLatencyMs
    {
        get => _maxLatencyMs.Value;
        set => _maxLatencyMs = new(value);
    }

    /// <summary>Standard deviation of latency in milliseconds (population), of all I/Os; null where the source does not report it.</summary>
    public double? LatencyStdDevMs
    {
        get => _latencyStdDevMs.Value;
        set => _latencyStdDevMs = new(value);
    }

    /// <summary>Median latency in milliseconds, of all I/Os; null where the source does not report it. IoBench itself gives none of fewer than 20 I/Os.</summary>
    public double? P50Ms
    {
        get => _p50Ms.Value;
        set => _p50Ms = new(value);
    }

    /// <summary>90th percentile of latency in milliseconds; null where the source does not report it. IoBench itself gives none of fewer than 100 I/Os.</summary>
    public double? P90Ms
    {
        get => _p90Ms.Value;
        set => _p90Ms = new(value);
    }

    /// <summary>95th percentile of latency in milliseconds; null where the source does not report it. IoBench itself gives none of fewer than 200 I/Os.</summary>
    public double? P95Ms
    {
        get => _p95Ms.Value;
        set => _p95Ms = new(value);
    }

    /// <summary>99th percentile of latency in milliseconds; null where the source does not report it. IoBench itself gives none of fewer than 1,000 I/Os.</summary>
    public double? P99Ms
    {
        get => _p99Ms.Value;
        set => _p99Ms = new(value);
    }

    /// <summary>99.9th percentile of latency in milliseconds; null where the source does not report it. IoBench itself gives none of fewer than 10,000 I/Os.</summary>
    public double? P999Ms
    {
        get => _p999Ms.Value;
        set => _p999Ms = new(value);
    }

    /// <summary>Average latency of reads in milliseconds; null without reads or where the source does not report it.</summary>
    public double? ReadAverageLatencyMs
    {
        get => _readAverageLatencyMs.Value;
        set => _readAverageLatencyMs = new(value);
    }

    /// <summary>99th percentile of the latency of reads in milliseconds; null where the source does not report it. IoBench itself gives none of fewer than 1,000 reads.</summary>
    public double? ReadP99Ms
    {
        get => _readP99Ms.Value;
        set => _readP99Ms = new(value);
    }

    /// <summary>Average latency of writes in milliseconds; null without writes or where the source does not report it.</summary>
    public double? WriteAverageLatencyMs
    {
        get => _writeAverageLatencyMs.Value;
        set => _writeAverageLatencyMs = new(value);
    }

    /// <summary>99th percentile of the latency of writes in milliseconds; null where the source does not report it. IoBench itself gives none of fewer than 1,000 writes.</summary>
    public double? WriteP99Ms
    {
        get => _writeP99Ms.Value;
        set => _writeP99Ms = new(value);
    }

    /// <summary>Open loop: average time from the intended start in milliseconds; null for a closed loop.</summary>
    public double? ResponseAverageMs
    {
        get => _openLoop?.ResponseAverageMs;
        set => SetOpenLoop(value is null, figures => figures.ResponseAverageMs = value);
    }

    /// <summary>Open loop: 99th percentile of the time from the intended start in milliseconds; null for a closed loop or with fewer than 1,000 I/Os.</summary>
    public double? ResponseP99Ms
    {
        get => _openLoop?.ResponseP99Ms;
        set => SetOpenLoop(value is null, figures => figures.ResponseP99Ms = value);
    }

    /// <summary>Open loop: median of the time from the intended start in milliseconds; null for a closed loop or with fewer than 20 I/Os.</summary>
    public double? ResponseP50Ms
    {
        get => _openLoop?.ResponseP50Ms;
        set => SetOpenLoop(value is null, figures => figures.ResponseP50Ms = value);
    }

    /// <summary>Open loop: 90th percentile of it in milliseconds; null for a closed loop or with fewer than 100 I/Os.</summary>
    public double? ResponseP90Ms
    {
        get => _openLoop?.ResponseP90Ms;
        set => SetOpenLoop(value is null, figures => figures.ResponseP90Ms = value);
    }

    /// <summary>Open loop: 95th percentile of it in milliseconds; null for a closed loop or with fewer than 200 I/Os.</summary>
    public double? ResponseP95Ms
    {
        get => _openLoop?.ResponseP95Ms;
        set => SetOpenLoop(value is null, figures => figures.ResponseP95Ms = value);
    }

    /// <summary>Open loop: 99.9th percentile of it in milliseconds; null for a closed loop or with fewer than 10,000 I/Os.</summary>
    public double? ResponseP999Ms
    {
        get => _openLoop?.ResponseP999Ms;
        set => SetOpenLoop(value is null, figures => figures.ResponseP999Ms = value);
    }

    /// <summary>Open loop: the longest time from the intended start in milliseconds; null for a closed loop.</summary>
    public double? ResponseMaxMs
    {
        get => _openLoop?.ResponseMaxMs;
        set => SetOpenLoop(value is null, figures => figures.ResponseMaxMs = value);
    }

    /// <summary>Open loop: I/Os done in the measured time, in percent of those due in it; of several targets, the lowest.</summary>
    public double? RateReachedPercent
    {
        get => _openLoop?.RateReachedPercent;
        set => SetOpenLoop(value is null, figures => figures.RateReachedPercent = value);
    }

    /// <summary>Open loop: I/Os that were due in the measured time and not done when it ended.</summary>
    public long? DueNotDone
    {
        get => _openLoop?.DueNotDone;
        set => SetOpenLoop(value is null, figures => figures.DueNotDone = value);
    }

    /// <summary>Open loop: age of the oldest of those at that moment in milliseconds; null when there are none.</summary>
    public double? OldestDueMs
    {
        get => _openLoop?.OldestDueMs;
        set => SetOpenLoop(value is null, figures => figures.OldestDueMs = value);
    }

    /// <summary>Latency by Little's law: outstanding / IOPS. Finer than SQLIO's whole milliseconds; null for an open loop or an unknown depth.</summary>
    public double? LittlesLawLatencyMs
    {
        get => _littlesLawLatencyMs.Value;
        set => _littlesLawLatencyMs = new(value);
    }

    /// <summary>Standard deviation of IOPS over whole intervals (population).</summary>
    public double? IopsStdDev
    {
        get => _iopsStdDev.Value;
        set => _iopsStdDev = new(value);
    }

    /// <summary>Processor time used, 0 to 100 percent of all processors.</summary>
    public double? CpuPercent
    {
        get => _cpuPercent.Value;
        set => _cpuPercent = new(value);
    }

    /// <summary>Processor microseconds of this process per I/O (user and kernel).</summary>
    public double? CpuUsPerIO
    {
        get => _cpuUsPerIO.Value;
        set => _cpuUsPerIO = new(value);
    }

    /// <summary>Garbage collections during the measured time.</summary>
    public int? GcCount { get; set; }

    /// <summary>The backend that ran.</summary>
    public string? Backend { get; set; }

    /// <summary>File system of the (first) target.</summary>
    public string? FileSystem { get; set; }

    /// <summary>Device and model of the (first) target.</summary>
    public string? Device { get; set; }

    /// <summary>What a reader must know to trust the figures; each in plain words.</summary>
    public List<string> Warnings
    {
        get => _warnings ??= [];
        set => _warnings = value;
    }

    /// <summary>Of those <see cref="Warnings"/> that IoBench gave itself: their codes, and their texts as each front spells them.</summary>
    public List<IoWarning> WarningDetails
    {
        get => _warningDetails ??= [];
        set => _warningDetails = value;
    }

    /// <summary>Id of the error that ended the run; null when none did.</summary>
    public string? ErrorId { get; set; }

    /// <summary>That error in words.</summary>
    public string? ErrorMessage { get; set; }

    /// <summary>Of an error that IoBench met itself: what happened and what to do, apart, and as each front spells them; null of another tool's.</summary>
    public IoErrorDetails? ErrorDetails { get; set; }

    /// <summary>Count of I/Os measured.</summary>
    public long? IOCount { get; set; }

    /// <summary>Bytes measured.</summary>
    public long? ByteCount { get; set; }

    /// <summary>Of a test that several hosts ran at one moment: the same for all of them; null for a test of one host.</summary>
    public string? GroupId
    {
        get => _group?.Id;
        set => SetGroup(value is null, group => group.Id = value);
    }

    /// <summary>The host's name in its group, which two computers with the same name do not share.</summary>
    public string? Member
    {
        get => _group?.Member;
        set => SetGroup(value is null, group => group.Member = value);
    }

    /// <summary>Hosts that were to run the test at that moment.</summary>
    public int? GroupHosts
    {
        get => _group?.Hosts;
        set => SetGroup(value is null, group => group.Hosts = value);
    }

    /// <summary>Seconds from the agreed moment to the start of its last thread.</summary>
    public double? StartOffsetSeconds
    {
        get => _group?.StartOffset;
        set => SetGroup(value is null, group => group.StartOffset = value);
    }

    /// <summary>Share of its measured time in which all hosts of the group measured.</summary>
    public double? CommonWindowPercent
    {
        get => _group?.Common;
        set => SetGroup(value is null, group => group.Common = value);
    }

    /// <summary>Time in which an average worker was ready to go on and had no processor, in percent of the measured time; null where the system does not report it (Windows).</summary>
    public double? ProcessorWaitPercent
    {
        get => _processorWaitPercent.Value;
        set => _processorWaitPercent = new(value);
    }

    /// <summary>What was asked for, when it is known.</summary>
    /// <remarks>Made when it is first asked for where a reader gave a way to make it.</remarks>
    public IoTestSpecification? Specification
    {
        get => _specification ??= _makeSpecification?.Invoke(this);
        set => (_specification, _makeSpecification) = (value, null);
    }

    /// <summary>Has <see cref="Specification"/> made of the result's own figures when it is first asked for.</summary>
    /// <param name="make">Makes it.</param>
    public void MakeSpecificationWhenAsked(Func<IoTestResult, IoTestSpecification> make) => _makeSpecification = make;

    /// <summary>The <see cref="Specification"/> where it says more than the result itself; null where it is not known or only made of the result's own figures.</summary>
    public IoTestSpecification? HeldSpecification() => _specification;

    /// <summary>Reads, writes and both over all targets, with what has no column of its own: their counts, bytes and deviations; null when not known.</summary>
    public IoReadWriteTotals? Totals { get; set; }

    /// <summary>Totals of each target.</summary>
    /// <remarks>Made when they are first asked for where a reader gave a way to make them: a long log's results stay small.</remarks>
    public List<IoTargetResult> Targets
    {
        get => _targets ??= _makeTargets?.Invoke(this) ?? [];
        set => _targets = value;
    }

    /// <summary>Has <see cref="Targets"/> made of the result's own figures when they are first asked for.</summary>
    /// <param name="make">Makes them.</param>
    public void MakeTargetsWhenAsked(Func<IoTestResult, List<IoTargetResult>> make) => _makeTargets = make;

    /// <summary>Totals of each thread (and target, when a thread serves several).</summary>
    public List<IoThreadResult> Threads
    {
        get => _threads ??= [];
        set => _threads = value;
    }

    /// <summary>Share of I/Os by latency; null when not known.</summary>
    public IoHistogram? Histogram { get; set; }

    /// <summary>Percentiles by name, where the source gives them or the histogram allows them.</summary>
    /// <remarks>Made when they are first asked for where a reader gave a way to make them.</remarks>
    public List<IoPercentile> Percentiles
    {
        get => _percentiles ??= _makePercentiles?.Invoke(this) ?? [];
        set => _percentiles = value;
    }

    /// <summary>Has <see cref="Percentiles"/> made of the result's own figures when they are first asked for.</summary>
    /// <param name="make">Makes them.</param>
    public void MakePercentilesWhenAsked(Func<IoTestResult, List<IoPercentile>> make) => _makePercentiles = make;

    /// <summary>Open loop: share of I/Os by response time; null for a closed loop.</summary>
    public IoHistogram? ResponseHistogram
    {
        get => _openLoop?.ResponseHistogram;
        set => SetOpenLoop(value is null, figures => figures.ResponseHistogram = value);
    }

    /// <summary>Open loop: percentiles of response time; empty for a closed loop.</summary>
    public List<IoPercentile> ResponsePercentiles
    {
        get => (_openLoop ??= new()).ResponsePercentiles;
        set => SetOpenLoop(value is null or [], figures => figures.ResponsePercentiles = value!);
    }

    /// <summary>Rates by interval.</summary>
    public List<IoTimelinePoint> Timeline
    {
        get => _timeline ??= [];
        set => _timeline = value;
    }

    /// <summary>The slowest I/Os that were counted, the slowest first; at most <see cref="IoSlowIO.MaxCount"/>. Empty where the source does not report them.</summary>
    public List<IoSlowIO> SlowestIOs
    {
        get => (_slow ??= new()).Slowest;
        set => (_slow ??= new()).Slowest = value;
    }

    /// <summary>The longest times in which I/Os were in flight and none came back, in order; at most <see cref="IoSilence.MaxCount"/>. Empty where the source does not report them.</summary>
    public List<IoSilence> Silences
    {
        get => (_slow ??= new()).Silences;
        set => (_slow ??= new()).Silences = value;
    }

    /// <summary>What a checked test found out about the storage's word; null for a test whose reads were not checked.</summary>
    public IoIntegrity? Integrity { get; set; }

    /// <summary>Load of each processor.</summary>
    public List<IoProcessorLoad> Processors
    {
        get => _processors ??= [];
        set => _processors = value;
    }

    /// <summary>What the tool reported that has no property of its own (DiskSpd's ETW counters, wait statistics, effective distributions); name and text as printed.</summary>
    /// <remarks>Made when they are first asked for where a reader gave their list.</remarks>
    public Dictionary<string, string> ToolDetails
    {
        get => _toolDetails ??= new(_toolDetailsToMake ?? []);
        set => _toolDetails = value;
    }

    /// <summary>Has <see cref="ToolDetails"/> made of a list when they are first asked for: the results of one log share the list.</summary>
    /// <param name="details">Names, each once, and texts; nobody changes it later.</param>
    public void MakeToolDetailsWhenAsked(IReadOnlyList<KeyValuePair<string, string>> details) => _toolDetailsToMake = details;

    /// <summary>Of a test that several hosts ran at one moment: the names of those that truly ran it.</summary>
    public List<string> GroupMembers
    {
        get => (_group ??= new()).Members;
        set => SetGroup(value is null or [], group => group.Members = value!);
    }

    /// <summary>The computer and the storage it ran on; names and values in plain text.</summary>
    public Dictionary<string, string> Host
    {
        get => _host ??= [];
        set => _host = value;
    }

    /// <summary>The test and its figures in a line: <c>page-read-qd1 on T:\iobench.dat: 12,172 IOPS, 95.1 MiB/s, 0.082 ms</c>.</summary>
    public override string ToString()
    {
        var name = string.Join(" on ", new[] { Workload ?? IOPattern ?? Label, Path }.Where(part => !string.IsNullOrEmpty(part)));
        var figures = new[]
        {
            Figure(IOPS, "#,##0", "IOPS"),
            Figure(Throughput.In(BandwidthMBps), "#,##0.#", Throughput.Unit),
            Figure(ResponseAverageMs ?? AverageLatencyMs, "0.###", ResponseAverageMs is null ? "ms" : "ms response"),
        }.OfType<string>();
        var ended = Status == IoResultStatus.Complete ? [] : new[] { Status.ToString().ToLowerInvariant() };
        var rest = string.Join(", ", ended.Concat(figures));
        return name.Length == 0 ? rest
            : rest.Length == 0 ? name
            : $"{name}: {rest}";
    }

    private void SetOpenLoop(bool isNothing, Action<OpenLoopFigures> set)
    {
        if (!isNothing || _openLoop is not null)
            set(_openLoop ??= new());
    }

    private void SetGroup(bool isNothing, Action<GroupPlace> set)
    {
        if (!isNothing || _group is not null)
            set(_group ??= new());
    }

    /// <summary>Below this share of the asked rate, in percent, an open loop's latency says nothing but that the rate is too high.</summary>
    public const double MinRateReachedPercent = 97;

    /// <summary>Whether an open loop's rate was not kept: then nothing is judged by its latency.</summary>
    public bool HasMissedRate() =>
        LoadModel == IoLoadModel.Open
        && (RateReachedPercent ?? (DueNotDone is null ? IOPS / TargetIops * 100 : null)) < MinRateReachedPercent;

    private static string? Figure(double? value, string format, string unit) =>
        value is { } number ? $"{number.ToString(format, System.Globalization.CultureInfo.InvariantCulture)} {unit}" : null;

    /// <summary>Notes the error that ended the run.</summary>
    internal void SetError(IoBenchException error) =>
        (ErrorId, ErrorMessage, ErrorDetails) = (error.ErrorId, error.Message, new IoErrorDetails(error.What, error.Advice));

    /// <summary>Adds a warning to <see cref="Warnings"/>, and to <see cref="WarningDetails"/> what its text alone does not say.</summary>
    public void AddWarning(IoWarning warning)
    {
        ArgumentNullException.ThrowIfNull(warning);
        Warnings.Add(warning.ToString());
        if (warning.Code.Length > 0 || warning.Text.Options.Count > 0)
            WarningDetails.Add(warning);
    }

    /// <summary>Whether there are <see cref="Warnings"/>; to ask so makes no list.</summary>
    public bool HasWarnings() => _warnings is { Count: > 0 };

    /// <summary>Whether there is a <see cref="Timeline"/>.</summary>
    public bool HasTimeline() => _timeline is { Count: > 0 };

    /// <summary>Whether there are <see cref="SlowestIOs"/> or <see cref="Silences"/>.</summary>
    public bool HasSlowIOs() => _slow is { Slowest.Count: > 0 } or { Silences.Count: > 0 };

    /// <summary>Whether there are several <see cref="Targets"/>.</summary>
    public bool HasSeveralTargets() => _targets is null ? TargetCount > 1 : _targets.Count > 1;

    /// <summary>Whether something is known of the <see cref="Host"/>.</summary>
    public bool HasHost() => _host is { Count: > 0 };

    /// <summary>Whether a warning of a code is among them.</summary>
    public bool HasWarning(string code) => _warningDetails?.Exists(warning => warning.Code == code) == true;

    /// <summary>All warnings; those that came as plain words (from an old tool or file) have no code.</summary>
    public IEnumerable<IoWarning> GetWarnings() =>
        Warnings.Select(text => WarningDetails.Find(warning => warning.ToString() == text) ?? IoWarning.FromString(text));

    /// <summary>What only an open loop has: closed loops, and a million results of an old log, have no room for it.</summary>
    private sealed class OpenLoopFigures
    {
        public double? ResponseAverageMs { get; set; }
        public double? ResponseP99Ms { get; set; }
        public double? ResponseP50Ms { get; set; }
        public double? ResponseP90Ms { get; set; }
        public double? ResponseP95Ms { get; set; }
        public double? ResponseP999Ms { get; set; }
        public double? ResponseMaxMs { get; set; }
        public double? RateReachedPercent { get; set; }
        public long? DueNotDone { get; set; }
        public double? OldestDueMs { get; set; }
        public IoHistogram? ResponseHistogram { get; set; }
        public List<IoPercentile> ResponsePercentiles { get; set; } = [];
    }

    /// <summary>What only a test of several hosts has.</summary>
    private sealed class GroupPlace
    {
        public string? Id { get; set; }
        public string? Member { get; set; }
        public int? Hosts { get; set; }
        public double? StartOffset { get; set; }
        public double? Common { get; set; }
        public List<string> Members { get; set; } = [];
    }

    /// <summary>What few sources report.</summary>
    private sealed class SlowFigures
    {
        public List<IoSlowIO> Slowest { get; set; } = [];
        public List<IoSilence> Silences { get; set; } = [];
    }
}
