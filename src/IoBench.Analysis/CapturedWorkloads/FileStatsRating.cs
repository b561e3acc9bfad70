using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Rates the latency that SQL Server observed, by the average of each file between the first and the last snapshot. Rules for other
/// values than average latency do not apply, because sys.dm_io_virtual_file_stats contains only sums.
/// </summary>
public sealed class FileStatsRating : IHasFindings
{
    /// <summary>Default rule set: Microsoft's scale for the averages of this view.</summary>
    public const string DefaultRuleSet = "ms-file-stats";

    private const int MaxReasons = 4;

    // ms-2005: 1 to 5 ms for logs.
    private const double MaxGoodLogWriteMs = 5;

    // An extent is 64 KB. Larger averages show read-ahead, and reads from 256 KB on are scans.
    private const double MaxPageReadKB = 64;
    private const double MinScanKB = 256;
    private const double MaxLogWriteKB = 60;

    private FileStatsRating(IoRuleSet rules) => Rules = rules;

    /// <summary>The first word of the sentence: <c>PASS</c>, <c>PRELIMINARY PASS</c>, <c>FAIL</c>, or <c>NOT RATED</c>.</summary>
    public string Verdict => VerdictWords.Describe(Outcome);

    /// <summary>Severity of a failure; Warning also for a pass with a warning.</summary>
    public FindingSeverity Severity => Analysis.Verdict.Combine(RuleVerdicts).Severity;

    public string Sentence => DescribeVerdict();

    public string RuleSet => Rules.Name;

    public string? Source => Rules.Source;

    /// <summary>Whether there is only one snapshot, so that the averages cover the time since SQL Server started.</summary>
    public bool IsSinceStart => Seconds is null;

    /// <summary>Seconds between the snapshots, without ignored windows; null if there is only one.</summary>
    public double? Seconds { get; private init; }

    /// <summary>Number of windows between snapshots, without ignored windows.</summary>
    public int Windows { get; private init; }

    /// <summary>One verdict for each file, by file role and name.</summary>
    public IReadOnlyList<FileVerdict> Files { get; private init; } = [];

    public IReadOnlyList<IoWarning> Warnings { get; private init; } = [];

    public VerdictOutcome Outcome => Analysis.Verdict.Combine(RuleVerdicts).Outcome;

    /// <summary>Whether a rule fails, or nothing could be rated.</summary>
    [JsonIgnore]
    public bool FailsRequirement => Outcome is VerdictOutcome.Fail or VerdictOutcome.NotRated;

    public IReadOnlyList<Finding> Findings => Finding.CollectFrom(Files);

    [JsonIgnore]
    public VerdictSummary Summary => VerdictSummary.Create(Outcome, Severity, Sentence, Rules, [.. RuleVerdicts]);

    internal IoRuleSet Rules { get; }

    private IEnumerable<RuleVerdict> RuleVerdicts => Files.SelectMany(file => file.Rules);

    /// <summary>The rule set of the kind of storage if one is specified, or else <see cref="DefaultRuleSet"/>.</summary>
    public static IoRuleSet ChooseRules(StorageClass? storage) =>
        storage is { } known ? IoRuleSet.All.First(set => set.Storage == known) : IoRuleSet.Find(DefaultRuleSet);

