using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Metadata is generated at build time, because the native program has no reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(IReadOnlyList<IoRuleSet>))]
[JsonSerializable(typeof(IReadOnlyList<RuleVerdict>))]
[JsonSerializable(typeof(IReadOnlyList<ComparisonResult>))]
[JsonSerializable(typeof(IReadOnlyList<RoleInterference>))]
[JsonSerializable(typeof(IReadOnlyList<ObservedLatency>))]
[JsonSerializable(typeof(IReadOnlyList<RepeatSummary>))]
[JsonSerializable(typeof(IReadOnlyList<SaturationResult>))]
[JsonSerializable(typeof(IReadOnlyList<LimitResult>))]
[JsonSerializable(typeof(IReadOnlyList<HistoryTrend>))]
[JsonSerializable(typeof(IReadOnlyList<IoTestSpecification>))]
[JsonSerializable(typeof(IReadOnlyList<WorkloadInfo>))]
internal sealed partial class AnalysisJson : JsonSerializerContext
{
    public static string SerializeAnalyses<T>(IReadOnlyList<T> answers) =>
        JsonSerializer.Serialize(answers, (JsonTypeInfo<IReadOnlyList<T>>)LazyOptions.Options.GetTypeInfo(typeof(IReadOnlyList<T>)));

    // A nested class, so that the generated Default is initialized first.
    private static class LazyOptions
    {
        public static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
        {
            TypeInfoResolver = Default,
            WriteIndented = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };
    }
}
