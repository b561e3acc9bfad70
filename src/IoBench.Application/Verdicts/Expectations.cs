using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Requirements for the results of a run. Read before the first test, so that a wrong name is reported early.</summary>
public sealed record Expectations(IoRuleSet? Rules, IReadOnlyList<IoTestResult>? Baseline, string? BaselineName)
{
    /// <summary>Name or file of the rule set as the user specified it; null for none.</summary>
    public string? RulesName { get; init; }

    /// <param name="rules">Name of a rule set, or a JSON file; null for none.</param>
    public static Expectations Load(string? rules, string? baseline) =>
        new(
            Rules: rules is null ? null : RuleSets.Find(rules),
            Baseline: baseline is null ? null : [.. ResultReader.ReadFile(baseline)],
            BaselineName: baseline
        )
        {
            RulesName = rules,
        };

    public static Expectations Create(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return Load(values.GetText(new OptionName("RuleSet")), values.GetText(new OptionName("Baseline")));
    }

    /// <summary>Rates results against the requirements; null if there are no requirements or no results.</summary>
    public ExpectationsResult? Evaluate(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count == 0 || (Rules is null && Baseline is null))
            return null;
        var notes = new List<string>();
        var missed = new List<string>();
        var verdict = Rules is null ? null : Verdict.Create(results, Rules);
        if (verdict is not null)
        {
            missed.AddRange(verdict.Missed);
            notes.AddRange(verdict.NotRated);
        }
        if (Rules is null)
            missed.AddRange(IntegrityResult.FindProblems(results).Select(answer => answer.Summary));
        if (Baseline is not null)
            missed.AddRange(FindWorseThanBaseline(results, notes));
        return new ExpectationsResult(CreateSentence(results.Count, verdict, missed), missed, notes) { Verdict = verdict };
    }

    private string CreateSentence(int count, Verdict? verdict, List<string> missed)
    {
        var tests = NumberFormat.Pluralize(count, "test");
        if (missed.Count == 0)
        {
            var judged = verdict?.Rules.Count(rule => rule.Outcome != RuleOutcome.NotRated) ?? 0;
            var ratings = verdict?.Outcome switch
            {
                null => "",
                VerdictOutcome.NotRated =>
                    $", nothing could be rated by {Rules!.Name}{(verdict.NotRated is [var why, ..] ? $" ({why.TrimEnd('.')})" : ": it has no rule for these tests")}",
                VerdictOutcome.Provisional =>
                    $", {NumberFormat.Pluralize(judged, "rule")} of {Rules!.Name} kept, as far as a quick look can tell",
                _ => $", {NumberFormat.Pluralize(judged, "rule")} of {Rules!.Name} kept",
            };
            return $"{tests}{ratings}{(Baseline is null ? "" : $", none worse than {BaselineName}")}";
        }
        var (one, several) =
            Baseline is null ? ("rule", "rules")
            : Rules is null ? ("result", "results")
            : ("rule or result", "rules or results");
        return missed.Count == 1 ? $"{tests}, 1 {one} missed: {missed[0]}" : $"{tests}, {missed.Count} {several} missed:";
    }

    private IEnumerable<string> FindWorseThanBaseline(IReadOnlyList<IoTestResult> results, List<string> notes)
    {
        var comparison = ResultComparer.Compare(Baseline!, results, BaselineName);
        notes.AddRange(comparison.Warnings);
        notes.AddRange(comparison.Unmatched.Select(unmatched => $"not compared: {unmatched}."));
        return comparison.Findings.Where(finding => finding.Code == FindingCodes.ComparisonWorse).Select(finding => finding.What);
    }
}

/// <param name="Sentence">Summary. If several requirements failed, it ends with a colon and the failures follow.</param>
/// <param name="Notes">Results that could not be rated or compared, and the reasons.</param>
public sealed record ExpectationsResult(string Sentence, IReadOnlyList<string> Missed, IReadOnlyList<string> Notes)
{
    public Verdict? Verdict { get; init; }

    /// <summary>True if a requirement failed, or if nothing could be rated: exit code 3.</summary>
    public bool IsMissed => Missed.Count > 0 || Verdict?.FailsRequirement == true;

    public IEnumerable<string> Lines => Missed.Count > 1 ? Missed.Select(missed => "  " + missed).Prepend(Sentence) : [Sentence];
}