    /// <param name="snapshots">Snapshots of one server, the earliest first.</param>
    /// <param name="rules">A rule set, or a combination of several.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoSnapshot</c>, <c>IoBench.SameSnapshot</c>, <c>IoBench.CountersReset</c>.</exception>
    public static FileStatsRating Create(IReadOnlyList<FileStatsSnapshot> snapshots, IoRuleSet rules)
    {
        ArgumentNullException.ThrowIfNull(snapshots);
        ArgumentNullException.ThrowIfNull(rules);
        if (snapshots.Count == 0)
            throw IoBenchException.Usage("IoBench.NoSnapshot", "The input contains no snapshot of sys.dm_io_virtual_file_stats.");
        List<IoWarning> warnings = [];
        var windows = FileStatsWindow.CreateAll(snapshots, warnings);
        double? seconds = snapshots.Count == 1 ? null : windows.Sum(window => window.Seconds);
        var isPreliminary = seconds is null or < RuleEvaluator.MinSeconds;
        return new(rules)
        {
            Seconds = seconds,
            Windows = snapshots.Count == 1 ? 0 : windows.Count,
            Warnings = warnings,
            Files =
            [
                .. windows
                    .SelectMany(window => window.Files)
                    .Select(file => file.File)
                    .GroupBy(file => file.Identity)
                    .Select(group => CreateVerdict(group.Last(), windows, rules, isPreliminary))
                    .OrderBy(file => file.Role, StringComparer.Ordinal)
                    .ThenBy(file => file.File, StringComparer.OrdinalIgnoreCase),
            ],
        };
    }

    public override string ToString() => Sentence;

    private static FileVerdict CreateVerdict(FileStatsRow file, IReadOnlyList<FileStatsWindow> windows, IoRuleSet rules, bool isPreliminary)
    {
        // A file can be missing in a window. Its rate is over the windows that contain it.
        var counts = windows
            .SelectMany(window =>
                window.Files.Where(f => f.File.Identity == file.Identity).Select(f => (window.Seconds, f.Reads, f.Writes))
            )
            .ToList();
        var reads = counts.Aggregate(default(FileStatsCount), (sum, count) => sum + count.Reads);
        var writes = counts.Aggregate(default(FileStatsCount), (sum, count) => sum + count.Writes);
        double? seconds = counts.Sum(count => count.Seconds) is > 0 and var sum ? sum : null;
        return new()
        {
            Role = file.Role,
            File = file.DisplayName,
            Reads = reads.IOs,
            ReadIOPS = reads.IOs / seconds,
            ReadBlockSizeKB = reads.BlockSizeKB,
            ReadLatencyMs = reads.LatencyMs,
            HighestReadLatencyMs = GetHighest(counts.Select(count => count.Reads)),
            Writes = writes.IOs,
            WriteIOPS = writes.IOs / seconds,
            WriteBlockSizeKB = writes.BlockSizeKB,
            WriteLatencyMs = writes.LatencyMs,
            HighestWriteLatencyMs = GetHighest(counts.Select(count => count.Writes)),
            RuleSet = rules.Name,
            Rules =
            [
                .. (rules.Parts.Count > 0 ? rules.Parts : [rules]).SelectMany(set =>
                    RateOperation(set, file, IoOperation.Read, reads, isPreliminary)
                        .Concat(RateOperation(set, file, IoOperation.Write, writes, isPreliminary))
                ),
            ],
        };
    }

    private static double? GetHighest(IEnumerable<FileStatsCount> windows)
    {
        var counts = windows.ToList();
        return counts.Count < 2 ? null : counts.Where(count => count.IOs >= RuleEvaluator.MinIOsForAverage).Max(count => count.LatencyMs);
    }

    private static IEnumerable<RuleVerdict> RateOperation(
        IoRuleSet set,
        FileStatsRow file,
        IoOperation operation,
        FileStatsCount count,
        bool isPreliminary
    ) =>
        count.IOs == 0
            ? []
            : set
                .Rules.Where(rule =>
                    rule is { MaxAverageLatencyMs: not null, Workload: null } && AppliesTo(rule.Kind, file.Role, operation, count)
                )
                .Select(rule =>
                    RuleEvaluator.CreateObservedVerdict(
                        set,
                        rule,
                        $"{file.Role} {GetName(operation)} of {file.DisplayName}",
                        file.DisplayName,
                        count.IOs,
                        count.LatencyMs!.Value,
                        isPreliminary,
                        set.Name == DefaultRuleSet && IsSlowLogWrite(file.Role, operation, count) ? "Microsoft's 5 ms for logs" : null
                    )
                );

