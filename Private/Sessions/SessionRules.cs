using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class InvokeIoTestCommand
{
    private static readonly OptionName s_sessionOption = new("Session");

    /// <exception cref="IoBenchException">The thread count is Auto, so that hosts would run different tests, or a path is not a full
    /// path.</exception>
    public static void CheckSessionParameters(string[]? threadCount, params string?[] rolePaths)
    {
        if (threadCount?.Contains("Auto", StringComparer.OrdinalIgnoreCase) == true)
            throw IoBenchException.Usage(
                "IoBench.AutoThreads",
                $"All hosts of {s_sessionOption} run the same test, and Auto would be another on each.",
                advice: $"Give {OptionNames.ThreadCount} a number."
            );
        foreach (var role in rolePaths.OfType<string>())
            PathResolver.CheckRemotePath(role, isLiteral: false);
    }

    public static string DescribeActivity(IReadOnlyList<IoTestSpecification> tests) =>
        $"IoBench: {tests.Count} test{(tests.Count == 1 ? "" : "s")}{(tests.Any(test => test.Workload is not null) ? " of SQL Server's I/O" : "")}";
}
