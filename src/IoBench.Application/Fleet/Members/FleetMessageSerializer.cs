using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace IoBench.Application;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, UseStringEnumConverter = true, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(MemberMessage))]
[JsonSerializable(typeof(ControllerCommand))]
internal sealed partial class FleetMessageJson : JsonSerializerContext;

public static class FleetMessageSerializer
{
    private static readonly JsonSerializerOptions s_options = new(JsonSerializerDefaults.Web)
    {
        TypeInfoResolver = FleetMessageJson.Default,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        WriteIndented = false,
    };

    public static string Serialize(MemberMessage message) =>
        JsonSerializer.Serialize(message, (JsonTypeInfo<MemberMessage>)s_options.GetTypeInfo(typeof(MemberMessage)));

    public static string Serialize(ControllerCommand command) =>
        JsonSerializer.Serialize(command, (JsonTypeInfo<ControllerCommand>)s_options.GetTypeInfo(typeof(ControllerCommand)));

    /// <summary>Returns the command of a line; null if the line is not a command.</summary>
    public static ControllerCommand? ParseCommand(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        return TryDeserialize<ControllerCommand>(Encoding.UTF8.GetBytes(line));
    }

    /// <summary>Returns the message of a line; null if the line is not a message, such as a truncated line or a logon banner.</summary>
    public static MemberMessage? ParseMessage(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        return TryDeserialize<MemberMessage>(Encoding.UTF8.GetBytes(line));
    }

    /// <summary>Returns the message without its result and the range of the result; null if the line is not a message.</summary>
    internal static (MemberMessage Message, Range? Result)? SplitResult(ReadOnlySpan<byte> line)
    {
        // Quotation marks within JSON strings are escaped, so this can only be the property.
        var at = line.IndexOf("\"result\":"u8);
        if (at < 0)
            return TryDeserialize<MemberMessage>(line) is { } plain ? (plain, null) : null;
        var start = at + "\"result\":"u8.Length;
        if (GetValueLength(line[start..]) is not { } length)
            return null;
        var rest = line[(start + length)..];
        var head = line[..at].TrimEnd(", "u8);
        var text = new byte[head.Length + rest.Length];
        head.CopyTo(text);
        rest.CopyTo(text.AsSpan(head.Length));
        return TryDeserialize<MemberMessage>(text) is not { } message
            ? null
            : (message, line.Slice(start, length).SequenceEqual("null"u8) ? null : new Range(start, start + length));
    }

    private static int? GetValueLength(ReadOnlySpan<byte> json)
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

    private static T? TryDeserialize<T>(ReadOnlySpan<byte> line)
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
