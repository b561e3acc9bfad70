using System.Globalization;

namespace IoBench.Application.Outputs;

/// <summary>What the name of an output says.</summary>
public static class OutputName
{
    /// <summary>Puts the day for <c>{date}</c> (2026-11-21) and the time for <c>{time}</c> (031500) in a name.</summary>
    public static string FillIn(string name, DateTime now)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Replace("{date}", now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase)
            .Replace("{time}", now.ToString("HHmmss", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Whether the name is a report's.</summary>
    public static bool IsReport(string path) =>
        Path.GetExtension(path).ToUpperInvariant() is ".XLSX" or ".HTML" or ".HTM" or ".SVG" or ".PNG";
}
