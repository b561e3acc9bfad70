using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports.Model;

namespace IoBench.Reports.Sections;

/// <summary>The sentences of the summary: the verdict, what to do, how far to trust it, the small print.</summary>
internal static class SummaryText
{
    private const double UnsteadyVariation = 0.10;
    private const double NotableStallMs = 1000;
    private const double NotableFactor = 2;

    /// <summary>The verdict in one sentence, and what a comparison says.</summary>
    /// <param name="context">The report.</param>
    /// <param name="answers">The answers of each side.</param>
    public static string Verdict(ReportContext context, IReadOnlyList<List<Answer?>> answers)
    {
        List<string> sentences = [];
        for (var side = 0; side < answers.Count; side++)
        {
            List<Answer> given = [.. answers[side].OfType<Answer>()];
            var rated = given.Where(answer => answer.Rating is Rating.Good or Rating.Watch or Rating.Bad).ToList();
            if (answers.Count == 1)
                sentences.Add(rated.Count > 0 ? Rated(rated) : NotRated(context, given));
            else if (rated.Count > 0)
                sentences.Add($"{context.Sides.Sides[side].Name}: {InShort(rated)}");
        }
        if (sentences.Count == 0)
            sentences.Add(NotRated(context, [.. answers.SelectMany(list => list).OfType<Answer>()]));
        sentences.AddRange(context.Sides.Comparisons.Select(ComparisonSection.Say));
        sentences.AddRange(context.Sides.Unlike.Select(side => $"{side} has no test in common with {context.Sides.Baseline!.Name}."));
        return string.Join(" ", sentences);
    }

    /// <summary>At most three lines of what to do.</summary>
    public static IReadOnlyList<string> Advice(ReportContext context, IReadOnlyList<Answer> answers)
    {
        var advice = new List<string>();
        var failed = context.Results.Count(run => run.Status != IoResultStatus.Complete);
        if (failed > 0)
            advice.Add(string.Create(CultureInfo.InvariantCulture, $"{failed} of {context.Results.Count} runs did not complete: see Settings for the reason, mend it and run them again."));
        foreach (var answer in answers.Where(answer => answer.Rating == Rating.Bad))
            advice.Add($"{answer.Question.Words} {answer.Text} ({context.NameOf(answer.Run)}): {Remedy(answer)}");
        if (context.Results.All(QuickLook.Is))
            advice.Add("Repeat with a file of 20 GB or more (better four times the storage's cache) and 30 s a run before anything is decided: this was a quick look.");
        if (answers.Where(answer => answer.Question.Words == "Longest stall" && answer.Rating is Rating.NotRated or Rating.Watch && answer.Measured >= NotableStallMs).FirstOrDefault() is { } stall)
            advice.Add($"One I/O took {stall.Text} ({context.NameOf(stall.Run)}): SQL Server reports I/Os of 15 s as error 833. Look what the storage did then: path failover, snapshot, another load.");
        foreach (var comparison in context.Sides.Comparisons)
        {
            if (comparison.Rows.Where(row => row.Verdict == ComparisonVerdict.Worse).ToList() is { Count: > 0 } worse)
                advice.Add($"Find out what changed: {string.Join(", ", worse.Take(3).Select(row => row.Workload ?? row.IOPattern))} became worse{(comparison.Label is { } label ? $" ({label})" : "")}.");
        }
        if (context.Answers.Trends.Where(trend => trend.Direction == TrendDirection.Worse).MaxBy(trend => Math.Abs(trend.ChangePercent ?? 0)) is { } decline)
            advice.Add($"Find out what changed: {decline.Summary}");
        if (context.Answers.Roles.Where(role => role.Role == "log" && role.LatencyFactor >= NotableFactor).MaxBy(role => role.LatencyFactor) is { } log)
            advice.Add(string.Create(CultureInfo.InvariantCulture, $"Give the log a device of its own, or hold back what runs beside it: a commit waits {log.LatencyFactor:0.#} times as long while the other roles run (see Roles)."));
        if (context.Answers.OwnLoads.Where(load => load.Verdict <= OwnLoadVerdict.Slower).MinBy(load => load.Verdict) is { } slow)
            advice.Add($"Leave that load where it is, or choose faster storage: {slow.Summary}");
        if (context.Results.Where(run => run.IOPS > 0 && run.IopsStdDev / run.IOPS > UnsteadyVariation).MaxBy(run => run.IopsStdDev / run.IOPS) is { } unsteady)
            advice.Add(string.Create(CultureInfo.InvariantCulture, $"IOPS of {context.NameOf(unsteady)} vary by {unsteady.IopsStdDev / unsteady.IOPS * 100:0} %{(unsteady.Timeline.Count > 1 ? " (see Timeline)" : "")}: another load, a throttle or the device's own cleaning up may be the cause."));
        foreach (var sweep in context.Sweeps)
            advice.AddRange(sweep.Lines.Take(2).Select(line => SweepSection.Say(sweep, line)));
        if (!context.Results.Any(RuleJudge.IsWorkingLoad))
            advice.Add("To have latency rated, test at a working load: workloads page-read-qd1 and log-commit, or the suite sql-server.");
        if (advice.Count == 0)
            advice.Add("Nothing needs doing. Keep these results: they are the baseline for the next comparison.");
        return [.. advice.Take(3)];
    }

