namespace IoBench.Tests;

/// <summary>
/// A fact about published output of other tools that cannot be copied into the repository. It is skipped if the files are not available.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedFactAttribute : FactAttribute
{
    public PublishedFactAttribute(params string[] parts) => Skip = Reason(parts);

    internal static string? Reason(params string[] parts) =>
        SampleFiles.FindPublished(parts) is null
            ? $"needs the published samples in '{string.Join('/', parts)}', which are not part of the repository"
            : null;
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class PublishedTheoryAttribute : TheoryAttribute
{
    public PublishedTheoryAttribute(string folder) => Skip = PublishedFactAttribute.Reason(folder);
}
