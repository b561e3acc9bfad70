using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Workloads;

internal sealed class WorkloadFileContent
{
    public List<string> About { get; set; } = [];
    public Dictionary<string, WorkloadSource> Sources { get; set; } = [];
    public List<WorkloadFileEntry> Workloads { get; set; } = [];
    public List<WorkloadFileEntry> Operations { get; set; } = [];
    public List<WorkloadFileEntry> Suites { get; set; } = [];
    public List<WorkloadFileEntry> Notes { get; set; } = [];
}

/// <summary>A workload, a part of a workload, an operation, a suite, or a note. Each uses only some of the members.</summary>
internal sealed class WorkloadFileEntry
{
    public string Name { get; set; } = "";
    public string Role { get; set; } = "";
    public string Reason { get; set; } = "";
    public WorkloadConfidence? Confidence { get; set; }
    public List<string> Sources { get; set; } = [];
    public bool Historic { get; set; }

    // Workloads and their parts.
    public string? Pattern { get; set; }
    public JsonElement Threads { get; set; }
    public int Outstanding { get; set; }
    public IoBuffering Buffering { get; set; }
    public IoWriteContentKind Content { get; set; }

    /// <summary>Open loop: target rate in IOPS.</summary>
    public double? TargetIops { get; set; }

    /// <summary>Closed loop: maximum IOPS of all threads together.</summary>
    public double? MaxIops { get; set; }

    public List<WorkloadFileEntry> Parts { get; set; } = [];
    public string? Duration { get; set; }
    public string? WarmUp { get; set; }
    public string? FileSize { get; set; }

    // Operations.
    public List<string> Orders { get; set; } = [];
    public List<string> Operations { get; set; } = [];
    public List<string> Sizes { get; set; } = [];

    // Suites.
    public List<string> Members { get; set; } = [];
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
