namespace IoBench.Application.Suites;

/// <summary>What a suite does, in words that somebody says yes or no to.</summary>
public static class SuiteWords
{
    /// <summary>What is done on another host: <c>copy IoBench there if it is missing, make the test file if it is missing, run 9 tests, 3 of them writing to it, about 6 minutes</c>.</summary>
    /// <param name="tests">The tests. Whether their files are there is not known here.</param>
    public static string RunElsewhere(IReadOnlyList<IoTestSpecification> tests) =>
        $"copy IoBench there if it is missing, make the test file if it is missing, {Run(tests)}";

    /// <summary>That tests run: <c>run 9 tests, 3 of them writing to it, about 6 minutes</c>.</summary>
    public static string Run(IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var writing = tests.Count(test => test.Targets.Exists(target => TargetUse.Of(test, target).Writes));
        var kind =
            writing == 0 ? ""
            : writing == tests.Count ? " writing to it"
            : $", {writing} of them writing to it";
        return $"run {tests.Count} test{(tests.Count == 1 ? "" : "s")}{kind}, {TestPlan.Estimate(tests)}";
    }
}
