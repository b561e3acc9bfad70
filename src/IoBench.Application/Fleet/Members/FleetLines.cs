using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace IoBench.Application;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(FleetMessage))]
[JsonSerializable(typeof(FleetOrder))]
internal sealed partial class FleetJson : JsonSerializerContext;

/// <summary>Converts messages and commands to and from lines of JSON.</summary>
public static class FleetLines
{
    private static readonly JsonSerializerOptions s_options = new(JsonSerializerDefaults.Web)
    {
        TypeInfoResolver = FleetJson.Default,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        WriteIndented = false,
    };

    /// <summary>Returns a message as one line, without a line break.</summary>
    public static string Write(FleetMessage message) =>
        JsonSerializer.Serialize(message, (JsonTypeInfo<FleetMessage>)s_options.GetTypeInfo(typeof(FleetMessage)));

    /// <summary>Returns a command as one line, without a line break.</summary>
    public static string Write(FleetOrder order) =>
        JsonSerializer.Serialize(order, (JsonTypeInfo<FleetOrder>)s_options.GetTypeInfo(typeof(FleetOrder)));

    /// <summary>Returns the command of a line; null if the line is not a command.</summary>
    public static FleetOrder? ReadOrder(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        return Read<FleetOrder>(Encoding.UTF8.GetBytes(line));
    }

    /// <summary>Returns the message of a line; null if the line is not a message, such as a truncated line or a logon banner.</summary>
    public static FleetMessage? ReadMessage(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        return Read<FleetMessage>(Encoding.UTF8.GetBytes(line));
    }

    /// <summary>
    /// Returns the message of a line without its result, and the range of the result in the line; null if the line is not a message.
    /// </summary>
    /// <param name="line">The line, in UTF-8.</param>
    internal static (FleetMessage Message, Range? Result)? Split(ReadOnlySpan<byte> line)
    {
        // Quotation marks within JSON strings are escaped, so this can only be the property.
        var at = line.IndexOf("\"result\":"u8);
        if (at < 0)
            return Read<FleetMessage>(line) is { } plain ? (plain, null) : null;
        var start = at + "\"result\":"u8.Length;
        if (LengthOfValue(line[start..]) is not { } length)
            return null;
        var rest = line[(start + length)..];
        // The message is the line without its result.
        var head = line[..at].TrimEnd(", "u8);
        var text = new byte[head.Length + rest.Length];
        head.CopyTo(text);
        rest.CopyTo(text.AsSpan(head.Length));
        return Read<FleetMessage>(text) is not { } message
            ? null
            : (message, line.Slice(start, length).SequenceEqual("null"u8) ? null : new Range(start, start + length));
    }

    private static int? LengthOfValue(ReadOnlySpan<byte> json)
    {
        try
        {
            var reader = new Utf8JsonReader(json, isFinalBlock: true, default);
            reader.Read();
            reader.Skip();
            return (int)reader.BytesConsumed;
        }
        catch (JsonException)
        {
            // The line is truncated.
            return null;
        }
    }

    private static T? Read<T>(ReadOnlySpan<byte> line)
        where T : class
    {
        if (!line.TrimStart(" \t"u8).StartsWith("{"u8))
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
