namespace IoBench.Analysis.Drills;

/// <summary>A kind of error that I/Os of a drill ended with.</summary>
/// <param name="Code">The operating system's number.</param>
/// <param name="Text">Its words.</param>
/// <param name="Count">How many.</param>
public sealed record DrillError(int Code, string Text, long Count)
{
    /// <summary>In words: <c>3 times: Input/output error (5)</c>.</summary>
    public override string ToString() => FormattableString.Invariant($"{Figures.CountedGrouped(Count, "time")}: {Text} ({Code})");
}

/// <summary>The longest I/O of a drill.</summary>
/// <param name="Began">When it was started, in seconds from the drill's beginning.</param>
/// <param name="Seconds">How long it took; of one that did not come back the time until the end.</param>
/// <param name="Kind">What it did.</param>
/// <param name="Offset">Its place in bytes.</param>
/// <param name="IsBack">Whether it came back.</param>
public sealed record DrillLongest(double Began, double Seconds, IoRequestKind Kind, long Offset, bool IsBack)
{
    /// <summary>In words: <c>0.016 s, a read at offset 8,192 that was started at 0.63 s</c>.</summary>
    public override string ToString() =>
        FormattableString.Invariant(
            $"{Seconds:0.000} s{(IsBack ? "" : " and not back at the end")}, a {Kind.ToString().ToLowerInvariant()} at offset {Offset:#,##0} that was started at {Began:0.00} s"
        );
}

/// <summary>What a drill found: how long the storage was away, and what that looked like.</summary>
public sealed record DrillResult : IHasFindings
{
    /// <summary>SQL Server reports an I/O of this length as error 833; what waits longer, a cluster or an availability group may fail over.</summary>
    public const double ReportedSeconds = 15;

    /// <summary>The file.</summary>
    public required string Path { get; init; }

    /// <summary>When it began.</summary>
    public required DateTimeOffset StartTime { get; init; }

    /// <summary>How long it ran, in seconds.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>I/Os due per second.</summary>
    public required double TargetIops { get; init; }

    /// <summary>Reads that were done.</summary>
    public long ReadCount { get; init; }

    /// <summary>Writes that were done.</summary>
    public long WriteCount { get; init; }

    /// <summary>I/Os that failed.</summary>
    public long ErrorCount { get; init; }

    /// <summary>I/Os that were due and never started, since too many were in flight.</summary>
    public long NotStartedCount { get; init; }

    /// <summary>I/Os that had not come back at the end.</summary>
    public long NotBackCount { get; init; }

    /// <summary>Median latency of the I/Os that were done, in milliseconds.</summary>
    public double? P50Ms { get; init; }

    /// <summary>Their 99th percentile.</summary>
    public double? P99Ms { get; init; }

    /// <summary>Errors by kind, the most frequent first.</summary>
    public IReadOnlyList<DrillError> Errors { get; init; } = [];

    /// <summary>The outages, in order.</summary>
    public IReadOnlyList<Outage> Outages { get; init; } = [];

    /// <summary>The longest I/O; null without any.</summary>
    public DrillLongest? LongestIO { get; init; }

    /// <summary>When the file was lost and found.</summary>
    public IReadOnlyList<DrillTargetChange> TargetChanges { get; init; } = [];

    /// <summary>What the checks of its reads found, as those of any checked test; null where nothing was checked.</summary>
    public IoIntegrity? Integrity { get; init; }

    /// <summary>The longest outage or I/O that is allowed, in seconds; null = <see cref="ReportedSeconds"/>.</summary>
    public double? LimitSeconds { get; init; }

    /// <summary>The longest outage or I/O, in seconds.</summary>
    public double WorstSeconds => Math.Max(Outages.Select(outage => outage.Seconds).DefaultIfEmpty().Max(), LongestIO?.Seconds ?? 0);

    /// <summary>Whether the limit was missed.</summary>
    public bool IsLimitMissed => WorstSeconds > (LimitSeconds ?? ReportedSeconds);

    /// <summary>The answer in a sentence.</summary>
    public string Summary =>
        Outages.Count == 0
            ? FormattableString.Invariant(
                $"No outage in {DurationSeconds:0} s; the longest I/O took {LongestIO?.Seconds ?? 0:0.000} s. {Judged}"
            )
            : FormattableString.Invariant(
                $"{Outages.Count} {(Outages.Count == 1 ? "outage" : "outages")} in {DurationSeconds:0} s, the longest of {Outages.Max(outage => outage.Seconds):0.00} s; the longest I/O took {LongestIO?.Seconds ?? 0:0.00} s, {Figures.CountedGrouped(ErrorCount, "I/O")} failed. {Judged}"
            );

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => (Finding[])[Answer, .. Outages.Select(OfOutage), .. OfIntegrity];

    private string Judged =>
        LimitSeconds is { } limit
            ? FormattableString.Invariant(
                $"The limit of {limit:0.###} s is {(IsLimitMissed ? "missed" : "kept")}.{(WorstSeconds > ReportedSeconds ? " SQL Server would have reported error 833." : "")}"
            )
        : IsLimitMissed ? "That is longer than the 15 s after which SQL Server reports error 833."
        : "That is within the 15 s after which SQL Server reports error 833.";

    private Finding Answer =>
        new()
        {
            Code = IsLimitMissed ? FindingCodes.DrillMissed : FindingCodes.DrillKept,
            Subject = Path,
            What = Summary,
            Severity =
                WorstSeconds > ReportedSeconds || IsLimitMissed ? FindingSeverity.Bad
                : Outages.Count > 0 ? FindingSeverity.Watch
                : FindingSeverity.Good,
            Evidence =
            [
                new("Worst", WorstSeconds, "s"),
                new("Limit", LimitSeconds ?? ReportedSeconds, "s"),
                new("Outages", Outages.Count),
                new("Errors", ErrorCount),
            ],
            WhatToDo = IsLimitMissed
                ? "Look at the timeouts of paths and drivers (multipath, disk timeout, retries), and repeat the drill"
                : null,
        };

    private Finding OfOutage(Outage outage) =>
        new()
        {
            Code = FindingCodes.DrillOutage,
            Subject = Path,
            What = $"Outage {outage}.",
            Severity = outage.Seconds > ReportedSeconds ? FindingSeverity.Bad : FindingSeverity.Info,
            Evidence = [new("Begin", outage.Begin, "s"), new("Length", outage.Seconds, "s"), new("Errors", outage.Errors)],
        };

    private IReadOnlyList<Finding> OfIntegrity => Integrity is { } integrity ? new IntegrityFindings(Path, integrity).For(Path) : [];
}
