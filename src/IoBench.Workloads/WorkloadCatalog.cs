using System.Globalization;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Workloads;

/// <summary>Catalog of SQL Server I/O patterns and suites, from <c>workloads.json</c>.</summary>
public static class WorkloadCatalog
{
    private static readonly Lazy<(IReadOnlyList<IoWorkload> Workloads, IReadOnlyList<UncoveredOperation> Notes)> s_file = new(() =>
        Load(Environment.ProcessorCount)
    );

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
            "By default, a test opens its files unbuffered and with write-through, as SQL Server does. A test takes 30 s after 5 s of warm-up. `4 x 8` means 4 threads with 8 outstanding I/Os each. '(read in part)' means that only a part of the source was read. If a source has no title, a description in parentheses appears instead.",
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
        lines.AddRange(["", "## Requested patterns without a workload", ""]);
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

    /// <summary>Reads the embedded workloads.json. An error in the file is a bug in IoBench, so it throws InvalidDataException.</summary>
    internal static (IReadOnlyList<IoWorkload> Workloads, IReadOnlyList<UncoveredOperation> Notes) Load(int processors)
    {
        using var stream =
            typeof(WorkloadCatalog).Assembly.GetManifestResourceStream("workloads.json")
            ?? throw new InvalidDataException("workloads.json is not embedded in the assembly.");
        var content =
            JsonSerializer.Deserialize(stream, WorkloadFileJson.Default.WorkloadFileContent)
            ?? throw new InvalidDataException("workloads.json is empty.");
        var sources = content.Sources;
        if (sources.FirstOrDefault(source => source.Value is { Author: null } or { Title: null }).Key is { } incomplete)
            throw new InvalidDataException($"workloads.json: the source '{incomplete}' has no author or no title.");
        var workloads = new List<IoWorkload>();
        foreach (var entry in content.Workloads)
            workloads.Add(
                CreateWorkload(
                    RequireName(entry),
                    CatalogEntryKind.Workload,
                    entry,
                    [CreateSpecification(entry, processors)],
                    sources,
                    entry.Historic
                )
            );
        foreach (var entry in content.Operations)
            workloads.AddRange(ExpandOperation(entry, sources));

        var byName = workloads.ToDictionary(w => w.Name, StringComparer.OrdinalIgnoreCase);
        var suites = content.Suites.ConvertAll(entry => CreateSuite(entry, byName));
        foreach (var workload in workloads)
            workload.Suites = [.. suites.Where(s => s.Members.Contains(workload.Name)).Select(s => s.Name)];
        return (
            [.. suites, .. workloads],
            content.Notes.ConvertAll(entry => new UncoveredOperation(RequireName(entry), RequireReason(entry), FindSources(entry, sources)))
        );
    }

    private static IoWorkload CreateWorkload(
        string name,
        CatalogEntryKind kind,
        WorkloadFileEntry entry,
        IReadOnlyList<IoTestSpecification> specifications,
        Dictionary<string, WorkloadSource> sources,
        bool isHistoric = false
    ) =>
        new(specifications)
        {
            Name = name,
            Kind = kind,
            Role = entry.Role,
            Reason = entry.Reason,
            Confidence = entry.Confidence ?? throw new InvalidDataException($"workloads.json: '{entry.Role}' has no confidence."),
            Sources = FindSources(entry, sources),
            IsHistoric = isHistoric,
        };

    private static string RequireName(WorkloadFileEntry entry) =>
        entry.Name.Length > 0 ? entry.Name : throw new InvalidDataException($"workloads.json: an entry has no name: '{entry.Reason}'.");

    private static string RequireReason(WorkloadFileEntry entry) =>
        entry.Reason.Length > 0 ? entry.Reason : throw new InvalidDataException($"workloads.json: '{entry.Name}' has no reason.");

    private static List<WorkloadSource> FindSources(WorkloadFileEntry entry, Dictionary<string, WorkloadSource> sources) =>
        entry.Sources.ConvertAll(key =>
            sources.GetValueOrDefault(key) ?? throw new InvalidDataException($"workloads.json: '{key}' is not in the list of sources.")
        );

    private static IoTestSpecification CreateSpecification(WorkloadFileEntry entry, int processors)
    {
        var specification = new IoTestSpecification { Workload = entry.Name, WorkloadRole = entry.Role };
        if (entry.Parts.Count == 0)
            SetPattern(specification, entry.Name, entry, processors);
        foreach (var part in entry.Parts)
        {
            var pattern = new IoPattern();
            SetPattern(pattern, entry.Name, part, processors);
            specification.Targets.Add(new IoTargetSpecification("") { Role = part.Role, Pattern = pattern });
        }
        if (entry.Duration is not null)
            specification.Duration = IoDuration.Parse(entry.Duration).TimeSpan;
        specification.WarmUp = entry.WarmUp is null
            ? TestPlanEstimate.DefaultWarmUp(specification.Duration)
            : IoDuration.Parse(entry.WarmUp).TimeSpan;
        if (entry.FileSize is not null)
            specification.FileSize = IoSize.Parse(entry.FileSize).Bytes;
        return specification;
    }

