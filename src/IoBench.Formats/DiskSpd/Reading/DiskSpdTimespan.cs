using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Results of one timespan as read so far.</summary>
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
    internal List<DiskSpdThreadRow> Rows { get; } = [];
    internal List<IoPercentile> Percentiles { get; } = [];
    internal Dictionary<string, List<IoPercentile>> TargetPercentiles { get; } = [];
    internal List<IoTimelinePoint> Timeline { get; } = [];
    internal Dictionary<string, string> Details { get; } = [];
}
