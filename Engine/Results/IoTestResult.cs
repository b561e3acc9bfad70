namespace IoBench.Engine;

/// <summary>
/// Result of one run, measured by IoBench or imported from another tool's output. Flat scalars for tables and databases; details are
/// nested. A value that the source does not report is null, never 0. Latency is in milliseconds, sizes are 1024-based, MBps is MiB/s.
/// </summary>
public sealed class IoTestResult
{
    // Created on demand, because most of the many results of an old log have none of them.
    private List<string>? _warnings;
    private List<IoWarning>? _warningDetails;
    private List<IoTargetResult>? _targets;
    private Func<IoTestResult, List<IoTargetResult>>? _makeTargets;
    private IoTestSpecification? _specification;
    private Func<IoTestResult, IoTestSpecification>? _makeSpecification;
    private List<IoThreadResult>? _threads;
    private List<IoPercentile>? _percentiles;
    private Func<IoTestResult, List<IoPercentile>>? _makePercentiles;
    private RareValues? _rare;
    private List<IoTimelinePoint>? _timeline;
    private List<IoProcessorLoad>? _processors;
    private Dictionary<string, string>? _toolDetails;
    private IReadOnlyList<KeyValuePair<string, string>>? _toolDetailsToMake;
    private Dictionary<string, string>? _host;
    private string _source = OwnSource;

    // Each value takes eight bytes; a nullable double would take sixteen.
    private CompactDouble _fileSizeMB,
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

    /// <summary>Source of results that IoBench measured.</summary>
    public const string OwnSource = "IoBench";

    /// <summary>Version of IoBench, such as 0.1.0.</summary>
    public static readonly string OwnVersion = typeof(IoTestResult).Assembly.GetName().Version!.ToString(3);

    /// <summary><see cref="OwnSource"/>, or the name of the imported format (<c>Sqlio</c>, <c>DiskSpdXml</c>); never null.</summary>
    public string Source
    {
        get => _source;
        set => _source = string.IsNullOrEmpty(value) ? OwnSource : value;
    }

    /// <summary>Path of the imported file.</summary>
    public string? SourceFile { get; set; }

    /// <summary>Line at which the run starts in the file, from 1.</summary>
    public int? SourceLine { get; set; }

    /// <summary>Version of the tool that measured.</summary>
    public string? ToolVersion { get; set; }

    /// <summary>How the run ended.</summary>
    public IoResultStatus Status { get; set; }

    /// <summary>Unique id of the run. The results of one suite share <see cref="IoTestSpecification.Label"/>.</summary>
    public string? RunId { get; set; }

    /// <summary>Name that the user gave the test.</summary>
    public string? Label { get; set; }

    /// <summary>Name of the workload, such as <c>oltp</c>; null for a custom test.</summary>
    public string? Workload { get; set; }

    /// <summary>Where SQL Server uses this pattern.</summary>
    public string? WorkloadRole { get; set; }

    /// <summary>Name of the computer that ran the test.</summary>
    public string? ComputerName { get; set; }

    /// <summary>Start time of the run, with its offset from UTC.</summary>
    public DateTimeOffset? StartTime { get; set; }

    /// <summary>Path of the target; several are joined by <c>; </c>.</summary>
    public string? Path { get; set; }

    public int? TargetCount { get; set; }

    /// <summary>Size of the test file in MiB; the sum of several files.</summary>
    public double? FileSizeMB
    {
        get => _fileSizeMB.Value;
        set => _fileSizeMB = new(value);
    }

    public int? ThreadCount { get; set; }

    /// <summary>Outstanding I/Os per thread and target.</summary>
    public int? OutstandingIO { get; set; }

    /// <summary>Total outstanding I/Os of all threads and targets.</summary>
    public int? TotalOutstanding { get; set; }

    /// <summary>Block size in units of 1,024 bytes.</summary>
    public double? BlockSizeKB
    {
        get => _blockSizeKB.Value;
        set => _blockSizeKB = new(value);
    }

    /// <summary>Read, Write or Mixed.</summary>
    public IoOperation? Operation { get; set; }

    /// <summary>Write percentage, 0 to 100.</summary>
    public int? WritePercent { get; set; }

    public IoAccessPattern? AccessPattern { get; set; }

    public string? IOPattern { get; set; }

