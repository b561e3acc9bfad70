using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Application.Tests;

/// <param name="Labels">Labels in the order of the text.</param>
internal sealed record MetricSample(string Family, string Name, IReadOnlyList<(string Name, string Value)> Labels, double Value)
{
    public string? this[string label] => Labels.FirstOrDefault(pair => pair.Name == label).Value;
}

/// <summary>
/// Strict parser of what OpenMetrics 1.0 and the Prometheus text format 0.0.4 have in common. Rules of OpenMetrics: descriptors before
/// samples, one block per family, units, suffixes, labels, buckets, and one EOF. Rules of 0.0.4: only its types, and the sample has the
/// name of the TYPE line, so that a counter is refused. The textfile collector refuses time stamps.
/// </summary>
internal static partial class OpenMetricsParser
{
    private const string End = "# EOF\n";

    public static IReadOnlyList<MetricSample> Parse(string text)
    {
        Require(text.EndsWith(End, StringComparison.Ordinal), "the text does not end with EOF");
        Require(!text.Contains('\r'), "a line ends with CR");
        var families = new Dictionary<string, Family>(StringComparer.Ordinal);
        var samples = new List<MetricSample>();
        var identities = new HashSet<string>(StringComparer.Ordinal);
        Family? family = null;
        foreach (var line in text[..^End.Length].Split('\n').SkipLast(1))
        {
            if (line.StartsWith('#'))
                family = ReadDescriptor(line, families, family);
            else
            {
                var sample = ReadSample(line, family);
                var labels = string.Join('\0', sample.Labels.OrderBy(label => label.Name, StringComparer.Ordinal));
                Require(identities.Add($"{sample.Name}\0{labels}"), $"duplicate: {line}");
                samples.Add(sample);
            }
        }
        Require(text[..^End.Length] is "" || text[..^End.Length].EndsWith('\n'), "the last line has no LF");
        foreach (var (name, found) in families)
        {
            Require(found.Type is not null, $"{name} has no TYPE");
            Require(samples.Exists(sample => sample.Family == name), $"{name} has no sample");
            if (found.Type == "histogram")
                CheckHistogram(name, [.. samples.Where(sample => sample.Family == name)]);
        }
        foreach (var name in families.Keys)
        foreach (var suffix in (string[])["_total", "_created", "_bucket", "_count", "_sum", "_info"])
            Require(!families.ContainsKey(name + suffix), $"{name}{suffix} clashes with {name}");
        return samples;
    }

    private static Family ReadDescriptor(string line, Dictionary<string, Family> families, Family? current)
    {
        var parts = DescriptorLine().Match(line);
        Require(parts.Success, $"not a descriptor: {line}");
        var (kind, name, rest) = (parts.Groups[1].Value, parts.Groups[2].Value, parts.Groups[3].Value);
        if (current?.Name != name)
        {
            Require(!families.ContainsKey(name), $"{name} has two blocks");
            Require(kind == "TYPE", $"{name} does not begin with TYPE");
            families.Add(name, current = new Family(name));
        }
        Require(!current.HasSamples, $"a descriptor follows the samples of {name}");
        Require(current.Descriptors.Add(kind), $"{name} has two lines {kind}");
        if (kind == "TYPE")
        {
            Require(rest is "gauge" or "histogram", $"{name}: the type {rest} differs between the formats");
            current.Type = rest;
        }
        else if (kind == "UNIT")
            Require(rest.Length > 0 && name.EndsWith("_" + rest, StringComparison.Ordinal), $"{name} does not end in its unit {rest}");
        else
            Require(!BadEscape().IsMatch(rest), $"bad escape: {line}");
        return current;
    }

    private static MetricSample ReadSample(string line, Family? family)
    {
        var parts = SampleLine().Match(line);
        Require(parts.Success, $"not a sample: {line}");
        Require(family is not null, $"no descriptor before {line}");
        var name = parts.Groups[1].Value;
        var isOfFamily =
            family!.Type == "histogram"
                ? ((string[])["_bucket", "_count", "_sum"]).Any(suffix => name == family.Name + suffix)
                : name == family.Name;
        Require(isOfFamily, $"{name} is not in the block of {family.Name}");
        family.HasSamples = true;
        return new(family.Name, name, ReadLabels(parts.Groups[2].Value), double.Parse(parts.Groups[3].Value, CultureInfo.InvariantCulture));
    }

