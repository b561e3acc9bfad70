using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>What the lines of one SQLIO run said so far; null where they said nothing.</summary>
internal sealed class SqlioRun
{
    /// <summary>Parts of a run's output, to see which are there and whether one comes a second time.</summary>
    [Flags]
    public enum Parts
    {
        None = 0,
        CommandLine = 1 << 0,
        Header = 1 << 1,
        Timer = 1 << 2,
        ParameterFile = 1 << 3,
        Pools = 1 << 4,
        Threads = 1 << 5,
        Pattern = 1 << 6,
        Outstanding = 1 << 7,
        Buffering = 1 << 8,
        Size = 1 << 9,
        Initialized = 1 << 10,
        Cumulative = 1 << 11,
        Iops = 1 << 12,
        MBps = 1 << 13,
        MinInit = 1 << 14,
        AvgInit = 1 << 15,
        MaxInit = 1 << 16,
        LatencyHeading = 1 << 17,
        MinLatency = 1 << 18,
        AvgLatency = 1 << 19,
        MaxLatency = 1 << 20,
        HistogramHeading = 1 << 21,
        Milliseconds = 1 << 22,
        Percents = 1 << 23,
        Processors = 1 << 24,
        Wrapper = 1 << 25,
        ThroughputHeading = 1 << 26,

        /// <summary>What SQLIO prints before it measures.</summary>
        Parameters = Header | Timer | ParameterFile | Pools | Threads | Pattern | Outstanding | Buffering | Size | Initialized,
        /// <summary>What is printed before SQLIO's first line.</summary>
        Before = CommandLine | Wrapper,
        /// <summary>Figures.</summary>
        Figures = Iops | MBps | MinInit | AvgInit | MaxInit | MinLatency | AvgLatency | MaxLatency | Percents | Processors,
        /// <summary>The three latency lines.</summary>
        Latencies = MinLatency | AvgLatency | MaxLatency,
    }

    /// <summary>A line of the parameter file as SQLIO echoes it.</summary>
    public readonly record struct Pool(string Path, int Threads, ulong Mask, int Line);

    /// <summary>A file's size.</summary>
    public readonly record struct FileSize(string Path, double Megabytes, bool IsFinal);

    public Parts Seen;
    public int FirstLine;
    public int LastLine;
    public string? CommandLine;
    public int CommandLineNumber;
    public string? ComputerName;
    public string? Date;
    public string? ToolVersion;
    public string? Timer;
    public string? TimerFrequency;
    public string? ParameterFile;
    public readonly List<Pool> Pools = [];
    public int? Threads;
    public bool? IsWrite;
    public int? Seconds;
    public string? Files;
    public bool SeveralFiles;
    public int? BlockKB;
    public IoAccessPattern? Access;
    public int? StripeKB;
    public int? StripeRows;
    public int? Outstanding;
    public IoBuffering? Buffering;
    public readonly List<FileSize> Sizes = [];
    public double? Iops;
    public double? MBps;
    public double? MinInitUs;
    public double? AvgInitUs;
    public double? MaxInitUs;
    public double? MinMs;
    public double? AvgMs;
    public double? MaxMs;
    public readonly byte[] Percents = new byte[SqlioHistogram.BucketCount];
    public int PercentCount;
    public bool HistogramIsBroken;
    public readonly SqlioProcessorTable Processors = new();
    public readonly List<string> Warnings = [];

    /// <summary>True when nothing of a run was seen yet.</summary>
    public bool IsEmpty => Seen == Parts.None;

    /// <summary>True when a part was seen.</summary>
    public bool Has(Parts part) => (Seen & part) != 0;

    /// <summary>The place of a part that is a single figure.</summary>
    public ref double? Figure(Parts part)
    {
        switch (part)
        {
            case Parts.Iops: return ref Iops;
            case Parts.MBps: return ref MBps;
            case Parts.MinInit: return ref MinInitUs;
            case Parts.AvgInit: return ref AvgInitUs;
            case Parts.MaxInit: return ref MaxInitUs;
            case Parts.MinLatency: return ref MinMs;
            case Parts.AvgLatency: return ref AvgMs;
            case Parts.MaxLatency: return ref MaxMs;
            default: throw new ArgumentOutOfRangeException(nameof(part), part, null);
        }
    }

    /// <summary>Makes the object ready for the next run.</summary>
    public void Clear()
    {
        if (Has(Parts.Processors))
            Processors.Clear();
        Seen = Parts.None;
        FirstLine = LastLine = CommandLineNumber = PercentCount = 0;
        CommandLine = ComputerName = Date = ToolVersion = Timer = ParameterFile = Files = TimerFrequency = null;
        Iops = MBps = MinInitUs = AvgInitUs = MaxInitUs = MinMs = AvgMs = MaxMs = null;
        Threads = Seconds = BlockKB = StripeKB = StripeRows = Outstanding = null;
        IsWrite = null;
        Access = null;
        Buffering = null;
        SeveralFiles = HistogramIsBroken = false;
        Pools.Clear();
        Sizes.Clear();
        Warnings.Clear();
    }
}
