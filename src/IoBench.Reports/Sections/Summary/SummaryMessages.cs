using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal static class SummaryMessages
{
    private const double UnsteadyVariation = 0.10;
    private const double NotableLatencyMs = 1000;

    public static string DescribeVerdict(ReportContext context, IReadOnlyList<Verdict> verdicts)
    {
        // Results of a limit search already have their verdict. No rule rates a saturation test, so do not mention that.
        List<string> sentences = [.. CapSection.GetHeadlines(context.Caps)];
        if (TrendSection.FindMainChange(context.Trends) is { } change)
            sentences.Add(change.Summary);
        if (sentences.Count > 0 && verdicts.All(verdict => verdict.Outcome == VerdictOutcome.NotRated))
            return string.Join(" ", sentences);
        if (verdicts.Count == 1)
            sentences.Add(verdicts[0].Sentence);
        else
            sentences.AddRange(
                verdicts
                    .Select((verdict, side) => (verdict, context.Sides.Sides[side].Name))
                    .Where(side => side.verdict.Outcome != VerdictOutcome.NotRated || side.verdict.HasUnverifiedContent)
                    .Select(side => $"{side.Name}: {side.verdict.DescribeShort()}")
            );
        // However high the best round was, rounds that never became steady have no valid result.
        if (!verdicts.Any(verdict => verdict.SaysNeverSteady))
            sentences.AddRange(RepeatsSection.DescribeNeverSteady(context));
        if (sentences.Count == 0)
            sentences.Add(IoBench.Analysis.Verdict.Create(context.Results, context.RuleSet).Sentence);
        sentences.AddRange(context.Sides.Comparisons.Select(ComparisonSection.DescribeComparison));
        sentences.AddRange(
            context.Sides.UnmatchedLabels.Select(side => $"{side} has no test in common with {context.Sides.Baseline!.Name}.")
        );
        return string.Join(" ", sentences);
    }

    /// <summary>At most three lines: failures and regressions first, then warnings, then tests that would tell more.</summary>
    public static IReadOnlyList<string> GetAdvice(ReportContext context, IReadOnlyList<SummaryResult> answers)
    {
        var advice = new List<string>();
        var failed = context.Results.Count(run => run.Status != IoResultStatus.Complete);
        if (failed > 0)
            advice.Add(
                Invariant(
                    $"{failed} of {context.Results.Count} runs did not complete. Find the reason in Settings, correct it, and repeat these runs."
                )
            );
        advice.AddRange(DescribeResults(context, answers, FindingSeverity.Critical));
        var bad = advice.Count;
        foreach (var comparison in context.Sides.Comparisons)
        {
            if (comparison.Findings.Where(finding => finding.Severity == FindingSeverity.Critical).ToList() is { Count: > 0 } worse)
                advice.Add(
                    $"{worse[0].WhatToDo}: {string.Join(", ", worse.Take(3).Select(finding => finding.Subject))}{(worse.Count > 3 ? Invariant($" and {worse.Count - 3} more") : "")} became worse{(comparison.Label is { } label ? $" ({label})" : "")}."
                );
        }
        var decline = context
            .Trends.Where(trend => trend.Direction == TrendDirection.Worse)
            .MaxBy(trend => Math.Abs(trend.ChangePercent ?? 0));
        if (decline is not null)
            advice.AddRange(decline.Findings.Select(finding => DescribeDecline(context, decline, finding)));
        var slow = context
            .ObservedLatencies.Where(load => load.Findings[0].Severity == FindingSeverity.Critical)
            .MinBy(load => load.Verdict);
        if (slow is not null)
            advice.AddRange(slow.Findings.Select(Finding.DescribeAdvice));
        advice.AddRange(RepeatsSection.GetAdvice(context));
        advice.AddRange(DescribeResults(context, answers, FindingSeverity.Warning));
        if (DescribeNotRated(context, answers) is { } notRated)
            advice.Add(notRated);
        var stalled = context
            .Stalls.OrderByDescending(stall => stall.Pattern.PeriodSeconds is not null)
            .ThenByDescending(stall => stall.Pattern.LongestSeconds)
            .FirstOrDefault();
        if (stalled is not null)
            advice.Insert(
                stalled.Pattern.PeriodSeconds is not null ? 0 : bad,
                FormatWithReason(stalled.CreateFinding(context.GetName(stalled.Run)))
            );
        advice.AddRange(
            context
                .Fleets.SelectMany(fleet => fleet.Findings)
                .Where(finding => finding.Severity >= FindingSeverity.Warning && finding.WhatToDo is not null)
                .OrderByDescending(finding => finding.Severity)
                .Select(FormatWithReason)
        );
        var longest = answers.FirstOrDefault(answer =>
            answer is { Question.Kind: SummaryMetricKind.LongestIO, IsRated: false, Measured: >= NotableLatencyMs }
        );
        if (longest is not null)
            advice.Add(
                $"One I/O took {longest.Text} ({context.GetName(longest.Run)}). SQL Server reports I/Os of 15 s or longer as error 833. Check for a path failover, a snapshot, or other load at that time."
            );
        var disturbed = context.Roles.Where(role => role.Findings[0].Severity == FindingSeverity.Warning).MaxBy(role => role.LatencyFactor);
        if (disturbed is not null)
            advice.Add(DescribeDisturbedRole(disturbed));
        var unsteady = context
            .Results.Where(run => run.IOPS > 0 && run.IopsStdDev / run.IOPS > UnsteadyVariation)
            .MaxBy(run => run.IopsStdDev / run.IOPS);
        if (unsteady is not null)
            advice.Add(
                Invariant(
                    $"IOPS of {context.GetName(unsteady)} vary by {unsteady.IopsStdDev / unsteady.IOPS * 100:0}%{(unsteady.Timeline.Count > 1 ? " (see Timeline)" : "")}. Possible causes: other load, a throttle, or internal maintenance of the device."
                )
            );
        foreach (var sweep in context.Sweeps)
            advice.AddRange(sweep.Lines.Take(2).Select(line => SweepSection.DescribeLine(sweep, line)));
        if (!context.Results.Any(RuleEvaluator.IsLowLoad))
            advice.Add("To rate latency, run low-load tests: the workloads page-read-qd1 and log-commit, or the suite sql-server.");
        if (advice.Count == 0)
            advice.Add("No action is needed. Keep these results as the baseline for the next comparison.");
        return [.. advice.Take(3)];
    }

    private static IEnumerable<string> DescribeResults(
        ReportContext context,
        IReadOnlyList<SummaryResult> answers,
        FindingSeverity severity
    ) =>
        answers
            .Where(answer =>
                answer.Severity == severity && (answer.Question.Kind != SummaryMetricKind.LongestIO || context.Stalls.Count == 0)
            )
            .Select(answer => answer.CreateFinding(context.GetName(answer.Run)))
            .Select(finding => $"{finding.What}: {finding.WhatToDo}.");

    /// <summary>Includes the reason, for readers who read nothing else.</summary>
    private static string FormatWithReason(Finding finding) =>
        $"{finding.What.TrimEnd('.')}: {char.ToLowerInvariant(finding.WhatToDo![0])}{finding.WhatToDo[1..]}.";

    private static string FormatShort(Finding finding) =>
        $"{finding.Subject}: {char.ToLowerInvariant(finding.WhatToDo![0])}{finding.WhatToDo[1..]}.";

    /// <summary>A role that missed its rate in a rate-limited mix has no latency factor.</summary>
    private static string DescribeDisturbedRole(RoleInterference role) =>
        role.LatencyFactor is { } factor
            ? Invariant(
                $"{role.Findings[0].WhatToDo}. Log write latency is {factor:0.#} times as high while the other file roles run (see Roles)."
            )
            : FormatWithReason(role.Findings[0]);

    private static string DescribeDecline(ReportContext context, HistoryTrend decline, Finding finding)
    {
        var others =
            context
                .Trends.Where(trend => trend.Direction == TrendDirection.Worse)
                .Select(trend => (trend.Workload, trend.IOPattern, trend.ComputerName, trend.Path))
                .Distinct()
                .Count() - 1;
        var subject = finding.Subject;
        if (decline.ComputerName is { } computer)
            subject += $" on {computer}";
        if (others > 0)
            subject += Invariant($" and {others} more became worse");
        return FormatShort(finding with { Subject = subject });
    }

    /// <returns>Advice for values that have a limit but no rating; null if there are none.</returns>
    private static string? DescribeNotRated(ReportContext context, IReadOnlyList<SummaryResult> answers)
    {
        if (context.Results.All(RuleEvaluator.IsPreliminary))
            return "These are preliminary tests. Before you make a decision, repeat them with a file of at least 20 GB (or four times the storage cache). Use at least 10 s per run.";
        var unknown = answers.Where(answer => answer.Outcome is VerdictOutcome.NotRated or VerdictOutcome.PreliminaryPass).ToList();
        if (unknown.Count == 0)
            return null;
        var words = string.Join(
            ", ",
            unknown
                .Select((answer, index) => index == 0 ? answer.Words : char.ToLowerInvariant(answer.Words[0]) + answer.Words[1..])
                .Distinct()
        );
        return unknown.TrueForAll(answer => answer.Outcome == VerdictOutcome.PreliminaryPass)
            ? $"Preliminary: {words}. Repeat these tests with a file of at least 20 GB and at least 10 s per run."
            : $"Not rated: {words}. {RunDescription.ToSentence(unknown[0].Reason ?? "the runs do not provide enough data")}";
    }

    public static IReadOnlyList<string> DescribeReliability(ReportContext context)
    {
        var runs = context.Results;
        var lines = new List<string>();
        var sizes = FormatRange(runs.Select(run => run.FileSizeMB), NumberFormat.Size);
        var durations = FormatRange(runs.Select(run => run.DurationSeconds), NumberFormat.Duration);
        var days = runs.Where(run => run.StartTime is not null).Select(run => run.StartTime!.Value.Date).Distinct().Count();
        var repeats = runs.GroupBy(TestIdentity.GetKey).Max(group => group.Count());
        lines.Add(
            $"{NumberFormat.PluralizeGrouped(runs.Count, "run")}, test file {sizes ?? "of unknown size"}, "
                + $"{durations ?? "unknown time"} per run, "
                + (
                    context.Trends.Count > 0 ? $"on {NumberFormat.Pluralize(days, "day")}."
                    : repeats > 1 ? Invariant($"up to {repeats} repeats.")
                    : "no repeats, so differences below 15% are inconclusive."
                )
        );
        if (context.Options.RuleSet is null && RuleSetChoice.ChooseFor(runs, context.Options.Storage) is { IsAssumed: true } choice)
            lines.Add(
                $"The storage type is unknown, so the limits for {choice.Name} apply. For other limits, use the option Storage (hdd or cloud)."
            );
        if (runs.Any(run => ResultFormats.IsInWholeMilliseconds(run)))
            lines.Add(
                "SQLIO truncates average latency to whole milliseconds twice (up to 2 ms too low). For ratings, IoBench uses Little's law (outstanding I/Os / IOPS)."
            );
        if (runs.Any(run => run.Buffering is IoBuffering.Software or IoBuffering.Both))
            lines.Add("Some runs used the file cache of the operating system, so they measured memory instead of storage.");
        var warnings = WarningSummary.Summarize(runs);
        lines.AddRange(warnings.Take(3).Select(RunDescription.DescribeWarning));
        if (warnings.Count > 3)
            lines.Add(Invariant($"{warnings.Count - 3} more {(warnings.Count == 4 ? "warning is" : "warnings are")} in Settings."));
        return lines;
    }

    private static string DescribeRuleSet(IoRuleSet rules) =>
        string.Join(
                " ",
                new[]
                {
                    $"Rule set {rules.Name}: {rules.Description}",
                    rules.Source is { } source ? $"Source: {source}." : null,
                }.OfType<string>()
            )
            .Replace("..", ".", StringComparison.Ordinal);

    public static IReadOnlyList<string> DescribeSources(ReportContext context, IReadOnlyList<SummaryResult> answers)
    {
        var runs = context.Results;
        var first = runs[0];
        var lines = new List<string>();
        var parts = new List<string> { string.Join(", ", runs.Select(RunDescription.DescribeTool).Distinct().Take(4)) };
        if (first.StartTime is { } start)
            parts.Add(start.ToString("yyyy-MM-dd HH:mm zzz", CultureInfo.InvariantCulture));
        parts.AddRange(new[] { first.ComputerName, first.Device, first.FileSystem, first.Backend }.OfType<string>());
        parts.Add(string.Join(", ", runs.Select(run => run.Path).OfType<string>().SelectMany(path => path.Split("; ")).Distinct().Take(4)));
        lines.Add(
            string.Join("; ", parts.Where(part => part.Length > 0))
                + ". The sheet Settings contains all settings, and the sheet Details contains all values."
        );
        // DescribeReliability already states that the storage class is assumed.
        if (context.Options.RuleSet is null && RuleSetChoice.ChooseFor(runs, context.Options.Storage) is { IsAssumed: false } choice)
            lines.Add($"Storage type: {choice.Words}.");
        lines.Add(
            DescribeRuleSet(context.RuleSet)
                + " Latency is rated only in low-load tests (at most 2 outstanding I/Os, or a target rate that was reached). A preliminary test can fail a rule, but a pass remains preliminary."
        );
        lines.AddRange(
            answers
                .Select(answer => answer.RuleSet)
                .OfType<string>()
                .Distinct()
                .Where(name => name != context.RuleSet.Name)
                .Select(name => DescribeRuleSet(IoRuleSet.Find(name)))
        );
        var command = runs.Select(run => (run.GetStoredSpecification()?.Extension as TestOrigin)?.CommandLine)
            .OfType<string>()
            .FirstOrDefault();
        if (command is not null)
            lines.Add("First command line: " + RunDescription.ShortenMiddle(command, 300));
        return lines;
    }

    private static string? FormatRange(IEnumerable<double?> values, Func<double, string> text)
    {
        var known = values.OfType<double>().Distinct().Order().ToList();
        return known.Count == 0 ? null
            : known.Count == 1 || text(known[0]) == text(known[^1]) ? text(known[0])
            : $"{text(known[0])} to {text(known[^1])}";
    }

    private const double TerabyteInMB = 1024 * 1024;

    /// <param name="Value">Median of the runs; of a history, the latest value.</param>
    /// <param name="Unit">MiB/s or IOPS.</param>
    internal sealed record MeasuredRate(string Label, double Value, string Unit, RunGroup Test)
    {
        public string Text => Unit == "MiB/s" ? ThroughputDisplay.Format(Value) : $"{NumberFormat.Rate(Value)} {Unit}";

        /// <summary>Source of the value, such as <c>latest value in a history of 14 days</c> or <c>median of 3 runs</c>; null for a single
        /// run.</summary>
        public string? Basis =>
            Test.Runs.Count == 1 ? null
            : TestIdentity.FindHistory(Test.Runs) is { } history ? Invariant($"latest value in a history of {history.Days} days")
            : Invariant($"median of {Test.Runs.Count} runs");
    }

    private static readonly (string Label, string Unit, string[] Workloads, Func<IoTestResult, double?> Value)[] s_rates =
    [
        ("Tempdb", "IOPS", ["tempdb"], run => run.IOPS),
        ("Log throughput", "MiB/s", ["log-stream"], run => run.BandwidthMBps),
        ("Checkpoint writes", "MiB/s", ["checkpoint", "checkpoint-256k", "checkpoint-1m"], run => run.BandwidthMBps),
        ("Backup reads", "MiB/s", ["backup-read"], run => run.BandwidthMBps),
        ("Backup writes", "MiB/s", ["backup-write"], run => run.BandwidthMBps),
    ];

    public static IEnumerable<MeasuredRate> GetRates(RunGroup side)
    {
        foreach (var rate in s_rates)
        {
            var tests = side
                .Runs.Where(run => run.Status == IoResultStatus.Complete && rate.Workloads.Contains(run.Workload) && rate.Value(run) is > 0)
                .GroupBy(TestIdentity.GetKey)
                .Select(group => new RunGroup(group.First().Workload!, [.. group]))
                .ToList();
            if (tests.MaxBy(test => GetValue(test, rate.Value)) is { } best)
                yield return new(rate.Label, GetValue(best, rate.Value)!.Value, rate.Unit, best);
        }
    }

    /// <summary>Null if no scan was measured, or only of a small file that a cache can hold.</summary>
    public static string? DescribeReadTimes(RunGroup side, bool isOne)
    {
        var able = side
            .Runs.Where(run => run.Status == IoResultStatus.Complete && run.BandwidthMBps > 0 && !RuleEvaluator.IsPreliminary(run))
            .ToList();
        var scan = GetFastest(able.Where(run => RuleEvaluator.IsOfKind(run, IoRuleKind.Scan)));
        var backup = GetFastest(able.Where(run => run.Workload == "backup-read")) ?? scan;
        var check = GetFastest(able.Where(run => run.Workload == "checkdb")) ?? scan;
        if (backup is null && check is null)
            return null;
        var parts = new List<string>();
        if (backup is { } reading)
            parts.Add($"a backup reads 1 TB in about {FormatDuration(reading)} (at {ThroughputDisplay.Format(reading)})");
        if (check is { } checking)
            parts.Add(
                $"CHECKDB reads 1 TB in about {FormatDuration(checking)}{(checking == backup ? "" : $" (at {ThroughputDisplay.Format(checking)})")}"
            );
        return RunDescription.ToSentence(
            $"At the measured read throughput{(isOne ? $" of {side.Name}" : "")}, {string.Join(" and ", parts)}, if nothing else limits the reads. This estimate does not include the backup target, the network, the CPUs, or other load"
        );
    }

    private static double? GetFastest(IEnumerable<IoTestResult> runs) =>
        runs.GroupBy(TestIdentity.GetKey).Max(test => GetValue(new RunGroup("", [.. test]), run => run.BandwidthMBps));

    /// <summary>Of a history, only the latest value describes the current state.</summary>
    private static double? GetValue(RunGroup test, Func<IoTestResult, double?> value) =>
        TestIdentity.FindHistory(test.Runs) is { } history ? value(history.Latest) ?? test.GetMedian(value) : test.GetMedian(value);

    private static string FormatDuration(double megabytesPerSecond)
    {
        var minutes = TerabyteInMB / megabytesPerSecond / 60;
        return minutes switch
        {
            < 1.5 => Invariant($"{minutes * 60:0} seconds"),
            < 120 => Invariant($"{minutes:0} minutes"),
            _ => Invariant($"{minutes / 60:0.#} hours"),
        };
    }
}
