namespace IoBench.Analysis;

public static class Finding
{
    /// <summary>Returns the findings of all results, in order.</summary>
    public static IReadOnlyList<Finding> CollectFrom(IEnumerable<IHasFindings> answers) =>
        (Finding[])[.. answers.SelectMany(answer => answer.Findings)];
}