    private static List<(string Name, string Value)> ReadLabels(string text)
    {
        var labels = new List<(string Name, string Value)>();
        for (var at = 0; at < text.Length; )
        {
            var name = LabelStart().Match(text, at);
            Require(name.Success, $"bad label: {text[at..]}");
            at += name.Length;
            var value = new StringBuilder();
            for (; ; at++)
            {
                Require(at < text.Length, $"a label has no end: {text}");
                if (text[at] == '"')
                    break;
                if (text[at] != '\\')
                {
                    value.Append(text[at]);
                    continue;
                }
                at++;
                Require(at < text.Length && text[at] is '\\' or '"' or 'n', $"bad escape: {text}");
                value.Append(text[at] == 'n' ? '\n' : text[at]);
            }
            at++;
            Require(at == text.Length || (text[at] == ',' && at + 1 < text.Length), $"bad separator: {text}");
            at++;
            Require(!name.Groups[1].Value.StartsWith("__", StringComparison.Ordinal), $"reserved label: {text}");
            Require(!labels.Exists(label => label.Name == name.Groups[1].Value), $"a label occurs twice: {text}");
            labels.Add((name.Groups[1].Value, value.ToString()));
        }
        return labels;
    }

    private static void CheckHistogram(string name, List<MetricSample> samples)
    {
        string? last = null;
        var closed = new HashSet<string>(StringComparer.Ordinal);
        foreach (var sample in samples)
        {
            var labels = GetOwnLabels(sample);
            if (labels != last)
                Require(closed.Add(labels), $"{name}: samples of a histogram are apart");
            last = labels;
        }
        foreach (var histogram in samples.GroupBy(GetOwnLabels))
        {
            var buckets = histogram.Where(sample => sample.Name == name + "_bucket").ToList();
            Require(buckets.Count > 0 && buckets[^1]["le"] == "+Inf", $"{name} has no last bucket +Inf");
            var bounds = buckets.SkipLast(1).Select(bucket => bucket["le"]!).ToList();
            Require(bounds.TrueForAll(bound => CanonicalNumber().IsMatch(bound)), $"{name}: a bound is not canonical");
            var limits = bounds.ConvertAll(bound => double.Parse(bound, CultureInfo.InvariantCulture));
            Require(limits.SequenceEqual(limits.Distinct().Order()), $"{name}: the bounds are not in ascending order");
            var counts = buckets.ConvertAll(bucket => bucket.Value);
            Require(counts.SequenceEqual(counts.Order()), $"{name}: the buckets are not cumulative");
            Require(counts.TrueForAll(count => count >= 0 && double.IsInteger(count)), $"{name}: a bucket is not a count");
            Require(
                counts[^1] == histogram.SingleOrDefault(sample => sample.Name == name + "_count")?.Value,
                $"{name}: +Inf is not the count"
            );
            Require(histogram.SingleOrDefault(sample => sample.Name == name + "_sum")?.Value >= 0, $"{name} has no sum");
        }
    }

    private static string GetOwnLabels(MetricSample sample) => string.Join('\0', sample.Labels.Where(label => label.Name != "le"));

    private static void Require([System.Diagnostics.CodeAnalysis.DoesNotReturnIf(false)] bool condition, string message)
    {
        if (!condition)
            throw new FormatException(message);
    }

    [GeneratedRegex("^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$")]
    private static partial Regex DescriptorLine();

    [GeneratedRegex("""^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.+)\})? ([+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)$""")]
    private static partial Regex SampleLine();

    [GeneratedRegex("""\G([a-zA-Z_][a-zA-Z0-9_]*)=" """, RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex LabelStart();

    [GeneratedRegex("""\\(?![\\n"])""")]
    private static partial Regex BadEscape();

    /// <summary>0.001 to 999999.5 as decimals with a point, smaller numbers with an exponent of two digits.</summary>
    [GeneratedRegex("""^([0-9]+\.[0-9]+|[1-9](\.[0-9]+)?e[+-][0-9]{2,})$""")]
    private static partial Regex CanonicalNumber();

    private sealed class Family(string name)
    {
        public string Name { get; } = name;

        public HashSet<string> Descriptors { get; } = [];

        public string? Type { get; set; }

        public bool HasSamples { get; set; }
    }
}
