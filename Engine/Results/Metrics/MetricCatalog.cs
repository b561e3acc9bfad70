namespace IoBench.Engine;

/// <summary>
/// All flat properties of a result in the order of the columns, one row each, and derived metrics. CSV, sheets, tables, comparisons,
/// trends, rules, and the documentation use it.
/// </summary>
public static class MetricCatalog
{
    /// <summary>Flat properties, in the order in which <see cref="IoTestResult"/> declares them.</summary>
    public static IReadOnlyList<ResultMetric> All { get; } =
    [
        DefineText("Source", "Source", "Where the result comes from.", r => r.Source, (r, v) => r.Source = v) with
        {
            IsNullable = false,
        },
        DefineText("SourceFile", "File", "File that IoBench read the result from.", r => r.SourceFile, (r, v) => r.SourceFile = v),
        DefineInteger("SourceLine", "Line", "First line of the run in that file, from 1.", r => r.SourceLine, (r, v) => r.SourceLine = v),
        DefineText("ToolVersion", "Version", "Version of the tool.", r => r.ToolVersion, (r, v) => r.ToolVersion = v),
        DefineEnum("Status", "Status", "How the run ended.", r => r.Status, (r, v) => r.Status = v),
        DefineText(
            "RunId",
            "Run",
            "Unique id of the run. The results of a suite have the same `Label`.",
            r => r.RunId,
            (r, v) => r.RunId = v
        ),
        DefineText("Label", "Label", "Label that the user specified.", r => r.Label, (r, v) => r.Label = v),
        DefineText("Workload", "Workload", "Workload name.", r => r.Workload, (r, v) => r.Workload = v),
        DefineText("WorkloadRole", "Role", "File role and use in SQL Server.", r => r.WorkloadRole, (r, v) => r.WorkloadRole = v),
        DefineText("ComputerName", "Computer", "Computer that ran the test.", r => r.ComputerName, (r, v) => r.ComputerName = v),
        DefineTime("StartTime", "Started", "Start time with its offset from UTC.", r => r.StartTime, (r, v) => r.StartTime = v) with
        {
            ExactUnit = "local to the test",
        },
        DefineText("Path", "Path", "Path of the target. Several paths are joined by `; `.", r => r.Path, (r, v) => r.Path = v),
        DefineInteger("TargetCount", "Targets", "Number of targets.", r => r.TargetCount, (r, v) => r.TargetCount = v),
        DefineNumber(
            "FileSizeMB",
            "Size",
            "file size",
            "Size of the test file in MiB; the sum for several files.",
            r => r.FileSizeMB,
            (r, v) => r.FileSizeMB = v
        ) with
        {
            Unit = "MB",
            ExactUnit = "MiB",
        },
        DefineInteger("ThreadCount", "Thr", "Number of threads of the run.", r => r.ThreadCount, (r, v) => r.ThreadCount = v),
        DefineInteger(
            "OutstandingIO",
            "QD",
            "Outstanding I/Os per thread and target.",
            r => r.OutstandingIO,
            (r, v) => r.OutstandingIO = v
        ) with
        {
            ExactUnit = "per thread and target",
        },
        DefineInteger(
            "TotalOutstanding",
            "Out",
            "Outstanding I/Os of the whole run.",
            r => r.TotalOutstanding,
            (r, v) => r.TotalOutstanding = v
        ),
        DefineNumber(
            "BlockSizeKB",
            "KB",
            "block size",
            "Block size in KB (1,024 bytes).",
            r => r.BlockSizeKB,
            (r, v) => r.BlockSizeKB = v
        ) with
        {
            Unit = "KB",
            ExactUnit = "KiB",
        },
        DefineEnum("Operation", "Operation", "Read, Write, or Mixed.", r => r.Operation, (r, v) => r.Operation = v),
        DefineInteger("WritePercent", "Write%", "Write percentage.", r => r.WritePercent, (r, v) => r.WritePercent = v) with
        {
            Unit = "%",
            ExactUnit = "%",
        },
        DefineEnum("AccessPattern", "Pattern", "Access pattern.", r => r.AccessPattern, (r, v) => r.AccessPattern = v),
        DefineText("IOPattern", "IOPattern", "Pattern in words, such as `8KB random read`.", r => r.IOPattern, (r, v) => r.IOPattern = v),
        DefineEnum("Buffering", "Buffering", "Buffering mode.", r => r.Buffering, (r, v) => r.Buffering = v),
        DefineEnum(
            "LoadModel",
            "Load",
            "Closed loop (fixed queue depth) or open loop (target rate).",
            r => r.LoadModel,
            (r, v) => r.LoadModel = v
        ),
        DefineNumber(
            "TargetIops",
            "Asked",
            "target rate",
            "Target rate of an open loop in IOPS.",
            r => r.TargetIops,
            (r, v) => r.TargetIops = v
        ) with
        {
            Unit = "IOPS",
            ExactUnit = "1/s",
        },
        DefineInteger("Repeat", "Run", "Number of the repeat, from 1.", r => r.Repeat, (r, v) => r.Repeat = v),
        DefineNumber(
            "DurationSeconds",
            "Seconds",
            "duration",
            "Duration of the measurement in seconds.",
            r => r.DurationSeconds,
            (r, v) => r.DurationSeconds = v
        ) with
        {
            Unit = "s",
            ExactUnit = "s",
        },
        DefineRate("BandwidthMBps", "MiB/s", "bandwidth", "Throughput in MiB/s.", r => r.BandwidthMBps, (r, v) => r.BandwidthMBps = v),
        DefineRate("IOPS", "IOPS", "IOPS", "IOPS.", r => r.IOPS, (r, v) => r.IOPS = v),
        DefineRate("ReadMBps", "Read MiB/s", "read throughput", "Read throughput in MiB/s.", r => r.ReadMBps, (r, v) => r.ReadMBps = v),
        DefineRate("ReadIOPS", "Read IOPS", "read IOPS", "Read IOPS.", r => r.ReadIOPS, (r, v) => r.ReadIOPS = v),
        DefineRate(
            "WriteMBps",
            "Write MiB/s",
            "write throughput",
            "Write throughput in MiB/s.",
            r => r.WriteMBps,
            (r, v) => r.WriteMBps = v
        ),
        DefineRate("WriteIOPS", "Write IOPS", "write IOPS", "Write IOPS.", r => r.WriteIOPS, (r, v) => r.WriteIOPS = v),
        DefineLatency(
            "AverageLatencyMs",
            "Avg ms",
            "average latency",
            "Average latency.",
            r => r.AverageLatencyMs,
            (r, v) => r.AverageLatencyMs = v
        ),
        DefineLatency("MinLatencyMs", "Min ms", "shortest I/O", "Minimum latency.", r => r.MinLatencyMs, (r, v) => r.MinLatencyMs = v),
        DefineLatency("MaxLatencyMs", "Max ms", "longest I/O", "Maximum latency.", r => r.MaxLatencyMs, (r, v) => r.MaxLatencyMs = v),
        DefineLatency(
            "LatencyStdDevMs",
            "Dev ms",
            "standard deviation of latency",
            "Standard deviation of latency (population).",
            r => r.LatencyStdDevMs,
            (r, v) => r.LatencyStdDevMs = v
        ),
        DefineLatency("P50Ms", "P50 ms", "median latency", "Median latency.", r => r.P50Ms, (r, v) => r.P50Ms = v),
        DefineLatency("P90Ms", "P90 ms", "90th percentile", "p90 latency.", r => r.P90Ms, (r, v) => r.P90Ms = v),
        DefineLatency("P95Ms", "P95 ms", "95th percentile", "p95 latency.", r => r.P95Ms, (r, v) => r.P95Ms = v),
        DefineLatency("P99Ms", "P99 ms", "p99 latency", "p99 latency.", r => r.P99Ms, (r, v) => r.P99Ms = v),
        DefineLatency("P999Ms", "P99.9 ms", "99.9th percentile", "p99.9 latency.", r => r.P999Ms, (r, v) => r.P999Ms = v),
        DefineLatency(
            "ReadAverageLatencyMs",
            "Read ms",
            "average read latency",
            "Average latency of reads.",
            r => r.ReadAverageLatencyMs,
            (r, v) => r.ReadAverageLatencyMs = v
        ),
        DefineLatency(
            "ReadP99Ms",
            "Read P99",
            "p99 latency of reads",
            "p99 latency of reads.",
            r => r.ReadP99Ms,
            (r, v) => r.ReadP99Ms = v
        ),
        DefineLatency(
            "WriteAverageLatencyMs",
            "Write ms",
            "average write latency",
            "Average latency of writes.",
            r => r.WriteAverageLatencyMs,
            (r, v) => r.WriteAverageLatencyMs = v
        ),
        DefineLatency(
            "WriteP99Ms",
            "Write P99",
            "p99 latency of writes",
            "p99 latency of writes.",
            r => r.WriteP99Ms,
            (r, v) => r.WriteP99Ms = v
        ),
        DefineLatency(
            "ResponseAverageMs",
            "Resp ms",
            "average response time",
            "Open loop: average response time, from the scheduled start.",
            r => r.ResponseAverageMs,
            (r, v) => r.ResponseAverageMs = v
        ),
        DefineLatency(
            "ResponseP99Ms",
            "Resp P99",
            "p99 response time",
            "Open loop: p99 response time.",
            r => r.ResponseP99Ms,
            (r, v) => r.ResponseP99Ms = v
        ),
        DefineLatency(
            "ResponseP50Ms",
            "Resp P50",
            "median response time",
            "Open loop: median response time.",
            r => r.ResponseP50Ms,
            (r, v) => r.ResponseP50Ms = v
        ),
        DefineLatency(
            "ResponseP90Ms",
            "Resp P90",
            "90th percentile of response time",
            "Open loop: p90 response time.",
            r => r.ResponseP90Ms,
            (r, v) => r.ResponseP90Ms = v
        ),
        DefineLatency(
            "ResponseP95Ms",
            "Resp P95",
            "95th percentile of response time",
            "Open loop: p95 response time.",
            r => r.ResponseP95Ms,
            (r, v) => r.ResponseP95Ms = v
        ),
        DefineLatency(
            "ResponseP999Ms",
            "Resp 99.9",
            "99.9th percentile of response time",
            "Open loop: p99.9 response time.",
            r => r.ResponseP999Ms,
            (r, v) => r.ResponseP999Ms = v
        ),
        DefineLatency(
            "ResponseMaxMs",
            "Resp max",
            "longest response time",
            "Open loop: maximum response time. I/Os that did not complete count with their age.",
            r => r.ResponseMaxMs,
            (r, v) => r.ResponseMaxMs = v
        ),
        DefineNumber(
            "RateReachedPercent",
            "Reached%",
            "share of the target rate",
            "Open loop: completed I/Os in percent of the I/Os that were due during the measurement; the lowest of several targets. Below 97, the rate was not reached, and latency is not rated.",
            r => r.RateReachedPercent,
            (r, v) => r.RateReachedPercent = v
        ) with
        {
            Unit = "%",
            ExactUnit = "%",
            Decimals = 1,
            TableDecimals = 1,
            Better = BetterDirection.Higher,
        },
        DefineCount(
            "DueNotDone",
            "Not done",
            "Open loop: I/Os that were due during the measurement and had not completed at its end.",
            r => r.DueNotDone,
            (r, v) => r.DueNotDone = v
        ),
        DefineLatency(
            "OldestDueMs",
            "Oldest ms",
            "age of the oldest pending I/O",
            "Open loop: age of the oldest I/O that was due but had not completed.",
            r => r.OldestDueMs,
            (r, v) => r.OldestDueMs = v
        ),
        DefineLatency(
            "LittlesLawLatencyMs",
            "Little ms",
            "average latency (Little's law)",
            "Latency by Little's law: outstanding / IOPS. Finer than SQLIO's whole milliseconds; null for an open loop or an unknown depth.",
            r => r.LittlesLawLatencyMs,
            (r, v) => r.LittlesLawLatencyMs = v
        ) with
        {
            IsMeasuredLatency = false,
        },
        DefineNumber(
            "IopsStdDev",
            "IOPS dev",
            "standard deviation of IOPS",
            "Standard deviation of IOPS over whole intervals (population).",
            r => r.IopsStdDev,
            (r, v) => r.IopsStdDev = v
        ) with
        {
            Unit = "IOPS",
            ExactUnit = "1/s",
            Decimals = 2,
            Better = BetterDirection.Lower,
        },
        DefineNumber(
            "CpuPercent",
            "CPU%",
            "processor time",
            "CPU usage, in percent of all CPUs.",
            r => r.CpuPercent,
            (r, v) => r.CpuPercent = v
        ) with
        {
            Unit = "%",
            ExactUnit = "% of all CPUs",
            Decimals = 1,
            Better = BetterDirection.Lower,
        },
        DefineNumber(
            "CpuUsPerIO",
            "us/IO",
            "CPU time per I/O",
            "CPU time of this process per I/O in microseconds (user and kernel).",
            r => r.CpuUsPerIO,
            (r, v) => r.CpuUsPerIO = v
        ) with
        {
            Unit = "us",
            ExactUnit = "us per I/O",
            Decimals = 2,
            TableDecimals = 1,
            Better = BetterDirection.Lower,
        },
        DefineInteger("GcCount", "GCs", "Garbage collections during the measurement.", r => r.GcCount, (r, v) => r.GcCount = v),
        DefineText("Backend", "Backend", "I/O backend of the run.", r => r.Backend, (r, v) => r.Backend = v),
        DefineText("FileSystem", "File system", "File system of the (first) target.", r => r.FileSystem, (r, v) => r.FileSystem = v),
        DefineText("Device", "Device", "Device and model of the (first) target.", r => r.Device, (r, v) => r.Device = v),
        new()
        {
            Name = "Warnings",
            ValueType = typeof(List<string>),
            IsNullable = false,
            Header = "Warnings",
            Words = "warnings",
            Meaning = "Warnings about the result, as sentences.",
            Value = r => r.Warnings,
            Set = (r, v) => r.Warnings = (List<string>)v,
        },
        DefineText(
            "ErrorId",
            "Error",
            "Id of the error that ended the run; null without an error.",
            r => r.ErrorId,
            (r, v) => r.ErrorId = v
        ),
        DefineText("ErrorMessage", "Message", "Text of that error.", r => r.ErrorMessage, (r, v) => r.ErrorMessage = v),
        DefineCount("IOCount", "I/Os", "Number of I/Os during the measurement.", r => r.IOCount, (r, v) => r.IOCount = v),
        DefineCount("ByteCount", "Bytes", "Number of bytes during the measurement.", r => r.ByteCount, (r, v) => r.ByteCount = v) with
        {
            ExactUnit = "bytes",
        },
        DefineText(
            "GroupId",
            "Group",
            "Identifies a test that several hosts ran concurrently; null for a test of one host.",
            r => r.GroupId,
            (r, v) => r.GroupId = v
        ),
        DefineText(
            "Member",
            "Member",
            "Name of the host in its group. Two computers with the same name have different host names in the group.",
            r => r.Member,
            (r, v) => r.Member = v
        ),
        DefineInteger("GroupHosts", "Hosts", "Number of hosts that should run the test.", r => r.GroupHosts, (r, v) => r.GroupHosts = v),
        DefineNumber(
            "StartOffsetSeconds",
            "Offset",
            "start offset",
            "Time from the synchronized start to the start of the last thread, in seconds.",
            r => r.StartOffsetSeconds,
            (r, v) => r.StartOffsetSeconds = v
        ) with
        {
            Unit = "s",
            ExactUnit = "s",
            TableDecimals = 3,
        },
        DefineNumber(
            "CommonWindowPercent",
            "Common%",
            "share of the duration in which all hosts measured",
            "Share of the duration in which all hosts of the group measured, in percent.",
            r => r.CommonWindowPercent,
            (r, v) => r.CommonWindowPercent = v
        ) with
        {
            Unit = "%",
            ExactUnit = "%",
            TableDecimals = 1,
        },
        DefineNumber(
            "ProcessorWaitPercent",
            "Wait%",
            "wait for a CPU",
            "Time that an average worker thread waited for a CPU, in percent of the duration; null if the system does not report it (Windows).",
            r => r.ProcessorWaitPercent,
            (r, v) => r.ProcessorWaitPercent = v
        ) with
        {
            Unit = "%",
            ExactUnit = "%",
            Decimals = 1,
            TableDecimals = 1,
            Better = BetterDirection.Lower,
        },
    ];

