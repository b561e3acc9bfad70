using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Serializes a result or a list of tests as a part of other JSON.</summary>
public static class JsonResultSerializer
{
    public static JsonElement SerializeToElement(IoTestResult result) =>
        JsonSerializer.SerializeToElement(result, JsonResultOptions.Result);

    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: the element is not a result.</exception>
    public static IoTestResult DeserializeResult(JsonElement element) =>
        Validate(Deserialize(() => element.Deserialize(JsonResultOptions.Result), "a result"));

    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: the text is not a result.</exception>
    public static IoTestResult DeserializeResult(ReadOnlySpan<byte> json)
    {
        try
        {
            return Validate(
                JsonSerializer.Deserialize(json, JsonResultOptions.Result)
                    ?? throw IoBenchException.InvalidData(
                        ErrorIds.InvalidJson,
                        $"The text is not a result, because it contains no JSON object."
                    )
            );
        }
        catch (Exception e)
            when (e is JsonException or InvalidOperationException or FormatException or ArgumentException or OverflowException)
        {
            throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"The text is not a result: {e.Message}", null, e);
        }
    }

    /// <summary>Serializes tests on one line, to send them to a fleet member.</summary>
    public static string SerializePlan(IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        using var stream = new MemoryStream();
        using (var writer = new Utf8JsonWriter(stream))
        {
            writer.WriteStartArray();
            foreach (var test in tests)
                JsonSerializer.SerializeToElement(test, JsonResultOptions.Specification).WriteTo(writer);
            writer.WriteEndArray();
        }
        return System.Text.Encoding.UTF8.GetString(stream.GetBuffer(), 0, (int)stream.Length);
    }

    /// <summary>Reads tests from an array of specifications, or from an array of results whose tests are to be run again.</summary>
    public static IReadOnlyList<IoTestSpecification> DeserializePlan(string text, string name) =>
        Deserialize<IReadOnlyList<IoTestSpecification>>(
            () =>
            {
                using var document = JsonDocument.Parse(text);
                var root = document.RootElement;
                return root.ValueKind != JsonValueKind.Array || root.GetArrayLength() == 0
                    ? null
                    :
                    [
                        .. root.EnumerateArray()
                            .Select(item =>
                                (item.TryGetProperty("specification", out var inner) ? inner : item).Deserialize(
                                    JsonResultOptions.Specification
                                ) ?? throw new JsonException("null is not a test")
                            ),
                    ];
            },
            $"a list of tests ({name})"
        );

    private static IoTestResult Validate(IoTestResult result)
    {
        ResultValidator.RemoveImpossibleValues(result);
        return result;
    }

    private static T Deserialize<T>(Func<T?> read, string what)
        where T : class
    {
        try
        {
            return read()
                ?? throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"The text is not {what}, because it contains no JSON object.");
        }
        catch (Exception e)
            when (e is JsonException or InvalidOperationException or FormatException or ArgumentException or OverflowException)
        {
            throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"The text is not {what}: {e.Message}", null, e);
        }
    }
}
