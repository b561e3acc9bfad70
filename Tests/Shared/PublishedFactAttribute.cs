namespace IoBench.Tests;

/// <summary>A fact about outputs that others published, which may not be copied into the repository: reported as skipped where they are not at hand.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedFactAttribute : FactAttribute
{
    public PublishedFactAttribute(params string[] parts) => Skip = Reason(parts);

    internal static string? Reason(params string[] parts) =>
        Samples.Published(parts) is null
            ? $"needs the published samples in '{string.Join('/', parts)}', which are not part of the repository"
            : null;
}

/// <summary>The same for several cases.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedTheoryAttribute : TheoryAttribute
{
    public PublishedTheoryAttribute(string folder) => Skip = PublishedFactAttribute.Reason(folder);
}
