using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats.Tests;

/// <summary>
/// Applies the reading rules of SQLIOResult2Excel.ps1, whose workbook DBAs know: line by line, without leading spaces, and one row for each
/// line that starts with "histogram".
/// </summary>
internal static class SqlioResult2ExcelReader
{
    public sealed record ScriptRow(
        string Threads,
        string Outstanding,
        string Path,
        string Size,
        string Seconds,
        string Pattern,
        double Bandwidth,
        double Iops,
        int Latency
    );

    public static List<ScriptRow> ReadRows(string text)
    {
        var rows = new List<ScriptRow>();
        string threads = "",
            operation = "",
            seconds = "",
            path = "",
            size = "",
            ioSize = "",
            order = "",
            outstanding = "";
        double bandwidth = 0,
            iops = 0;
        var latency = 0;
        foreach (var rawLine in text.Split('\n'))
        {
            var line = rawLine.TrimEnd('\r').TrimStart();
            if (Regex.IsMatch(line, @"^\d+ threads \w*"))
            {
                var words = line.Split(' ');
                (threads, operation, seconds, path) = (words[0], words[2] == "reading" ? "read" : "write", words[4], words[8]);
            }
            else if (Regex.Match(line, @" \w* (sequential|random)") is { Success: true } pattern)
            {
                var words = pattern.Value.Trim().Split(' ');
                (ioSize, order) = (words[0], words[1]);
            }
            else if (Regex.IsMatch(line, @"\w+: \d+ \w+ "))
            {
                size = line.Split(':')[1].Replace("for file", "", StringComparison.Ordinal).Trim();
            }
            else if (Regex.Match(line, @" \d+ outstanding") is { Success: true } depth)
            {
                outstanding = depth.Value.Trim().Split(' ')[0];
            }
            else if (line.StartsWith("MBs/sec", StringComparison.Ordinal))
            {
                bandwidth = double.Parse(line.Split(':')[1].Trim(), CultureInfo.InvariantCulture);
            }
            else if (line.StartsWith("Avg_Latency", StringComparison.Ordinal))
            {
                latency = int.Parse(line.Split(':')[1].Trim(), CultureInfo.InvariantCulture);
            }
            else if (line.StartsWith("IOs/sec", StringComparison.Ordinal))
            {
                iops = double.Parse(line.Split(':')[1].Trim(), CultureInfo.InvariantCulture);
            }
            else if (line.StartsWith("histogram", StringComparison.Ordinal))
            {
                rows.Add(new ScriptRow(threads, outstanding, path, size, seconds, ioSize + order + operation, bandwidth, iops, latency));
            }
        }
        return rows;
    }
}
