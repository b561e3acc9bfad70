namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>One call of DiskSpd as read so far: what holds for all its timespans, and the timespans.</summary>
internal sealed class DiskSpdRun
{
    /// <summary>More warnings than this are counted, not kept.</summary>
    internal const int MaxWarnings = 50;

    /// <summary>Timespans that are kept of a run.</summary>
    internal const int MaxTimeSpans = 4096;

    private int _moreWarnings;

    /// <summary>The line it begins at.</summary>
    internal required int Line { get; init; }
    internal required string Source { get; init; }
    internal string? ToolVersion { get; set; }
    internal string? CommandLine { get; set; }
    internal string? ComputerName { get; set; }
    internal DateTimeOffset? StartTime { get; set; }
    internal string? Device { get; set; }
    internal Dictionary<string, string> Host { get; } = [];

    /// <summary>What was asked for, one per timespan.</summary>
    internal List<IoTestSpecification> Specifications { get; } = [];
    internal List<DiskSpdSpan> Spans { get; } = [];

    /// <summary>The parameters name threads per file or a pool; before 2.0.19 they name neither for a pool.</summary>
    internal bool TellsThreads { get; set; } = true;

    /// <summary>The parameters have sizes that are rounded.</summary>
    internal bool HasRoundedSizes { get; set; }

    /// <summary>DiskSpd's experimental behaviours (-:), which hold for all timespans.</summary>
    internal int ExperimentFlags { get; set; }

    /// <summary>DiskSpd's own error lines.</summary>
    internal List<string> Errors { get; } = [];
    internal List<string> Warnings { get; } = [];

    /// <summary>A warning for the results of this run.</summary>
    internal void Warn(string text)
    {
        if (Warnings.Count < MaxWarnings)
            Warnings.Add(text);
        else
            _moreWarnings++;
    }

    /// <summary>The warnings, with a count of those that are not among them.</summary>
    internal IEnumerable<string> AllWarnings() =>
        _moreWarnings == 0
            ? Warnings
            : Warnings.Append($"{Figures.Counted(_moreWarnings, "more line")} {(_moreWarnings == 1 ? "was" : "were")} not understood.");
}