    /// <summary>Metrics that are not properties of a result but derived from it. Rules and comparisons use them.</summary>
    public static IReadOnlyList<ResultMetric> Derived { get; } =
    [
        DefineDerived(
            "ReadResponseAverageMs",
            "Read resp",
            "average response time of reads",
            "Open loop: average time of reads from the scheduled start.",
            r => r.Totals?.Read.ResponseAverageMs
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "ReadResponseP99Ms",
            "Read R99",
            "p99 response time of reads",
            "Open loop: p99 of the time of reads from the scheduled start.",
            r => r.Totals?.Read.ResponseP99Ms
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "WriteResponseAverageMs",
            "Write resp",
            "average response time of writes",
            "Open loop: average time of writes from the scheduled start.",
            r => r.Totals?.Write.ResponseAverageMs
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "WriteResponseP99Ms",
            "Write R99",
            "p99 response time of writes",
            "Open loop: p99 of the time of writes from the scheduled start.",
            r => r.Totals?.Write.ResponseP99Ms
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "IopsVariation",
            "Variation",
            "variation of IOPS",
            "Standard deviation of IOPS over intervals / IOPS.",
            r => r.IOPS > 0 ? r.IopsStdDev / r.IOPS : null
        ),
    ];

    private static readonly Dictionary<string, ResultMetric> s_byName = All.Concat(Derived)
        .ToDictionary(metric => metric.Name, StringComparer.OrdinalIgnoreCase);

