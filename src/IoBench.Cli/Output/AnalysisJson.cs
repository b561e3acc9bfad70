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
[JsonSerializable(typeof(VerdictSummary))]
[JsonSerializable(typeof(IReadOnlyList<ComparisonResult>))]
[JsonSerializable(typeof(IReadOnlyList<RoleInterference>))]
[JsonSerializable(typeof(IReadOnlyList<ObservedLatencyComparison>))]
[JsonSerializable(typeof(IReadOnlyList<RepeatSummary>))]
[JsonSerializable(typeof(IReadOnlyList<SaturationResult>))]
[JsonSerializable(typeof(IReadOnlyList<LimitResult>))]
[JsonSerializable(typeof(IReadOnlyList<HistoryTrend>))]
[JsonSerializable(typeof(IReadOnlyList<IoTestSpecification>))]
[JsonSerializable(typeof(IReadOnlyList<WorkloadInfo>))]
[JsonSerializable(typeof(CommitResult))]
[JsonSerializable(typeof(ErrorLogResult))]
[JsonSerializable(typeof(LatencySourceResult))]
[JsonSerializable(typeof(ToggleComparison))]
[JsonSerializable(typeof(FileStatsRating))]
[JsonSerializable(typeof(StorageAdvice))]
internal sealed partial class AnalysisJson : JsonSerializerContext
{
    // Created on first use, because the generated Default can be initialized after the static fields of this class.
    private static JsonSerializerOptions? s_indentedOptions;

    private static JsonSerializerOptions IndentedOptions =>
        s_indentedOptions ??= new JsonSerializerOptions(JsonSerializerDefaults.Web)
        {
            TypeInfoResolver = Default,
            WriteIndented = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };

    public static string SerializeSummary(VerdictSummary summary) =>
        JsonSerializer.Serialize(summary, (JsonTypeInfo<VerdictSummary>)IndentedOptions.GetTypeInfo(typeof(VerdictSummary)));

    public static string SerializeCommit(CommitResult result) =>
        JsonSerializer.Serialize(result, (JsonTypeInfo<CommitResult>)IndentedOptions.GetTypeInfo(typeof(CommitResult)));

    public static string SerializeErrorLog(ErrorLogResult result) =>
        JsonSerializer.Serialize(result, (JsonTypeInfo<ErrorLogResult>)IndentedOptions.GetTypeInfo(typeof(ErrorLogResult)));
    public static string SerializeLatencySource(LatencySourceResult result) =>
        JsonSerializer.Serialize(result, (JsonTypeInfo<LatencySourceResult>)IndentedOptions.GetTypeInfo(typeof(LatencySourceResult)));

    public static string SerializeToggle(ToggleComparison result) =>
        JsonSerializer.Serialize(result, (JsonTypeInfo<ToggleComparison>)IndentedOptions.GetTypeInfo(typeof(ToggleComparison)));

    public static string SerializeRating(FileStatsRating rating) =>
        JsonSerializer.Serialize(rating, (JsonTypeInfo<FileStatsRating>)IndentedOptions.GetTypeInfo(typeof(FileStatsRating)));

    public static string SerializeAdvice(StorageAdvice advice) =>
        JsonSerializer.Serialize(advice, (JsonTypeInfo<StorageAdvice>)IndentedOptions.GetTypeInfo(typeof(StorageAdvice)));

    public static string SerializeAnalyses<T>(IReadOnlyList<T> answers) =>
        JsonSerializer.Serialize(answers, (JsonTypeInfo<IReadOnlyList<T>>)IndentedOptions.GetTypeInfo(typeof(IReadOnlyList<T>)));
}
