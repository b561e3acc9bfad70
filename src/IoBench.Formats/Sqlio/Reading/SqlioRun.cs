using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class SqlioRun
{
    public readonly record struct EchoedPool(string Path, int Threads, ulong Mask, int Line);

    public readonly record struct ReportedFileSize(string Path, double Megabytes, bool IsFinal);

    public SqlioLineKind Seen;
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
    public readonly List<EchoedPool> Pools = [];
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
    public readonly List<ReportedFileSize> Sizes = [];
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

    public bool IsEmpty => Seen == SqlioLineKind.None;

    public bool Has(SqlioLineKind kind) => (Seen & kind) != 0;

    public ref double? GetValue(SqlioLineKind kind)
    {
        switch (kind)
        {
            case SqlioLineKind.Iops:
                return ref Iops;
            case SqlioLineKind.MBps:
                return ref MBps;
            case SqlioLineKind.MinInit:
                return ref MinInitUs;
            case SqlioLineKind.AvgInit:
                return ref AvgInitUs;
            case SqlioLineKind.MaxInit:
                return ref MaxInitUs;
            case SqlioLineKind.MinLatency:
                return ref MinMs;
            case SqlioLineKind.AvgLatency:
                return ref AvgMs;
            case SqlioLineKind.MaxLatency:
                return ref MaxMs;
            default:
                throw new ArgumentOutOfRangeException(nameof(kind), kind, null);
        }
    }

    public void Clear()
    {
        if (Has(SqlioLineKind.Processors))
            Processors.Clear();
        Seen = SqlioLineKind.None;
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
