using System.Collections;
using System.Globalization;

namespace IoBench.PowerShell.Views;

/// <summary>
/// Pieces of text for the views in IoBench.Format.ps1xml. They take a result as it is or what a job, CliXml or JSON left of it,
/// and write figures the same in every culture.
/// </summary>
public static class ResultView
{
    // Beside three columns of indentation, in the 79 that a console of 80 can fill.
    private const int HeaderWidth = 76;

    /// <summary>What a view shows of a property: text, also in a list or a dictionary, as a terminal may show it; anything else as it is.</summary>
    public static object? Safe(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            string text => SafeText.Escape(text),
            IDictionary entries => entries.Cast<object>().Select(entry => SafeText.Escape($"{entry}")).ToArray(),
            IEnumerable items => items.Cast<object?>().Select(item => SafeText.Escape($"{item}")).ToArray(),
            _ => value,
        };

    /// <summary>A figure of a result as the program's table shows it; null gives nothing.</summary>
    /// <param name="metric">Name of the property.</param>
    /// <param name="source">The result's source: SQLIO knows whole milliseconds only.</param>
    public static string Figure(string metric, object? value, object? source) =>
        MetricCatalog
            .Get(metric)
            .TableText(
                ToDouble(value),
                ResultFormats.Of(Convert.ToString(source, CultureInfo.InvariantCulture))?.IsInWholeMilliseconds == true
            )
        ?? "";

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

    /// <summary>A change in percent with its sign: <c>+12.3 %</c>, <c>+1,235 %</c>; null gives nothing.</summary>
    public static string Percent(object? value) =>
        ToDouble(value) is { } percent
            ? percent.ToString(
                Math.Abs(percent) < 999.95 ? "+0.0 '%';-0.0 '%';0.0 '%'" : "+#,##0 '%';-#,##0 '%'",
                CultureInfo.InvariantCulture
            )
            : "";

    /// <summary>A figure with so many decimals as its size is worth: <c>12,172</c>, <c>39.6</c>, <c>0.683</c>, <c>0.000041</c>, and all of 99.9999 percent. Null gives nothing.</summary>
    public static string Figure(object? value)
    {
        if (ToDouble(value) is not { } number)
            return "";
        return number.ToString(
            Math.Abs(number) switch
            {
                >= 99.9 and < 100 => "0.#######",
                >= 1000 => "#,##0",
                >= 100 => "0.#",
                < 0.001 => "0.######",
                _ => "0.###",
            },
            CultureInfo.InvariantCulture
        );
    }

    /// <summary>A day: <c>2026-03-01</c>; null gives nothing.</summary>
    public static string Date(object? value) => Time(value) is { Length: >= 10 } time ? time[..10] : "";

    /// <summary>A time with its offset from UTC: <c>2026-03-01 22:00:00 +01:00</c>; null gives nothing.</summary>
    public static string Time(object? value) =>
        DeserializedObject.ToTime(value)?.ToString("yyyy-MM-dd HH:mm:ss zzz", CultureInfo.InvariantCulture) ?? "";

    /// <summary>The 95 % interval of a repeat's mean IOPS; empty without one.</summary>
    public static string Interval(object? value)
    {
        var iops = DeserializedObject.Members(value).GetValueOrDefault("Metrics") is { } metrics
            ? DeserializedObject.Members(metrics).GetValueOrDefault("IOPS")
            : null;
        var members = DeserializedObject.Members(iops);
        // Of few runs that differ much the interval reaches below zero, which no rate does.
        return
            ToDouble(members.GetValueOrDefault("ConfidenceLow")) is { } low
            && ToDouble(members.GetValueOrDefault("ConfidenceHigh")) is { } high
            ? $"{Number(Math.Max(0, low), 0)} - {Number(high, 0)}"
            : "";
    }

    /// <summary>The limits of a rule in a line.</summary>
    public static string Limits(object? value) =>
        string.Join(
            ", ",
            DeserializedObject
                .Members(value)
                .Where(member => member.Key.StartsWith('M') && ToDouble(DeserializedObject.Unwrap(member.Value)) is not null)
                .Select(member => $"{member.Key} {Figure(member.Value)}")
        );

