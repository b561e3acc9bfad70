using System.Text.Json;

namespace IoBench.Formats.Json;

/// <summary>A result or a test as a piece of other JSON.</summary>
public static class JsonResultText
{
    public static JsonElement Element(IoTestResult result) => JsonSerializer.SerializeToElement(result, JsonResultOptions.Result);

    /// <summary>The result of an element.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: it is none.</exception>
    public static IoTestResult Result(JsonElement element) => Read(() => element.Deserialize(JsonResultOptions.Result), "a result");

    /// <summary>The result of a text in UTF-8.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: it is none.</exception>
    public static IoTestResult Result(ReadOnlySpan<byte> json)
    {
        try
        {
            return JsonSerializer.Deserialize(json, JsonResultOptions.Result)
                ?? throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"This is not a result: it holds none.");
        }
        catch (Exception e)
            when (e is JsonException or InvalidOperationException or FormatException or ArgumentException or OverflowException)
        {
            throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"This is not a result: {e.Message}", null, e);
        }
    }

    /// <summary>Tests as one line: what a member of a fleet is given.</summary>
    public static string Plan(IReadOnlyList<IoTestSpecification> tests)
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

    /// <summary>Tests of a text: an array of specifications, or one of results, whose tests are run again.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c>: there are none in it.</exception>
    public static IReadOnlyList<IoTestSpecification> ReadPlan(string text, string name) =>
        Read<IReadOnlyList<IoTestSpecification>>(
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
                                ) ?? throw new JsonException("null is no test")
                            ),
                    ];
            },
            $"a list of tests ({name})"
        );

    private static T Read<T>(Func<T?> read, string what)
        where T : class
    {
        try
        {
            return read() ?? throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"This is not {what}: it holds none.");
        }
        catch (Exception e)
            when (e is JsonException or InvalidOperationException or FormatException or ArgumentException or OverflowException)
        {
            throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"This is not {what}: {e.Message}", null, e);
        }
    }
}
