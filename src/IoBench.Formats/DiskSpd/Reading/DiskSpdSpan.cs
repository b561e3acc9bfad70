namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>The results of one timespan as read.</summary>
internal sealed class DiskSpdSpan
{
    /// <summary>Its number, from 1.</summary>
    internal required int Number { get; init; }

    /// <summary>The line its results begin at.</summary>
    internal required int Line { get; init; }

    /// <summary>The computer, where it is another one than the run's.</summary>
    internal string? ComputerName { get; set; }

    /// <summary>The time, where it is another one than the run's.</summary>
    internal DateTimeOffset? StartTime { get; set; }
    internal double? Seconds { get; set; }
    internal int? ThreadCount { get; set; }

    /// <summary>DiskSpd's sentence where it has no results to show.</summary>
    internal string? Interruption { get; set; }

    /// <summary>What is missing at the end; null when it is whole.</summary>
    internal string? Missing { get; set; }
    internal List<IoProcessorLoad> Processors { get; } = [];
    internal double? CpuPercent { get; set; }
    internal IoReadWriteTotals Totals { get; } = new();
    internal List<DiskSpdRow> Rows { get; } = [];
    internal List<IoPercentile> Percentiles { get; } = [];
    internal Dictionary<string, List<IoPercentile>> TargetPercentiles { get; } = [];
    internal List<IoTimelinePoint> Timeline { get; } = [];
    internal Dictionary<string, string> Details { get; } = [];
}
