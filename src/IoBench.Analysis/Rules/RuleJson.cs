using System.Text.Json;
using System.Text.Json.Serialization;

namespace IoBench.Analysis.Rules;

/// <summary>What a file of rules consists of. Made by the compiler: the native program has no code that looks at types.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    UseStringEnumConverter = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    ReadCommentHandling = JsonCommentHandling.Skip,
    AllowTrailingCommas = true,
    GenerationMode = JsonSourceGenerationMode.Metadata
)]
[JsonSerializable(typeof(List<IoRuleSet>))]
internal sealed partial class RuleJson : JsonSerializerContext;
