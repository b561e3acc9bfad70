using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Errors of one kind in a drill. The code is the error number of the operating system.</summary>
public sealed record DrillError(int Code, string Text, long Count)
{
    public override string ToString() => FormattableString.Invariant($"{NumberFormat.PluralizeGrouped(Count, "time")}: {Text} ({Code})");
}

/// <param name="Began">Start in seconds since the start of the drill.</param>
/// <param name="Seconds">Duration; until the end of the drill if the I/O did not complete.</param>
public sealed record SlowestDrillIO(double Began, double Seconds, IoRequestKind Kind, long Offset, bool IsBack)
{
    public override string ToString() =>
        FormattableString.Invariant(
            $"{Seconds:0.000} s{(IsBack ? "" : " and not back at the end")}, a {Kind.ToString().ToLowerInvariant()} at offset {Offset:#,##0} that was started at {Began:0.00} s"
        );
}

/// <summary>Result of a drill: how long the storage was unavailable, and what the outages looked like.</summary>
public sealed record DrillResult : IHasFindings
{
    /// <summary>SQL Server reports such an I/O as error 833. A cluster or an availability group can fail over after a longer one.</summary>
    public const double ReportedSeconds = 15;

    public required string Path { get; init; }

    public required DateTimeOffset StartTime { get; init; }

    public required double DurationSeconds { get; init; }

    public required double TargetIops { get; init; }

    public long ReadCount { get; init; }

    public long WriteCount { get; init; }

    public long ErrorCount { get; init; }

    /// <summary>I/Os that were due but never started, because too many I/Os were outstanding.</summary>
    public long NotStartedCount { get; init; }

    /// <summary>I/Os that had not completed at the end.</summary>
    public long NotBackCount { get; init; }

    /// <summary>Median latency of the completed I/Os in milliseconds.</summary>
    public double? P50Ms { get; init; }

    public double? P99Ms { get; init; }

    /// <summary>Errors by kind, the most frequent first.</summary>
    public IReadOnlyList<DrillError> Errors { get; init; } = [];

    public IReadOnlyList<Outage> Outages { get; init; } = [];

    /// <summary>The slowest I/O; null if there were no I/Os.</summary>
    public SlowestDrillIO? LongestIO { get; init; }

    /// <summary>Times at which the file became unavailable or available again.</summary>
    public IReadOnlyList<DrillTargetChange> TargetChanges { get; init; } = [];

    /// <summary>Periods in which the host did not run IoBench. They are not a part of outages and latencies.</summary>
    public IReadOnlyList<DrillPause> Pauses { get; init; } = [];

    /// <summary>Result of the data verification; null if nothing was verified.</summary>
    public IoIntegrity? Integrity { get; init; }

    /// <summary>Error of a file that was removed or replaced during the drill, so that the drill is not rated; otherwise null.</summary>
    public string? FileChange { get; init; }

    /// <summary>Longest outage or I/O that is allowed, in seconds; null = <see cref="ReportedSeconds"/>.</summary>
    public double? LimitSeconds { get; init; }

    public double WorstSeconds => Math.Max(Outages.Select(outage => outage.Seconds).DefaultIfEmpty().Max(), LongestIO?.Seconds ?? 0);

    public bool IsLimitMissed => WorstSeconds > (LimitSeconds ?? ReportedSeconds);

    /// <summary>Whether the limit was not missed, but an outage or I/O that continued during a pause could have been longer.</summary>
    public bool IsNotRated => !IsLimitMissed && LongestPossibleSeconds > (LimitSeconds ?? ReportedSeconds);

    public string Summary => FileChange is null ? ObservedSummary : $"NOT RATED: {FileChange} {ObservedSummary}";

    private string ObservedSummary => Pauses.Count == 0 ? StorageSummary : $"{PauseSentence} {StorageSummary}";

    private double LongestPossibleSeconds => Pauses.Select(GetLongestPossibleSeconds).DefaultIfEmpty().Max();

    private string PauseSentence
    {
        get
        {
            var longest = Pauses.MaxBy(pause => pause.Seconds)!;
            var others = Pauses.Count == 1 ? "" : FormattableString.Invariant($" This is the longest of {Pauses.Count} such periods.");
            return $"{longest}{others} The storage was not observed then.";
        }
    }

