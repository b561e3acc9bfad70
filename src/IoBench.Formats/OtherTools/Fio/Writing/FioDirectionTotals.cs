using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Values of a result's reads, writes, or both in fio's units. Unknown counts are computed from rates.</summary>
internal sealed class FioDirectionTotals
{
    private FioDirectionTotals(string name) => Name = name;

    /// <summary><c>read</c>, <c>write</c>, or <c>mixed</c>.</summary>
    internal string Name { get; }
    internal long Count { get; private init; }
    internal long Bytes { get; private init; }
    internal double Iops { get; private init; }
    internal double BytesPerSecond { get; private init; }
    internal long RuntimeMs { get; private init; }
    internal IoTotals Latency { get; private init; } = new();
    internal double? IopsDeviation { get; private init; }

    /// <summary>Midpoints of buckets in nanoseconds and their I/O counts; empty if there are no counts.</summary>
    internal IReadOnlyList<(long Value, long Count)> Bins { get; private init; } = [];

    internal IReadOnlyList<(double Percent, long Value)> Percentiles { get; private init; } = [];

    internal static FioDirectionTotals FromReads(IoTestResult result) =>
        Create(
            result,
            "read",
            result.Totals?.Read,
            result.Operation == IoOperation.Read,
            (result.ReadIOPS, result.ReadMBps, result.ReadAverageLatencyMs),
            p => p.ReadMs,
            b => b.ReadCount
        );

    internal static FioDirectionTotals FromWrites(IoTestResult result) =>
        Create(
            result,
            "write",
            result.Totals?.Write,
            result.Operation == IoOperation.Write,
            (result.WriteIOPS, result.WriteMBps, result.WriteAverageLatencyMs),
            p => p.WriteMs,
            b => b.WriteCount
        );

    internal static FioDirectionTotals FromAllIO(IoTestResult result) =>
        Create(
            result,
            "mixed",
            result.Totals?.Total,
            true,
            default,
            p => p.TotalMs,
            b => b.ReadCount is null && b.WriteCount is null ? null : (b.ReadCount ?? 0) + (b.WriteCount ?? 0)
        );

    /// <param name="isAll">True if the values of the result as a whole belong to this direction.</param>
    private static FioDirectionTotals Create(
        IoTestResult result,
        string name,
        IoTotals? known,
        bool isAll,
        (double? Iops, double? MBps, double? AverageMs) flat,
        Func<IoPercentile, double?> percentile,
        Func<IoHistogramBucket, long?> bucket
    )
    {
        var seconds = result.DurationSeconds is > 0 and < 1e9 ? result.DurationSeconds.Value : 0;
        var iops = known?.IOPS ?? flat.Iops ?? (isAll ? result.IOPS : null);
        var rate = (known?.MBps ?? flat.MBps ?? (isAll ? result.BandwidthMBps : null)) * (1 << 20);
        var count = known?.IOCount ?? (isAll ? result.IOCount : null) ?? RoundToCount(iops * seconds);
        var bytes = known?.ByteCount ?? (isAll ? result.ByteCount : null) ?? RoundToCount(rate * seconds);
        var bins = GetBins(result.Histogram, bucket, isAll ? count : null);
        return new FioDirectionTotals(name)
        {
            Count = Math.Max(0, count),
            Bytes = Math.Max(0, bytes),
            Iops = iops ?? (seconds > 0 ? count / seconds : 0),
            BytesPerSecond = rate ?? (seconds > 0 ? bytes / seconds : 0),
            RuntimeMs = count > 0 || bytes > 0 ? RoundToCount(seconds * 1000) : 0,
            Latency = GetLatency(known, isAll ? result : null, flat.AverageMs),
            IopsDeviation = known?.IopsStdDev ?? (isAll ? result.IopsStdDev : null),
            Bins = bins,
            Percentiles = count > 0 || bytes > 0 ? GetPercentiles(result, isAll, percentile, bins) : [],
        };
    }

    private static IoTotals GetLatency(IoTotals? known, IoTestResult? all, double? average) =>
        new()
        {
            AverageLatencyMs = known?.AverageLatencyMs ?? average ?? all?.AverageLatencyMs,
            MinLatencyMs = known?.MinLatencyMs ?? all?.MinLatencyMs,
            MaxLatencyMs = known?.MaxLatencyMs ?? all?.MaxLatencyMs,
            LatencyStdDevMs = known?.LatencyStdDevMs ?? all?.LatencyStdDevMs,
        };

    private static List<(long, long)> GetBins(IoHistogram? histogram, Func<IoHistogramBucket, long?> bucket, long? all)
    {
        if (histogram is not { Kind: "measured" })
            return [];
        var bins = new SortedDictionary<long, long>();
        foreach (var b in histogram.Buckets)
        {
            // For mixed values, the reader saves only percentages, so compute the count from the total.
            var count =
                bucket(b) ?? (b is { ReadCount: null, WriteCount: null } && all is not null ? RoundToCount(b.Percent / 100 * all) : 0);
            if (count <= 0)
                continue;
            var value = FioHistogramBins.GetBin((b.FromMs + (b.ToMs ?? b.FromMs)) / 2 * 1e6);
            bins[value] = (long)Math.Min((double)bins.GetValueOrDefault(value) + count, long.MaxValue / 4);
        }
        return [.. bins.Select(b => (b.Key, b.Value))];
    }

    private static List<(double, long)> GetPercentiles(
        IoTestResult result,
        bool isAll,
        Func<IoPercentile, double?> percentile,
        IReadOnlyList<(long Value, long Count)> bins
    )
    {
        var listed = new SortedDictionary<double, double>();
        foreach (var p in result.Percentiles)
        {
            if (p.Percent is > 0 and <= 100 && percentile(p) is { } ms)
                listed[p.Percent] = ms;
        }
        if (isAll)
        {
            foreach (
                var (percent, ms) in (ReadOnlySpan<(double, double?)>)
                    [(50, result.P50Ms), (90, result.P90Ms), (95, result.P95Ms), (99, result.P99Ms), (99.9, result.P999Ms)]
            )
            {
                if (ms is { } value)
                    listed.TryAdd(percent, value);
            }
        }
        var all = new List<(double, long)>();
        foreach (var percent in s_percents.Concat(listed.Keys).Distinct().Order())
        {
            if (listed.TryGetValue(percent, out var ms))
                all.Add((percent, ToNanoseconds(ms)));
            else if (FioHistogramBins.GetPercentile(bins, percent) is { } value)
                all.Add((percent, value));
        }
        return all;
    }

    private static readonly double[] s_percents = [1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99];

    internal static long ToNanoseconds(double? ms) => RoundToCount(ms * 1e6);

    internal static double? GetDetail(IoTestResult result, string name) =>
        result.ToolDetails.TryGetValue(name, out var text)
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
        && double.IsFinite(value)
            ? value
            : null;

    internal static long RoundToCount(double? value) =>
        (long)Math.Clamp(Math.Round(value is { } number && double.IsFinite(number) ? number : 0), 0, long.MaxValue / 4);
}
