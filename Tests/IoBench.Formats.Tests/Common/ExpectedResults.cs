using System.Globalization;
using System.Reflection;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Compares results with values that a script (expected.py in the folder of the tool) computed from the same file without IoBench: every
/// flat field, percentile, and bucket.
/// </summary>
internal static class ExpectedResults
{
    /// <summary>Fields that the scripts do not compute: source positions and texts.</summary>
    private static readonly HashSet<string> s_notCompared = ["SourceFile", "SourceLine", "Warnings"];

    internal static void Compare(string expectedFile, IReadOnlyList<IoTestResult> results)
    {
        using var expected = JsonDocument.Parse(File.ReadAllText(expectedFile));
        var differences = new List<string>();
        if (expected.RootElement.GetArrayLength() != results.Count)
            differences.Add($"{results.Count} results, expected {expected.RootElement.GetArrayLength()}");
        foreach (var (one, index) in expected.RootElement.EnumerateArray().Take(results.Count).Select((one, index) => (one, index)))
            Compare($"{index}: ", one, results[index], differences);
        Assert.True(differences.Count == 0, string.Join("\n", differences.Take(20)));
    }

    private static void Compare(string where, JsonElement expected, IoTestResult result, List<string> differences)
    {
        foreach (var property in typeof(IoTestResult).GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            if (
                s_notCompared.Contains(property.Name)
                || (type != typeof(string) && !type.IsPrimitive && !type.IsEnum && type != typeof(DateTimeOffset))
            )
                continue;
            var value = property.GetValue(result);
            if (!IsEqual(expected.TryGetProperty(property.Name, out var one) ? one : default, value))
                differences.Add(
                    $"{where}{property.Name} is {Format(value)}, expected {(one.ValueKind == JsonValueKind.Undefined ? "null" : one.GetRawText())}"
                );
        }
        var percentiles = result.Percentiles.Select(p => (double?[])[p.Percent, p.ReadMs, p.WriteMs, p.TotalMs]).ToList();
        CompareRows(where + "percentile", expected, "Percentiles", percentiles, differences);
        var buckets =
            result.Histogram?.Buckets.Select(b => (double?[])[b.FromMs, b.ToMs, b.ReadCount, b.WriteCount, b.Percent]).ToList() ?? [];
        CompareRows(where + "band", expected, "Buckets", buckets, differences);
    }

    private static void CompareRows(string where, JsonElement expected, string name, List<double?[]> rows, List<string> differences)
    {
        var wanted = expected.TryGetProperty(name, out var list)
            ? list.EnumerateArray().Select(row => row.EnumerateArray().ToArray()).ToList()
            : [];
        if (wanted.Count != rows.Count)
            differences.Add($"{where}: {rows.Count}, expected {wanted.Count}");
        for (var i = 0; i < Math.Min(wanted.Count, rows.Count); i++)
        for (var j = 0; j < wanted[i].Length; j++)
            if (!IsEqual(wanted[i][j], rows[i][j]))
                differences.Add($"{where} {i}, column {j} is {Format(rows[i][j])}, expected {wanted[i][j].GetRawText()}");
    }

    private static bool IsEqual(JsonElement expected, object? value) =>
        (expected.ValueKind, value) switch
        {
            (JsonValueKind.Undefined or JsonValueKind.Null, null) => true,
            (JsonValueKind.String, not null) => expected.GetString() == Format(value),
            (JsonValueKind.Number, DateTimeOffset time) => expected.GetDouble() == time.ToUnixTimeMilliseconds(),
            (JsonValueKind.Number, IConvertible number) => IsClose(expected.GetDouble(), number.ToDouble(CultureInfo.InvariantCulture)),
            _ => false,
        };

    private static bool IsClose(double a, double b) => Math.Abs(a - b) <= 1e-9 * Math.Max(Math.Abs(a), Math.Abs(b));

    private static string Format(object? value) => value is null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture)!;
}