    public static ResultMetric? Find(string name) => s_byName.GetValueOrDefault(name);

    public static ResultMetric Get(string name) => s_byName[name];

    private static ResultMetric DefineText(
        string name,
        string header,
        string meaning,
        Func<IoTestResult, string?> get,
        Action<IoTestResult, string> set
    ) =>
        new()
        {
            Name = name,
            ValueType = typeof(string),
            Header = header,
            Words = header.ToLowerInvariant(),
            Meaning = meaning,
            Value = get,
            Set = (r, v) => set(r, (string)v),
        };

    private static ResultMetric DefineEnum<T>(
        string name,
        string header,
        string meaning,
        Func<IoTestResult, T?> get,
        Action<IoTestResult, T> set
    )
        where T : struct, Enum =>
        new()
        {
            Name = name,
            ValueType = typeof(T),
            Header = header,
            Words = header.ToLowerInvariant(),
            Meaning = meaning,
            Value = r => get(r),
            Set = (r, v) => set(r, (T)v),
        };

    private static ResultMetric DefineEnum<T>(
        string name,
        string header,
        string meaning,
        Func<IoTestResult, T> get,
        Action<IoTestResult, T> set
    )
        where T : struct, Enum => DefineEnum(name, header, meaning, r => (T?)get(r), set) with { IsNullable = false };

