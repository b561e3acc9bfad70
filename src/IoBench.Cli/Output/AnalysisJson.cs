using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using IoBench.Analysis;
using IoBench.Application;
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
[JsonSerializable(typeof(DrillEvent))]
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

    private static JsonSerializerOptions? s_lineOptions;

    private static JsonSerializerOptions LineOptions =>
        s_lineOptions ??= new JsonSerializerOptions(JsonSerializerDefaults.Web)
        {
            TypeInfoResolver = Default,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        };

    public static string Serialize<T>(T value) => JsonSerializer.Serialize(value, (JsonTypeInfo<T>)IndentedOptions.GetTypeInfo(typeof(T)));

    /// <summary>Writes a large value in parts.</summary>
    public static void WriteLine<T>(TextWriter writer, T value)
    {
        using (var stream = new TextWriterStream(writer))
            JsonSerializer.Serialize(stream, value, (JsonTypeInfo<T>)IndentedOptions.GetTypeInfo(typeof(T)));
        writer.WriteLine();
    }

    public static string SerializeAnalyses<T>(IReadOnlyList<T> answers) => Serialize(answers);

    public static string SerializeEvent(DrillEvent happened) =>
        JsonSerializer.Serialize(happened, (JsonTypeInfo<DrillEvent>)LineOptions.GetTypeInfo(typeof(DrillEvent)));
}
