using System.Collections;
using System.Globalization;
using IoBench.Analysis;
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

    /// <summary>Describes the 95% confidence interval of the mean IOPS of repeated runs; null if there is none.</summary>
    internal static string? DescribeInterval(SampleSummary iops) =>
        // With few runs that differ much, the interval extends below zero, which is impossible for IOPS.
        iops is { ConfidenceLow: { } low, ConfidenceHigh: { } high }
            ? $"{FormatNumber(Math.Max(0, low), 0)} - {FormatNumber(high, 0)}"
            : null;

    internal static string DescribeLimits(IoRule rule) =>
        string.Join(
            ", ",
            typeof(IoRule)
                .GetProperties()
                .Where(limit => limit.Name.StartsWith('M') && limit.PropertyType == typeof(double?) && limit.GetValue(rule) is not null)
                .Select(limit => $"{limit.Name} {FormatValue(limit.GetValue(rule))}")
        );

    /// <summary>Formats what the rows of a table share in one line: the path, and then as many details as fit into 80 columns.</summary>
    public static string FormatGroupHeader(object? value)
    {
        var result = DeserializedObject.ToResult(value);
        // File roles can share a file, which is shown once.
        var line = string.Join("; ", (result.Path ?? "(no path)").Split("; ").Distinct(StringComparer.Ordinal));
        // A table can show results of several computers, so the name of another computer is added to the path.
        if (result.ComputerName is { } computer && computer != Environment.MachineName)
            line = $"{computer}: {line}";
        if (line.Length > HeaderWidth)
            line = $"{line[..(HeaderWidth / 2 - 1)]}…{line[^(HeaderWidth / 2)..]}";
        string?[] details =
        [
            result.FileSizeMB is { } size ? IoSize.Format((long)Math.Round(size * 1048576)) : null,
            string.Join(" on ", new[] { result.FileSystem, result.Device }.Where(part => part is not null)),
            result.Buffering is { } buffering ? PatternText.Describe(buffering) : null,
            result.Backend,
            result.SourceFile is { } file ? $"from {Path.GetFileName(file)}" : null,
        ];
        foreach (var detail in details.Where(detail => !string.IsNullOrEmpty(detail)))
            if (line.Length + detail!.Length + 2 <= HeaderWidth)
                line += "  " + detail;
        return SafeText.Escape(line);
    }

    /// <summary>Details that the first column omits: pattern, label, kind of latency, and a target rate that was not reached.</summary>
    internal static string DescribeDetails(IoTestResult result)
    {
        string?[] notes = [DisplayLatency.FromResult(result).Word, result.HasMissedRate() ? "rate not reached" : null];
        return string.Join(
            ", ",
            new[]
            {
                result.Workload is null ? null : result.IOPattern,
                result.Workload is null && result.IOPattern is null ? null : result.Label,
            }
                .Concat(notes)
                .Where(part => !string.IsNullOrEmpty(part))
        );
    }

    public static string FormatResult(object? value) =>
        string.Concat(ResultDetailFormatter.FormatResult(DeserializedObject.ToResult(value)).Select(line => SafeText.Escape(line) + "\n"));

    /// <summary>Formats the latency heat map of a result as text, or a line with the reason if there is none.</summary>
    public static string FormatHeatMap(object? value) =>
        string.Concat(Report.FormatHeatMaps([DeserializedObject.ToResult(value)]).Select(line => SafeText.Escape(line) + "\n"));

    private static double? ToDouble(object? value) =>
        Convert.ToString(value, CultureInfo.InvariantCulture) is { Length: > 0 } text
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
}
