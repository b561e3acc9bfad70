using System.Buffers;
using System.Buffers.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace IoBench.Formats;

/// <summary>Writes integers on one line (<c>[12,3,13,40]</c>) in indented JSON too, because a run can have thousands.</summary>
internal sealed class CompactNumbersConverter : JsonConverter<List<long>>
{
    public override List<long> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("a list of whole numbers is expected");
        var numbers = new List<long>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            numbers.Add(reader.GetInt64());
        return numbers;
    }

    public override void Write(Utf8JsonWriter writer, List<long> value, JsonSerializerOptions options)
    {
        var text = new ArrayBufferWriter<byte>(16 + value.Count * 8);
        for (var i = 0; i < value.Count; i++)
        {
            AppendByte(text, i == 0 ? (byte)'[' : (byte)',');
            Utf8Formatter.TryFormat(value[i], text.GetSpan(20), out var length);
            text.Advance(length);
        }
        if (value.Count == 0)
            AppendByte(text, (byte)'[');
        AppendByte(text, (byte)']');
        writer.WriteRawValue(text.WrittenSpan, skipInputValidation: true);
    }

    private static void AppendByte(ArrayBufferWriter<byte> text, byte character)
    {
        text.GetSpan(1)[0] = character;
        text.Advance(1);
    }
}
