using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Waits of a thread (-vs), and its submissions to an IoRing. Through 2.2, DiskSpd prints one table of waits. 2.3 has one for completions
/// and one for polls.
/// </summary>
/// <param name="WaitCompletions">Number of waits that returned 0, 1, … 7 or more completions: eight counts, empty before 2.3.</param>
/// <param name="Lookaside">Number of polls without waiting.</param>
internal sealed record DiskSpdWaitStatistics(
    int Thread,
    string Wait,
    string ThrottleWait,
    string ThrottleSleep,
    string WaitCompletions,
    string Lookaside,
    string LookasideCompletions
)
{
    internal const string Header = "thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside";

    internal const string CompletionHeader = "thread |         wait | 0 - 7+ complete per wait";

    internal const string ThrottledHeader = "thread |         wait | throttle wait  -  sleep | 0 - 7+ complete per wait";

    internal const string LookasideHeader = "thread |    lookaside | 0 - 7+ complete per lookaside";

    internal const string Zeros = "0 0 0 0 0 0 0 0";
    private const string NotThrottled = "              ---      ";

    internal bool IsThrottled => ThrottleWait != "0" || ThrottleSleep != "0";

    /// <summary>
    /// Null if there are none. An IoBench result that was requested with -vs has zeros, because IoBench does not count its waits, but
    /// programs that parse the output expect the table.
    /// </summary>
    internal static List<DiskSpdWaitStatistics>? FromResult(IoTestResult result)
    {
        var details = result.ToolDetails;
        if (details.TryGetValue(DiskSpdFormat.Waits, out var waits))
            return ReadTable(
                waits,
                5,
                (thread, cells) => new(thread, cells[1], GetPart(cells[2], 0), GetPart(cells[2], 1), "", cells[3], cells[4])
            );
        if (details.TryGetValue(DiskSpdFormat.CompletionWaits, out var completions))
            return ReadWithLookasides(completions, details.GetValueOrDefault(DiskSpdFormat.Lookasides));
        return result.Source == IoTestResult.OwnSource && result.Specification?.GetOrAddOrigin().DiskSpd is { VerboseStatistics: true }
            ?
            [
                .. result
                    .Threads.Select(t => t.ThreadId)
                    .Distinct()
                    .Select(id => new DiskSpdWaitStatistics(id, "0", "0", "0", Zeros, "0", Zeros)),
            ]
            : null;
    }

    private static List<DiskSpdWaitStatistics> ReadWithLookasides(string completions, string? lookasides)
    {
        var pollsByThread = new Dictionary<int, (string Count, string Completions)>();
        foreach (var row in ReadTable(lookasides ?? "", 3, (thread, cells) => new(thread, "", "", "", "", cells[1], cells[2])))
            pollsByThread[row.Thread] = (row.Lookaside, row.LookasideCompletions);
        var rows = completions.StartsWith(CompletionHeader, StringComparison.Ordinal)
            ? ReadTable(completions, 3, (thread, cells) => new(thread, cells[1], "0", "0", cells[2], "0", ""))
            : ReadTable(
                completions,
                4,
                (thread, cells) => new(thread, cells[1], GetPart(cells[2], 0), GetPart(cells[2], 1), cells[3], "0", "")
            );
        return rows.ConvertAll(row =>
            pollsByThread.TryGetValue(row.Thread, out var polls)
                ? row with
                {
                    Lookaside = polls.Count,
                    LookasideCompletions = polls.Completions,
                }
                : row
        );
    }

    private static List<DiskSpdWaitStatistics> ReadTable(string table, int columns, Func<int, string[], DiskSpdWaitStatistics> row)
    {
        var rows = new List<DiskSpdWaitStatistics>();
        foreach (var line in table.Split('\n'))
        {
            var cells = line.Split('|', StringSplitOptions.TrimEntries);
            if (cells.Length == columns && int.TryParse(cells[0], out var thread))
                rows.Add(row(thread, cells));
        }
        return rows;
    }

    private static string GetPart(string cell, int index) =>
        cell.Split('-', StringSplitOptions.TrimEntries) is { Length: 2 } parts ? parts[index] : "0";

    internal string FormatRow() =>
        $"{Thread} | {Wait, 15} | {FormatThrottle()} | {Lookaside, 9} | {(LookasideCompletions.Length > 0 ? LookasideCompletions : Zeros)}";

    internal string FormatCompletionRow(bool hasThrottled)
    {
        var completions = WaitCompletions.Length > 0 ? WaitCompletions : Zeros;
        if (!hasThrottled)
            return $"{Thread} | {Wait, 12} | {completions}";
        var throttle = IsThrottled ? FormatThrottle() : NotThrottled;
        return $"{Thread} | {Wait, 12} | {throttle} | {completions}";
    }

    internal string FormatLookasideRow() =>
        $"{Thread} | {Lookaside, 12} | {(LookasideCompletions.Length > 0 ? LookasideCompletions : Zeros)}";

    private string FormatThrottle() => $"{ThrottleWait, 13}  - {ThrottleSleep, 6}";

    internal const string IoRingHeader = "thread |  Submits/s";

    internal static string FormatIoRingRow(int thread, double perSecond) =>
        string.Create(CultureInfo.InvariantCulture, $"{thread} | {perSecond, 11:F2}");

    internal static List<(int Thread, double PerSecond)> ReadIoRingRows(IoTestResult result)
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
    internal static double? ReadIoRingTotal(IoTestResult result)
    {
        var text = result.ToolDetails.GetValueOrDefault(DiskSpdFormat.IoRing) ?? "";
        var total = text.IndexOf("total: |", StringComparison.Ordinal);
        return total < 0 ? null : ToolNumberParser.ParseReal(text.AsSpan(total + 8).Trim());
    }
}
