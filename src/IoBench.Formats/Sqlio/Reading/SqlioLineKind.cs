namespace IoBench.Formats;

[Flags]
internal enum SqlioLineKind
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

    Parameters = Header | Timer | ParameterFile | Pools | Threads | Pattern | Outstanding | Buffering | Size | Initialized,

    Before = CommandLine | Wrapper,
    Figures = Iops | MBps | MinInit | AvgInit | MaxInit | MinLatency | AvgLatency | MaxLatency | Percents | Processors,

    Latencies = MinLatency | AvgLatency | MaxLatency,
}
