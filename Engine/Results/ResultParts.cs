namespace IoBench.Engine.Results;

/// <summary>Count, bytes and latency of one kind of I/O in one place.</summary>
public class IoTotals
{
    /// <summary>How many I/Os ended in the measured time; null when not known.</summary>
    public long? IOCount { get; set; }
    /// <summary>Bytes that those I/Os moved; null when not known.</summary>
    public long? ByteCount { get; set; }
    /// <summary>I/Os per second.</summary>
    public double? IOPS { get; set; }
    /// <summary>MiB per second.</summary>
    public double? MBps { get; set; }
    /// <summary>Average latency in milliseconds.</summary>
    public double? AverageLatencyMs { get; set; }
    /// <summary>Lowest latency in milliseconds.</summary>
    public double? MinLatencyMs { get; set; }
    /// <summary>Highest latency in milliseconds.</summary>
    public double? MaxLatencyMs { get; set; }
    /// <summary>Standard deviation of latency in milliseconds.</summary>
    public double? LatencyStdDevMs { get; set; }
    /// <summary>Standard deviation of IOPS over whole intervals.</summary>
    public double? IopsStdDev { get; set; }
    /// <summary>Open loop: average time from the intended start in milliseconds; null for a closed loop.</summary>
    public double? ResponseAverageMs { get; set; }
    /// <summary>Open loop: 99th percentile of it in milliseconds; null for a closed loop or with fewer than 1,000 I/Os.</summary>
    public double? ResponseP99Ms { get; set; }
    /// <summary>Open loop: longest of it in milliseconds; null for a closed loop.</summary>
    public double? ResponseMaxMs { get; set; }

    /// <inheritdoc/>
    public override string ToString() => FigureWords.Of($"{(IOCount is { } count ? Figures.Grouped(count) : "?")} I/Os", IOPS, AverageLatencyMs);
}

/// <summary>Reads, writes and their sum.</summary>
public class IoReadWriteTotals
{
    // Made when they are asked for, as the lists of a result are.
    private IoTotals? _total;
    private IoTotals? _read;
    private IoTotals? _write;

    /// <summary>Reads and writes together.</summary>
    public IoTotals Total { get => _total ??= new(); set => _total = value; }
    /// <summary>Reads alone; without figures where there were none or the source does not part them.</summary>
    public IoTotals Read { get => _read ??= new(); set => _read = value; }
    /// <summary>Writes alone; without figures where there were none or the source does not part them.</summary>
    public IoTotals Write { get => _write ??= new(); set => _write = value; }

    /// <inheritdoc/>
    public override string ToString() => Words("all");

    // Rate and latency, as far as they are known.
    private protected string Words(string name) => _total is { } total ? FigureWords.Of(name, total.IOPS, total.AverageLatencyMs) : name;
}

/// <summary>One target's totals.</summary>
public sealed class IoTargetResult : IoReadWriteTotals
{
    private List<IoPercentile>? _percentiles;
    private List<IoPercentile>? _responsePercentiles;

    /// <summary>Path of the target.</summary>
    public string Path { get; set; } = "";
    /// <summary>Size in MiB; null when not known.</summary>
    public double? FileSizeMB { get; set; }
    /// <summary>Threads on it.</summary>
    public int? ThreadCount { get; set; }
    /// <summary>Role, when several workloads ran at once.</summary>
    public string? Role { get; set; }
    /// <summary>Pattern in words.</summary>
    public string? IOPattern { get; set; }
    /// <summary>Open loop: I/Os that ended in the measured time in percent of those that were due in it; null for a closed loop.</summary>
    public double? RateReachedPercent { get; set; }
    /// <summary>File system that holds it, such as <c>xfs</c>; null for a raw device or when not known.</summary>
    public string? FileSystem { get; set; }
    /// <summary>Device and model.</summary>
    public string? Device { get; set; }
    /// <summary>Logical sector size in bytes.</summary>
    public int? SectorSize { get; set; }
    /// <summary>Percentiles of this target, where known.</summary>
    public List<IoPercentile> Percentiles { get => _percentiles ??= []; set => _percentiles = value; }
    /// <summary>Histogram of this target, where known.</summary>
    public IoHistogram? Histogram { get; set; }
    /// <summary>Open loop: percentiles of this target's response times; empty for a closed loop.</summary>
    public List<IoPercentile> ResponsePercentiles { get => _responsePercentiles ??= []; set => _responsePercentiles = value; }
    /// <summary>Open loop: histogram of this target's response times; null for a closed loop.</summary>
    public IoHistogram? ResponseHistogram { get; set; }

