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
    // Created on first use, because the generated Default can be initialized after the static fields of this class.
    private static JsonSerializerOptions? s_lineOptions;

    private static JsonSerializerOptions LineOptions =>
        s_lineOptions ??= new JsonSerializerOptions(JsonSerializerDefaults.Web)
        {
            TypeInfoResolver = Default,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        };

    public static string SerializeEvent(DrillEvent happened) =>
        JsonSerializer.Serialize(happened, (JsonTypeInfo<DrillEvent>)LineOptions.GetTypeInfo(typeof(DrillEvent)));
}
