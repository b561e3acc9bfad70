namespace IoBench.Tests;

/// <summary>Selects, by environment variables, which build of the program the command-line tests run.</summary>
public static class TestedProgram
{
    /// <summary>Set to the path of a program: the tests run it as a process. Wine runs a path that ends with .exe.</summary>
    public const string PathVariable = "IOBENCH_TEST_PROGRAM";

    /// <summary>Set to "all": the tests run the published Windows program with Wine.</summary>
    public const string WineVariable = "IOBENCH_TEST_WINE";

    /// <summary>Path of the other build; null if the tests run their own build or the published Windows program.</summary>
    public static string? OtherPath { get; } =
        Environment.GetEnvironmentVariable(PathVariable) is { Length: > 0 } path ? Path.GetFullPath(path) : null;

    public static bool UsesWine { get; } =
        !OperatingSystem.IsWindows()
        && (
            OtherPath?.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ?? string.Equals(Environment.GetEnvironmentVariable(WineVariable), "all", StringComparison.OrdinalIgnoreCase)
        );

    public static bool IsOtherBuild => OtherPath is not null || UsesWine;
}

/// <summary>A fact about code that runs in the process of the test. It is skipped if another build of the program is tested.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class InProcessFactAttribute : FactAttribute
{
    public InProcessFactAttribute() => Skip = Reason;

    internal static string? Reason { get; } =
        TestedProgram.IsOtherBuild ? "runs in the test's own process: shown by the tests' own build" : null;
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class InProcessTheoryAttribute : TheoryAttribute
{
    public InProcessTheoryAttribute() => Skip = InProcessFactAttribute.Reason;
}

/// <summary>A fact about code that runs in the test's own process on Linux.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class InProcessLinuxFactAttribute : FactAttribute
{
    public InProcessLinuxFactAttribute() => Skip = InProcessFactAttribute.Reason ?? LinuxFactAttribute.Reason;
}
