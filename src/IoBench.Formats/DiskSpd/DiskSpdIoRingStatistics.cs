using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdIoRingStatistics
{
    internal const string Header = "thread |  Submits/s";

    internal static string FormatRow(int thread, double perSecond) =>
        string.Create(CultureInfo.InvariantCulture, $"{thread} | {perSecond, 11:F2}");

    internal static List<(int Thread, double PerSecond)> ReadRows(IoTestResult result)
    {
        var rows = new List<(int, double)>();
        foreach (var line in (result.ToolDetails.GetValueOrDefault(DiskSpdFormat.IoRing) ?? "").Split('\n'))
        {
            var bar = line.IndexOf('|', StringComparison.Ordinal);
            if (
                bar > 0
                && ToolNumberParser.ParseInteger(line.AsSpan(0, bar).Trim()) is >= 0 and <= int.MaxValue and var thread
                && ToolNumberParser.ParseReal(line.AsSpan(bar + 1).Trim()) is { } rate
            )
                rows.Add(((int)thread, rate));
        }
        return rows;
    }

    /// <summary>Returns the printed sum, because the rates in the rows are rounded; null if there is none.</summary>
    internal static double? ReadTotal(IoTestResult result)
    {
        var text = result.ToolDetails.GetValueOrDefault(DiskSpdFormat.IoRing) ?? "";
        var total = text.IndexOf("total: |", StringComparison.Ordinal);
        return total < 0 ? null : ToolNumberParser.ParseReal(text.AsSpan(total + 8).Trim());
    }
}
