using System.Text.Json.Serialization;

namespace IoBench.Formats.Json;

/// <summary>What a result consists of, for JSON. Made by the compiler: the native program has no code that looks at types.</summary>
[JsonSourceGenerationOptions(UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(IoTestResult))]
[JsonSerializable(typeof(DiskSpdOptions))]
[JsonSerializable(typeof(SqlioOptions))]
internal sealed partial class ResultJson : JsonSerializerContext;