    private static void SetPattern(IoPattern pattern, string name, WorkloadFileEntry entry, int processors)
    {
        if (entry.Threads.ValueKind == JsonValueKind.Number)
            pattern.ThreadCount = entry.Threads.GetInt32();
        else if (entry.Threads.ValueKind == JsonValueKind.String && entry.Threads.GetString() == "processors")
            pattern.ThreadCount = Math.Clamp(processors, 1, 256);
        else
            throw new InvalidDataException($"workloads.json: {name}: threads must be a number or 'processors'.");
        pattern.OutstandingIO = entry.Outstanding;
        pattern.Buffering = entry.Buffering;
        pattern.WriteContent = entry.Content;
        pattern.TargetIops = entry.TargetIops;
        pattern.MaxIopsPerThread = entry.MaxIops / pattern.ThreadCount;
        SetPattern(pattern, entry.Pattern ?? throw new InvalidDataException($"workloads.json: {name} has no pattern."));
    }

    /// <summary>Parses <c>8KB random read</c> or <c>64KB random 50% write</c>, as written by <see cref="PatternText"/>.</summary>
    private static void SetPattern(IoPattern pattern, string text)
    {
        var words = text.Split(' ');
        pattern.BlockSize = IoSize.Parse(words[0]).Bytes;
        pattern.AccessPattern = Enum.Parse<IoAccessPattern>(words[1], ignoreCase: true);
        pattern.WritePercent = words switch
        {
            [_, _, "read"] => 0,
            [_, _, "write"] => 100,
            [_, _, [.. var percent, '%'], "write"] => int.Parse(percent, CultureInfo.InvariantCulture),
            _ => throw new InvalidDataException($"workloads.json: '{text}' is not a pattern."),
        };
    }

    /// <summary>One test for each operation, order, and size, and an entry with all of them under the operation's name.</summary>
    private static List<IoWorkload> ExpandOperation(WorkloadFileEntry entry, Dictionary<string, WorkloadSource> sources)
    {
        var entryName = RequireName(entry);
        if (entry is { Operations: [] } or { Orders: [] } or { Sizes: [] })
            throw new InvalidDataException($"workloads.json: {entryName} has no operations, orders, or sizes.");
        var tests = new List<IoWorkload>();
        foreach (var operation in entry.Operations)
        {
            foreach (var order in entry.Orders)
            {
                foreach (var size in entry.Sizes)
                {
                    var name =
                        entry.Operations.Count * entry.Orders.Count * entry.Sizes.Count == 1
                            ? entryName
                            : $"{entryName}-{size[..^1].ToLowerInvariant()}-{order}" + (entry.Operations.Count > 1 ? "-" + operation : "");
                    // Data files are written by one thread. Several threads read, and share one sequence.
                    var isRead = operation == "read";
                    var specification = new IoTestSpecification
                    {
                        Workload = name,
                        WorkloadRole = entry.Role,
                        ThreadCount = isRead ? 4 : 1,
                        OutstandingIO = 8,
                    };
                    SetPattern(specification, $"{size} {(order == "sequential" && isRead ? "interlocked" : order)} {operation}");
                    tests.Add(CreateWorkload(name, CatalogEntryKind.Workload, entry, [specification], sources));
                }
            }
        }
        if (tests.Count <= 1)
            return tests;
        IoTestSpecification[] all = [.. tests.SelectMany(t => t.CreateSpecifications())];
        var group = CreateWorkload(entryName, CatalogEntryKind.Operation, entry, all, sources);
        group.Members = [.. tests.Select(t => t.Name)];
        return [group, .. tests];
    }

    private static IoWorkload CreateSuite(WorkloadFileEntry entry, Dictionary<string, IoWorkload> byName)
    {
        RequireReason(entry);
        if (entry.Members.Count == 0)
            throw new InvalidDataException($"workloads.json: {RequireName(entry)} has no members.");
        var specifications = entry.Members.SelectMany(member => byName[member].CreateSpecifications()).ToList();
        if (entry.Duration is not null)
        {
            foreach (var specification in specifications)
            {
                specification.Duration = IoDuration.Parse(entry.Duration).TimeSpan;
                specification.WarmUp = TestPlanEstimate.DefaultWarmUp(specification.Duration);
            }
        }
        return new IoWorkload(specifications)
        {
            Name = RequireName(entry),
            Kind = CatalogEntryKind.Suite,
            Reason = entry.Reason,
            IsHistoric = entry.Historic,
            Members = entry.Members,
        };
    }
}
