using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Cli.Options;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Judging;

/// <summary>What results must keep: a rule set, a baseline. Read before the first test, so that a wrong name costs no night.</summary>
internal sealed class Expectations
{
    private readonly string? _baselineName;

    private Expectations(IoRuleSet? rules, string? rulesName, IReadOnlyList<IoTestResult>? baseline, string? baselineName)
    {
        Rules = rules;
        RulesName = rulesName;
        Baseline = baseline;
        _baselineName = baselineName;
    }

    /// <summary>The rules that must be kept; null = none.</summary>
    public IoRuleSet? Rules { get; }

    /// <summary>The rules' name or file as it was given.</summary>
    public string? RulesName { get; }

    /// <summary>The earlier results; null = none.</summary>
    public IReadOnlyList<IoTestResult>? Baseline { get; }

    /// <summary>The options of it.</summary>
    public static (Option<string[]> Require, Option<string[]> Baseline) CreateOptions() => (
        OptionText.Create("--require", "NAME|FILE", "Rules to keep, a rule set's name or a JSON file; exit code 3 when one is missed."),
        OptionText.Create("--baseline", "FILE", "Earlier results; exit code 3 when the new ones are worse."));

    /// <summary>Reads the rule set and the baseline.</summary>
    /// <exception cref="IoBenchException">There is no such rule set or file, or it cannot be read.</exception>
    public static Expectations Read(ParseResult parsed, (Option<string[]> Require, Option<string[]> Baseline) options)
    {
        var name = parsed.Text(options.Require);
        var file = parsed.Text(options.Baseline);
        return new Expectations(name is null ? null : RuleSets.Find(name), name, file is null ? null : [.. ResultReader.ReadFile(file)], file);
    }

    /// <summary>Judges results; says what was missed, a line each.</summary>
    /// <returns>0, or 3 when something was missed.</returns>
    public int Judge(CliConsole console, IReadOnlyList<IoTestResult> results)
    {
        if (results.Count == 0 || (Rules is null && Baseline is null))
            return ExitCodes.Done;
        var missed = new List<string>();
        var judged = 0;
        if (Rules is not null)
        {
            var verdicts = RuleJudge.Judge(results, Rules);
            judged = verdicts.Count(v => v.Outcome != RuleOutcome.NotRated);
            missed.AddRange(verdicts.Where(v => v.Outcome == RuleOutcome.Fail).Select(v => $"{v.Workload ?? v.IOPattern}: {v.Reason} (rule set {v.RuleSet})"));
            foreach (var group in verdicts.Where(v => v.Outcome == RuleOutcome.NotRated).GroupBy(v => v.Reason))
                console.Error.WriteLine($"Note: not rated: {string.Join(", ", group.Select(v => v.Workload ?? v.IOPattern).Distinct())}: {group.Key}.");
        }
        if (Baseline is not null)
            missed.AddRange(WorseThanBaseline(console, results));

        var tests = $"{results.Count} test{(results.Count == 1 ? "" : "s")}";
        if (missed.Count == 0)
        {
            var kept = Rules is null ? "" : $", {judged} rule{(judged == 1 ? "" : "s")} of {Rules.Name} kept";
            console.Error.WriteLine($"{tests}{kept}{(Baseline is null ? "" : $", none worse than {_baselineName}")}");
            return ExitCodes.Done;
        }
        var what = Baseline is null ? "rule" : Rules is null ? "result" : "rule or result";
        if (missed.Count == 1)
            console.Error.WriteLine($"{tests}, 1 {what} missed: {missed[0]}");
        else
            console.Error.WriteLine($"{tests}, {missed.Count} {what}s missed:");
        if (missed.Count > 1)
            missed.ForEach(line => console.Error.WriteLine("  " + line));
        return ExitCodes.Missed;
    }

    private IEnumerable<string> WorseThanBaseline(CliConsole console, IReadOnlyList<IoTestResult> results)
    {
        var comparison = ResultComparer.Compare(Baseline!, results, _baselineName);
        foreach (var warning in comparison.Warnings)
            console.Error.WriteLine($"Note: {warning}");
        foreach (var unmatched in comparison.Unmatched)
            console.Error.WriteLine($"Note: not compared: {unmatched}.");
        return comparison.Rows.Where(row => row.Verdict == ComparisonVerdict.Worse)
            .Select(row => $"{row.Workload ?? row.IOPattern}: worse than {_baselineName}: {string.Join(", ", row.Metrics.Where(m => m.Verdict == ComparisonVerdict.Worse).Select(Change))}");
    }

    private static string Change(ComparedMetric metric)
        => string.Create(CultureInfo.InvariantCulture, $"{metric.Metric} {metric.ChangePercent:+0;-0} %");
}
