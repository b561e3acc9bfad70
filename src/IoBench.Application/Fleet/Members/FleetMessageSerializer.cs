using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace IoBench.Application;

[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    GenerationMode = JsonSourceGenerationMode.Metadata
)]
[JsonSerializable(typeof(MemberMessage))]
[JsonSerializable(typeof(ControllerCommand))]
internal sealed partial class FleetMessageSerializer : JsonSerializerContext
{
    // Created on first use, because the generated Default can be initialized after the static fields of this class.
    private static FleetMessageSerializer? s_json;

    private static FleetMessageSerializer Json =>
        s_json ??= new(new JsonSerializerOptions(Default.Options) { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });

    public static string Serialize(MemberMessage message) => JsonSerializer.Serialize(message, Json.MemberMessage);

    public static string Serialize(ControllerCommand command) => JsonSerializer.Serialize(command, Json.ControllerCommand);

    /// <summary>Returns the command of a line; null if the line is not a command.</summary>
    public static ControllerCommand? ParseCommand(string line) => TryDeserialize(Encoding.UTF8.GetBytes(line), Json.ControllerCommand);

    /// <summary>Returns the message of a line; null if the line is not a message, such as a truncated line or a logon banner.</summary>
    public static MemberMessage? ParseMessage(string line) => TryDeserialize(Encoding.UTF8.GetBytes(line), Json.MemberMessage);

    /// <summary>Returns the message without its result and the range of the result; null if the line is not a message.</summary>
    internal static (MemberMessage Message, Range? Result)? SplitResult(ReadOnlySpan<byte> line)
    {
        // Quotation marks within JSON strings are escaped, so this can only be the property.
        var at = line.IndexOf("\"result\":"u8);
        if (at < 0)
            return TryDeserialize(line, Json.MemberMessage) is { } plain ? (plain, null) : null;
        var start = at + "\"result\":"u8.Length;
        if (GetValueLength(line[start..]) is not { } length)
            return null;
        var rest = line[(start + length)..];
        var head = line[..at].TrimEnd(", "u8);
        var text = new byte[head.Length + rest.Length];
        head.CopyTo(text);
        rest.CopyTo(text.AsSpan(head.Length));
        return TryDeserialize(text, Json.MemberMessage) is not { } message
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

    private static T? TryDeserialize<T>(ReadOnlySpan<byte> line, JsonTypeInfo<T> type)
        where T : class
    {
        if (!line.TrimStart(" \t"u8).StartsWith("{"u8))
            return null;
        try
        {
            return JsonSerializer.Deserialize(line, type);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
