namespace IoBench.Tests;

[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute() => Skip = Reason;

    internal static string? Reason { get; } =
        !OperatingSystem.IsLinux() ? "needs Linux"
        : TestedProgram.UsesWine ? "is about Linux, and Windows' program is tested"
        : null;
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute() => Skip = LinuxFactAttribute.Reason;
}