    /// <summary>How far to trust it.</summary>
    public static IReadOnlyList<string> Trust(ReportContext context)
    {
        var runs = context.Results;
        var lines = new List<string>();
        var sizes = Range(runs.Select(run => run.FileSizeMB), RunText.Size);
        var durations = Range(runs.Select(run => run.DurationSeconds), RunText.Duration);
        var days = runs.Where(run => run.StartTime is not null).Select(run => run.StartTime!.Value.Date).Distinct().Count();
        var repeats = runs.GroupBy(RunText.SameTest).Max(group => group.Count());
        lines.Add(string.Create(CultureInfo.InvariantCulture, $"{runs.Count:#,##0} {(runs.Count == 1 ? "run" : "runs")}, test file {sizes ?? "of unknown size"}, {durations ?? "unknown time"} a run, ")
            + (context.Answers.Trends.Count > 0 ? string.Create(CultureInfo.InvariantCulture, $"on {days} days.") : repeats > 1 ? string.Create(CultureInfo.InvariantCulture, $"up to {repeats} repeats.") : "no repeats: differences below 15 % say nothing."));
        if (runs.Any(run => run.Source == IoResultSource.Sqlio))
            lines.Add("SQLIO cuts average latency to whole milliseconds twice (up to 2 ms too low); where latency is judged, Little's law (outstanding / IOPS) is used.");
        if (runs.Any(run => run.Buffering is IoBuffering.Software or IoBuffering.Both))
            lines.Add("Some runs went through the operating system's file cache: they show memory, not storage.");
        var warnings = WarningDigest.Of(runs);
        lines.AddRange(warnings.Take(3).Select(RunText.Warning));
        if (warnings.Count > 3)
            lines.Add(string.Create(CultureInfo.InvariantCulture, $"{warnings.Count - 3} more {(warnings.Count == 4 ? "warning is" : "warnings are")} in Settings."));
        return lines;
    }

