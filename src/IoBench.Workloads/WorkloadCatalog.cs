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

    public static string DescribeConfidence(WorkloadConfidence confidence) =>
        confidence switch
        {
            WorkloadConfidence.High => "high (documented by Microsoft, or reported by several sources)",
            WorkloadConfidence.Medium => "medium (only one source, an old source, or a queue depth that IoBench chose)",
            WorkloadConfidence.Low => "low (inferred from documented facts)",
            WorkloadConfidence.Own => "own (chosen by IoBench, or a convention)",
            _ => "historic (as published)",
        };

    public static string CreateMarkdown()
    {
        List<string> lines =
        [
            "# Workloads",
            "",
            "SQL Server's I/O patterns as tests. To run one, use `iobench run PATH --workload NAME` or `Invoke-IoTest -Workload NAME`. `iobench workloads NAME` and `Get-IoWorkload NAME` show a workload with its sources. This page is generated from the same data.",
            "",
            "By default, files are unbuffered and write-through, as SQL Server opens them. A test takes 30 s after 5 s of warm-up. `4 x 8` means 4 threads with 8 outstanding I/Os each. '(read in part)' marks a source of which only a part was read. A title in parentheses is a description of the source, not its title.",
            "Confidence: " + string.Join("; ", Enum.GetValues<WorkloadConfidence>().Select(DescribeConfidence)) + ".",
            "",
            "A workload with several concurrent patterns, such as `restore` or `checkdb-online`, runs on one path, or on one path per file role. Example: `--workload restore --data-path D:\\ --backup-path B:\\`.",
            "",
            "## Suites",
            "",
        ];
        lines.AddRange(
            Suites.Select(suite =>
                $"- **{suite.Name}** ({suite.Members.Count} tests, {TestPlanEstimate.FormatDuration(suite.Duration)} of measurement): {suite.Reason} {string.Join(", ", suite.Members)}"
            )
        );
        foreach (
            var workload in All.Where(w =>
                w.Kind != CatalogEntryKind.Suite
                && !w.IsHistoric
                && !All.Any(o => o.Kind == CatalogEntryKind.Operation && o.Members.Contains(w.Name) && o != w)
            )
        )
        {
            lines.AddRange(["", "## " + workload.Name, "", $"{workload.Role}.", ""]);
            lines.AddRange(DescribeWorkload(workload).Select(line => "- " + line));
        }
        lines.AddRange(["", "## Requests without a workload", ""]);
        lines.AddRange(Notes.Select(note => $"- **{note.Name}**: {note.Reason}{DescribeSources(note.Sources)}"));
        return string.Join('\n', lines) + "\n";
    }

    /// <summary>Describes a workload or operation: its patterns, the reason, the confidence, and one line for each source.</summary>
    public static IEnumerable<string> DescribeWorkload(IoWorkload workload)
    {
        ArgumentNullException.ThrowIfNull(workload);
        foreach (var test in workload.CreateSpecifications())
        foreach (var line in DescribePatterns(test))
            yield return line;
        yield return workload.Reason;
        if (workload.Confidence is { } confidence)
            yield return $"Confidence: {DescribeConfidence(confidence)}";
        foreach (var source in workload.Sources)
            yield return $"Source: {source}";
    }

    private static IEnumerable<string> DescribePatterns(IoTestSpecification test) =>
        test.Targets.Count == 0
            ? [DescribePattern(test)]
            : test.Targets.Select(target => $"{target.Role}: {DescribePattern(target.Pattern!)}");

    private static string DescribePattern(IoPattern pattern)
    {
        var text = FormattableString.Invariant($"{PatternText.Describe(pattern)}, {pattern.ThreadCount} x {pattern.OutstandingIO}");
        if (pattern.Buffering == IoBuffering.Hardware)
            text += ", not write-through";
        else if (pattern.Buffering != IoBuffering.None)
            text += ", " + PatternText.Describe(pattern.Buffering);
        if (pattern.TargetIops is { } rate)
            text += FormattableString.Invariant($", {rate} IOPS");
        if (pattern.MaxIopsPerThread * pattern.ThreadCount is { } most)
            text += FormattableString.Invariant($", at most {most} IOPS");
        return text;
    }

    private static string DescribeSources(IReadOnlyList<WorkloadSource> sources) =>
        sources.Count == 0 ? "" : $" Source: {string.Join("; ", sources)}";
}
