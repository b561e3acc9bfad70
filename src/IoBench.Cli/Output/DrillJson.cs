using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using IoBench.Application;

namespace IoBench.Cli;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(DrillEvent))]
internal sealed partial class DrillJson : JsonSerializerContext
{
    public static string SerializeEvent(DrillEvent happened) =>
        JsonSerializer.Serialize(happened, (JsonTypeInfo<DrillEvent>)LazyOptions.Options.GetTypeInfo(typeof(DrillEvent)));

    private static class LazyOptions
    {
        public static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
        {
            TypeInfoResolver = Default,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        };
    }
}
