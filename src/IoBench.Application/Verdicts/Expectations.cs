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
            Rules: rules is null ? null : IoRuleSet.Find(rules),
            Baseline: baseline is null ? null : [.. ResultReader.ReadFile(baseline)],
            BaselineName: baseline
        )
        {
            RulesName = rules,
        };

    public static Expectations Create(OptionValues values) =>
        Load(values.GetText(new OptionName("RuleSet")), values.GetText(new OptionName("Baseline")));

    /// <summary>Rates results against the requirements; null if there are no requirements or no results.</summary>
    public ExpectationsResult? Evaluate(IReadOnlyList<IoTestResult> results)
    {
        if (results.Count == 0 || (Rules is null && Baseline is null))
            return null;
        var verdict = Rules is null ? null : Verdict.Create(results, Rules);
        var comparison = Baseline is null ? null : ComparisonResult.Compare(Baseline, results, BaselineName);
        IEnumerable<string> notes = verdict?.NotRated ?? [];
        if (comparison is not null)
            notes = notes.Concat(comparison.Warnings).Concat(comparison.Unmatched.Select(unmatched => $"not compared: {unmatched}."));
        return new ExpectationsResult(verdict, comparison)
        {
            BaselineName = BaselineName,
            Notes = [.. notes],
            IntegrityProblems = Rules is null ? [.. IntegrityResult.FindProblems(results).Select(problem => problem.Summary)] : [],
        };
    }
}

/// <summary>The verdict by the required rule set, and the comparison with the required baseline; null if not required.</summary>
public sealed record ExpectationsResult(Verdict? Verdict, ComparisonResult? Comparison)
{
    public string? BaselineName { get; init; }

    /// <summary>Results that could not be rated or compared, and the reasons.</summary>
    public required IReadOnlyList<string> Notes { get; init; }

    /// <summary>Integrity errors and content that was not verified. A rule set has its own verdicts on them.</summary>
    public IReadOnlyList<string> IntegrityProblems { get; init; } = [];

    private List<string> Worse =>
        Comparison is null
            ? []
            : [.. Comparison.Findings.Where(finding => finding.Code == FindingCodes.ComparisonWorse).Select(finding => finding.What)];

    /// <summary>Null without a baseline.</summary>
    private VerdictOutcome? BaselineOutcome =>
        Comparison is null ? null
        : Worse.Count > 0 ? VerdictOutcome.Fail
        : Inconclusive.Count < Comparison.Rows.Count ? VerdictOutcome.Pass
        : VerdictOutcome.NotRated;

    private List<ComparisonRow> Inconclusive =>
        Comparison is null ? [] : [.. Comparison.Rows.Where(row => row.Verdict == ComparisonVerdict.Inconclusive)];

    /// <summary>Whether a requirement failed, or nothing could be rated: exit code 3.</summary>
    public bool IsFailed =>
        Verdict?.FailsRequirement == true
        || BaselineOutcome is VerdictOutcome.Fail or VerdictOutcome.NotRated
        || IntegrityProblems.Count > 0;

    /// <summary>One sentence per requirement. The first word of the first sentence states whether a requirement failed.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            string[] verdict = Verdict is null ? [] : [Verdict.Sentence];
            return Verdict?.FailsRequirement != true && (BaselineOutcome is VerdictOutcome.Fail or VerdictOutcome.NotRated)
                ? [.. IntegrityProblems, .. BaselineLines, .. verdict]
                : [.. verdict, .. IntegrityProblems, .. BaselineLines];
        }
    }

    private IEnumerable<string> BaselineLines
    {
        get
        {
            if (BaselineOutcome is not { } outcome)
                yield break;
            var heading = $"{VerdictWords.Describe(outcome)} (baseline {BaselineName})";
            var compared = NumberFormat.Pluralize(Comparison!.Rows.Count, "test");
            var inconclusive =
                Inconclusive.Count == 0 ? "" : $", {Inconclusive.Count} {(Inconclusive.Count == 1 ? "is" : "are")} inconclusive";
            yield return outcome switch
            {
                VerdictOutcome.Pass => $"{heading}: {compared} compared, none is worse{inconclusive}.",
                VerdictOutcome.Fail => $"{heading}: {Worse.Count} of {compared} {(Worse.Count == 1 ? "is" : "are")} worse{inconclusive}.",
                _ => $"{heading}: {compared} compared{inconclusive}, because {Inconclusive[0].Reason}.",
            };
            foreach (var worse in Worse)
                yield return $"  {worse}";
        }
    }
}
