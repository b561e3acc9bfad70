using System.Collections;
using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.PowerShell;

/// <summary>Formats values for the views in IoBench.Format.ps1xml: results and their deserialized copies, in any culture.</summary>
public static class ViewFormatter
{
    // The header is indented by three columns, and 79 columns of an 80-column console can be used.
    private const int HeaderWidth = 76;

    /// <summary>Escapes control characters in text, also in a list or a dictionary. Returns any other value unchanged.</summary>
    public static object? EscapeValue(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            string text => SafeText.Escape(text),
            IDictionary entries => entries.Cast<object>().Select(entry => SafeText.Escape($"{entry}")).ToArray(),
            IEnumerable items => items.Cast<object?>().Select(item => SafeText.Escape($"{item}")).ToArray(),
            _ => value,
        };

    /// <param name="source">Source of the result: SQLIO reports whole milliseconds only.</param>
    public static string FormatValue(string metric, object? value, object? source) =>
        MetricCatalog
            .Get(metric)
            .FormatForTable(
                ToDouble(value),
                ResultFormats.GetDescriptor(Convert.ToString(source, CultureInfo.InvariantCulture))?.IsInWholeMilliseconds == true
            )
        ?? "";

    /// <summary>Uses one decimal if a number below 100 would have none: <c>12,172</c>, <c>39.6</c>. Empty for null.</summary>
    public static string FormatNumber(object? value, int decimals)
    {
        if (ToDouble(value) is not { } number)
            return "";
        if (decimals == 0 && number is > 0 and < 100)
            decimals = 1;
        return number.ToString("N" + decimals.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
    }

    public static string FormatInteger(object? value) => ToDouble(value)?.ToString("N0", CultureInfo.InvariantCulture) ?? "";

    /// <summary>Formats a change in percent with its sign: <c>+12.3 %</c>, <c>+1,235 %</c>; empty for null.</summary>
    public static string FormatPercent(object? value) => ToDouble(value) is { } percent ? NumberFormat.Change(percent) : "";

    /// <summary>Decimals fit the size: <c>12,172</c>, <c>39.6</c>, <c>0.683</c>; up to seven from 99.9 to 100. Empty for null.</summary>
    public static string FormatValue(object? value)
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

    /// <summary>Formats a date: <c>2026-03-01</c>; empty for null.</summary>
    public static string FormatDate(object? value) => FormatTime(value) is { Length: >= 10 } time ? time[..10] : "";

    /// <summary>Formats a time with its offset from UTC: <c>2026-03-01 22:00:00 +01:00</c>; empty for null.</summary>
    public static string FormatTime(object? value) =>
        DeserializedObject.ToTime(value)?.ToString("yyyy-MM-dd HH:mm:ss zzz", CultureInfo.InvariantCulture) ?? "";

    /// <summary>Formats the 95% confidence interval of the mean IOPS of repeated runs; empty if there is none.</summary>
    public static string FormatConfidenceInterval(object? value)
    {
        var iops = DeserializedObject.GetMembers(value).GetValueOrDefault("Metrics") is { } metrics
            ? DeserializedObject.GetMembers(metrics).GetValueOrDefault("IOPS")
            : null;
        var members = DeserializedObject.GetMembers(iops);
        // With few runs that differ much, the interval extends below zero, which is impossible for IOPS.
        return
            ToDouble(members.GetValueOrDefault("ConfidenceLow")) is { } low
            && ToDouble(members.GetValueOrDefault("ConfidenceHigh")) is { } high
            ? $"{FormatNumber(Math.Max(0, low), 0)} - {FormatNumber(high, 0)}"
            : "";
    }

    public static string FormatLimits(object? value) =>
        string.Join(
            ", ",
            DeserializedObject
                .GetMembers(value)
                .Where(member => member.Key.StartsWith('M') && ToDouble(DeserializedObject.Unwrap(member.Value)) is not null)
                .Select(member => $"{member.Key} {FormatValue(member.Value)}")
        );

    /// <summary>Formats the properties that the rows of a table share. Lines fit into 80 columns unless a path is longer.</summary>
    public static string FormatGroupHeader(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        // File roles can share a file, which is shown once.
        var paths = (result.Path ?? "(no path)").Split("; ").Distinct(StringComparer.Ordinal).ToArray();
        var parts = paths.Select((path, at) => at < paths.Length - 1 ? path + ";" : path).ToList();
        // A table can show results of several computers, so the name of another computer is added to the path.
        if (result.ComputerName is { } computer && computer != Environment.MachineName)
            parts[0] = $"{computer}: {parts[0]}";
        if (result.FileSizeMB is { } size)
            parts.Add(new IoSize(size * 1048576).ToDisplayString());
        if ((result.FileSystem, result.Device) is not (null, null))
            parts.Add(string.Join(" on ", new[] { result.FileSystem, result.Device }.Where(p => p is not null)));
        if (result.Buffering is { } buffering)
            parts.Add(PatternText.Describe(buffering));
        if (result.Backend is { } backend)
            parts.Add(backend);
        if (result.SourceFile is { } file)
            parts.Add($"from {Path.GetFileName(file)}");
        return JoinIntoLines(parts.ConvertAll(SafeText.Escape));
    }

    // PowerShell breaks longer lines inside words.
    private static string JoinIntoLines(IEnumerable<string> parts)
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

    /// <summary>Formats the name of a test for the first column: its workload, pattern, or label, with the number of the repeat.</summary>
    public static string FormatName(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        var name = result.Workload ?? result.IOPattern ?? result.Label ?? "";
        return FormatRepeatName(name, result.Repeat);
    }

    /// <summary>Formats the name of a file without its folder; empty for null.</summary>
    public static string FormatFileName(object? path) =>
        SafeText.Escape(Path.GetFileName(Convert.ToString(DeserializedObject.Unwrap(path), CultureInfo.InvariantCulture)) ?? "");

    /// <summary>Formats the tested path and the label of an imported result.</summary>
    public static string FormatPathAndLabel(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        return SafeText.Escape(string.Join(", ", new[] { result.Path, result.Label }.Where(part => !string.IsNullOrEmpty(part))));
    }

    /// <summary>Formats the name of a test with the number of the repeat: <c>oltp #2</c>.</summary>
    public static string FormatRepeatName(object? name, object? repeat)
    {
        var text = Convert.ToString(DeserializedObject.Unwrap(name), CultureInfo.InvariantCulture) ?? "";
        return SafeText.Escape(text.Length > 0 && ToDouble(repeat) is { } round ? FormattableString.Invariant($"{text} #{round:0}") : text);
    }

    /// <summary>Details that the first column omits: pattern, label, kind of latency, and a target rate that was not reached.</summary>
    public static string FormatDetails(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        string?[] notes = [DisplayLatency.FromResult(result).Word, result.HasMissedRate() ? "rate missed" : null];
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

    /// <summary>For an open loop, the response time.</summary>
    public static string FormatLatency(string metric, object? value)
    {
        var result = DeserializedObject.ToResult(value);
        var shown = DisplayLatency.FromResult(result);
        return MetricCatalog
                .Get(metric)
                .FormatForTable(
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

    public static string FormatResult(object? value) =>
        string.Concat(ResultDetailFormatter.FormatResult(DeserializedObject.ToResult(value)).Select(line => SafeText.Escape(line) + "\n"));

    /// <summary>Formats the latency heat map of a result as text, or a line with the reason if there is none.</summary>
    public static string FormatHeatMap(object? value) =>
        string.Concat(ResultHeatMaps.FormatLines([DeserializedObject.ToResult(value)]).Select(line => SafeText.Escape(line) + "\n"));

    /// <summary>Formats IOPS over time as a sparkline; empty without a timeline.</summary>
    public static string FormatSparkline(object? value) => ResultDetailFormatter.CreateSparkline(DeserializedObject.ToResult(value)) ?? "";

    private static double? ToDouble(object? value) =>
        Convert.ToString(value, CultureInfo.InvariantCulture) is { Length: > 0 } text
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
}
