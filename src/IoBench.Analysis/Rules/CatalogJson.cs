using System.Text.Json;
using System.Text.Json.Serialization;

namespace IoBench.Analysis;

/// <summary>JSON metadata of rule files. It is source-generated, because the native program has no reflection.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    UseStringEnumConverter = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    ReadCommentHandling = JsonCommentHandling.Skip,
    AllowTrailingCommas = true,
    GenerationMode = JsonSourceGenerationMode.Metadata
)]
[JsonSerializable(typeof(List<IoRuleSet>))]
[JsonSerializable(typeof(List<StorageSku>))]
internal sealed partial class CatalogJson : JsonSerializerContext;
