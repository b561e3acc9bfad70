using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Writes results as one JSON array. Names are those of <see cref="IoTestResult"/> in camelCase. Flat properties are always present and
/// null if unknown; nested objects and lists (specification, targets, threads, histogram, percentiles, timeline, processors, host,
/// toolDetails) are omitted if empty. <see cref="JsonResultReader"/> restores the same results.
/// </summary>
public static class JsonResultWriter
{
    /// <summary>Writes the results while they are enumerated.</summary>
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
