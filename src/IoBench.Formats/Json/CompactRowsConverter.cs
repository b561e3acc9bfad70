using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace IoBench.Formats;

/// <summary>Writes each small object on one line in indented JSON too, because a run can have a hundred.</summary>
internal sealed class CompactRowsConverter<T> : JsonConverter<List<T>>
{
    public override List<T> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("a list is expected");
        var type = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
        var rows = new List<T>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            rows.Add(JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonException("null is none of a list's objects"));
        return rows;
    }

    public override void Write(Utf8JsonWriter writer, List<T> value, JsonSerializerOptions options)
    {
        var type = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
        var text = new ArrayBufferWriter<byte>(256);
        using var line = new Utf8JsonWriter(text, new JsonWriterOptions { Encoder = options.Encoder });
        writer.WriteStartArray();
        foreach (var row in value)
        {
            text.ResetWrittenCount();
            line.Reset(text);
            JsonSerializer.Serialize(line, row, type);
            line.Flush();
            writer.WriteRawValue(text.WrittenSpan, skipInputValidation: true);
        }
        writer.WriteEndArray();
    }
}
