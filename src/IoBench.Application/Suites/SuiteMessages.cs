using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Messages about a suite that the user confirms.</summary>
public static class SuiteMessages
{
    /// <summary>
    /// Describes a suite on another host: <c>copy IoBench there if it is missing, make the test file if it is missing, run 9 tests, 3 of
    /// them writing to it, about 6 minutes</c>.
    /// </summary>
    /// <param name="tests">The tests. It is not known here whether their files exist.</param>
    public static string DescribeRemoteRun(IReadOnlyList<IoTestSpecification> tests) =>
        $"copy IoBench there if it is missing, make the test file if it is missing, {DescribeRun(tests)}";

    /// <summary>Describes the tests of a suite: <c>run 9 tests, 3 of them writing to it, about 6 minutes</c>.</summary>
    public static string DescribeRun(IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var writing = tests.Count(test => test.Targets.Exists(target => TargetAccess.ForTest(test, target).Writes));
        var kind =
            writing == 0 ? ""
            : writing == tests.Count ? " writing to it"
            : $", {writing} of them writing to it";
        return $"run {tests.Count} test{(tests.Count == 1 ? "" : "s")}{kind}, {TestPlan.Estimate(tests)}";
    }
}
