using IoBench.Engine;

namespace IoBench.Workloads;

/// <summary>Catalog of SQL Server I/O patterns and suites, from <c>workloads.json</c>.</summary>
public static class WorkloadCatalog
{
    private static readonly Lazy<WorkloadFileReader> s_file = new(() => WorkloadFileReader.Load(Environment.ProcessorCount));

    /// <summary>All suites, workloads, and operations in the order of the file, suites first.</summary>
    public static IReadOnlyList<IoWorkload> All => s_file.Value.Workloads;

    public static IReadOnlyList<IoWorkload> Suites => [.. All.Where(w => w.Kind == CatalogEntryKind.Suite)];

    public static IReadOnlyList<UncoveredOperation> Notes => s_file.Value.Notes;

    /// <exception cref="IoBenchException"><c>IoBench.UnknownWorkload</c>; the message suggests similar names.</exception>
    public static IoWorkload Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var wanted = name.Trim();
        return All.FirstOrDefault(w => w.Name.Equals(wanted, StringComparison.OrdinalIgnoreCase)) ?? throw CreateUnknownError(wanted);
    }

    /// <exception cref="IoBenchException"><c>IoBench.UnknownWorkload</c>.</exception>
    public static IReadOnlyList<IoTestSpecification> Resolve(string name) => Find(name).CreateSpecifications();

    private static IoBenchException CreateUnknownError(string name)
    {
        if (Notes.FirstOrDefault(note => note.Name.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } note)
            return new IoBenchException(
                ErrorIds.UnknownWorkload,
                IoErrorKind.Usage,
                $"The workload '{note.Name}' does not exist. {note.Reason}",
                name
            );
        var near = Suggestions.FindNearest(name, All.Select(w => w.Name));
        var hint =
            near.Count > 0
                ? (IoMessage)$"Did you mean {string.Join(" or ", near)}?"
                : $"Suites: {string.Join(", ", Suites.Select(s => s.Name))}. To list all workloads, use {IoCommand.Workloads}.";
        return new IoBenchException(
            ErrorIds.UnknownWorkload,
            IoErrorKind.Usage,
            $"The workload '{name}' does not exist.",
            name,
            advice: hint
        );
    }
}
