namespace IoBench.Analysis.Findings;

/// <summary>Findings of several answers.</summary>
public static class ResultFindings
{
    /// <summary>The findings of answers, in their order.</summary>
    public static IReadOnlyList<Finding> Of(IEnumerable<IHasFindings> answers) =>
        (Finding[])[.. answers.SelectMany(answer => answer.Findings)];
}