    /// <summary><c>T:\iobench.dat: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Words(Role is null ? Path : $"{Path} ({Role})");
}

/// <summary>One thread's totals on one target.</summary>
public sealed class IoThreadResult : IoReadWriteTotals
{
    private List<IoTimelinePoint>? _timeline;

    /// <summary>Thread, from 0.</summary>
    public int ThreadId { get; set; }
    /// <summary>Target it worked on.</summary>
    public string? Path { get; set; }
    /// <summary>Its rates and latencies by interval; only where they were asked for, else empty.</summary>
    public List<IoTimelinePoint> Timeline { get => _timeline ??= []; set => _timeline = value; }

    /// <summary><c>thread 0: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Words(FormattableString.Invariant($"thread {ThreadId}"));
}

/// <summary>A percentile of latency in milliseconds; null where there were too few such I/Os or none.</summary>
public sealed class IoPercentile
{
    /// <summary>0 (the lowest) to 100 (the highest).</summary>
    public double Percent { get; set; }
    /// <summary>Latency of reads in milliseconds; null where there were too few of them or none.</summary>
    public double? ReadMs { get; set; }
    /// <summary>Latency of writes in milliseconds; null where there were too few of them or none.</summary>
    public double? WriteMs { get; set; }
    /// <summary>Latency of reads and writes together in milliseconds; null where there were too few of them or none.</summary>
    public double? TotalMs { get; set; }

    /// <summary><c>P99: 0.14 ms</c>.</summary>
    public override string ToString() => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"P{Percent:0.#######}: {TotalMs ?? ReadMs ?? WriteMs:0.###} ms");
}

/// <summary>Share of I/Os by latency. Buckets are half-open [From, To), ascending, gaps mean none.</summary>
public sealed class IoHistogram
{
    private readonly IIoHistogramSource? _source;
    private List<IoHistogramBucket>? _buckets;

    /// <summary>A histogram without buckets.</summary>
    public IoHistogram() { }

    /// <summary>A histogram whose buckets are made when they are first asked for.</summary>
    /// <param name="kind">Where the figures come from.</param>
    public IoHistogram(string kind, Func<List<IoHistogramBucket>> makeBuckets)
        : this(kind, new MadeBuckets(makeBuckets))
    {
    }

    /// <summary>A histogram whose buckets are made when they are first asked for.</summary>
    /// <param name="kind">Where the figures come from.</param>
    /// <param name="source">Holds them in little room.</param>
    public IoHistogram(string kind, IIoHistogramSource source)
    {
        Kind = kind;
        _source = source;
    }

    /// <summary>Where the figures come from: <c>measured</c>, <c>sqlio</c> (25 whole milliseconds in whole percent), <c>fio</c> (fio's bands in percent of the I/Os).</summary>
    public string Kind { get; set; } = "measured";
    /// <summary>The buckets, ascending; a gap between two means no I/O.</summary>
    /// <remarks>Made when they are first asked for where a reader gave a way to make them: a long log's results stay small.</remarks>
    public List<IoHistogramBucket> Buckets
    {
        get => _buckets ??= _source?.Make() ?? [];
        set => _buckets = value;
    }

    /// <summary>The buckets for one look, which nobody may change: unlike those of <see cref="Buckets"/> they are not kept, so that a report of a hundred thousand results stays small.</summary>
    public IReadOnlyList<IoHistogramBucket> Look() => _buckets ?? _source?.Look() ?? [];

    /// <summary><c>measured, 34 bands</c>.</summary>
    public override string ToString() => $"{Kind}, {Figures.Counted(Look().Count, "band")}";

    private sealed class MadeBuckets(Func<List<IoHistogramBucket>> make) : IIoHistogramSource
    {
        public List<IoHistogramBucket> Make() => make();
    }
}

/// <summary>What a reader keeps of a histogram until its buckets are asked for.</summary>
public interface IIoHistogramSource
{
    /// <summary>Makes the buckets; the caller keeps them.</summary>
    List<IoHistogramBucket> Make();

    /// <summary>The buckets for one look, which nobody changes or keeps.</summary>
    IReadOnlyList<IoHistogramBucket> Look() => Make();
}

/// <summary>One latency band.</summary>
public sealed class IoHistogramBucket
{
    /// <summary>Lower edge in milliseconds, inclusive.</summary>
    public double FromMs { get; set; }
    /// <summary>Upper edge in milliseconds, exclusive; null = open.</summary>
    public double? ToMs { get; set; }
    /// <summary>Reads; null when only percentages are known.</summary>
    public long? ReadCount { get; set; }
    /// <summary>Writes; null when only percentages are known.</summary>
    public long? WriteCount { get; set; }
    /// <summary>Share of all I/Os in percent.</summary>
    public double Percent { get; set; }
}

