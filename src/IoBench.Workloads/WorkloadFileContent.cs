using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Workloads;

internal sealed class WorkloadFileContent
{
    public List<string> About { get; set; } = [];
    public Dictionary<string, SourceEntry> Sources { get; set; } = [];
    public List<WorkloadEntry> Workloads { get; set; } = [];
    public List<OperationEntry> Operations { get; set; } = [];
    public List<SuiteEntry> Suites { get; set; } = [];
    public List<UncoveredOperationEntry> Notes { get; set; } = [];
}

internal sealed class SourceEntry
{
    public required string Author { get; set; }
    public required string Title { get; set; }
    public string? Url { get; set; }
    public string? Published { get; set; }
    public bool Excerpt { get; set; }
}

internal class PatternEntry : WorkloadFileEntry
{
    public string? Pattern { get; set; }
    public JsonElement Threads { get; set; }
    public int Outstanding { get; set; }
    public IoBuffering Buffering { get; set; }
    public IoWriteContentKind Content { get; set; }

    /// <summary>Open loop: target rate in IOPS.</summary>
    public double? TargetIops { get; set; }

    /// <summary>Closed loop: maximum IOPS of all threads together.</summary>
    public double? MaxIops { get; set; }
}

internal class WorkloadFileEntry
{
    public string Role { get; set; } = "";
    public string Reason { get; set; } = "";
    public WorkloadConfidence? Confidence { get; set; }
    public List<string> Sources { get; set; } = [];
}

internal sealed class WorkloadEntry : PatternEntry
{
    public required string Name { get; set; }
    public List<PatternEntry> Parts { get; set; } = [];
    public string? Duration { get; set; }
    public string? WarmUp { get; set; }
    public string? FileSize { get; set; }
    public bool Historic { get; set; }
}

internal sealed class OperationEntry : WorkloadFileEntry
{
    public required string Name { get; set; }
    public required List<string> Orders { get; set; }
    public required List<string> Operations { get; set; }
    public required List<string> Sizes { get; set; }
}

internal sealed class SuiteEntry
{
    public required string Name { get; set; }
    public required string Reason { get; set; }
    public required List<string> Members { get; set; }
    public string? Duration { get; set; }
    public bool Historic { get; set; }
}

internal sealed class UncoveredOperationEntry
{
    public required string Name { get; set; }
    public required string Reason { get; set; }
    public List<string> Sources { get; set; } = [];
}

// Generated at compile time, because the native CLI has no reflection.
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    UseStringEnumConverter = true,
    GenerationMode = JsonSourceGenerationMode.Metadata
)]
[JsonSerializable(typeof(WorkloadFileContent))]
internal sealed partial class WorkloadFileJson : JsonSerializerContext;