    private static bool IsSlowLogWrite(string role, IoOperation operation, FileStatsCount count) =>
        AppliesTo(IoRuleKind.LogCommit, role, operation, count) && count.LatencyMs > MaxGoodLogWriteMs;

    private static bool AppliesTo(IoRuleKind kind, string role, IoOperation operation, FileStatsCount count) =>
        kind switch
        {
            IoRuleKind.Any => true,
            IoRuleKind.Read => operation == IoOperation.Read,
            IoRuleKind.Write => operation == IoOperation.Write,
            IoRuleKind.PageRead => operation == IoOperation.Read && role != "log" && count.BlockSizeKB <= MaxPageReadKB,
            IoRuleKind.Scan => operation == IoOperation.Read && role != "log" && count.BlockSizeKB >= MinScanKB,
            IoRuleKind.LogCommit => operation == IoOperation.Write && role == "log" && count.BlockSizeKB <= MaxLogWriteKB,
            IoRuleKind.Checkpoint => operation == IoOperation.Write && role == "data",
            _ => false,
        };

    private static string GetName(IoOperation operation) => operation == IoOperation.Read ? "reads" : "writes";

    private string DescribeVerdict()
    {
        List<string> parts = [];
        if (Outcome == VerdictOutcome.NotRated)
            parts.Add($"{Verdict}: {DescribeReasonNotRated()}.");
        else
        {
            var sets = RuleVerdicts.Where(rule => rule.Outcome != VerdictOutcome.NotRated).Select(rule => rule.RuleSet).Distinct().ToList();
            var heading = $"rule {(sets.Count == 1 ? "set" : "sets")} {string.Join(", ", sets)}";
            parts.Add(
                Outcome == VerdictOutcome.Fail
                    ? $"{Verdict} ({VerdictWords.Describe(Severity).ToLowerInvariant()}; {heading}): {DescribeReasons()}"
                    : $"{Verdict}{DescribeWarningCount()} ({heading}): {DescribeRoles()}.{(Severity == FindingSeverity.Info ? "" : " " + DescribeReasons())}"
            );
            var notRated = Files.Where(file => file.Outcome == VerdictOutcome.NotRated).ToList();
            if (notRated.Count > 0)
                parts.Add(
                    $"Rated {Files.Count - notRated.Count} of {NumberFormat.Pluralize(Files.Count, "file")}. Not rated: {string.Join("; ", notRated.Take(MaxReasons).Select(file => $"{file.File} ({file.Reason})"))}{(notRated.Count > MaxReasons ? $"; and {notRated.Count - MaxReasons} more" : "")}."
                );
        }
        if (IsSinceStart)
            parts.Add(
                Outcome == VerdictOutcome.Fail
                    ? "This failure is based on one snapshot. Its averages cover the whole time since SQL Server started, including idle hours. To rate a busy period, take one snapshot before it and one after it."
                    : "The averages of one snapshot cover the whole time since SQL Server started, including idle hours. For a rating, take one snapshot before a busy period and one after it."
            );
        else if (Seconds < RuleEvaluator.MinSeconds)
            parts.Add(
                $"The snapshots are {NumberFormat.Duration(Seconds!.Value)} apart. For a rating, take snapshots at least {RuleEvaluator.MinSeconds:0} s apart."
            );
        return string.Join(" ", parts);
    }

    private string DescribeReasonNotRated()
    {
        if (Files.Count == 0)
            return "the snapshots have no file in common";
        if (!RuleVerdicts.Any())
            return Files.All(file => file.Reads + file.Writes == 0)
                ? $"there was no I/O on the files {(IsSinceStart ? "since SQL Server started" : "between the snapshots")}"
                : $"rule set {RuleSet} has no limit for the average latency of these files";
        return $"too few I/Os: each file has fewer than {RuleEvaluator.MinIOsForAverage} reads and fewer than {RuleEvaluator.MinIOsForAverage} writes that rule set {RuleSet} rates";
    }

