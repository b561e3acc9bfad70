using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdRun
{
    /// <summary>Maximum number of stored warnings. Further warnings are only counted.</summary>
    internal const int MaxWarnings = 50;
    internal const int MaxErrors = 8;

    internal const int MaxTimeSpans = 4096;

    private int _moreWarnings;

    internal required int Line { get; init; }
    internal required string Source { get; init; }
    internal string? ToolVersion { get; set; }
    internal string? CommandLine { get; set; }
    internal string? ComputerName { get; set; }
    internal DateTimeOffset? StartTime { get; set; }
    internal string? Device { get; set; }
    internal Dictionary<string, string> Host { get; } = [];

    internal List<IoTestSpecification> Specifications { get; } = [];
    internal List<DiskSpdTimespan> Timespans { get; } = [];

    /// <summary>Whether the parameters state the threads per file or of a pool. Versions before 2.0.19 state neither for a pool.</summary>
    internal bool HasThreadCounts { get; set; } = true;

    internal bool HasRoundedSizes { get; set; }

    internal int ExperimentFlags { get; set; }

    /// <summary>Description of what is missing after the timespans; null if the output is complete.</summary>
    internal string? MissingParts { get; set; }

    internal List<string> Errors { get; } = [];
    internal List<string> Warnings { get; } = [];

    internal void AddWarning(string text)
    {
        if (Warnings.Count < MaxWarnings)
            Warnings.Add(text);
        else
            _moreWarnings++;
    }

    /// <summary>Returns the string of a target's path, so that the results of many threads share it.</summary>
    internal string ReusePath(ReadOnlySpan<char> path)
    {
        foreach (var specification in Specifications)
        {
            foreach (var target in specification.Targets)
            {
                if (path.SequenceEqual(target.Path))
                    return target.Path;
            }
        }
        return path.ToString();
    }

    internal IEnumerable<string> GetWarnings() =>
        _moreWarnings == 0
            ? Warnings
            : Warnings.Append(
                $"{NumberFormat.Pluralize(_moreWarnings, "more line")} {(_moreWarnings == 1 ? "was" : "were")} not understood."
            );

    /// <summary>Maximum number of characters for one kind of cache.</summary>
    private const int MaxLength = 4096;

    internal void AddCache(string name, string what)
    {
        if (name.Length > 8)
            return;
        var key = "cache " + name;
        var known = Host.GetValueOrDefault(key);
        if (known is null || known.Length < MaxLength)
            Host[key] = known is null ? what : known + "; " + what;
    }
}

internal sealed class DiskSpdTimespan
{
    internal required int Number { get; init; }

    internal required int Line { get; init; }

    /// <summary>Computer of this timespan, if it differs from the computer of the run.</summary>
    internal string? ComputerName { get; set; }

    /// <summary>Start time of this timespan, if it differs from the start time of the run.</summary>
    internal DateTimeOffset? StartTime { get; set; }
    internal double? Seconds { get; set; }
    internal int? ThreadCount { get; set; }

    /// <summary>Sentence that DiskSpd prints instead of results; null if it printed results.</summary>
    internal string? Interruption { get; set; }

    /// <summary>Description of missing parts; null if the output is complete.</summary>
    internal string? MissingParts { get; set; }
    internal List<IoProcessorLoad> Processors { get; } = [];
    internal double? CpuPercent { get; set; }
    internal IoReadWriteTotals Totals { get; } = new();
    internal List<IoThreadResult> Rows { get; } = [];

    /// <summary>Sizes of the files in bytes, by path.</summary>
    internal Dictionary<string, long> FileSizes { get; } = [];
    internal List<IoPercentile> Percentiles { get; } = [];
    internal Dictionary<string, List<IoPercentile>> TargetPercentiles { get; } = [];
    internal List<IoTimelinePoint> Timeline { get; } = [];
    internal Dictionary<string, string> Details { get; } = [];
}
