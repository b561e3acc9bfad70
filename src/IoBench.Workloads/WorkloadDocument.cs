using IoBench.Engine;

namespace IoBench.Workloads;

public static class WorkloadDocument
{
    public static string DescribeConfidence(WorkloadConfidence confidence) =>
        confidence switch
        {
            WorkloadConfidence.High => "high: documented by Microsoft, or found by several",
            WorkloadConfidence.Medium => "medium: only one source, or an old source, or IoBench chose the queue depth",
            WorkloadConfidence.Low => "low: inferred from what is documented",
            WorkloadConfidence.Own => "IoBench's own choice or a convention",
            _ => "historic: as published",
        };

    public static string CreateMarkdown()
    {
        List<string> lines =
        [
            "# Workloads",
            "",
            "SQL Server's I/O patterns as tests. To run one, use `iobench run PATH --workload NAME` or `Invoke-IoTest -Workload NAME`. `iobench workloads NAME` and `Get-IoWorkload NAME` show a workload with its sources. This page is generated from the same data.",
            "",
            "By default, files are unbuffered and write-through, as SQL Server opens them, and a test takes 30 s after 5 s of warm-up. A source of which only a part was read is marked. A title in parentheses describes the source.",
            "Confidence: " + string.Join("; ", Enum.GetValues<WorkloadConfidence>().Select(DescribeConfidence)) + ".",
            "",
            "Several concurrent patterns (`restore`, `index-rebuild`, `checkdb-online` ...) run on one path, or each on the path of its role: `--workload restore --data-path D:\\ --backup-path B:\\`.",
            "",
            "## Suites",
            "",
        ];
        lines.AddRange(
            WorkloadCatalog.Suites.Select(suite =>
                $"- **{suite.Name}** ({suite.Members.Count} tests, {TestPlanEstimate.FormatDuration(suite.Duration)} measured): {suite.Reason} {string.Join(", ", suite.Members)}"
            )
        );
        foreach (
            var workload in WorkloadCatalog.All.Where(w =>
                w.Kind != CatalogEntryKind.Suite
                && !w.IsHistoric
                && !WorkloadCatalog.All.Any(o => o.Kind == CatalogEntryKind.Operation && o.Members.Contains(w.Name) && o != w)
            )
        )
        {
            lines.AddRange(["", "## " + workload.Name, "", $"{workload.Role}.", ""]);
            lines.AddRange(DescribeWorkload(workload).Select(line => "- " + line));
        }
        lines.AddRange(["", "## Requests without a workload", ""]);
        lines.AddRange(WorkloadCatalog.Notes.Select(note => $"- **{note.Name}**: {note.Reason}{DescribeSources(note.Sources)}"));
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
            text += FormattableString.Invariant($", {rate} per second");
        if (pattern.MaxIopsPerThread * pattern.ThreadCount is { } most)
            text += FormattableString.Invariant($", {most} per second at most");
        return text;
    }

    private static string DescribeSources(IReadOnlyList<WorkloadSource> sources) =>
        sources.Count == 0 ? "" : $" Source: {string.Join("; ", sources)}";
}
