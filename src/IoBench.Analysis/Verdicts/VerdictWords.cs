namespace IoBench.Analysis;

/// <summary>Describes a verdict in one sentence, the same for the prompt, a workbook, and the HTML report.</summary>
public static class VerdictWords
{
    private const int MaxOthers = 2;

    /// <summary>Describes the verdict: the most severe values with their reasons, or why nothing was rated.</summary>
    public static string Of(Verdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        var rated = Rated(verdict);
        var others = Others(verdict);
        if (rated.Count == 0)
            return others.Length > 0 ? $"{Severity(verdict)}:{others}" : NotRated(verdict);
        var decisive = Worst(rated);
        var worst = decisive[0].Severity;
        var says = decisive.Select(answer =>
            $"{Lower(answer.ToString())}{(worst == FindingSeverity.Good ? "" : $" ({answer.ReasonBesideFigure})")}"
        );
        var severity = others.Length > 0 && Severity(verdict) > worst ? Severity(verdict) : worst;
        return $"{severity}: {string.Join(", ", says)} (rule set {string.Join(", ", decisive.Select(answer => answer.RuleSet).Distinct())}).{others}";
    }

    /// <summary>Describes one of several verdicts: the outcome, and its reason if it is not good.</summary>
    public static string InShort(Verdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        var rated = Rated(verdict);
        if (rated.Count == 0)
            return verdict.Outcome == VerdictOutcome.Provisional
                ? $"kept, as far as a quick look can tell (rule set {verdict.RuleSet.Name}).{Others(verdict)}"
                : Lower(NotRated(verdict)) + Others(verdict);
        var rules = string.Join(", ", rated.Select(answer => answer.RuleSet).Distinct());
        var worst = rated.Max(answer => answer.Severity);
        return worst == FindingSeverity.Good
            ? $"Good (rule set {rules}).{Others(verdict)}"
            : $"{worst}: {string.Join(", ", rated.Where(answer => answer.Severity == worst).Select(answer => $"{Lower(answer.ToString())} ({answer.ReasonBesideFigure})"))} (rule set {rules}).{Others(verdict)}";
    }

    /// <summary>Returns the rated values. The absence of stalls alone does not count as a rating.</summary>
    internal static List<VerdictAnswer> Rated(Verdict verdict)
    {
        var rated = verdict.Answers.Where(answer => answer.IsRated).ToList();
        return rated.TrueForAll(answer => answer is { Question.Kind: VerdictKind.Stall, Severity: FindingSeverity.Good }) ? [] : rated;
    }

    internal static List<VerdictAnswer> Named(Verdict verdict)
    {
        var rated = Rated(verdict);
        if (rated.Count > 0)
            return Worst(rated);
        if (Others(verdict).Length > 0)
            return [];
        return verdict.Outcome == VerdictOutcome.Provisional ? Provisional(verdict) : Rates(verdict);
    }

    private static List<VerdictAnswer> Worst(List<VerdictAnswer> rated)
    {
        var worst = rated.Max(answer => answer.Severity);
        return rated.FindAll(answer => answer.Severity == worst);
    }

    private static List<VerdictAnswer> Provisional(Verdict verdict) =>
        [.. verdict.Answers.Where(answer => answer.Verdicts.Any(rule => rule.Outcome == RuleOutcome.Provisional))];

    private static List<VerdictAnswer> Rates(Verdict verdict) =>
        [.. verdict.Answers.Where(answer => answer.Question.Kind == VerdictKind.Rate)];

    private static string NotRated(Verdict verdict)
    {
        if (verdict.Outcome == VerdictOutcome.Provisional)
        {
            var says = string.Join(", ", Provisional(verdict).Select((answer, i) => i == 0 ? answer.ToString() : Lower(answer.ToString())));
            return $"Not rated: a quick look. {(says.Length == 0 ? "What was judged is" : says + ":")} kept, as far as a quick look can tell (rule set {verdict.RuleSet.Name}). {QuickLook.Advice}";
        }
        var why =
            Missed(verdict) is { } rate ? rate
            : verdict.Results.Count == 0 ? "a modelled device says nothing about storage"
            : verdict.Results.All(QuickLook.Is) ? "a quick look (small file or short runs)"
            : !verdict.Results.Any(RuleJudge.IsWorkingLoad)
                ? "these tests load the storage to its limit, which shows how much it does, not how it feels at work"
            : $"rule set {verdict.RuleSet.Name} has no limit for these tests";
        return $"Not rated: {why}.{Highest(verdict)}";
    }

    // Use the same value of repeats and rounds as the summary, because the best of eight rounds is not representative.
    private static string Highest(Verdict verdict)
    {
        var rates = Rates(verdict).ConvertAll(answer => Lower(answer.ToString()));
        return rates.Count == 0 ? "" : $" Highest: {string.Join(", ", rates)}.";
    }

    private static string? Missed(Verdict verdict) =>
        verdict.Results.FirstOrDefault(result => result.HasMissedRate()) is { } run
            ? $"{run.Workload ?? run.IOPattern}: {RuleJudge.MissedRate(run)}"
            : null;

    // Describes failed rules that no summary metric covers.
    private static string Others(Verdict verdict)
    {
        var asked = verdict.Answers.SelectMany(answer => answer.Verdicts).ToHashSet();
        var missed = verdict
            .Rules.Where(rule => rule.Outcome == RuleOutcome.Fail && !asked.Contains(rule))
            .Select(rule => rule.Findings[0].What)
            .Distinct()
            .ToList();
        return missed.Count == 0
            ? ""
            : $" Missed: {string.Join("; ", missed.Take(MaxOthers))}{(missed.Count > MaxOthers ? $"; and {missed.Count - MaxOthers} more" : "")}.";
    }

    private static FindingSeverity Severity(Verdict verdict) =>
        verdict
            .Rules.Where(rule => rule.Outcome != RuleOutcome.NotRated)
            .Select(RuleFindings.SeverityOf)
            .DefaultIfEmpty(FindingSeverity.Unknown)
            .Max();

    private static string Lower(string words) => char.ToLowerInvariant(words[0]) + words[1..];
}
