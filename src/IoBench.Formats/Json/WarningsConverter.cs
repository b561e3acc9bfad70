using System.Text.Json;
using System.Text.Json.Serialization;

namespace IoBench.Formats;

/// <summary>Writes warnings as a list of strings. In a flat row, they are one string, separated by <c>; </c>.</summary>
internal sealed class WarningsConverter : JsonConverter<List<string>>
{
    private const string RowSeparator = "; ";

    public override List<string> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
            return [.. reader.GetString()!.Split(RowSeparator, StringSplitOptions.RemoveEmptyEntries)];
        if (reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("not a list of texts");
        var warnings = new List<string>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            warnings.Add(reader.GetString()!);
        return warnings;
    }

    public override void Write(Utf8JsonWriter writer, List<string> value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (var warning in value)
            writer.WriteStringValue(warning);
        writer.WriteEndArray();
    }
}
