namespace IoBench.Engine.Tests;

/// <summary>A fact that needs backends of the engine, and is skipped with the reason if one of them is not available.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BackendFactAttribute : FactAttribute
{
    public BackendFactAttribute(params string[] backends) => Skip = Reason(backends);

    internal static string? Reason(params string[] backends) =>
        backends
            .Select(name => (Name: name, WhyNot: BackendCatalog.Get(name).GetUnavailableReason()))
            .Where(backend => backend.WhyNot is not null)
            .Select(backend => $"needs {backend.Name}: {backend.WhyNot}")
            .FirstOrDefault();
}

/// <summary>A theory that needs backends of the engine.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BackendTheoryAttribute : TheoryAttribute
{
    public BackendTheoryAttribute(params string[] backends) => Skip = BackendFactAttribute.Reason(backends);
}

/// <summary>A fact that exceeds the system's limit on native asynchronous I/O, so that limit must be low enough to exceed.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class AioLimitFactAttribute : FactAttribute
{
    public AioLimitFactAttribute() =>
        Skip =
            BackendFactAttribute.Reason(LinuxAioBackend.Name)
            ?? (
                LinuxResourceLimits.GetFreeAioRequests() is { } most && most <= 1 << 22
                    ? null
                    : "needs a limit of at most 4,194,304 native asynchronous I/Os"
            );
}
