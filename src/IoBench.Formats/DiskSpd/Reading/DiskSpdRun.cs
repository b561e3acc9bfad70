using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Data of one call of DiskSpd as read so far, for all of its timespans.</summary>
internal sealed class DiskSpdRun
{
    /// <summary>Maximum number of stored warnings. Further warnings are only counted.</summary>
    internal const int MaxWarnings = 50;

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

    internal List<string> Errors { get; } = [];
    internal List<string> Warnings { get; } = [];

    internal void AddWarning(string text)
    {
        if (Warnings.Count < MaxWarnings)
            Warnings.Add(text);
        else
            _moreWarnings++;
    }

    /// <summary>Returns the stored warnings, and the number of those that were not stored.</summary>
    internal IEnumerable<string> GetWarnings() =>
        _moreWarnings == 0
            ? Warnings
            : Warnings.Append(
                $"{NumberFormat.Pluralize(_moreWarnings, "more line")} {(_moreWarnings == 1 ? "was" : "were")} not understood."
            );
}
