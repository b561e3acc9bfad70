using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>
/// Pieces of text for the views in IoBench.Format.ps1xml. They take a result as it is or what a job, CliXml or JSON left of it,
/// and write figures the same in every culture.
/// </summary>
public static class ResultView
{
    private const int BarWidth = 32;
    private const int SparkWidth = 60;

    /// <summary>A number with separators; at least <paramref name="decimals"/> decimals, more where little would be left: <c>12,172</c>, <c>39.6</c>. Null gives nothing.</summary>
    public static string Number(object? value, int decimals)
    {
        if (ToDouble(value) is not { } number)
            return "";
        if (decimals == 0 && number is > 0 and < 100)
            decimals = 1;
        return number.ToString("N" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
    }

    /// <summary>A number without decimals; null gives nothing.</summary>
    public static string Whole(object? value) => ToDouble(value)?.ToString("N0", CultureInfo.InvariantCulture) ?? "";

    /// <summary>A change in percent with its sign: <c>+12.3 %</c>; null gives nothing.</summary>
    public static string Percent(object? value) => ToDouble(value)?.ToString("+0.0 '%';-0.0 '%';0.0 '%'", CultureInfo.InvariantCulture) ?? "";

    /// <summary>What the rows of a table share: path, size, file system, device, buffering, backend; for old output its file.</summary>
    public static string Header(object? value)
    {
        var result = LooseObject.ToResult(value);
        var path = result.Path ?? "(no path)";
        // Where results of several computers are looked at, a path alone says little.
        var parts = new List<string> { result.ComputerName is { } computer && computer != Environment.MachineName ? $"{computer}: {path}" : path };
        if (result.FileSizeMB is { } size)
            parts.Add(new IoSize(size * 1048576).ToDisplayString());
        if ((result.FileSystem, result.Device) is not (null, null))
            parts.Add(string.Join(" on ", new[] { result.FileSystem, result.Device }.Where(p => p is not null)));
        if (result.Buffering is { } buffering)
            parts.Add(Words(buffering));
        if (result.Backend is { } backend)
            parts.Add(backend);
        if (result.SourceFile is { } file)
            parts.Add($"from {Path.GetFileName(file)}");
        return string.Join("  ", parts);
    }

    /// <summary>Buffering in words.</summary>
    public static string Words(IoBuffering buffering) => buffering switch
    {
        IoBuffering.None => "unbuffered, write-through",
        IoBuffering.Hardware => "unbuffered",
        IoBuffering.Software => "file cache, write-through",
        _ => "file cache",
    };

    /// <summary>The first column: workload, else label, else nothing.</summary>
    public static string Name(object? value)
    {
        var result = LooseObject.ToResult(value);
        var name = result.Workload ?? result.Label ?? "";
        return result.Repeat is { } repeat && name.Length > 0 ? $"{name} #{repeat}" : name;
    }

    /// <summary>A result in some lines of text: latency, histogram and the rate over time.</summary>
    public static string Text(object? value)
    {
        var result = LooseObject.ToResult(value);
        var text = new StringBuilder();
        text.Append(Title(result)).Append('\n');
        text.Append(Latency(result)).Append('\n');
        foreach (var line in Histogram(result))
            text.Append(line).Append('\n');
        if (Sparkline(result) is { Length: > 0 } spark)
            text.Append("IOPS over time  ").Append(spark).Append('\n');
        return text.ToString();
    }

    /// <summary>IOPS over the measured time, a sign an interval (or more, when there are many); empty without a timeline.</summary>
    public static string Sparkline(object? value)
    {
        const string signs = "▁▂▃▄▅▆▇█";
        var result = LooseObject.ToResult(value);
        var rates = result.Timeline.Where(p => p.IOPS is not null).Select(p => p.IOPS!.Value).ToList();
        if (rates.Count == 0)
            return "";
        var each = (rates.Count + SparkWidth - 1) / SparkWidth;
        var shown = rates.Chunk(each).Select(c => c.Average()).ToList();
        var most = Math.Max(shown.Max(), double.Epsilon);
        var line = string.Concat(shown.Select(rate => signs[(int)Math.Clamp(Math.Round(rate / most * 7), 0, 7)]));
        return result is { IopsStdDev: { } deviation, IOPS: > 0 }
            ? $"{line}   variation {Number(deviation / result.IOPS, 2)}"
            : line;
    }

    private static double? ToDouble(object? value)
        => Convert.ToString(value, CultureInfo.InvariantCulture) is { Length: > 0 } text
            && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static string Title(IoTestResult result)
    {
        var parts = new List<string>();
        if (result.Path is not null)
            parts.Add($"on {result.Path}" + (result.FileSizeMB is { } size ? $" ({new IoSize(size * 1048576).ToDisplayString()})" : ""));
        var load = new List<string>();
        if (result.ThreadCount is { } threads)
            load.Add($"{threads} thread{(threads == 1 ? "" : "s")}" + (result.OutstandingIO is { } depth ? $" x {depth} outstanding" : ""));
        if (result.DurationSeconds is { } seconds)
            load.Add($"{Number(seconds, 1)} s");
        if (result.IOCount is { } count)
            load.Add($"{Number(count, 0)} I/Os");
        if (result.IOPS is { } iops)
            load.Add($"{Number(iops, 0)} IOPS");
        var name = result.Workload ?? result.Label;
        return (name is null ? "" : name + ": ") + result.IOPattern + " " + string.Join(' ', parts) + (load.Count > 0 ? ", " + string.Join(", ", load) : "");
    }

    private static string Latency(IoTestResult result)
    {
        var figures = new (string Name, double? Value)[]
        {
            ("min", result.MinLatencyMs), ("avg", result.AverageLatencyMs), ("p50", result.P50Ms), ("p90", result.P90Ms), ("p95", result.P95Ms),
            ("p99", result.P99Ms), ("p99.9", result.P999Ms), ("max", result.MaxLatencyMs),
        };
        var known = figures.Where(f => f.Value is not null).Select(f => $"{f.Name} {Number(f.Value, 3)}");
        return "latency (ms)   " + (result.MaxLatencyMs is null && result.AverageLatencyMs is null ? "not known" : string.Join("   ", known));
    }

    /// <summary>The share of I/Os by doubling bands of latency, a line each.</summary>
    private static IEnumerable<string> Histogram(IoTestResult result)
    {
        var buckets = result.Histogram?.Buckets.Where(b => b.Percent > 0).ToList();
        if (buckets is not { Count: > 0 })
            yield break;
        // Bands double: 0.06 - 0.13 - 0.25 ... ms. Whole milliseconds, as SQLIO counts them, begin with 0 - 1.
        var bands = buckets.GroupBy(b => Band(b)).OrderBy(g => g.Key)
            .Select(g => (From: g.Min(b => b.FromMs), To: g.Any(b => b.ToMs is null) ? (double?)null : g.Max(b => b.ToMs!.Value), Percent: g.Sum(b => b.Percent))).ToList();
        var most = bands.Max(b => b.Percent);
        for (var i = 0; i < bands.Count; i++)
        {
            var from = i == 0 && result.MinLatencyMs is { } least ? Math.Max(least, bands[i].From) : bands[i].From;
            var to = i == bands.Count - 1 && result.MaxLatencyMs is { } greatest && greatest > from ? greatest : bands[i].To;
            var length = (int)Math.Round(bands[i].Percent / most * BarWidth);
            var bar = length == 0 ? "." : new string('#', length);
            var edges = $"{Number(from, 2),8} - {(to is null ? "more" : Number(to, 2)),8}";
            yield return $"{edges} | {bar.PadRight(BarWidth)} {Number(bands[i].Percent, 1),5} %";
        }
    }

    private static int Band(IoHistogramBucket bucket)
    {
        var middle = bucket.ToMs is { } to ? (bucket.FromMs + to) / 2 : bucket.FromMs * 1.01;
        return middle <= 0 ? int.MinValue : (int)Math.Floor(Math.Log2(middle));
    }
}