    public IoBuffering? Buffering { get; set; }

    public IoLoadModel? LoadModel { get; set; }

    /// <summary>Target rate of an open loop in IOPS; null for a closed loop.</summary>
    public double? TargetIops
    {
        get => _targetIops.Value;
        set => _targetIops = new(value);
    }

    /// <summary>Number of the repetition, from 1.</summary>
    public int? Repeat { get; set; }

    /// <summary>Measured time in seconds.</summary>
    public double? DurationSeconds
    {
        get => _durationSeconds.Value;
        set => _durationSeconds = new(value);
    }

    public double? BandwidthMBps
    {
        get => _bandwidthMBps.Value;
        set => _bandwidthMBps = new(value);
    }

    public double? IOPS
    {
        get => _iops.Value;
        set => _iops = new(value);
    }

    public double? ReadMBps
    {
        get => _readMBps.Value;
        set => _readMBps = new(value);
    }

    public double? ReadIOPS
    {
        get => _readIOPS.Value;
        set => _readIOPS = new(value);
    }

    public double? WriteMBps
    {
        get => _writeMBps.Value;
        set => _writeMBps = new(value);
    }

    public double? WriteIOPS
    {
        get => _writeIOPS.Value;
        set => _writeIOPS = new(value);
    }

    public double? AverageLatencyMs
    {
        get => _averageLatencyMs.Value;
        set => _averageLatencyMs = new(value);
    }

    public double? MinLatencyMs
    {
        get => _minLatencyMs.Value;
        set => _minLatencyMs = new(value);
    }

    public double? MaxLatencyMs
    {
        get => _maxLatencyMs.Value;
        set => _maxLatencyMs = new(value);
    }

    /// <summary>Standard deviation (population) of the latency.</summary>
    public double? LatencyStdDevMs
    {
        get => _latencyStdDevMs.Value;
        set => _latencyStdDevMs = new(value);
    }

    /// <summary>IoBench reports it for at least 20 I/Os.</summary>
    public double? P50Ms
    {
        get => _p50Ms.Value;
        set => _p50Ms = new(value);
    }

    /// <summary>IoBench reports it for at least 100 I/Os.</summary>
    public double? P90Ms
    {
        get => _p90Ms.Value;
        set => _p90Ms = new(value);
    }

    /// <summary>IoBench reports it for at least 200 I/Os.</summary>
    public double? P95Ms
    {
        get => _p95Ms.Value;
        set => _p95Ms = new(value);
    }

    /// <summary>IoBench reports it for at least 1,000 I/Os.</summary>
    public double? P99Ms
    {
        get => _p99Ms.Value;
        set => _p99Ms = new(value);
    }

    /// <summary>IoBench reports it for at least 10,000 I/Os.</summary>
    public double? P999Ms
    {
        get => _p999Ms.Value;
        set => _p999Ms = new(value);
    }

    public double? ReadAverageLatencyMs
    {
        get => _readAverageLatencyMs.Value;
        set => _readAverageLatencyMs = new(value);
    }

    /// <summary>IoBench reports it for at least 1,000 reads.</summary>
    public double? ReadP99Ms
    {
        get => _readP99Ms.Value;
        set => _readP99Ms = new(value);
    }

    public double? WriteAverageLatencyMs
    {
        get => _writeAverageLatencyMs.Value;
        set => _writeAverageLatencyMs = new(value);
    }

    /// <summary>IoBench reports it for at least 1,000 writes.</summary>
    public double? WriteP99Ms
    {
        get => _writeP99Ms.Value;
        set => _writeP99Ms = new(value);
    }

    /// <summary>Open loop: average response time (from the scheduled start); null for a closed loop, as all response times.</summary>
    public double? ResponseAverageMs
    {
        get => _rare?.ResponseAverageMs;
        set => SetRare(value is null, values => values.ResponseAverageMs = value);
    }

    /// <summary>Open loop, at least 1,000 I/Os.</summary>
    public double? ResponseP99Ms
    {
        get => _rare?.ResponseP99Ms;
        set => SetRare(value is null, values => values.ResponseP99Ms = value);
    }

    /// <summary>Open loop, at least 20 I/Os.</summary>
    public double? ResponseP50Ms
    {
        get => _rare?.ResponseP50Ms;
        set => SetRare(value is null, values => values.ResponseP50Ms = value);
    }