/// <summary>One interval of the measured time.</summary>
public sealed class IoTimelinePoint
{
    /// <summary>End of the interval in seconds from the start of the measurement.</summary>
    public double Seconds { get; set; }
    /// <summary>I/Os per second.</summary>
    public double? IOPS { get; set; }
    /// <summary>MiB per second.</summary>
    public double? MBps { get; set; }
    /// <summary>Reads per second.</summary>
    public double? ReadIOPS { get; set; }
    /// <summary>Writes per second.</summary>
    public double? WriteIOPS { get; set; }
    /// <summary>Average service time in milliseconds of the I/Os that ended in it.</summary>
    public double? AverageLatencyMs { get; set; }
    /// <summary>Highest service time in milliseconds of the I/Os that ended in it.</summary>
    public double? MaxLatencyMs { get; set; }
    /// <summary>Latency of the reads that ended in it; null when not known.</summary>
    public IoLatencySummary? ReadLatency { get; set; }
    /// <summary>Latency of the writes that ended in it; null when not known.</summary>
    public IoLatencySummary? WriteLatency { get; set; }
    /// <summary>
    /// Percentiles and distribution of latency; null when not known or without any I/O. Of a run of more than 1,024 intervals, each 2nd, 4th, ...
    /// point has those of all intervals since the one before.
    /// </summary>
    public IoIntervalLatency? Latencies { get; set; }

    /// <summary>The average that a reader is shown, in milliseconds: of an open loop the response time of the I/Os that were due in it, where it is known.</summary>
    public double? GetShownAverageMs() => Latencies is { IsResponse: true } response ? response.AverageMs : AverageLatencyMs;

    /// <summary>The highest that a reader is shown, in milliseconds.</summary>
    public double? GetShownMaxMs() => Latencies is { IsResponse: true } response ? response.MaxMs : MaxLatencyMs;

    /// <summary><c>1 s: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => FigureWords.Of(FormattableString.Invariant($"{Seconds:0.###} s"), IOPS, GetShownAverageMs());
}

/// <summary>A part of a result in a few words.</summary>
internal static class FigureWords
{
    /// <summary>What it is, its rate and its latency, as far as they are known.</summary>
    public static string Of(string name, double? iops, double? latencyMs)
    {
        string?[] figures = [iops is null ? null : Figures.Rate(iops) + " IOPS", latencyMs is { } ms ? Figures.Milliseconds(ms) : null];
        return figures.All(figure => figure is null) ? name : $"{name}: {string.Join(", ", figures.Where(figure => figure is not null))}";
    }
}

/// <summary>Latency of one kind of I/O over a time, in milliseconds.</summary>
/// <param name="MinMs">Lowest; null when not known.</param>
/// <param name="MaxMs">Highest; null when not known.</param>
/// <param name="AverageMs">Average; null when not known.</param>
/// <param name="StdDevMs">Standard deviation (population); null when not known.</param>
public sealed record IoLatencySummary(double? MinMs, double? MaxMs, double? AverageMs, double? StdDevMs);

/// <summary>How busy a processor was, in percent.</summary>
public sealed class IoProcessorLoad
{
    /// <summary>Number of the processor; within its group on Windows.</summary>
    public int Processor { get; set; }
    /// <summary>Processor group; null where there is one.</summary>
    public int? Group { get; set; }
    /// <summary>Socket; null where not known.</summary>
    public int? Socket { get; set; }
    /// <summary>NUMA node; null where not known.</summary>
    public int? Node { get; set; }
    /// <summary>Core within the group; null where not known.</summary>
    public int? Core { get; set; }
    /// <summary>Efficiency class of the core, the fastest having the highest; null where all are the same or it is not known.</summary>
    public int? EfficiencyClass { get; set; }
    /// <summary>Time that was not idle, 0 to 100 percent of the measured time; null when not known.</summary>
    public double? UsagePercent { get; set; }
    /// <summary>Time in programs, in percent of the measured time; null when not known.</summary>
    public double? UserPercent { get; set; }
    /// <summary>Time in the kernel, in percent of the measured time; null when not known.</summary>
    public double? KernelPercent { get; set; }
    /// <summary>Idle time, in percent of the measured time; null when not known.</summary>
    public double? IdlePercent { get; set; }

    /// <inheritdoc/>
    public override string ToString() => FormattableString.Invariant($"processor {Processor}{(UsagePercent is { } usage ? $": {Figures.Plain(usage)} %" : "")}");
}