    /// <summary>What it takes to repeat it.</summary>
    public static IReadOnlyList<string> SmallPrint(ReportContext context)
    {
        var runs = context.Results;
        var first = runs[0];
        var lines = new List<string>();
        var parts = new List<string>
        {
            string.Join(", ", runs.Select(RunText.ToolVersion).Distinct().Take(4)),
        };
        if (first.StartTime is { } start)
            parts.Add(start.ToString("yyyy-MM-dd HH:mm zzz", CultureInfo.InvariantCulture));
        parts.AddRange(new[] { first.ComputerName, first.Device, first.FileSystem, first.Backend }.OfType<string>());
        parts.Add(string.Join(", ", runs.Select(run => run.Path).OfType<string>().Distinct().Take(4)));
        lines.Add(string.Join("; ", parts.Where(part => part.Length > 0)) + ". All settings are in Settings, all figures in Details.");
        lines.Add(string.Join(" ", new[] { $"Rule set {context.RuleSet.Name}: {context.RuleSet.Description}", context.RuleSet.Source is { } source ? $"Source: {source}." : null }.OfType<string>()).Replace("..", ".", StringComparison.Ordinal)
            + " Latency is judged only where the load is a working one (at most 2 outstanding I/Os in all, or a target rate); a quick look is not rated.");
        if (runs.Select(run => run.Specification?.CommandLine).OfType<string>().FirstOrDefault() is { } command)
            lines.Add("First command line: " + RunText.Shorten(command, 300));
        return lines;
    }

    private static string Rated(List<Answer> rated)
    {
        var worst = rated.Max(answer => answer.Rating);
        var decisive = rated.Where(answer => answer.Rating == worst).ToList();
        var says = decisive.Select(answer => $"{Lower(answer.Question.Words)} {answer.Text}{(worst == Rating.Good ? "" : $" ({answer.Reason})")}");
        return $"{worst}: {string.Join(", ", says)} (rule set {string.Join(", ", decisive.Select(answer => answer.RuleSet).Distinct())}).";
    }

    /// <summary>For one of several sides: the word, and what it is for when it is not good.</summary>
    private static string InShort(List<Answer> rated)
    {
        var worst = rated.Max(answer => answer.Rating);
        var rules = string.Join(", ", rated.Select(answer => answer.RuleSet).Distinct());
        return worst == Rating.Good ? $"Good (rule set {rules})."
            : $"{worst}: {string.Join(", ", rated.Where(answer => answer.Rating == worst).Select(answer => $"{Lower(answer.Question.Words)} {answer.Text}"))} (rule set {rules}).";
    }

    private static string NotRated(ReportContext context, IReadOnlyList<Answer> answers)
    {
        var why = context.Results.All(QuickLook.Is) ? "a quick look (small file or short runs)"
            : answers.Any(answer => answer.Rating == Rating.NotRated) || !context.Results.Any(RuleJudge.IsWorkingLoad) ? "these tests load the storage to its limit, which shows how much it does, not how it feels at work"
            : $"rule set {context.RuleSet.Name} has no limit for these tests";
        var best = context.Results.Where(run => run.IOPS is not null).MaxBy(run => run.IOPS);
        var widest = context.Results.Where(run => run.BandwidthMBps is not null).MaxBy(run => run.BandwidthMBps);
        var figures = best is null || widest is null ? "" : $" Most: {RunText.Count(best.IOPS!.Value)} IOPS ({context.NameOf(best)}), {RunText.Count(widest.BandwidthMBps!.Value)} MB/s ({context.NameOf(widest)}).";
        return $"Not rated: {why}.{figures}";
    }

    private static string Remedy(Answer answer) => answer.Question.Words switch
    {
        "A commit waits" => "check the log volume's write cache (protected against power loss?), its path and who shares it, then run log-commit again.",
        "A page read waits" => "check the path to the storage and who shares it, then run page-read-qd1 again.",
        "Longest stall" => "SQL Server reports I/Os of 15 s as error 833; look what the storage did then: path failover, snapshot, another load.",
        _ => $"the limit is {answer.Limit}.",
    };

    private static string? Range(IEnumerable<double?> values, Func<double, string> text)
    {
        var known = values.OfType<double>().Distinct().Order().ToList();
        return known.Count == 0 ? null : known.Count == 1 || text(known[0]) == text(known[^1]) ? text(known[0]) : $"{text(known[0])} to {text(known[^1])}";
    }

    private static string Lower(string words) => char.ToLowerInvariant(words[0]) + words[1..];
}
