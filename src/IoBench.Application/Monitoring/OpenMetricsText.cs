using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Text that parsers of OpenMetrics 1.0 and of the Prometheus text format 0.0.4 accept. Both know gauges and histograms. For 0.0.4, the
/// lines <c># UNIT</c> and <c># EOF</c> are comments. Counters, state sets, and time stamps differ between the formats, so there are none.
/// </summary>
internal sealed class OpenMetricsText
{
    /// <summary>Upper bounds of the histograms in seconds, as canonical numbers of OpenMetrics. SQL Server reports I/Os above 15
    /// s.</summary>
    private static readonly string[] s_bounds =
    [
        "5e-05",
        "0.0001",
        "0.00025",
        "0.0005",
        "0.001",
        "0.0025",
        "0.005",
        "0.01",
        "0.025",
        "0.05",
        "0.1",
        "0.25",
        "0.5",
        "1.0",
        "2.5",
        "5.0",
        "15.0",
    ];

    private static readonly double[] s_boundsMs = [.. s_bounds.Select(text => double.Parse(text, CultureInfo.InvariantCulture) * 1000)];

    private readonly Dictionary<MonitoringMetric, StringBuilder> _samples = [];

    /// <summary>Start of every text, which identifies it.</summary>
    public static string Start { get; } = $"# TYPE {MonitoringMetric.BuildInfo.Name} gauge\n";

    /// <summary>Returns labels as text. A label without a value is omitted, which both formats treat as an empty value.</summary>
    public static string FormatLabels(params (string Name, string? Value)[] labels) =>
        string.Join(
            ',',
            labels.Where(label => !string.IsNullOrEmpty(label.Value)).Select(label => $"{label.Name}=\"{Escape(label.Value!)}\"")
        );

    /// <summary>Adds the label <c>number</c>, which counts equal labels from 1, so that equal tests have different labels.</summary>
    public static IReadOnlyList<string> NumberEqualLabels(IEnumerable<string> labels)
    {
        var counts = new Dictionary<string, int>(StringComparer.Ordinal);
        return
        [
            .. labels.Select(text => Join(text, $"number=\"{NumberFormat.Integer(counts[text] = counts.GetValueOrDefault(text) + 1)}\"")),
        ];
    }

    /// <summary>Adds nothing if the value is unknown.</summary>
    public void Add(MonitoringMetric metric, string labels, double? value)
    {
        if (value is { } number && double.IsFinite(number))
            AddSample(metric, "", labels, number.ToString("R", CultureInfo.InvariantCulture));
    }

    /// <summary>Adds one value for each state: 1 for the current state, 0 for the others.</summary>
    public void AddStates(MonitoringMetric metric, string labels, string stateLabel, IEnumerable<string> states, string current)
    {
        foreach (var state in states)
            Add(metric, Join(labels, FormatLabels((stateLabel, state))), state == current ? 1 : 0);
    }

    /// <summary>Adds nothing if the source of the result states no counts or no average.</summary>
    public void AddHistogram(MonitoringMetric metric, string labels, IoHistogram? histogram, double? averageMs)
    {
        if (histogram is null || averageMs is not { } average)
            return;
        var buckets = histogram.ReadBuckets();
        if (buckets.Count == 0 || buckets.Any(bucket => bucket.ReadCount is null && bucket.WriteCount is null))
            return;
        var total = buckets.Sum(CountOf);
        for (var i = 0; i < s_bounds.Length; i++)
            AddBucket(s_bounds[i], buckets.Where(bucket => IsBelow(bucket, s_boundsMs[i])).Sum(CountOf));
        AddBucket("+Inf", total);
        AddSample(metric, "_sum", labels, (average * total / 1000).ToString("R", CultureInfo.InvariantCulture));
        AddSample(metric, "_count", labels, NumberFormat.Integer(total));

        void AddBucket(string bound, long count) =>
            AddSample(metric, "_bucket", Join(labels, FormatLabels(("le", bound))), NumberFormat.Integer(count));
    }

    public override string ToString()
    {
        var text = new StringBuilder();
        foreach (var metric in MonitoringMetric.All)
        {
            if (!_samples.TryGetValue(metric, out var samples))
                continue;
            text.Append(CultureInfo.InvariantCulture, $"# TYPE {metric.Name} {(metric.IsHistogram ? "histogram" : "gauge")}\n");
            if (metric.Unit.Length > 0)
                text.Append(CultureInfo.InvariantCulture, $"# UNIT {metric.Name} {metric.Unit}\n");
            text.Append(CultureInfo.InvariantCulture, $"# HELP {metric.Name} {metric.Help}\n").Append(samples);
        }
        return text.Append("# EOF\n").ToString();
    }

    private void AddSample(MonitoringMetric metric, string suffix, string labels, string value)
    {
        if (!_samples.TryGetValue(metric, out var samples))
            _samples.Add(metric, samples = new());
        samples.Append(metric.Name).Append(suffix);
        if (labels.Length > 0)
            samples.Append('{').Append(labels).Append('}');
        samples.Append(' ').Append(value).Append('\n');
    }

    private static string Join(string labels, string more) => labels.Length == 0 ? more : $"{labels},{more}";

    private static string Escape(string value) =>
        value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal).ReplaceLineEndings("\\n");

    private static long CountOf(IoHistogramBucket bucket) => (bucket.ReadCount ?? 0) + (bucket.WriteCount ?? 0);

    // A bucket across a bound counts where its midpoint lies. IoBench's buckets are at most 1.6% wide.
    private static bool IsBelow(IoHistogramBucket bucket, double boundMs) => bucket.ToMs is { } end && (bucket.FromMs + end) / 2 <= boundMs;
}
