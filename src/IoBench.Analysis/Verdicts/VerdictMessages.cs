namespace IoBench.Analysis;

/// <summary>Describes a verdict in one sentence, the same for the prompt, a workbook, and the HTML report.</summary>
public static class VerdictMessages
{
    private const int MaxOthers = 2;

    public static string DescribeVerdict(Verdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        var rated = GetRated(verdict);
        var others = DescribeOtherFailures(verdict);
        if (rated.Count == 0)
            return others.Length > 0 ? $"{GetSeverity(verdict)}:{others}" : DescribeNotRated(verdict);
        var decisive = GetMostSevere(rated);
        var worst = decisive[0].Severity;
        var says = decisive.Select(answer =>
            $"{LowerFirstLetter(answer.ToString())}{(worst == FindingSeverity.Good ? "" : $" ({answer.ReasonWithoutValue})")}"
        );
        var severity = others.Length > 0 && GetSeverity(verdict) > worst ? GetSeverity(verdict) : worst;
        return $"{severity}: {string.Join(", ", says)} (rule set {string.Join(", ", decisive.Select(answer => answer.RuleSet).Distinct())}).{others}";
    }

    /// <summary>Describes one of several verdicts: the outcome, and its reason if it is not good.</summary>
    public static string DescribeShort(Verdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        var rated = GetRated(verdict);
        if (rated.Count == 0)
            return verdict.Outcome == VerdictOutcome.Provisional
                ? $"kept, as far as a quick look can tell (rule set {verdict.RuleSet.Name}).{DescribeOtherFailures(verdict)}"
                : LowerFirstLetter(DescribeNotRated(verdict)) + DescribeOtherFailures(verdict);
        var rules = string.Join(", ", rated.Select(answer => answer.RuleSet).Distinct());
        var worst = rated.Max(answer => answer.Severity);
        if (worst == FindingSeverity.Good)
            return $"Good (rule set {rules}).{DescribeOtherFailures(verdict)}";
        var reasons = rated
            .Where(answer => answer.Severity == worst)
            .Select(answer => $"{LowerFirstLetter(answer.ToString())} ({answer.ReasonWithoutValue})");
        return $"{worst}: {string.Join(", ", reasons)} (rule set {rules}).{DescribeOtherFailures(verdict)}";
    }

    /// <summary>Returns the rated values. The absence of stalls alone does not count as a rating.</summary>
    internal static List<SummaryResult> GetRated(Verdict verdict)
    {
        var rated = verdict.Answers.Where(answer => answer.IsRated).ToList();
        return rated.TrueForAll(answer => answer is { Question.Kind: SummaryMetricKind.Stall, Severity: FindingSeverity.Good })
            ? []
            : rated;
    }

    internal static List<SummaryResult> GetNamed(Verdict verdict)
    {
        var rated = GetRated(verdict);
        if (rated.Count > 0)
            return GetMostSevere(rated);
        if (DescribeOtherFailures(verdict).Length > 0)
            return [];
        return verdict.Outcome == VerdictOutcome.Provisional ? GetPreliminary(verdict) : GetRates(verdict);
    }

    private static List<SummaryResult> GetMostSevere(List<SummaryResult> rated)
    {
        var worst = rated.Max(answer => answer.Severity);
        return rated.FindAll(answer => answer.Severity == worst);
    }

    private static List<SummaryResult> GetPreliminary(Verdict verdict) =>
        [.. verdict.Answers.Where(answer => answer.Verdicts.Any(rule => rule.Outcome == RuleOutcome.Provisional))];

    private static List<SummaryResult> GetRates(Verdict verdict) =>
        [.. verdict.Answers.Where(answer => answer.Question.Kind == SummaryMetricKind.Rate)];

    private static string DescribeNotRated(Verdict verdict)
    {
        if (verdict.Outcome == VerdictOutcome.Provisional)
        {
            var says = string.Join(
                ", ",
                GetPreliminary(verdict).Select((answer, i) => i == 0 ? answer.ToString() : LowerFirstLetter(answer.ToString()))
            );
            return $"Not rated: a quick look. {(says.Length == 0 ? "What was judged is" : says + ":")} kept, as far as a quick look can tell (rule set {verdict.RuleSet.Name}). {RatingEligibility.Advice}";
        }
        return $"Not rated: {DescribeReasonNotRated(verdict)}.{DescribeHighest(verdict)}";
    }

    private static string DescribeReasonNotRated(Verdict verdict)
    {
        if (DescribeMissedRate(verdict) is { } rate)
            return rate;
        if (verdict.Results.Count == 0)
            return "a modelled device says nothing about storage";
        if (verdict.Results.All(RatingEligibility.IsPreliminary))
            return "a quick look (small file or short runs)";
        if (!verdict.Results.Any(RuleEvaluator.IsLowLoad))
            return "these tests load the storage to its limit, which shows how much it does, not how it feels at work";
        return $"rule set {verdict.RuleSet.Name} has no limit for these tests";
    }

    // Use the same value of repeats and rounds as the summary, because the best of eight rounds is not representative.
    private static string DescribeHighest(Verdict verdict)
    {
        var rates = GetRates(verdict).ConvertAll(answer => LowerFirstLetter(answer.ToString()));
        return rates.Count == 0 ? "" : $" Highest: {string.Join(", ", rates)}.";
    }

    private static string? DescribeMissedRate(Verdict verdict) =>
        verdict.Results.FirstOrDefault(result => result.HasMissedRate()) is { } run
            ? $"{run.Workload ?? run.IOPattern}: {RuleEvaluator.DescribeMissedRate(run)}"
            : null;

    // Describes failed rules that no summary metric covers.
    private static string DescribeOtherFailures(Verdict verdict)
    {
        var asked = verdict.Answers.SelectMany(answer => answer.Verdicts).ToHashSet();
        var missed = verdict
            .Rules.Where(rule => rule.Outcome == RuleOutcome.Fail && !asked.Contains(rule))
            .Select(rule => rule.Findings[0].What)
            .Distinct()
            .ToList();
        if (missed.Count == 0)
            return "";
        var more = missed.Count > MaxOthers ? $"; and {missed.Count - MaxOthers} more" : "";
        return $" Missed: {string.Join("; ", missed.Take(MaxOthers))}{more}.";
    }

    private static FindingSeverity GetSeverity(Verdict verdict) =>
        verdict
            .Rules.Where(rule => rule.Outcome != RuleOutcome.NotRated)
            .Select(RuleVerdict.GetSeverity)
            .DefaultIfEmpty(FindingSeverity.Unknown)
            .Max();

    private static string LowerFirstLetter(string words) => char.ToLowerInvariant(words[0]) + words[1..];
}