    private string DescribeWarningCount() =>
        RuleVerdicts.Count(rule => rule.Severity == FindingSeverity.Warning) switch
        {
            0 => "",
            1 => " with a warning",
            var count => $" with {count} warnings",
        };

    /// <summary>Average latency of each kind of I/O over all rated files, as in <c>average latency of data reads 2.1 ms (very good); limit
    /// 15 ms</c>.</summary>
    private string DescribeRoles()
    {
        var loads = Files
            .SelectMany(file =>
                new[]
                {
                    (file.Role, Operation: IoOperation.Read, Count: CreateCount(file.Reads, file.ReadBlockSizeKB, file.ReadLatencyMs)),
                    (file.Role, Operation: IoOperation.Write, Count: CreateCount(file.Writes, file.WriteBlockSizeKB, file.WriteLatencyMs)),
                }
            )
            .Where(load => load.Count.IOs >= RuleEvaluator.MinIOsForAverage)
            .GroupBy(load => (load.Role, load.Operation))
            .Select(group =>
            {
                var count = group.Aggregate(default(FileStatsCount), (sum, load) => sum + load.Count);
                return (
                    group.Key.Role,
                    group.Key.Operation,
                    Ms: count.LatencyMs!.Value,
                    Rules: FindRules(group.Key.Role, group.Key.Operation, count)
                );
            })
            .ToList();
        var limits = loads.SelectMany(load => load.Rules).Select(rule => rule.MaxAverageLatencyMs!.Value).Distinct().ToList();
        var texts = loads.Select(load =>
            $"{load.Role} {GetName(load.Operation)} {NumberFormat.Milliseconds(load.Ms)}{DescribeBand(load.Ms, load.Rules, limits.Count > 1)}"
        );
        return $"average latency of {string.Join(", ", texts)}{(limits.Count == 1 ? $"; limit {NumberFormat.Milliseconds(limits[0])}" : "")}";
    }

    private static FileStatsCount CreateCount(long count, double? blockKB, double? milliseconds) =>
        new(count, (long)Math.Round(count * (blockKB ?? 0) * 1024), (long)Math.Round(count * (milliseconds ?? 0)));

    private List<IoRule> FindRules(string role, IoOperation operation, FileStatsCount count) =>
        [
            .. (Rules.Parts.Count > 0 ? Rules.Parts : [Rules])
                .SelectMany(set => set.Rules)
                .Where(rule => rule is { MaxAverageLatencyMs: not null, Workload: null } && AppliesTo(rule.Kind, role, operation, count)),
        ];

    private static string DescribeBand(double milliseconds, List<IoRule> rules, bool withLimit)
    {
        var bands = rules.Select(rule => RuleEvaluator.FindAverageBand(rule, milliseconds)).OfType<string>().Take(1);
        var limits = rules.Select(rule => rule.MaxAverageLatencyMs!.Value).Distinct();
        List<string> parts = [.. bands, .. withLimit ? limits.Select(limit => $"limit {NumberFormat.Milliseconds(limit)}") : []];
        return parts.Count > 0 ? $" ({string.Join(", ", parts)})" : "";
    }

    private string DescribeReasons()
    {
        var reasons = RuleVerdicts
            .Where(rule => Outcome == VerdictOutcome.Fail ? rule.Outcome == VerdictOutcome.Fail : rule.Severity != FindingSeverity.Info)
            .OrderByDescending(rule => rule.Severity)
            .ThenByDescending(rule => rule.Measured / rule.Limit)
            .ToList();
        var more = reasons.Count > MaxReasons ? $" Failures and warnings that are not listed here: {reasons.Count - MaxReasons}." : "";
        return string.Join(" ", reasons.Take(MaxReasons).Select(rule => $"{rule.Workload}: {rule.Reason}.")) + more;
    }
}