    private static ResultMetric DefineTime(
        string name,
        string header,
        string meaning,
        Func<IoTestResult, DateTimeOffset?> get,
        Action<IoTestResult, DateTimeOffset> set
    ) =>
        new()
        {
            Name = name,
            ValueType = typeof(DateTimeOffset),
            Header = header,
            Words = header.ToLowerInvariant(),
            Meaning = meaning,
            Value = r => get(r),
            Set = (r, v) => set(r, (DateTimeOffset)v),
        };

    private static ResultMetric DefineInteger(
        string name,
        string header,
        string meaning,
        Func<IoTestResult, int?> get,
        Action<IoTestResult, int?> set
    ) =>
        new()
        {
            Name = name,
            ValueType = typeof(int),
            Header = header,
            Words = header.ToLowerInvariant(),
            Meaning = meaning,
            Decimals = 0,
            Value = r => get(r),
            Set = (r, v) => set(r, (int)v),
            Clear = r => set(r, null),
            Figure = r => get(r),
        };

    private static ResultMetric DefineCount(
        string name,
        string header,
        string meaning,
        Func<IoTestResult, long?> get,
        Action<IoTestResult, long?> set
    ) =>
        new()
        {
            Name = name,
            ValueType = typeof(long),
            Header = header,
            Words = header.ToLowerInvariant(),
            Meaning = meaning,
            Decimals = 0,
            Value = r => get(r),
            Set = (r, v) => set(r, (long)v),
            Clear = r => set(r, null),
            Figure = r => get(r),
        };

