using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Errors of one kind in a drill. The code is the error number of the operating system.</summary>
public sealed record DrillError(int Code, string Text, long Count)
{
    public override string ToString() => Invariant($"{NumberFormat.PluralizeGrouped(Count, "time")}: {Text} ({Code})");
}

/// <param name="Began">Start in seconds since the start of the drill.</param>
/// <param name="Seconds">Duration; until the end of the drill if the I/O did not complete.</param>
public sealed record SlowestDrillIO(double Began, double Seconds, IoRequestKind Kind, long Offset, bool IsBack)
{
    public override string ToString() =>
        Invariant(
            $"{Seconds:0.000} s{(IsBack ? "" : " (not completed when the drill ended)")}: a {Kind.ToString().ToLowerInvariant()} at offset {Offset:#,##0}, started at {Began:0.00} s"
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

    /// <summary>Shortest outage that the drill reports, in seconds: 0.1, or three times the longest delay of IoBench by the host.</summary>
    public double ShortestOutageSeconds { get; init; } = OutageTracker.MinSeconds;

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

    /// <summary>Planned duration in seconds, if the drill was canceled before its end; otherwise null.</summary>
    public double? CanceledOfSeconds { get; init; }

    /// <summary>Longest outage or I/O that is allowed, in seconds; null = <see cref="ReportedSeconds"/>.</summary>
    public double? LimitSeconds { get; init; }

    public double WorstSeconds => Math.Max(Outages.Select(outage => outage.Seconds).DefaultIfEmpty().Max(), LongestIO?.Seconds ?? 0);

    public bool IsLimitExceeded => WorstSeconds > (LimitSeconds ?? ReportedSeconds);

    /// <summary>Whether the limit was not exceeded, but an outage or I/O that continued during a pause could have been longer.</summary>
    public bool MightExceedLimit => !IsLimitExceeded && LongestPossibleSeconds > (LimitSeconds ?? ReportedSeconds);

    private bool HasDataErrors => Integrity is { ErrorCount: > 0 };

    public VerdictOutcome Outcome =>
        HasDataErrors ? VerdictOutcome.Fail
        : FileChange is not null ? VerdictOutcome.NotRated
        : IsLimitExceeded ? VerdictOutcome.Fail
        : MightExceedLimit || CanceledOfSeconds is not null ? VerdictOutcome.NotRated
        : VerdictOutcome.Pass;

    public string Summary =>
        $"{(HasDataErrors ? "The storage returned wrong data. " : "")}{(FileChange is null ? "" : FileChange + " ")}{CanceledSentence}{ObservedSummary}";

    private string CanceledSentence =>
        CanceledOfSeconds is { } planned ? Invariant($"The drill was canceled after {DurationSeconds:0.#} of {planned:0.#} s. ") : "";

    private string ObservedSummary => Pauses.Count == 0 ? StorageSummary : $"{PauseSentence} {StorageSummary}";

    private double LongestPossibleSeconds => Pauses.Select(GetLongestPossibleSeconds).DefaultIfEmpty().Max();

    private string PauseSentence
    {
        get
        {
            var longest = Pauses.MaxBy(pause => pause.Seconds)!;
            var others = Pauses.Count == 1 ? "" : Invariant($" This is the longest of {Pauses.Count} such periods.");
            return $"{longest}{others} IoBench did not observe the storage during {(Pauses.Count == 1 ? "this period" : "these periods")}.";
        }
    }

    private string StorageSummary => $"{OutageSentence}{NotStartedSentence}{(FileChange is null ? " " + LimitSentence : "")}";

    private double ObservedSeconds => DurationSeconds - Pauses.Sum(pause => pause.Seconds);

    private string OutageSentence =>
        Outages.Count == 0
            ? Invariant(
                $"No outage of {ShortestOutageSeconds:0.0#} s or longer in {ObservedSeconds:0} s; the longest I/O took {LongestIO?.Seconds ?? 0:0.000} s."
            )
            : Invariant(
                $"{NumberFormat.Pluralize(Outages.Count, "outage")} in {ObservedSeconds:0} s; the longest lasted {Outages.Max(outage => outage.Seconds):0.00} s. The longest I/O took {LongestIO?.Seconds ?? 0:0.00} s, and {NumberFormat.PluralizeGrouped(ErrorCount, "I/O")} failed."
            );

    private string NotStartedSentence =>
        NotStartedCount == 0
            ? ""
            : $" {NumberFormat.PluralizeGrouped(NotStartedCount, "I/O")} {(NotStartedCount == 1 ? "was" : "were")} not started, "
                + "because too many other I/Os were outstanding.";

    public override string ToString() => Summary;

    public IReadOnlyList<Finding> Findings => (Finding[])[ResultFinding, .. Outages.Select(CreateOutageFinding), .. VerificationFindings];

    // An outage before a pause, the pause, and an outage after it can be one outage.
    private double GetLongestPossibleSeconds(DrillPause pause)
    {
        var outages = Outages.Where(outage =>
            outage.Begin <= pause.End + ShortestOutageSeconds && outage.End >= pause.Begin - ShortestOutageSeconds
        );
        var isPending = LongestIO is { } io && io.Began <= pause.End && io.Began + io.Seconds + pause.Seconds >= pause.Begin;
        return pause.Seconds + Math.Max(outages.Sum(outage => outage.Seconds), isPending ? LongestIO!.Seconds : 0);
    }

    private string LimitSentence =>
        MightExceedLimit ? "While IoBench did not run, an outage or an I/O might have exceeded the limit."
        : LimitSeconds is { } limit
            ? Invariant($"The longest outage or I/O {(IsLimitExceeded ? "exceeds" : "meets")} the limit of {limit:0.###} s.")
                + (WorstSeconds > ReportedSeconds ? " SQL Server would have reported error 833." : "")
        : IsLimitExceeded ? "SQL Server reports I/Os of 15 s or longer as error 833, so it would have reported this error."
        : "SQL Server reports I/Os of 15 s or longer as error 833, so it would not have reported this error.";

    private Finding ResultFinding =>
        new()
        {
            Code =
                HasDataErrors ? FindingCodes.DrillFailed
                : FileChange is not null ? FindingCodes.DrillFileChanged
                : IsLimitExceeded ? FindingCodes.DrillFailed
                : Outcome == VerdictOutcome.NotRated ? FindingCodes.DrillNotRated
                : FindingCodes.DrillPassed,
            Subject = Path,
            What = Summary,
            Severity =
                HasDataErrors || FileChange is not null || IsLimitExceeded ? FindingSeverity.Critical
                : WorstSeconds > ReportedSeconds || Outages.Count > 0 || Pauses.Count > 0 || CanceledOfSeconds is not null
                    ? FindingSeverity.Warning
                : FindingSeverity.Info,
            Outcome = Outcome,
            Evidence =
            [
                new("Worst", WorstSeconds, "s"),
                new("Limit", LimitSeconds ?? ReportedSeconds, "s"),
                new("Outages", Outages.Count),
                new("Errors", ErrorCount),
            ],
            WhatToDo =
                IsLimitExceeded ? "Check the timeouts of paths and drivers (multipath, disk timeout, retries), and repeat the drill"
                : MightExceedLimit ? "Repeat the drill on a host that has free CPUs and is not moved or suspended"
                : null,
        };

    private Finding CreateOutageFinding(Outage outage) =>
        new()
        {
            Code = FindingCodes.DrillOutage,
            Subject = Path,
            What = $"Outage {outage}.",
            Severity = outage.Seconds > ReportedSeconds ? FindingSeverity.Critical : FindingSeverity.Info,
            Evidence = [new("Begin", outage.Begin, "s"), new("Length", outage.Seconds, "s"), new("Errors", outage.Errors)],
        };

    private IReadOnlyList<Finding> VerificationFindings =>
        Integrity is { } integrity && (FileChange is null || integrity.ErrorCount > 0)
            ? new IntegrityResult(new IoTestResult { Path = Path }, integrity).CreateFindings(Path)
            : [];
}
