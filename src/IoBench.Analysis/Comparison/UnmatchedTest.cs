using IoBench.Engine;

namespace IoBench.Analysis;

internal sealed record UnmatchedTest(string Name, string Test, string Why)
{
    private const int MaxNames = 3;

    public override string ToString() => $"{Test} is {Why}";

    public static IReadOnlyList<string> DescribeAll(IReadOnlyList<UnmatchedTest> tests) =>
        [.. tests.GroupBy(test => test.Why).Select(group => group.Count() == 1 ? group.First().ToString() : DescribeGroup([.. group]))];

    private static string DescribeGroup(List<UnmatchedTest> tests)
    {
        var names = tests.Select(test => test.Name).Distinct().ToList();
        return $"{tests.Count} tests are {tests[0].Why} ({NameListFormat.Format(names, MaxNames)})";
    }
}
