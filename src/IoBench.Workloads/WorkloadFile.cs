using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Workloads;

/// <summary>Reads workloads.json. What the file gets wrong is a bug of ours, so it fails loudly.</summary>
internal static partial class WorkloadFile
{
    /// <summary>The catalog for a machine with so many logical processors.</summary>
    public static IReadOnlyList<IoWorkload> Load(int processors)
    {
        using var stream = typeof(WorkloadFile).Assembly.GetManifestResourceStream("workloads.json")
            ?? throw new InvalidDataException("workloads.json is not embedded in the assembly.");
        var content = JsonSerializer.Deserialize(stream, FileJson.Default.Content)
            ?? throw new InvalidDataException("workloads.json is empty.");

        var workloads = new List<IoWorkload>();
        foreach (var entry in content.Workloads)
            workloads.Add(Single(entry.Name, entry.Role, entry.Reason, entry.Historic, Specification(entry, processors)));
        foreach (var entry in content.Operations)
            workloads.AddRange(Expand(entry));

        var byName = workloads.ToDictionary(w => w.Name, StringComparer.OrdinalIgnoreCase);
        var suites = content.Suites.ConvertAll(entry => Suite(entry, byName));
        foreach (var workload in workloads)
            workload.Suites = [.. suites.Where(s => s.Members.Contains(workload.Name)).Select(s => s.Name)];
        return [.. suites, .. workloads];
    }

    private static IoWorkload Single(string name, string role, string reason, bool historic, IoTestSpecification specification)
        => new(name, IoWorkloadKind.Workload, role, reason, historic, [], [specification]);

    private static IoTestSpecification Specification(WorkloadEntry entry, int processors)
    {
        var specification = new IoTestSpecification
        {
            Workload = entry.Name,
            WorkloadRole = entry.Role,
            ThreadCount = entry.Threads.ValueKind == JsonValueKind.Number ? entry.Threads.GetInt32()
                : entry.Threads.GetString() == "processors" ? Math.Clamp(processors, 1, 256)
                : throw new InvalidDataException($"workloads.json: {entry.Name}: threads is a number or 'processors'."),
            OutstandingIO = entry.Outstanding,
            Buffering = entry.Buffering,
            WriteContent = entry.Content,
            TargetIops = entry.TargetIops,
        };
        SetPattern(specification, entry.Pattern);
        if (entry.Duration is not null)
            specification.Duration = IoDuration.Parse(entry.Duration).TimeSpan;
        specification.WarmUp = entry.WarmUp is null ? TestPlan.DefaultWarmUp(specification.Duration) : IoDuration.Parse(entry.WarmUp).TimeSpan;
        if (entry.FileSize is not null)
            specification.FileSize = IoSize.Parse(entry.FileSize).Bytes;
        return specification;
    }

    /// <summary>Reads <c>8KB random read</c> or <c>64KB random 50% write</c>, the words of <see cref="PatternText"/>.</summary>
    private static void SetPattern(IoPattern pattern, string text)
    {
        var words = text.Split(' ');
        pattern.BlockSize = IoSize.Parse(words[0]).Bytes;
        pattern.AccessPattern = Enum.Parse<IoAccessPattern>(words[1], ignoreCase: true);
        pattern.WritePercent = words switch
        {
            [_, _, "read"] => 0,
            [_, _, "write"] => 100,
            [_, _, [.. var percent, '%'], "write"] => int.Parse(percent, System.Globalization.CultureInfo.InvariantCulture),
            _ => throw new InvalidDataException($"workloads.json: '{text}' is not a pattern."),
        };
    }

    /// <summary>An operation's tests: each operation x order x end size; and all of them under the operation's name.</summary>
    private static List<IoWorkload> Expand(OperationEntry entry)
    {
        var tests = new List<IoWorkload>();
        foreach (var operation in entry.Operations)
        {
            foreach (var order in entry.Orders)
            {
                foreach (var size in entry.Sizes)
                {
                    var name = entry.Operations.Count * entry.Orders.Count * entry.Sizes.Count == 1 ? entry.Name
                        : $"{entry.Name}-{size[..^1].ToLowerInvariant()}-{order}" + (entry.Operations.Count > 1 ? "-" + operation : "");
                    // Data files are written by one thread; readers are several and share one sequence.
                    var isRead = operation == "read";
                    var specification = new IoTestSpecification
                    {
                        Workload = name,
                        WorkloadRole = entry.Role,
                        ThreadCount = isRead ? 4 : 1,
                        OutstandingIO = 8,
                    };
                    SetPattern(specification, $"{size} {(order == "sequential" && isRead ? "interlocked" : order)} {operation}");
                    tests.Add(Single(name, entry.Role, entry.Reason, historic: false, specification));
                }
            }
        }
        if (tests.Count > 1)
            tests.Insert(0, new IoWorkload(entry.Name, IoWorkloadKind.Operation, entry.Role, entry.Reason, false,
                [.. tests.Select(t => t.Name)], [.. tests.SelectMany(t => t.CreateSpecifications())]));
        return tests;
    }

    private static IoWorkload Suite(SuiteEntry entry, Dictionary<string, IoWorkload> byName)
    {
        var specifications = entry.Members.SelectMany(member => byName[member].CreateSpecifications()).ToList();
        if (entry.Duration is not null)
        {
            foreach (var specification in specifications)
            {
                specification.Duration = IoDuration.Parse(entry.Duration).TimeSpan;
                specification.WarmUp = TestPlan.DefaultWarmUp(specification.Duration);
            }
        }
        return new IoWorkload(entry.Name, IoWorkloadKind.Suite, "", entry.Reason, entry.Historic, entry.Members, specifications);
    }

    internal sealed class Content
    {
        public List<string> About { get; set; } = [];
        public List<WorkloadEntry> Workloads { get; set; } = [];
        public List<OperationEntry> Operations { get; set; } = [];
        public List<SuiteEntry> Suites { get; set; } = [];
    }

    internal sealed class WorkloadEntry
    {
        public required string Name { get; set; }
        public required string Pattern { get; set; }
        public required JsonElement Threads { get; set; }
        public required int Outstanding { get; set; }
        public required string Role { get; set; }
        public required string Reason { get; set; }
        public IoBuffering Buffering { get; set; }
        public IoWriteContentKind Content { get; set; }
        public double? TargetIops { get; set; }
        public string? Duration { get; set; }
        public string? WarmUp { get; set; }
        public string? FileSize { get; set; }
        public bool Historic { get; set; }
    }

    internal sealed class OperationEntry
    {
        public required string Name { get; set; }
        public required List<string> Orders { get; set; }
        public required List<string> Operations { get; set; }
        public required List<string> Sizes { get; set; }
        public required string Role { get; set; }
        public required string Reason { get; set; }
    }

    internal sealed class SuiteEntry
    {
        public required string Name { get; set; }
        public required string Reason { get; set; }
        public required List<string> Members { get; set; }
        public string? Duration { get; set; }
        public bool Historic { get; set; }
    }

    // Made by the compiler: the native program has no code that looks at types.
    [JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow, UseStringEnumConverter = true,
        GenerationMode = JsonSourceGenerationMode.Metadata)]
    [JsonSerializable(typeof(Content))]
    internal sealed partial class FileJson : JsonSerializerContext;
}