    /// <summary>Open loop, at least 100 I/Os.</summary>
    public double? ResponseP90Ms
    {
        get => _rare?.ResponseP90Ms;
        set => SetRare(value is null, values => values.ResponseP90Ms = value);
    }

    /// <summary>Open loop, at least 200 I/Os.</summary>
    public double? ResponseP95Ms
    {
        get => _rare?.ResponseP95Ms;
        set => SetRare(value is null, values => values.ResponseP95Ms = value);
    }

    /// <summary>Open loop, at least 10,000 I/Os.</summary>
    public double? ResponseP999Ms
    {
        get => _rare?.ResponseP999Ms;
        set => SetRare(value is null, values => values.ResponseP999Ms = value);
    }

    public double? ResponseMaxMs
    {
        get => _rare?.ResponseMaxMs;
        set => SetRare(value is null, values => values.ResponseMaxMs = value);
    }

    /// <summary>
    /// Open loop: I/Os completed in the measured time, in percent of those due in it; the lowest value of several targets.
    /// </summary>
    public double? RateReachedPercent
    {
        get => _rare?.RateReachedPercent;
        set => SetRare(value is null, values => values.RateReachedPercent = value);
    }

    /// <summary>Open loop: I/Os that were due in the measured time and not completed when it ended.</summary>
    public long? DueNotDone
    {
        get => _rare?.DueNotDone;
        set => SetRare(value is null, values => values.DueNotDone = value);
    }

    /// <summary>Open loop: age of the oldest of these I/Os at the end in milliseconds; null if there are none.</summary>
    public double? OldestDueMs
    {
        get => _rare?.OldestDueMs;
        set => SetRare(value is null, values => values.OldestDueMs = value);
    }

    /// <summary>
    /// Outstanding I/Os divided by IOPS. Finer than SQLIO's whole milliseconds; null for an open loop or an unknown queue depth.
    /// </summary>
    public double? LittlesLawLatencyMs
    {
        get => _littlesLawLatencyMs.Value;
        set => _littlesLawLatencyMs = new(value);
    }

    /// <summary>Standard deviation (population) of IOPS over whole intervals.</summary>
    public double? IopsStdDev
    {
        get => _iopsStdDev.Value;
        set => _iopsStdDev = new(value);
    }

    /// <summary>CPU usage, 0 to 100 percent of all CPUs.</summary>
    public double? CpuPercent
    {
        get => _cpuPercent.Value;
        set => _cpuPercent = new(value);
    }

    /// <summary>CPU time of the IoBench process per I/O in microseconds (user and kernel).</summary>
    public double? CpuUsPerIO
    {
        get => _cpuUsPerIO.Value;
        set => _cpuUsPerIO = new(value);
    }

    /// <summary>Garbage collections during the measured time.</summary>
    public int? GcCount { get; set; }

    /// <summary>Backend that ran the test.</summary>
    public string? Backend { get; set; }

    /// <summary>File system of the first target.</summary>
    public string? FileSystem { get; set; }

    public string? Device { get; set; }

    /// <summary>Warnings that affect the meaning of the results, as plain text.</summary>
    public List<string> Warnings
    {
        get => _warnings ??= [];
        set => _warnings = value;
    }

    /// <summary>Code and template of those <see cref="Warnings"/> that IoBench created.</summary>
    public List<IoWarning> WarningDetails
    {
        get => _warningDetails ??= [];
        set => _warningDetails = value;
    }

    public string? ErrorId { get; set; }

    public string? ErrorMessage { get; set; }

    /// <summary>For an error of IoBench itself: templates of what happened and what to do; null for another tool's error.</summary>
    public IoErrorDetails? ErrorDetails { get; set; }

    /// <summary>Number of measured I/Os.</summary>
    public long? IOCount { get; set; }

    public long? ByteCount { get; set; }

    /// <summary>Id of the group of hosts that ran the test with a synchronized start; null for a test of one host.</summary>
    public string? GroupId
    {
        get => _rare?.GroupId;
        set => SetRare(value is null, values => values.GroupId = value);
    }

    public string? Member
    {
        get => _rare?.Member;
        set => SetRare(value is null, values => values.Member = value);
    }

