using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class SqlioRun
{
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
    public readonly List<SqlioParameterLine> Pools = [];
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
    public readonly List<(string Path, double Megabytes, bool IsFinal)> Sizes = [];
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
    public SqlioProcessorTable? Processors;
    public readonly List<string> Warnings = [];
    public readonly List<string> Errors = [];

    /// <summary>Prepares the object for the next run. A log can have 100,000 runs, and most of them use the same lists.</summary>
    public void Clear()
    {
        Seen = SqlioLineKind.None;
        FirstLine = LastLine = CommandLineNumber = PercentCount = 0;
        CommandLine = ComputerName = Date = ToolVersion = Timer = TimerFrequency = ParameterFile = Files = null;
        Iops = MBps = MinInitUs = AvgInitUs = MaxInitUs = MinMs = AvgMs = MaxMs = null;
        Threads = Seconds = BlockKB = StripeKB = StripeRows = Outstanding = null;
        IsWrite = null;
        Access = null;
        Buffering = null;
        Processors = null;
        SeveralFiles = HistogramIsBroken = false;
        Pools.Clear();
        Sizes.Clear();
        Warnings.Clear();
        Errors.Clear();
    }

    /// <summary>Removes Markdown's escape characters from paths.</summary>
    public void UnescapePaths()
    {
        Files = Files is null ? null : PastedText.UnescapeMarkdown(Files);
        CommandLine = CommandLine is null ? null : PastedText.UnescapeMarkdown(CommandLine);
        ParameterFile = ParameterFile is null ? null : PastedText.UnescapeMarkdown(ParameterFile);
        for (var i = 0; i < Pools.Count; i++)
            Pools[i] = Pools[i] with { Path = PastedText.UnescapeMarkdown(Pools[i].Path) };
        for (var i = 0; i < Sizes.Count; i++)
            Sizes[i] = (PastedText.UnescapeMarkdown(Sizes[i].Path), Sizes[i].Megabytes, Sizes[i].IsFinal);
    }

    public bool IsEmpty => Seen == SqlioLineKind.None;

    public bool Has(SqlioLineKind kind) => (Seen & kind) != 0;

    public IReadOnlyList<string> GetPaths()
    {
        if (Files is null)
            return Sizes.Count > 0 ? GetSizedPaths() : [];
        if (!SeveralFiles)
            return [Files];
        // Names can contain commas and "and", so use the lines with the file sizes if they contain the same names.
        var sized = GetSizedPaths();
        return JoinPaths(sized) == Files ? sized : SplitPaths(Files);
    }

    public static string JoinPaths(IReadOnlyList<string> paths) =>
        paths.Count < 2 ? string.Concat(paths) : string.Join(", ", paths.Take(paths.Count - 1)) + " and " + paths[^1];

    private List<string> GetSizedPaths() => Sizes.ConvertAll(s => s.Path).Distinct().ToList();

    private static List<string> SplitPaths(string files)
    {
        var paths = files
            .Split([", ", ","], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Take(SqlioCommandLine.MaxFiles)
            .ToList();
        if (paths.Count == 0)
            return paths;
        var last = paths[^1];
        if (last.StartsWith("and ", StringComparison.Ordinal))
        {
            paths[^1] = last[4..];
            return paths;
        }
        var and = last.LastIndexOf(" and ", StringComparison.Ordinal);
        if (and > 0)
        {
            paths[^1] = last[..and].Trim();
            paths.Add(last[(and + 5)..].Trim());
        }
        return paths;
    }
}
