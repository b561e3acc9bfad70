namespace IoBench.Tests;

/// <summary>A fact about Linux; skipped with the reason elsewhere.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute() => Skip = Reason;

    internal static string? Reason { get; } = OperatingSystem.IsLinux() ? null : "needs Linux";
}

/// <summary>The same for several cases.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute() => Skip = LinuxFactAttribute.Reason;
}
