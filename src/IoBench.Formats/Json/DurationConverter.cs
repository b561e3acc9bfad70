using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace IoBench.Formats;

/// <summary>Writes a duration as <c>00:00:30</c>. Also reads the object with ticks that PowerShell's ConvertTo-Json writes.</summary>
internal sealed class DurationConverter : JsonConverter<TimeSpan>
{
    public override TimeSpan Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
            return TimeSpan.TryParseExact(reader.GetString(), "c", CultureInfo.InvariantCulture, out var time)
                ? time
                : throw new JsonException("not a duration");
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonException("not a duration");
        long? ticks = null;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
        {
            var isTicks = reader.ValueTextEquals(nameof(TimeSpan.Ticks));
            reader.Read();
            if (isTicks)
                ticks = reader.GetInt64();
            else
                reader.Skip();
        }
        return ticks is { } count ? TimeSpan.FromTicks(count) : throw new JsonException("not a duration");
    }

    public override void Write(Utf8JsonWriter writer, TimeSpan value, JsonSerializerOptions options) =>
        writer.WriteStringValue(value.ToString("c", CultureInfo.InvariantCulture));
}
