using System.Globalization;

namespace IoBench.Application;

/// <summary>Parses names of output files.</summary>
public static class RunOutputs
{
    /// <summary>Replaces <c>{date}</c> with the day (2026-11-21) and <c>{time}</c> with the time (031500).</summary>
    public static string ReplacePlaceholders(string name, DateTime now)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Replace("{date}", now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase)
            .Replace("{time}", now.ToString("HHmmss", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Returns true if the extension is that of a report.</summary>
    public static bool IsReportName(string path) =>
        Path.GetExtension(path).ToUpperInvariant() is ".XLSX" or ".HTML" or ".HTM" or ".SVG" or ".PNG";
}
