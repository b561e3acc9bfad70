using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes results as one JSON array, which <see cref="JsonResultReader"/> restores without loss.</summary>
public static class JsonResultWriter
{
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        writer.Write('[');
        var first = true;
        foreach (var result in results)
        {
            if (!first)
                writer.Write(',');
            first = false;
            writer.Write('\n');
            writer.Write(JsonSerializer.Serialize(result, JsonResultOptions.Result).Replace("\r\n", "\n", StringComparison.Ordinal));
        }
        writer.Write(first ? "]\n" : "\n]\n");
    }
}
