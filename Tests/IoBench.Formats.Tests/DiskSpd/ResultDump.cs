using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Formats a result as lines "name: value" for comparison: values that differ from an empty result, with indented parts and file names
/// without folders.
/// </summary>
internal static class ResultDump
{
    public static string Format(IEnumerable<IoTestResult> results)
    {
        var text = new StringBuilder();
        var number = 0;
        foreach (var result in results)
        {
            text.Append(CultureInfo.InvariantCulture, $"result {++number}\n");
            AddProperties(text, result, 1);
        }
        return text.ToString();
    }

    private static readonly Dictionary<Type, object?> s_empty = new() { [typeof(IoTargetSpecification)] = new IoTargetSpecification("") };

    private static void AddProperties(StringBuilder text, object part, int depth)
    {
        if (!s_empty.TryGetValue(part.GetType(), out var empty))
            s_empty[part.GetType()] = empty = part.GetType().GetConstructor([]) is null ? null : Activator.CreateInstance(part.GetType());
        var properties = GetProperties(part, empty);
        // The origin of a test is listed among its own properties, as in JSON.
        if (part is IoTestSpecification test)
            properties = properties
                .Where(p => p.Name != nameof(test.Extension))
                .Concat(
                    GetProperties(test.GetOrAddOrigin(), new TestOrigin())
                        .Where(p => p.Name is not (nameof(TestOrigin.FixesSeed) or nameof(TestOrigin.KeepsTimelineInterval)))
                );
        foreach (var (name, value, emptyValue) in properties.OrderBy(p => p.Name, StringComparer.Ordinal))
            if (empty is null || !Equals(value, emptyValue) || name is "Source" or "Status")
                AddValue(text, name, value, depth);
    }

    private static IEnumerable<(string Name, object? Value, object? Empty)> GetProperties(object part, object? empty) =>
        part.GetType()
            .GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(p => p.GetIndexParameters().Length == 0 && p.Name != "EqualityContract" && !p.IsUnwritten())
            .Select(p => (p.Name, p.GetValue(part), empty is null ? null : p.GetValue(empty)));

    private static void AddValue(StringBuilder text, string name, object? value, int depth)
    {
        var indent = new string(' ', depth * 2);
        switch (value)
        {
            case null or ICollection { Count: 0 }:
                break;
            case string or double or Enum or bool or int or long or ulong or TimeSpan or DateTimeOffset:
                text.Append(CultureInfo.InvariantCulture, $"{indent}{name}: {FormatValue(name, value)}\n");
                break;
            case IDictionary dictionary:
                foreach (var key in dictionary.Keys.Cast<string>().Order(StringComparer.Ordinal))
                    text.Append(
                        CultureInfo.InvariantCulture,
                        $"{indent}{name}[{key}]: {dictionary[key]!.ToString()!.Replace("\n", "\n" + indent + "    ")}\n"
                    );
                break;
            case IList list:
                for (var i = 0; i < list.Count; i++)
                    AddValue(text, $"{name}[{i}]", list[i], depth);
                break;
            case IoPercentile p:
                text.Append(CultureInfo.InvariantCulture, $"{indent}{name}: {p.Percent} = {p.ReadMs} {p.WriteMs} {p.TotalMs}\n");
                break;
            // Threads have many intervals, so each is one line, as in DiskSpd.
            case IoTimelinePoint p when depth > 1:
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"{indent}{name}: {p.Seconds} s, {p.ReadIOPS} + {p.WriteIOPS} = {p.IOPS} IOPS, {p.MBps} MiB/s, reads {FormatLatency(p.ReadLatency)}, writes {FormatLatency(p.WriteLatency)}\n"
                );
                break;
            default:
                text.Append(CultureInfo.InvariantCulture, $"{indent}{name}\n");
                AddProperties(text, value, depth + 1);
                break;
        }
    }

    private static string FormatLatency(IoLatencySummary? l) =>
        l is null ? "none" : string.Create(CultureInfo.InvariantCulture, $"{l.MinMs} {l.MaxMs} {l.AverageMs} {l.StdDevMs}");

    private static string FormatValue(string name, object value) =>
        value switch
        {
            string path when name == "SourceFile" => Path.GetFileName(path),
            double number => Math.Round(number, 6).ToString(CultureInfo.InvariantCulture),
            DateTimeOffset time => time.ToString("u", CultureInfo.InvariantCulture),
            IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString()!,
        };
}