    private string StorageSummary =>
        Outages.Count == 0
            ? FormattableString.Invariant(
                $"No outage in {DurationSeconds - Pauses.Sum(pause => pause.Seconds):0} s; the longest I/O took {LongestIO?.Seconds ?? 0:0.000} s. {LimitSentence}"
            )
            : FormattableString.Invariant(
                $"{Outages.Count} {(Outages.Count == 1 ? "outage" : "outages")} in {DurationSeconds - Pauses.Sum(pause => pause.Seconds):0} s, the longest of {Outages.Max(outage => outage.Seconds):0.00} s; the longest I/O took {LongestIO?.Seconds ?? 0:0.00} s, {NumberFormat.PluralizeGrouped(ErrorCount, "I/O")} failed. {LimitSentence}"
            );

    public override string ToString() => Summary;

    public IReadOnlyList<Finding> Findings => (Finding[])[ResultFinding, .. Outages.Select(CreateOutageFinding), .. VerificationFindings];

    // An outage before a pause, the pause, and an outage after it can be one outage.
    private double GetLongestPossibleSeconds(DrillPause pause)
    {
        var outages = Outages.Where(outage =>
            outage.Begin <= pause.End + OutageTracker.Shortest && outage.End >= pause.Begin - OutageTracker.Shortest
        );
        var isPending = LongestIO is { } io && io.Began <= pause.End && io.Began + io.Seconds + pause.Seconds >= pause.Begin;
        return pause.Seconds + Math.Max(outages.Sum(outage => outage.Seconds), isPending ? LongestIO!.Seconds : 0);
    }

    private string LimitSentence =>
        IsNotRated ? "An outage or I/O in that time can have been longer than the limit."
        : LimitSeconds is { } limit
            ? FormattableString.Invariant($"The limit of {limit:0.###} s is {(IsLimitMissed ? "missed" : "kept")}.")
                + (WorstSeconds > ReportedSeconds ? " SQL Server would have reported error 833." : "")
        : IsLimitMissed ? "That is longer than the 15 s after which SQL Server reports error 833."
        : "That is within the 15 s after which SQL Server reports error 833.";

    private Finding ResultFinding =>
        new()
        {
            Code =
                FileChange is not null ? FindingCodes.DrillFileChanged
                : IsLimitMissed ? FindingCodes.DrillMissed
                : IsNotRated ? FindingCodes.DrillNotRated
                : FindingCodes.DrillKept,
            Subject = Path,
            What = Summary,
            Severity =
                FileChange is not null || WorstSeconds > ReportedSeconds || IsLimitMissed ? FindingSeverity.Bad
                : IsNotRated ? FindingSeverity.Unknown
                : Outages.Count > 0 || Pauses.Count > 0 ? FindingSeverity.Watch
                : FindingSeverity.Good,
            Evidence =
            [
                new("Worst", WorstSeconds, "s"),
                new("Limit", LimitSeconds ?? ReportedSeconds, "s"),
                new("Outages", Outages.Count),
                new("Errors", ErrorCount),
            ],
            WhatToDo =
                IsLimitMissed ? "Look at the timeouts of paths and drivers (multipath, disk timeout, retries), and repeat the drill"
                : IsNotRated ? "Repeat the drill on a host that has free CPUs and is not moved or suspended"
                : null,
        };

    private Finding CreateOutageFinding(Outage outage) =>
        new()
        {
            Code = FindingCodes.DrillOutage,
            Subject = Path,
            What = $"Outage {outage}.",
            Severity = outage.Seconds > ReportedSeconds ? FindingSeverity.Bad : FindingSeverity.Info,
            Evidence = [new("Begin", outage.Begin, "s"), new("Length", outage.Seconds, "s"), new("Errors", outage.Errors)],
        };

    private IReadOnlyList<Finding> VerificationFindings =>
        Integrity is { } integrity && (FileChange is null || integrity.ErrorCount > 0)
            ? new IntegrityFindingBuilder(Path, integrity).CreateFindings(Path)
            : [];
}
