using System.Globalization;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Workloads;

/// <summary>Reads the embedded workloads.json. An error in the file is a bug in IoBench, so it throws InvalidDataException.</summary>
internal sealed class WorkloadFileReader
{
    private readonly Dictionary<string, WorkloadSource> _sources;

    private WorkloadFileReader(WorkloadFileContent content, int processors)
    {
        _sources = content.Sources.ToDictionary(
            s => s.Key,
            s => new WorkloadSource(s.Value.Author, s.Value.Title, s.Value.Url, s.Value.Published, s.Value.Excerpt),
            StringComparer.Ordinal
        );
        var workloads = new List<IoWorkload>();
        foreach (var entry in content.Workloads)
            workloads.Add(
                CreateWorkload(entry.Name, CatalogEntryKind.Workload, entry, [CreateSpecification(entry, processors)], entry.Historic)
            );
        foreach (var entry in content.Operations)
            workloads.AddRange(ExpandOperation(entry));

        var byName = workloads.ToDictionary(w => w.Name, StringComparer.OrdinalIgnoreCase);
        var suites = content.Suites.ConvertAll(entry => CreateSuite(entry, byName));
        foreach (var workload in workloads)
            workload.Suites = [.. suites.Where(s => s.Members.Contains(workload.Name)).Select(s => s.Name)];
        Workloads = [.. suites, .. workloads];
        Notes = content.Notes.ConvertAll(entry => new UncoveredOperation(entry.Name, entry.Reason, FindSources(entry.Sources)));
    }

    public IReadOnlyList<IoWorkload> Workloads { get; }

    public IReadOnlyList<UncoveredOperation> Notes { get; }

    public static WorkloadFileReader Load(int processors)
    {
        using var stream =
            typeof(WorkloadFileReader).Assembly.GetManifestResourceStream("workloads.json")
            ?? throw new InvalidDataException("workloads.json is not embedded in the assembly.");
        var content =
            JsonSerializer.Deserialize(stream, WorkloadFileJson.Default.WorkloadFileContent)
            ?? throw new InvalidDataException("workloads.json is empty.");
        return new WorkloadFileReader(content, processors);
    }

    private IoWorkload CreateWorkload(
        string name,
        CatalogEntryKind kind,
        WorkloadFileEntry entry,
        IReadOnlyList<IoTestSpecification> specifications,
        bool isHistoric = false
    ) =>
        new(specifications)
        {
            Name = name,
            Kind = kind,
            Role = entry.Role,
            Reason = entry.Reason,
            Confidence = entry.Confidence ?? throw new InvalidDataException($"workloads.json: '{entry.Role}' has no confidence."),
            Sources = FindSources(entry.Sources),
            IsHistoric = isHistoric,
        };

    private List<WorkloadSource> FindSources(List<string> keys) =>
        keys.ConvertAll(key =>
            _sources.GetValueOrDefault(key) ?? throw new InvalidDataException($"workloads.json: '{key}' is not in the list of sources.")
        );

    private static IoTestSpecification CreateSpecification(WorkloadEntry entry, int processors)
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

    private static void SetPattern(IoPattern pattern, string name, PatternEntry entry, int processors)
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
    private List<IoWorkload> ExpandOperation(OperationEntry entry)
    {
        var tests = new List<IoWorkload>();
        foreach (var operation in entry.Operations)
        {
            foreach (var order in entry.Orders)
            {
                foreach (var size in entry.Sizes)
                {
                    var name =
                        entry.Operations.Count * entry.Orders.Count * entry.Sizes.Count == 1
                            ? entry.Name
                            : $"{entry.Name}-{size[..^1].ToLowerInvariant()}-{order}" + (entry.Operations.Count > 1 ? "-" + operation : "");
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
                    tests.Add(CreateWorkload(name, CatalogEntryKind.Workload, entry, [specification]));
                }
            }
        }
        if (tests.Count <= 1)
            return tests;
        IoTestSpecification[] all = [.. tests.SelectMany(t => t.CreateSpecifications())];
        var group = CreateWorkload(entry.Name, CatalogEntryKind.Operation, entry, all);
        group.Members = [.. tests.Select(t => t.Name)];
        return [group, .. tests];
    }

    private static IoWorkload CreateSuite(SuiteEntry entry, Dictionary<string, IoWorkload> byName)
    {
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
            Name = entry.Name,
            Kind = CatalogEntryKind.Suite,
            Reason = entry.Reason,
            IsHistoric = entry.Historic,
            Members = entry.Members,
        };
    }
}
