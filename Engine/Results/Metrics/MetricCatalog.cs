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
        DefineText(nameof(IoTestResult.Source), "Source", "Tool that produced the result.") with
        {
            IsNullable = false,
        },
        DefineText(nameof(IoTestResult.SourceFile), "File", "File that IoBench read the result from."),
        DefineInteger(nameof(IoTestResult.SourceLine), "Line", "Line at which the run begins in that file; the first line is 1."),
        DefineText(nameof(IoTestResult.ToolVersion), "Version", "Version of the tool."),
        DefineEnum<IoResultStatus>(nameof(IoTestResult.Status), "Status", "How the run ended."),
        DefineText(
            nameof(IoTestResult.RunId),
            "Run",
            "Unique id of the run. The results of a suite have different ids but the same `Label`."
        ),
        DefineText(nameof(IoTestResult.Label), "Label", "Label that the user specified."),
        DefineText(nameof(IoTestResult.Workload), "Workload", "Workload name."),
        DefineText(
            nameof(IoTestResult.WorkloadRole),
            "Role",
            "File role and the SQL Server I/O that the test models, such as `log: commit of 8 KB`."
        ),
        DefineText(nameof(IoTestResult.ComputerName), "Computer", "Computer that ran the test."),
        DefineTime(nameof(IoTestResult.StartTime), "Started", "Start time, with its UTC offset.") with
        {
            ExactUnit = "time zone of the test",
        },
        DefineText(nameof(IoTestResult.Path), "Path", "Path of the target. Several paths are separated by `; `."),
        DefineInteger(nameof(IoTestResult.TargetCount), "Targets", "Number of targets."),
        DefineNumber(
            nameof(IoTestResult.FileSizeMB),
            "Size",
            "file size",
            "Size of the test file in MiB; for several files, the total size."
        ) with
        {
            Unit = "MB",
            ExactUnit = "MiB",
        },
        DefineInteger(nameof(IoTestResult.ThreadCount), "Thr", "Number of threads of the run."),
        DefineInteger(nameof(IoTestResult.OutstandingIO), "QD", "Outstanding I/Os per thread and target.") with
        {
            ExactUnit = "per thread and target",
        },
        DefineInteger(nameof(IoTestResult.TotalOutstanding), "Out", "Total outstanding I/Os of all threads and targets."),
        DefineNumber(nameof(IoTestResult.BlockSizeKB), "KB", "block size", "Block size in KB (1,024 bytes).") with
        {
            Unit = "KB",
            ExactUnit = "KiB",
        },
        DefineEnum<IoOperation>(nameof(IoTestResult.Operation), "Operation", "Read, Write, or Mixed."),
        DefineInteger(nameof(IoTestResult.WritePercent), "Write%", "Write percentage.") with
        {
            Unit = "%",
            ExactUnit = "%",
        },
        DefineEnum<IoAccessPattern>(nameof(IoTestResult.AccessPattern), "Pattern", "Access pattern."),
        DefineText(nameof(IoTestResult.IOPattern), "IOPattern", "Pattern in words, such as `8KB random read`."),
        DefineEnum<IoBuffering>(nameof(IoTestResult.Buffering), "Buffering", "Buffering mode."),
        DefineEnum<IoLoadModel>(nameof(IoTestResult.LoadModel), "Load", "Closed loop (fixed queue depth) or open loop (target rate)."),
        DefineNumber(nameof(IoTestResult.TargetIops), "Target IOPS", "target rate", "Open loop: target rate in IOPS.") with
        {
            Unit = "IOPS",
            ExactUnit = "1/s",
        },
        DefineInteger(nameof(IoTestResult.Repeat), "Run", "Repeat number of the run; the first run is 1."),
        DefineNumber(nameof(IoTestResult.DurationSeconds), "Seconds", "duration", "Duration of the measurement in seconds.") with
        {
            Unit = "s",
            ExactUnit = "s",
        },
        DefineRate(nameof(IoTestResult.BandwidthMBps), "MiB/s", "bandwidth", "Throughput in MiB/s."),
        DefineRate(nameof(IoTestResult.IOPS), "IOPS", "IOPS", "IOPS."),
        DefineRate(nameof(IoTestResult.ReadMBps), "Read MiB/s", "read throughput", "Read throughput in MiB/s."),
        DefineRate(nameof(IoTestResult.ReadIOPS), "Read IOPS", "read IOPS", "Read IOPS."),
        DefineRate(nameof(IoTestResult.WriteMBps), "Write MiB/s", "write throughput", "Write throughput in MiB/s."),
        DefineRate(nameof(IoTestResult.WriteIOPS), "Write IOPS", "write IOPS", "Write IOPS."),
        DefineLatency(nameof(IoTestResult.AverageLatencyMs), "Avg ms", "average latency", "Average latency."),
        DefineLatency(nameof(IoTestResult.MinLatencyMs), "Min ms", "shortest I/O", "Minimum latency."),
        DefineLatency(nameof(IoTestResult.MaxLatencyMs), "Max ms", "longest I/O", "Maximum latency."),
        DefineLatency(
            nameof(IoTestResult.LatencyStdDevMs),
            "Dev ms",
            "standard deviation of latency",
            "Standard deviation of latency (population)."
        ),
        DefineLatency(nameof(IoTestResult.P50Ms), "P50 ms", "median latency", "Median latency."),
        DefineLatency(nameof(IoTestResult.P90Ms), "P90 ms", "90th percentile", "p90 latency."),
        DefineLatency(nameof(IoTestResult.P95Ms), "P95 ms", "95th percentile", "p95 latency."),
        DefineLatency(nameof(IoTestResult.P99Ms), "P99 ms", "p99 latency", "p99 latency."),
        DefineLatency(nameof(IoTestResult.P999Ms), "P99.9 ms", "99.9th percentile", "p99.9 latency."),
        DefineLatency(nameof(IoTestResult.ReadAverageLatencyMs), "Read ms", "average read latency", "Average latency of reads."),
        DefineLatency(nameof(IoTestResult.ReadP99Ms), "Read P99", "p99 latency of reads", "p99 latency of reads."),
        DefineLatency(nameof(IoTestResult.WriteAverageLatencyMs), "Write ms", "average write latency", "Average latency of writes."),
        DefineLatency(nameof(IoTestResult.WriteP99Ms), "Write P99", "p99 latency of writes", "p99 latency of writes."),
        DefineLatency(
            nameof(IoTestResult.ResponseAverageMs),
            "Resp ms",
            "average response time",
            "Open loop: average response time, from the scheduled start."
        ),
        DefineLatency(nameof(IoTestResult.ResponseP99Ms), "Resp P99", "p99 response time", "Open loop: p99 response time."),
        DefineLatency(nameof(IoTestResult.ResponseP50Ms), "Resp P50", "median response time", "Open loop: median response time."),
        DefineLatency(nameof(IoTestResult.ResponseP90Ms), "Resp P90", "90th percentile of response time", "Open loop: p90 response time."),
        DefineLatency(nameof(IoTestResult.ResponseP95Ms), "Resp P95", "95th percentile of response time", "Open loop: p95 response time."),
        DefineLatency(
            nameof(IoTestResult.ResponseP999Ms),
            "Resp 99.9",
            "99.9th percentile of response time",
            "Open loop: p99.9 response time."
        ),
        DefineLatency(
            nameof(IoTestResult.ResponseMaxMs),
            "Resp max",
            "longest response time",
            "Open loop: maximum response time. For an I/O that did not complete, the time from its scheduled start to the end of the run counts."
        ),
        DefineNumber(
            nameof(IoTestResult.RateReachedPercent),
            "Reached%",
            "share of the target rate",
            "Open loop: completed I/Os, as a percentage of the I/Os that were due during the measurement. With several targets, this is the lowest percentage. If the percentage is below 97, the rate was not reached, and latency is not rated."
        ) with
        {
            Unit = "%",
            ExactUnit = "%",
            Decimals = 1,
            TableDecimals = 1,
            IsHigherBetter = true,
        },
        DefineCount(
            nameof(IoTestResult.DueNotDone),
            "Not done",
            "Open loop: I/Os that were due during the measurement but had not completed when it ended."
        ),
        DefineLatency(
            nameof(IoTestResult.OldestDueMs),
            "Oldest ms",
            "age of the oldest pending I/O",
            "Open loop: time from the scheduled start of the oldest incomplete I/O to the end of the measurement."
        ),
        DefineLatency(
            nameof(IoTestResult.LittlesLawLatencyMs),
            "Little ms",
            "average latency (Little's law)",
            "Latency by Little's law: outstanding I/Os divided by IOPS. More precise than the whole milliseconds that SQLIO reports. Null for an open loop or an unknown queue depth."
        ) with
        {
            IsMeasuredLatency = false,
        },
        DefineNumber(
            nameof(IoTestResult.IopsStdDev),
            "IOPS dev",
            "standard deviation of IOPS",
            "Standard deviation (population) of the IOPS of the complete intervals."
        ) with
        {
            Unit = "IOPS",
            ExactUnit = "1/s",
            Decimals = 2,
            IsHigherBetter = false,
        },
        DefineNumber(
            nameof(IoTestResult.CpuPercent),
            "CPU%",
            "processor time",
            "CPU usage, as a percentage of the capacity of all CPUs."
        ) with
        {
            Unit = "%",
            ExactUnit = "% of all CPUs",
            Decimals = 1,
            IsHigherBetter = false,
        },
        DefineNumber(
            nameof(IoTestResult.CpuUsPerIO),
            "us/IO",
            "CPU time per I/O",
            "CPU time (user and kernel) of the process that ran the test, per I/O in microseconds."
        ) with
        {
            Unit = "us",
            ExactUnit = "us per I/O",
            Decimals = 2,
            TableDecimals = 1,
            IsHigherBetter = false,
        },
        DefineInteger(nameof(IoTestResult.GcCount), "GCs", "Garbage collections during the measurement."),
        DefineText(nameof(IoTestResult.Backend), "Backend", "I/O backend of the run."),
        DefineText(nameof(IoTestResult.FileSystem), "File system", "File system of the (first) target."),
        DefineText(nameof(IoTestResult.Device), "Device", "Device and model of the (first) target."),
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
        DefineText(nameof(IoTestResult.ErrorId), "Error", "Id of the error that ended the run; null without an error."),
        DefineText(nameof(IoTestResult.ErrorMessage), "Message", "Text of the error that ended the run."),
        DefineCount(nameof(IoTestResult.IOCount), "I/Os", "Number of I/Os during the measurement."),
        DefineCount(nameof(IoTestResult.ByteCount), "Bytes", "Number of bytes transferred during the measurement.") with
        {
            ExactUnit = "bytes",
        },
        DefineText(
            nameof(IoTestResult.GroupId),
            "Group",
            "Identifies a test that several hosts ran concurrently; null for a test of one host."
        ),
        DefineText(
            nameof(IoTestResult.Member),
            "Member",
            "Name of the host in its group. This name is unique, even if two computers in the group have the same computer name."
        ),
        DefineInteger(nameof(IoTestResult.GroupHosts), "Hosts", "Number of hosts that are expected to run the test."),
        DefineNumber(
            nameof(IoTestResult.StartOffsetSeconds),
            "Offset",
            "start offset",
            "Time from the synchronized start to the start of the last thread, in seconds."
        ) with
        {
            Unit = "s",
            ExactUnit = "s",
            TableDecimals = 3,
        },
        DefineNumber(
            nameof(IoTestResult.CommonWindowPercent),
            "Common%",
            "share of the duration during which all hosts measured",
            "Percentage of the duration during which all hosts of the group measured."
        ) with
        {
            Unit = "%",
            ExactUnit = "%",
            TableDecimals = 1,
        },
        DefineNumber(
            nameof(IoTestResult.ProcessorWaitPercent),
            "Wait%",
            "wait for a CPU",
            "Average time that a worker thread waited for a CPU, as a percentage of the duration; null if the operating system does not report this time (Windows)."
        ) with
        {
            Unit = "%",
            ExactUnit = "%",
            Decimals = 1,
            TableDecimals = 1,
            IsHigherBetter = false,
        },
    ];

    /// <summary>Metrics that are not properties of a result but derived from it. Rules and comparisons use them.</summary>
    public static IReadOnlyList<ResultMetric> Derived { get; } =
    [
        DefineDerived(
            "ReadResponseAverageMs",
            "Read resp",
            "average response time of reads",
            "Open loop: average response time of reads, from the scheduled start.",
            r => r.Totals?.Read.ResponseAverageMs
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "ReadResponseP99Ms",
            "Read R99",
            "p99 response time of reads",
            "Open loop: p99 response time of reads, from the scheduled start.",
            r => r.Totals?.Read.ResponseP99Ms
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "WriteResponseAverageMs",
            "Write resp",
            "average response time of writes",
            "Open loop: average response time of writes, from the scheduled start.",
            r => r.Totals?.Write.ResponseAverageMs
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "WriteResponseP99Ms",
            "Write R99",
            "p99 response time of writes",
            "Open loop: p99 response time of writes, from the scheduled start.",
            r => r.Totals?.Write.ResponseP99Ms
        ) with
        {
            Unit = "ms",
        },
        DefineDerived(
            "IopsVariation",
            "Variation",
            "variation of IOPS",
            "Standard deviation of the IOPS of the complete intervals, divided by the mean IOPS.",
            r => r.IOPS > 0 ? r.IopsStdDev / r.IOPS : null
        ),
    ];

    private static readonly Dictionary<string, ResultMetric> s_byName = All.Concat(Derived)
        .ToDictionary(metric => metric.Name, StringComparer.OrdinalIgnoreCase);

    public static ResultMetric? Find(string name) => s_byName.GetValueOrDefault(name);

    public static ResultMetric Get(string name) => s_byName[name];

    private static ResultMetric DefineText(string name, string header, string meaning)
    {
        var (get, set) = CreateAccessors<string?>(name);
        return Define(name, header, meaning, typeof(string), get, (r, v) => set(r, (string)v));
    }

    private static ResultMetric DefineEnum<T>(string name, string header, string meaning)
        where T : struct, Enum
    {
        if (typeof(IoTestResult).GetProperty(name)!.PropertyType == typeof(T))
        {
            var (getKnown, setKnown) = CreateAccessors<T>(name);
            return Define(name, header, meaning, typeof(T), r => getKnown(r), (r, v) => setKnown(r, (T)v)) with { IsNullable = false };
        }
        var (get, set) = CreateAccessors<T?>(name);
        return Define(name, header, meaning, typeof(T), r => get(r), (r, v) => set(r, (T)v));
    }

    private static ResultMetric DefineTime(string name, string header, string meaning)
    {
        var (get, set) = CreateAccessors<DateTimeOffset?>(name);
        return Define(name, header, meaning, typeof(DateTimeOffset), r => get(r), (r, v) => set(r, (DateTimeOffset)v));
    }

    private static ResultMetric DefineInteger(string name, string header, string meaning)
    {
        var (get, set) = CreateAccessors<int?>(name);
        return Define(name, header, meaning, typeof(int), r => get(r), (r, v) => set(r, (int)v)) with
        {
            Decimals = 0,
            Clear = r => set(r, null),
            Figure = r => get(r),
        };
    }

    private static ResultMetric DefineCount(string name, string header, string meaning)
    {
        var (get, set) = CreateAccessors<long?>(name);
        return Define(name, header, meaning, typeof(long), r => get(r), (r, v) => set(r, (long)v)) with
        {
            Decimals = 0,
            Clear = r => set(r, null),
            Figure = r => get(r),
        };
    }

    private static ResultMetric DefineNumber(string name, string header, string words, string meaning)
    {
        var (get, set) = CreateAccessors<double?>(name);
        return Define(name, header, meaning, typeof(double), r => get(r), (r, v) => set(r, (double)v)) with
        {
            Words = words,
            Clear = r => set(r, null),
            Figure = get,
        };
    }

    private static ResultMetric DefineRate(string name, string header, string words, string meaning)
    {
        var isBytes = name.EndsWith("MBps", StringComparison.Ordinal);
        return DefineNumber(name, header, words, meaning) with
        {
            Unit = isBytes ? "MiB/s" : "IOPS",
            ExactUnit = isBytes ? "MiB/s" : "1/s",
            Decimals = 2,
            TableDecimals = isBytes ? 1 : 0,
            IsHigherBetter = true,
        };
    }

    private static ResultMetric DefineLatency(string name, string header, string words, string meaning) =>
        DefineNumber(name, header, words, meaning) with
        {
            Unit = "ms",
            ExactUnit = "ms",
            Decimals = 3,
            TableDecimals = 3,
            IsHigherBetter = false,
            IsMeasuredLatency = true,
        };

    private static ResultMetric DefineDerived(string name, string header, string words, string meaning, Func<IoTestResult, double?> get) =>
        Define(name, header, meaning, typeof(double), r => get(r), set: null) with
        {
            Words = words,
            Decimals = 3,
            TableDecimals = 3,
            IsHigherBetter = false,
            Figure = get,
        };

    private static ResultMetric Define(
        string name,
        string header,
        string meaning,
        Type type,
        Func<IoTestResult, object?> get,
        Action<IoTestResult, object>? set
    ) =>
        new()
        {
            Name = name,
            ValueType = type,
            Header = header,
            Words = header.ToLowerInvariant(),
            Meaning = meaning,
            Value = get,
            Set = set,
        };

    private static (Func<IoTestResult, T> Get, Action<IoTestResult, T> Set) CreateAccessors<T>(string name)
    {
        var property = typeof(IoTestResult).GetProperty(name)!;
        return (property.GetMethod!.CreateDelegate<Func<IoTestResult, T>>(), property.SetMethod!.CreateDelegate<Action<IoTestResult, T>>());
    }
}
