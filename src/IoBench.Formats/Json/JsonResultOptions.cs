using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Names in camelCase. Flat properties are always present; nested ones are omitted if empty.</summary>
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
        if (isResult)
            AddOldStallsName(type);
        var defaults = type.CreateObject?.Invoke();
        foreach (var property in type.Properties)
        {
            if (!property.PropertyType.IsValueType && defaults is not null && property.Get?.Invoke(defaults) is not null)
                IgnoreNull(property);
            if ((Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType).IsEnum)
                RejectUndefined(property);
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
                RejectNullItems(property);
                IgnoreNull(property);
            }
            else if (isResult && IsScalar(property.PropertyType))
            {
                if (property.Name.Equals(nameof(IoTestResult.Source), StringComparison.OrdinalIgnoreCase) && property.Set is { } setSource)
                    // Any case is valid, and all results of a source have the same string instance.
                    property.Set = (owner, value) => setSource(owner, value is string text ? ResultFormats.NormalizeSource(text) : value);
                property.ShouldSerialize = (_, _) => true;
            }
            else if (property.PropertyType == typeof(IoTotals))
            {
                property.ShouldSerialize = (_, value) => value is IoTotals totals && !IsEmpty(totals);
                IgnoreNull(property);
            }
        }
    }

    /// <summary>Earlier versions wrote the stalls as <c>silences</c>.</summary>
    private static void AddOldStallsName(JsonTypeInfo type) =>
        type.Properties.Add(
            JsonMetadataServices.CreatePropertyInfo(
                type.Options,
                new JsonPropertyInfoValues<List<IoStall>?>
                {
                    IsProperty = true,
                    IsPublic = true,
                    DeclaringType = typeof(IoTestResult),
                    PropertyName = "silences",
                    JsonPropertyName = "silences",
                    Setter = (owner, value) => ((IoTestResult)owner).Stalls = value!,
                }
            )
        );

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

    private static void RejectNullItems(JsonPropertyInfo property)
    {
        if (property.Set is not { } set || property.PropertyType == typeof(List<long>))
            return;
        property.Set = (owner, value) =>
        {
            var items = value is System.Collections.IDictionary pairs ? pairs.Values : value as System.Collections.IEnumerable;
            if (items?.Cast<object?>().Contains(null) == true)
                throw new JsonException($"null is not a valid item of {property.Name}");
            set(owner, value);
        };
    }

    /// <summary>PowerShell's ConvertTo-Json writes enumerations as numbers, so a file can contain a number without a meaning.</summary>
    private static void RejectUndefined(JsonPropertyInfo property)
    {
        if (property.Set is not { } set)
            return;
        var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        property.Set = (owner, value) =>
        {
            if (value is not null && !Enum.IsDefined(type, value))
                throw new JsonException($"{value} is not a valid value for {property.Name}");
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

    /// <summary>Rejects numbers that are not finite when reading and writing, because JSON cannot represent them.</summary>
    private sealed class FiniteDoubleConverter : JsonConverter<double>
    {
        public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            var value = reader.GetDouble();
            return double.IsFinite(value) ? value : throw new JsonException("the number is too large");
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

    public static void FlattenOrigin(JsonTypeInfo test)
    {
        var extension = test.Properties.First(p => p.PropertyType == typeof(IoTestExtension));
        var place = test.Properties.IndexOf(extension);
        test.Properties.RemoveAt(place);
        AddOriginProperty(test, place++, "commandLine", o => o.CommandLine, (o, v) => o.CommandLine = v);
        AddOriginProperty(test, place++, "sourceFile", o => o.SourceFile, (o, v) => o.SourceFile = v);
        AddOriginProperty(test, place++, "sourceLine", o => o.SourceLine, (o, v) => o.SourceLine = v);
        AddOriginProperty(test, place++, "outputFile", o => o.OutputFile, (o, v) => o.OutputFile = v);
        AddOriginProperty(test, place++, "diskSpd", o => o.DiskSpd, (o, v) => o.DiskSpd = v);
        AddOriginProperty(test, place, "sqlio", o => o.Sqlio, (o, v) => o.Sqlio = v);
    }

    private static void AddOriginProperty<T>(
        JsonTypeInfo test,
        int place,
        string name,
        Func<TestOrigin, T?> get,
        Action<TestOrigin, T?> set
    )
    {
        var property = JsonMetadataServices.CreatePropertyInfo(
            test.Options,
            new JsonPropertyInfoValues<T?>
            {
                IsProperty = true,
                IsPublic = true,
                DeclaringType = typeof(IoTestSpecification),
                PropertyName = name,
                JsonPropertyName = name,
                Getter = owner => ((IoTestSpecification)owner).Extension is TestOrigin origin ? get(origin) : default,
                Setter = (owner, value) =>
                {
                    if (value is not null)
                        set(((IoTestSpecification)owner).GetOrAddOrigin(), value);
                },
            }
        );
        property.ShouldSerialize = (_, value) => value is not null;
        test.Properties.Insert(place, property);
    }
}

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

/// <summary>Writes warnings as a list of strings. In a flat row, they are one string, separated by <c>; </c>.</summary>
internal sealed class WarningsConverter : JsonConverter<List<string>>
{
    private const string RowSeparator = "; ";

    public override List<string> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
            return [.. reader.GetString()!.Split(RowSeparator, StringSplitOptions.RemoveEmptyEntries)];
        if (reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("not a list of strings");
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
            rows.Add(JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonException("a list contains null instead of an object"));
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
