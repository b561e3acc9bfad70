using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>Whether two tests are the same, so that a resumed plan leaves out what is done.</summary>
public static class TestKey
{
    private static readonly JsonSerializerOptions s_options = new() { Converters = { new JsonStringEnumConverter() } };

    /// <summary>A text that is equal for equal tests; the rest before a test depends on its place and does not count.</summary>
    public static string Of(IoTestSpecification specification)
    {
        ArgumentNullException.ThrowIfNull(specification);
        var copy = specification.Clone();
        copy.RestBefore = TimeSpan.Zero;
        return JsonSerializer.Serialize(copy, s_options);
    }
}
