using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Lines between a controller and its members.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(FleetMessage))]
[JsonSerializable(typeof(FleetOrder))]
internal sealed partial class FleetJson : JsonSerializerContext;

/// <summary>A line of JSON for each message and each order.</summary>
public static class FleetLines
{
    private static readonly JsonSerializerOptions s_options = new(JsonSerializerDefaults.Web)
    {
        TypeInfoResolver = FleetJson.Default, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, WriteIndented = false,
    };

    /// <summary>A message as a line, without its end.</summary>
    public static string Write(FleetMessage message) => JsonSerializer.Serialize(message, (JsonTypeInfo<FleetMessage>)s_options.GetTypeInfo(typeof(FleetMessage)));

    /// <summary>An order as a line, without its end.</summary>
    public static string Write(FleetOrder order) => JsonSerializer.Serialize(order, (JsonTypeInfo<FleetOrder>)s_options.GetTypeInfo(typeof(FleetOrder)));

    /// <summary>The message of a line; null for a line that is none: a cut one, a greeting of the host.</summary>
    public static FleetMessage? ReadMessage(string line) => Read<FleetMessage>(line);

    /// <summary>The order of a line; null for a line that is none.</summary>
    public static FleetOrder? ReadOrder(string line) => Read<FleetOrder>(line);

    /// <summary>The message of a line in UTF-8; null for a line that is none.</summary>
    public static FleetMessage? ReadMessage(ReadOnlySpan<byte> line)
    {
        if (!line.TrimStart(" \t"u8).StartsWith("{"u8))
            return null;
        try
        {
            return JsonSerializer.Deserialize(line, (JsonTypeInfo<FleetMessage>)s_options.GetTypeInfo(typeof(FleetMessage)));
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static T? Read<T>(string line) where T : class
    {
        ArgumentNullException.ThrowIfNull(line);
        if (!line.AsSpan().TrimStart().StartsWith("{"))
            return null;
        try
        {
            return JsonSerializer.Deserialize(line, (JsonTypeInfo<T>)s_options.GetTypeInfo(typeof(T)));
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