    private static ResultMetric DefineNumber(
        string name,
        string header,
        string words,
        string meaning,
        Func<IoTestResult, double?> get,
        Action<IoTestResult, double?> set
    ) =>
        DefineDerived(name, header, words, meaning, get) with
        {
            Better = BetterDirection.Neither,
            Decimals = null,
            TableDecimals = 0,
            Set = (r, v) => set(r, (double)v),
            Clear = r => set(r, null),
        };

    private static ResultMetric DefineRate(
        string name,
        string header,
        string words,
        string meaning,
        Func<IoTestResult, double?> get,
        Action<IoTestResult, double?> set
    )
    {
        var isBytes = name.EndsWith("MBps", StringComparison.Ordinal);
        return DefineNumber(name, header, words, meaning, get, set) with
        {
            Unit = isBytes ? "MiB/s" : "IOPS",
            ExactUnit = isBytes ? "MiB/s" : "1/s",
            Decimals = 2,
            TableDecimals = isBytes ? 1 : 0,
            Better = BetterDirection.Higher,
        };
    }

    private static ResultMetric DefineLatency(
        string name,
        string header,
        string words,
        string meaning,
        Func<IoTestResult, double?> get,
        Action<IoTestResult, double?> set
    ) =>
        DefineNumber(name, header, words, meaning, get, set) with
        {
            Unit = "ms",
            ExactUnit = "ms",
            Decimals = 3,
            TableDecimals = 3,
            Better = BetterDirection.Lower,
            IsMeasuredLatency = true,
        };

    private static ResultMetric DefineDerived(string name, string header, string words, string meaning, Func<IoTestResult, double?> get) =>
        new()
        {
            Name = name,
            ValueType = typeof(double),
            Header = header,
            Words = words,
            Meaning = meaning,
            Decimals = 3,
            TableDecimals = 3,
            Better = BetterDirection.Lower,
            Value = r => get(r),
            Figure = get,
        };
}
