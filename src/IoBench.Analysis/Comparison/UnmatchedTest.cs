namespace IoBench.Analysis.Comparison;

/// <summary>A test that was not compared.</summary>
/// <param name="Name">What it is called among others: its workload, else its pattern.</param>
/// <param name="Test">What it is.</param>
/// <param name="Why">Why it was not: <c>only in a.json</c>, <c>left out: Cancelled</c>.</param>
internal sealed record UnmatchedTest(string Name, string Test, string Why)
{
    private const int MaxNames = 3;

    public override string ToString() => $"{Test} is {Why}";

    /// <summary>A line for each reason: one test as it is, several by number and name.</summary>
    public static IReadOnlyList<string> Lines(IReadOnlyList<UnmatchedTest> tests) =>
        [.. tests.GroupBy(test => test.Why).Select(group => group.Count() == 1 ? group.First().ToString() : Line([.. group]))];

    private static string Line(List<UnmatchedTest> tests)
    {
        var names = tests.Select(test => test.Name).Distinct().ToList();
        return $"{tests.Count} tests are {tests[0].Why} ({NameList.Of(names, MaxNames)})";
    }
}
