namespace IoBench.Tests;

/// <summary>A fact about outputs that others published, which may not be copied into the repository: reported as skipped where they are not at hand.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedFactAttribute : FactAttribute
{
    public PublishedFactAttribute(string folder) => Skip = Reason(folder);

    internal static string? Reason(string folder) =>
        Samples.Published(folder) is null ? $"needs the published samples in '{folder}', which are not part of the repository" : null;
}

/// <summary>The same for several cases.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedTheoryAttribute : TheoryAttribute
{
    public PublishedTheoryAttribute(string folder) => Skip = PublishedFactAttribute.Reason(folder);
}
