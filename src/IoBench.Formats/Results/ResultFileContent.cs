using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Enumerating the results throws the exceptions of <see cref="ResultReader.ReadFile"/>. Enumerate them only once.</summary>
public sealed record ResultFileContent(string Path, IEnumerable<IoTestResult> Results)
{
    /// <summary>A message for each skipped line of a history; complete after the results were enumerated.</summary>
    public IReadOnlyList<string> PassedOver { get; init; } = [];

    /// <summary>A message for each kind of ambiguous value that was omitted; complete after the results were enumerated.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Why a file of a folder is skipped, such as <c>empty</c>; null if it is read.</summary>
    public string? SkipReason { get; init; }
}
