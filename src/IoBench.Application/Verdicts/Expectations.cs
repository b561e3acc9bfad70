namespace IoBench.Application.Verdicts;

/// <summary>What results must keep: a rule set, a baseline. Made before the first test, so that a wrong name costs no night.</summary>
/// <param name="Rules">The rules; null = none.</param>
/// <param name="Baseline">Earlier results; null = none.</param>
/// <param name="BaselineName">What the earlier results are called: their file.</param>
public sealed record Expectations(IoRuleSet? Rules, IReadOnlyList<IoTestResult>? Baseline, string? BaselineName)
{
    /// <summary>The rules' name or file as it was given; null = none.</summary>
    public string? RulesName { get; init; }

    /// <summary>Reads the rule set and the baseline.</summary>
    /// <param name="rules">A rule set's name or a JSON file; null = none.</param>
    /// <param name="baseline">A file of results; null = none.</param>
    /// <exception cref="IoBenchException">There is no such rule set or file, or it cannot be read.</exception>
    public static Expectations Read(string? rules, string? baseline) =>
        new(rules is null ? null : RuleSets.Find(rules), baseline is null ? null : [.. ResultReader.ReadFile(baseline)], baseline)
        {
            RulesName = rules,
        };

    /// <summary>What was asked for.</summary>
    /// <param name="values">Of <see cref="OptionTables.Expectations"/>.</param>
    /// <exception cref="IoBenchException">See <see cref="Read"/>.</exception>
    public static Expectations Create(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return Read(values.Text(new OptionName("RuleSet")), values.Text(new OptionName("Baseline")));
    }

    /// <summary>Judges results; null when nothing is expected of them.</summary>
    public SuiteJudgement? Judge(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count == 0 || (Rules is null && Baseline is null))
            return null;
        var notes = new List<string>();
        var missed = new List<string>();
        var verdict = Rules is null ? null : Verdict.Of(results, Rules);
        if (verdict is not null)
        {
            missed.AddRange(verdict.Missed);
            notes.AddRange(verdict.NotRated);
        }
        if (Baseline is not null)
            missed.AddRange(WorseThanBaseline(results, notes));
        return new SuiteJudgement(Sentence(results.Count, verdict, missed), missed, notes) { Verdict = verdict };
    }

    private string Sentence(int count, Verdict? verdict, List<string> missed)
    {
        var tests = Figures.Counted(count, "test");
        if (missed.Count == 0)
        {
            var judged = verdict?.Rules.Count(rule => rule.Outcome != RuleOutcome.NotRated) ?? 0;
            var kept = verdict?.Outcome switch
            {
                null => "",
                VerdictOutcome.NotRated =>
                    $", nothing could be rated by {Rules!.Name}{(verdict.NotRated is [var why, ..] ? $" ({why.TrimEnd('.')})" : ": it has no rule for these tests")}",
                VerdictOutcome.Provisional => $", {Figures.Counted(judged, "rule")} of {Rules!.Name} kept, as far as a quick look can tell",
                _ => $", {Figures.Counted(judged, "rule")} of {Rules!.Name} kept",
            };
            return $"{tests}{kept}{(Baseline is null ? "" : $", none worse than {BaselineName}")}";
        }
        var (one, several) =
            Baseline is null ? ("rule", "rules")
            : Rules is null ? ("result", "results")
            : ("rule or result", "rules or results");
        return missed.Count == 1 ? $"{tests}, 1 {one} missed: {missed[0]}" : $"{tests}, {missed.Count} {several} missed:";
    }

    private IEnumerable<string> WorseThanBaseline(IReadOnlyList<IoTestResult> results, List<string> notes)
    {
        var comparison = ResultComparer.Compare(Baseline!, results, BaselineName);
        notes.AddRange(comparison.Warnings);
        notes.AddRange(comparison.Unmatched.Select(unmatched => $"not compared: {unmatched}."));
        return comparison.Findings.Where(finding => finding.Code == FindingCodes.ComparisonWorse).Select(finding => finding.What);
    }
}

/// <summary>What came of the expectations.</summary>
/// <param name="Sentence">The answer; where several things were missed it ends in a colon and they follow.</param>
/// <param name="Missed">What was missed, each in words.</param>
/// <param name="Notes">What could not be rated or compared, and why.</param>
public sealed record SuiteJudgement(string Sentence, IReadOnlyList<string> Missed, IReadOnlyList<string> Notes)
{
    /// <summary>The verdict by the rules; null where none were given.</summary>
    public Verdict? Verdict { get; init; }

    /// <summary>Something was missed, or nothing could be rated, which is no proof: exit code 3.</summary>
    public bool IsMissed => Missed.Count > 0 || Verdict?.FailsRequirement == true;

    /// <summary>The answer, a line each.</summary>
    public IEnumerable<string> Lines => Missed.Count > 1 ? Missed.Select(missed => "  " + missed).Prepend(Sentence) : [Sentence];
}
