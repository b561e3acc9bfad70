using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class SessionRules
{
    private static readonly OptionName s_session = new("Session");

    /// <exception cref="IoBenchException">The thread count is Auto, so that hosts would run different tests, or a path is not a full
    /// path.</exception>
    public static void Check(string[]? threadCount, params string?[] rolePaths)
    {
        if (threadCount?.Contains("Auto", StringComparer.OrdinalIgnoreCase) == true)
            throw IoBenchException.Usage(
                "IoBench.AutoThreads",
                $"All hosts of {s_session} run the same test, and Auto would be another on each.",
                advice: $"Give {Opt.ThreadCount} a number."
            );
        foreach (var role in rolePaths.OfType<string>())
            SessionPaths.Check(role, isLiteral: false);
    }

    public static string Activity(IReadOnlyList<IoTestSpecification> tests) =>
        $"IoBench: {tests.Count} test{(tests.Count == 1 ? "" : "s")}{(tests.Any(test => test.Workload is not null) ? " of SQL Server's I/O" : "")}";
}