    /// <summary>Number of hosts in the group that were to run the test.</summary>
    public int? GroupHosts
    {
        get => _rare?.GroupHosts;
        set => SetRare(value is null, values => values.GroupHosts = value);
    }

    /// <summary>Seconds from the agreed start time to the start of the last thread.</summary>
    public double? StartOffsetSeconds
    {
        get => _rare?.StartOffsetSeconds;
        set => SetRare(value is null, values => values.StartOffsetSeconds = value);
    }

    /// <summary>Percentage of the measured time in which all hosts of the group measured.</summary>
    public double? CommonWindowPercent
    {
        get => _rare?.CommonWindowPercent;
        set => SetRare(value is null, values => values.CommonWindowPercent = value);
    }

    /// <summary>Average time in which workers were ready but waited for a CPU, in percent of the measured time; null on Windows.</summary>
    public double? ProcessorWaitPercent
    {
        get => _processorWaitPercent.Value;
        set => _processorWaitPercent = new(value);
    }

    /// <summary>Specification of the test, if known. Created at the first access if a factory was set.</summary>
    public IoTestSpecification? Specification
    {
        get => _specification ??= _makeSpecification?.Invoke(this);
        set
        {
            _specification = value;
            _makeSpecification = null;
        }
    }

    public void SetSpecificationFactory(Func<IoTestResult, IoTestSpecification> make) => _makeSpecification = make;

    /// <summary>Null if the specification is unknown or would only be created from the result itself.</summary>
    public IoTestSpecification? GetStoredSpecification() => _specification;

    public IoReadWriteTotals? Totals { get; set; }

    /// <summary>Created at the first access if a factory was set, so that results of a long log stay small.</summary>
    public List<IoTargetResult> Targets
    {
        get => _targets ??= _makeTargets?.Invoke(this) ?? [];
        set => _targets = value;
    }

    /// <summary>Null if the list would only be created from the result itself.</summary>
    public List<IoTargetResult>? GetStoredTargets() => _targets;

    public void SetTargetsFactory(Func<IoTestResult, List<IoTargetResult>> make) => _makeTargets = make;

    public List<IoThreadResult> Threads
    {
        get => _threads ??= [];
        set => _threads = value;
    }

    public IoHistogram? Histogram { get; set; }

    /// <summary>Empty if unknown. Created at the first access if a factory was set.</summary>
    public List<IoPercentile> Percentiles
    {
        get => _percentiles ??= _makePercentiles?.Invoke(this) ?? [];
        set => _percentiles = value;
    }

    /// <summary>Null if the list would only be created from other values.</summary>
    public List<IoPercentile>? GetStoredPercentiles() => _percentiles;

    public void SetPercentilesFactory(Func<IoTestResult, List<IoPercentile>> make) => _makePercentiles = make;

    public IoHistogram? ResponseHistogram
    {
        get => _rare?.ResponseHistogram;
        set => SetRare(value is null, values => values.ResponseHistogram = value);
    }

    public List<IoPercentile> ResponsePercentiles
    {
        get => (_rare ??= new()).ResponsePercentiles ??= [];
        set => SetRare(value is null or [], values => values.ResponsePercentiles = value!);
    }

    public List<IoTimelinePoint> Timeline
    {
        get => _timeline ??= [];
        set => _timeline = value;
    }

    /// <summary>The slowest first; at most <see cref="IoSlowIO.MaxCount"/>. Empty if the source does not report them.</summary>
    public List<IoSlowIO> SlowestIOs
    {
        get => (_rare ??= new()).Slowest ??= [];
        set => (_rare ??= new()).Slowest = value;
    }

    /// <summary>
    /// The longest I/O stalls, in order; at most <see cref="IoStall.MaxCount"/>. Empty if the source does not report them.
    /// </summary>
    public List<IoStall> Stalls
    {
        get => (_rare ??= new()).Stalls ??= [];
        set => (_rare ??= new()).Stalls = value;
    }

    /// <summary>
    /// Periods of at least 0.1 s in which the host did not run IoBench (suspended process, moved virtual machine, no free CPU), in order.
    /// The maximum latency, the slowest I/Os, and the I/O stalls leave them out. Empty if there were none, or the source does not report
    /// them.
    /// </summary>
    public List<IoHostPause> HostPauses
    {
        get => _rare?.Pauses ?? [];
        set
        {
            if (value is { Count: > 0 } || _rare is not null)
                (_rare ??= new()).Pauses = value ?? [];
        }
    }

