namespace IoBench.Analysis;

public static class ResultFindings
{
    /// <summary>Returns the findings of all results, in order.</summary>
    public static IReadOnlyList<Finding> Of(IEnumerable<IHasFindings> answers) =>
        (Finding[])[.. answers.SelectMany(answer => answer.Findings)];
}
