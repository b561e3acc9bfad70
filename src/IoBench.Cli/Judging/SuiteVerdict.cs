using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli.Judging;

/// <summary>
/// A suite in a sentence: what a commit and a page read wait for, rated by the default rule set where that is fair; of a sweep its knee, of repeats their spread.
/// </summary>
internal static class SuiteVerdict
{
    public static IEnumerable<string> Of(IReadOnlyList<IoTestResult> results)
    {
        // A modelled device says nothing about storage.
        results = [.. results.Where(r => r.Backend != nameof(IoBackendKind.Null))];
        var knees = Knees(results).ToList();
        // The least loads of a sweep are no answer of their own.
        if (knees.Count == 0 && Latencies(results) is { } latencies)
            yield return latencies;
        foreach (var knee in knees)
            yield return knee;
        foreach (var repeated in RepeatSummary.Of(results).Where(r => r.Runs > 1))
            yield return repeated.Summary;
    }

    private static string? Latencies(IReadOnlyList<IoTestResult> results)
    {
        var complete = results.Where(r => r.Status == IoResultStatus.Complete && RuleJudge.IsWorkingLoad(r)).ToList();
        var commits = complete.FindAll(r => RuleJudge.Is(r, IoRuleKind.LogCommit));
        var reads = complete.FindAll(r => RuleJudge.Is(r, IoRuleKind.PageRead));
        string?[] parts = [Wait("a commit waits", commits), Wait("a page read", reads)];
        var text = string.Join(", ", parts.Where(part => part is not null));
        if (text.Length == 0)
            return null;
        text = char.ToUpperInvariant(text[0]) + text[1..];
        var judged = commits.Concat(reads).ToList();
        if (judged.Exists(QuickLook.Is))
            return $"{text}: not rated, a quick look. For a rating use a file of 20 GB or more and 10 s or more.";
        var set = RuleSets.Find(RuleSets.Default);
        var verdicts = RuleJudge.Judge(judged, set).Where(v => v.Outcome is RuleOutcome.Pass or RuleOutcome.Fail or RuleOutcome.Warn).ToList();
        var missed = verdicts.Where(v => v.Outcome == RuleOutcome.Fail).Select(v => $"{v.Workload ?? v.IOPattern}: {v.Reason}").Distinct().ToList();
        var rating = verdicts.Count == 0 ? "not rated" : missed.Count == 0 ? "good" : string.Join("; ", missed);
        var saturated = results.Any(r => !RuleJudge.IsWorkingLoad(r)) ? " Saturated rows are not rated by latency." : "";
        return $"{text}: {rating} (rule set {set.Name}).{saturated}";
    }

    private static string? Wait(string what, List<IoTestResult> runs)
    {
        // An open loop's stalls show in the response time only.
        var latencies = runs.Select(r => r.ResponseAverageMs ?? r.AverageLatencyMs).OfType<double>().ToList();
        return latencies.Count == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"{what} {latencies.Average():0.00#} ms");
    }

    /// <summary>Groups of at least three loads: two runs of a suite that happen to differ in their load are no sweep.</summary>
    private static IEnumerable<string> Knees(IReadOnlyList<IoTestResult> results)
    {
        var swept = results.GroupBy(r => (r.Workload, r.IOPattern, r.Path, r.Label, r.FileSizeMB, r.Buffering))
            .Where(g => g.Select(r => r.TotalOutstanding).Distinct().Count() >= 3).SelectMany(g => g).ToList();
        if (swept.Count == 0)
            return [];
        try
        {
            return [.. SaturationAnalysis.Analyze(swept).SelectMany(s => s.Warnings.Select(w => $"Note: {w}").Prepend(s.Summary))];
        }
        catch (IoBenchException error) when (error.ErrorId == "IoBench.NoSweep")
        {
            return []; // open loops, or runs that did not complete
        }
    }
}
