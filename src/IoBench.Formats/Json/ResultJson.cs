using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>JSON metadata of results. It is generated at compile time, because the native program cannot use reflection.</summary>
[JsonSourceGenerationOptions(UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(IoTestResult))]
[JsonSerializable(typeof(DiskSpdOptions))]
[JsonSerializable(typeof(SqlioOptions))]
internal sealed partial class ResultJson : JsonSerializerContext;