    /// <summary>
    /// I/Os of the block devices under the targets, in the measured time, as the operating system counts them. Empty if it does not
    /// (network, memory), or the source does not report them.
    /// </summary>
    public List<IoDeviceLoad> Devices
    {
        get => _rare?.Devices ?? [];
        set
        {
            if (value is { Count: > 0 } || _rare is not null)
                (_rare ??= new()).Devices = value ?? [];
        }
    }

    /// <summary>
    /// Average time per I/O that the block devices took, in milliseconds, at most the average latency. Null if it is unknown, or if the
    /// devices transferred other amounts than the test, because of other programs or a cache.
    /// </summary>
    public double? GetDeviceLatencyMs()
    {
        var devices = Devices.Where(device => !device.IsComponent).ToList();
        var bytes = BandwidthMBps * 1048576 * DurationSeconds;
        var moved = devices.Sum(device => (double)device.ReadBytes + device.WriteBytes);
        return
            devices.Count > 0
            && IOCount > 0
            && AverageLatencyMs is { } average
            && bytes > 0
            && Math.Abs(moved / bytes.Value - 1) <= MaxDeviceByteDifference
            ? Math.Min(average, devices.Sum(device => device.ReadMs + device.WriteMs) / IOCount.Value * (bytes.Value / moved))
            : null;
    }

    private const double MaxDeviceByteDifference = 0.1;

    /// <summary>Data integrity results; null if the reads were not verified.</summary>
    public IoIntegrity? Integrity { get; set; }

    public List<IoProcessorLoad> Processors
    {
        get => _processors ??= [];
        set => _processors = value;
    }

    /// <summary>Other values that the tool reported (DiskSpd's ETW counters, wait statistics); name and text as printed.</summary>
    public Dictionary<string, string> ToolDetails
    {
        get => _toolDetails ??= new(_toolDetailsToMake ?? []);
        set => _toolDetails = value;
    }

    /// <summary>
    /// Sets a list from which <see cref="ToolDetails"/> is created. The results of one log share it; it must not change later.
    /// </summary>
    public void SetToolDetailsSource(IReadOnlyList<KeyValuePair<string, string>> details) => _toolDetailsToMake = details;

    /// <summary>Names of the hosts in the group that ran the test.</summary>
    public List<string> GroupMembers
    {
        get => (_rare ??= new()).GroupMembers ??= [];
        set => SetRare(value is null or [], values => values.GroupMembers = value!);
    }

    /// <summary>Facts about the computer and its storage; names and values as plain text.</summary>
    public Dictionary<string, string> Host
    {
        get => _host ??= [];
        set => _host = value;
    }

    /// <summary>Returns <c>page-read-qd1 on T:\iobench.dat: 12,172 IOPS, 95.1 MiB/s, 0.082 ms</c>.</summary>
    public override string ToString()
    {
        var name = string.Join(" on ", new[] { Workload ?? IOPattern ?? Label, Path }.Where(part => !string.IsNullOrEmpty(part)));
        var figures = new[]
        {
            FormatValue(IOPS, "#,##0", "IOPS"),
            FormatValue(ThroughputDisplay.ToUnit(BandwidthMBps), "#,##0.#", ThroughputDisplay.Unit),
            FormatValue(ResponseAverageMs ?? AverageLatencyMs, "0.###", ResponseAverageMs is null ? "ms" : "ms response"),
        }.OfType<string>();
        var ended = Status == IoResultStatus.Complete ? [] : new[] { Status.ToString().ToLowerInvariant() };
        var rest = string.Join(", ", ended.Concat(figures));
        if (name.Length == 0)
            return rest;
        return rest.Length == 0 ? name : $"{name}: {rest}";
    }

    private void SetRare(bool isNothing, Action<RareValues> set)
    {
        if (!isNothing || _rare is not null)
            set(_rare ??= new());
    }

    /// <summary>Below this percentage of the target rate, the latency of an open loop only shows that the rate is too high.</summary>
    public const double MinRateReachedPercent = 97;

