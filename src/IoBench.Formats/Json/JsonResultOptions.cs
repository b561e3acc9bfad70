using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// JSON settings for results: names in camelCase, enums as words, times as ISO 8601, durations as <c>00:00:30</c>. Flat properties are
/// always present and null if unknown; nested properties are omitted if empty.
/// </summary>
internal static class JsonResultOptions
{
    private static readonly JsonSerializerOptions s_options = CreateOptions();

    public static JsonTypeInfo<IoTestResult> Result { get; } = (JsonTypeInfo<IoTestResult>)s_options.GetTypeInfo(typeof(IoTestResult));

    public static JsonTypeInfo<IoTestSpecification> Specification { get; } =
        (JsonTypeInfo<IoTestSpecification>)s_options.GetTypeInfo(typeof(IoTestSpecification));

    private static JsonSerializerOptions CreateOptions()
    {
        var options = new JsonSerializerOptions
        {
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            // PowerShell's ConvertTo-Json changes the case of names, and such files can be read too.
            PropertyNameCaseInsensitive = true,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
            IgnoreReadOnlyProperties = true,
            WriteIndented = true,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            TypeInfoResolver = ResultJson.Default.WithAddedModifier(CustomizeType),
        };
        options.Converters.Add(new FiniteDoubleConverter());
        options.Converters.Add(new DurationConverter());
        options.MakeReadOnly();
        return options;
    }

    private static void CustomizeType(JsonTypeInfo type)
    {
        if (type.Kind != JsonTypeInfoKind.Object)
            return;
        if (type.Type == typeof(IoTestSpecification))
            JsonResultOptions.FlattenOrigin(type);
        var isResult = type.Type == typeof(IoTestResult);
        foreach (var property in type.Properties)
        {
            if (property.PropertyType != typeof(string) && typeof(System.Collections.IEnumerable).IsAssignableFrom(property.PropertyType))
            {
                // Warnings are a flat property, so they are always present.
                if (property.PropertyType == typeof(List<long>))
                    property.CustomConverter = new CompactNumbersConverter();
                else if (property.PropertyType == typeof(List<IoSlowIO>))
                    property.CustomConverter = new CompactRowsConverter<IoSlowIO>();
                else if (property.PropertyType == typeof(List<IoStall>))
                    property.CustomConverter = new CompactRowsConverter<IoStall>();
                if (isResult && property.Name.Equals(nameof(IoTestResult.Warnings), StringComparison.OrdinalIgnoreCase))
                    property.CustomConverter = new WarningsConverter();
                else
                    property.ShouldSerialize = (_, value) => value is System.Collections.ICollection { Count: > 0 };
                IgnoreNull(property);
            }
            else if (isResult && IsScalar(property.PropertyType))
            {
                if (property.Name.Equals(nameof(IoTestResult.Source), StringComparison.OrdinalIgnoreCase))
                    property.CustomConverter = new SourceConverter();
                property.ShouldSerialize = (_, _) => true;
            }
            else if (property.PropertyType == typeof(IoTotals))
            {
                property.ShouldSerialize = (_, value) => value is IoTotals totals && !IsEmpty(totals);
                IgnoreNull(property);
            }
        }
    }

    private static void IgnoreNull(JsonPropertyInfo property)
    {
        if (property.Set is not { } set)
            return;
        property.Set = (owner, value) =>
        {
            if (value is not null)
                set(owner, value);
        };
    }

    private static bool IsScalar(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(DateTimeOffset);
    }

    private static bool IsEmpty(IoTotals t) =>
        t
            is {
                IOCount: null,
                ByteCount: null,
                IOPS: null,
                MBps: null,
                AverageLatencyMs: null,
                MinLatencyMs: null,
                MaxLatencyMs: null,
                LatencyStdDevMs: null,
                IopsStdDev: null,
                ResponseAverageMs: null,
                ResponseP99Ms: null,
            };

    /// <summary>Reads a source in any case and returns the same string instance for all results of a source.</summary>
    private sealed class SourceConverter : JsonConverter<string>
    {
        public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            reader.GetString() is { } text ? ResultFormats.NormalizeSource(text) : null;

        public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value);
    }

    /// <summary>Rejects numbers that are not finite when reading and writing, because JSON cannot represent them.</summary>
    private sealed class FiniteDoubleConverter : JsonConverter<double>
    {
        public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            var value = reader.GetDouble();
            return double.IsFinite(value) ? value : throw new JsonException("the number is too great");
        }

        public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
        {
            if (double.IsFinite(value))
                writer.WriteNumberValue(value);
            else
                throw IoBenchException.InvalidData(
                    "IoBench.InvalidNumber",
                    $"{value.ToString(CultureInfo.InvariantCulture)} cannot be written as JSON."
                );
        }
    }
}
