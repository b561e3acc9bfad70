namespace IoBench.Tests;

/// <summary>Which build of the program the tests of the command line run, by the environment.</summary>
public static class TestedProgram
{
    /// <summary>Set to a program's path: the tests run that, as a process. One that ends with .exe is run by Wine.</summary>
    public const string PathVariable = "IOBENCH_TEST_PROGRAM";

    /// <summary>Set to "all": the tests run the program as it is published for Windows, by Wine.</summary>
    public const string WineVariable = "IOBENCH_TEST_WINE";

    /// <summary>The other build; null when the tests' own is run, or the one that is published for Windows.</summary>
    public static string? OtherPath { get; } =
        Environment.GetEnvironmentVariable(PathVariable) is { Length: > 0 } path ? Path.GetFullPath(path) : null;

    /// <summary>The tests run Windows' program by Wine.</summary>
    public static bool IsByWine { get; } =
        !OperatingSystem.IsWindows()
        && (
            OtherPath?.EndsWith(".exe", StringComparison.OrdinalIgnoreCase)
            ?? string.Equals(Environment.GetEnvironmentVariable(WineVariable), "all", StringComparison.OrdinalIgnoreCase)
        );

    /// <summary>The tests run another build than their own.</summary>
    public static bool IsOther => OtherPath is not null || IsByWine;
}

/// <summary>A fact about code that runs in the test's own process: skipped where another build of the program is tested, to which it says nothing.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class InProcessFactAttribute : FactAttribute
{
    public InProcessFactAttribute() => Skip = Reason;

    internal static string? Reason { get; } =
        TestedProgram.IsOther ? "runs in the test's own process: shown by the tests' own build" : null;
}

/// <summary>The same for several cases.</summary>
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