    /// <summary>If an open loop did not reach its target rate, its latency is not rated.</summary>
    public bool HasMissedRate() =>
        LoadModel == IoLoadModel.Open
        && (RateReachedPercent ?? (DueNotDone is null ? IOPS / TargetIops * 100 : null)) < MinRateReachedPercent;

    private static string? FormatValue(double? value, string format, string unit) =>
        value is { } number ? $"{number.ToString(format, System.Globalization.CultureInfo.InvariantCulture)} {unit}" : null;

    internal void SetError(IoBenchException error)
    {
        ErrorId = error.ErrorId;
        ErrorMessage = error.Message;
        ErrorDetails = new IoErrorDetails(error.What, error.Advice);
    }

    /// <summary>Adds a warning to <see cref="Warnings"/>, and to <see cref="WarningDetails"/> if it has a code or names options.</summary>
    public void AddWarning(IoWarning warning)
    {
        ArgumentNullException.ThrowIfNull(warning);
        Warnings.Add(warning.ToString());
        if (warning.Code.Length > 0 || warning.Text.Options.Count > 0)
            WarningDetails.Add(warning);
    }

    /// <summary>Does not create the list, like the other methods of this kind.</summary>
    public bool HasWarnings() => _warnings is { Count: > 0 };

    public bool HasTimeline() => _timeline is { Count: > 0 };

    public bool HasSlowIOs() => _rare is { Slowest.Count: > 0 } or { Stalls.Count: > 0 };

    public bool HasSeveralTargets() => _targets is null ? TargetCount > 1 : _targets.Count > 1;

    public bool HasThreads() => _threads is { Count: > 0 };

    public bool HasProcessors() => _processors is { Count: > 0 };

    public bool HasHost() => _host is { Count: > 0 };

    /// <summary>Returns whether there is a warning with a code.</summary>
    public bool HasWarning(string code) => _warningDetails?.Exists(warning => warning.Code == code) == true;

    /// <summary>Returns all warnings. Warnings of other tools, which are plain text, have no code.</summary>
    public IEnumerable<IoWarning> GetWarnings() =>
        Warnings.Select(text => WarningDetails.Find(warning => warning.ToString() == text) ?? IoWarning.FromString(text));

    /// <summary>Returns a text such as <c>the achieved rate was 150 of 200 IOPS</c>.</summary>
    /// <remarks>
    /// With random arrivals or separate rates, I/Os can be late although the total is reached; the text then has the percentage.
    /// </remarks>
    public static string DescribeMissedRate(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var asked = NumberFormat.Rate(result.TargetIops);
        var reached = NumberFormat.Rate(result.IOPS);
        if (result.IOPS < MinRateReachedPercent / 100 * result.TargetIops || result.RateReachedPercent is not { } percent)
            return $"the achieved rate was {reached} of {asked} IOPS";
        var where = result.TargetCount > 1 ? " on one of the targets" : "";
        return $"only {NumberFormat.Plain(percent, 1)}% of the scheduled I/Os{where} completed in time (target rate {asked} IOPS)";
    }

    /// <summary>Values of open loops, of fleets, and of slow I/Os. Most of the results of an old log have none of them.</summary>
    private sealed class RareValues
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
        public List<IoPercentile>? ResponsePercentiles { get; set; }

        public string? GroupId { get; set; }
        public string? Member { get; set; }
        public int? GroupHosts { get; set; }
        public double? StartOffsetSeconds { get; set; }
        public double? CommonWindowPercent { get; set; }
        public List<string>? GroupMembers { get; set; }

        public List<IoSlowIO>? Slowest { get; set; }
        public List<IoStall>? Stalls { get; set; }
        public List<IoHostPause>? Pauses { get; set; }
        public List<IoDeviceLoad>? Devices { get; set; }
    }
}

/// <summary>A nullable double in eight bytes.</summary>
internal readonly struct CompactDouble
{
    // A NaN bit pattern that no calculation returns. XOR with it makes all-zero bits, the default value, mean null.
    private const long Unknown = 0x7FF8_6E6F_6E65_0001;

    private readonly long _bits;

    public CompactDouble(double? value) => _bits = value is { } number ? BitConverter.DoubleToInt64Bits(number) ^ Unknown : 0;

    public double? Value => _bits == 0 ? null : BitConverter.Int64BitsToDouble(_bits ^ Unknown);
}