    /// <summary>What the rows of a table share: path, size, file system, device, buffering, backend; for old output its file. In lines that fit 80 columns, as far as a path does.</summary>
    public static string Header(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        // Roles may share a file: it is one place all the same.
        var paths = (result.Path ?? "(no path)").Split("; ").Distinct(StringComparer.Ordinal).ToArray();
        var parts = paths.Select((path, at) => at < paths.Length - 1 ? path + ";" : path).ToList();
        // Where results of several computers are looked at, a path alone says little.
        if (result.ComputerName is { } computer && computer != Environment.MachineName)
            parts[0] = $"{computer}: {parts[0]}";
        if (result.FileSizeMB is { } size)
            parts.Add(new IoSize(size * 1048576).ToDisplayString());
        if ((result.FileSystem, result.Device) is not (null, null))
            parts.Add(string.Join(" on ", new[] { result.FileSystem, result.Device }.Where(p => p is not null)));
        if (result.Buffering is { } buffering)
            parts.Add(PatternText.Of(buffering));
        if (result.Backend is { } backend)
            parts.Add(backend);
        if (result.SourceFile is { } file)
            parts.Add($"from {Path.GetFileName(file)}");
        return Lines(parts.ConvertAll(SafeText.Escape));
    }

    // PowerShell breaks a longer line inside words.
    private static string Lines(IEnumerable<string> parts)
    {
        var lines = new List<string>();
        foreach (var part in parts)
        {
            if (lines.Count > 0 && lines[^1].Length + part.Length + 2 <= HeaderWidth)
                lines[^1] += (lines[^1].EndsWith(';') ? " " : "  ") + part;
            else
                lines.Add(part);
        }
        return string.Join("\n   ", lines);
    }

    /// <summary>The test in the first column: workload, or what it does where it has no name; with its number among repeats.</summary>
    public static string Name(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        var name = result.Workload ?? result.IOPattern ?? result.Label ?? "";
        return Round(name, result.Repeat);
    }

    /// <summary>The name of a test with its number among repeats: <c>oltp #2</c>.</summary>
    public static string Round(object? name, object? repeat)
    {
        var text = Convert.ToString(DeserializedObject.Unwrap(name), CultureInfo.InvariantCulture) ?? "";
        return SafeText.Escape(text.Length > 0 && ToDouble(repeat) is { } round ? FormattableString.Invariant($"{text} #{round:0}") : text);
    }

    /// <summary>What the first column leaves out: the pattern of a workload, and the label.</summary>
    public static string Details(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        string?[] notes = [ShownLatency.Of(result).Word, result.HasMissedRate() ? "rate missed" : null];
        return SafeText.Escape(
            string.Join(
                ", ",
                new[]
                {
                    result.Workload is null ? null : result.IOPattern,
                    result.Workload is null && result.IOPattern is null ? null : result.Label,
                }
                    .Concat(notes)
                    .Where(part => !string.IsNullOrEmpty(part))
            )
        );
    }

    /// <summary>A latency that is shown of a result, of an open loop the response time.</summary>
    /// <param name="metric">AverageLatencyMs, P99Ms or MaxLatencyMs.</param>
    /// <param name="value">The result.</param>
    public static string Latency(string metric, object? value)
    {
        var result = DeserializedObject.ToResult(value);
        var shown = ShownLatency.Of(result);
        return MetricCatalog
                .Get(metric)
                .TableText(
                    metric switch
                    {
                        "P99Ms" => shown.P99Ms,
                        "MaxLatencyMs" => shown.MaxMs,
                        _ => shown.AverageMs,
                    },
                    ResultFormats.IsInWholeMilliseconds(result)
                )
            ?? "";
    }

    /// <summary>A result in some lines of text: latency, histogram and the rate over time.</summary>
    public static string Text(object? value) =>
        string.Concat(ResultText.Of(DeserializedObject.ToResult(value)).Select(line => SafeText.Escape(line) + "\n"));

    /// <summary>Time by latency of a result as a map of characters; a line that says why where it has none.</summary>
    public static string HeatMap(object? value) =>
        string.Concat(ResultHeatMaps.Lines([DeserializedObject.ToResult(value)]).Select(line => SafeText.Escape(line) + "\n"));

    /// <summary>IOPS over the measured time; empty without a timeline.</summary>
    public static string Sparkline(object? value) => ResultText.Sparkline(DeserializedObject.ToResult(value)) ?? "";

    private static double? ToDouble(object? value) =>
        Convert.ToString(value, CultureInfo.InvariantCulture) is { Length: > 0 } text
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
}
