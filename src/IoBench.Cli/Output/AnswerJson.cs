using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace IoBench.Cli.Output;

/// <summary>Answers as JSON: names in camelCase, enumerations as words. What an answer consists of is found by the compiler: the native program has no code that looks at types.</summary>
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
[JsonSerializable(typeof(IReadOnlyList<WorkloadAnswer>))]
internal sealed partial class AnswerJson : JsonSerializerContext
{
    /// <summary>The text of answers of one of the types above.</summary>
    public static string Write<T>(IReadOnlyList<T> answers) =>
        JsonSerializer.Serialize(answers, (JsonTypeInfo<IReadOnlyList<T>>)Written.Options.GetTypeInfo(typeof(IReadOnlyList<T>)));

    // In a class of its own: what the compiler made of this one must be there first.
    private static class Written
    {
        public static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
        {
            TypeInfoResolver = Default,
            WriteIndented = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        };
    }
}
