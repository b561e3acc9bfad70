using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdThreadTableWriter(LineWriter lines)
{
    internal void WriteIoRing(IoTestResult result)
    {
        var rows = DiskSpdIoRingStatistics.ReadRows(result);
        if (rows.Count == 0)
            return;
        lines.WriteLine();
        lines.WriteLine();
        lines.WriteLine("IoRing Statistics");
        lines.WriteLine(DiskSpdIoRingStatistics.Header + " ");
        lines.WriteLine(new string('-', 20));
        foreach (var (thread, rate) in rows)
            lines.WriteLine(AlignRow(DiskSpdIoRingStatistics.FormatRow(thread, rate)));
        lines.WriteLine(new string('-', 20));
        lines.WriteLine(
            "total: | " + LineWriter.FormatReal(DiskSpdIoRingStatistics.ReadTotal(result) ?? rows.Sum(r => r.PerSecond), 11, 2)
        );
    }

    internal void WriteWaits(IoTestResult result, DiskSpdOutputVersion form)
    {
        if (DiskSpdWaitStatistics.FromResult(result) is not { Count: > 0 } waits)
            return;
        if (form == DiskSpdOutputVersion.Version22)
        {
            WriteTable("Wait Statistics", DiskSpdWaitStatistics.Header, 95, waits.Select(w => w.FormatRow()));
            return;
        }
        var isThrottled = waits.Exists(w => w.IsThrottled);
        WriteTable(
            "Wait Statistics - Completion Wait",
            isThrottled ? DiskSpdWaitStatistics.ThrottledHeader : DiskSpdWaitStatistics.CompletionHeader,
            isThrottled ? 74 : 48,
            waits.Select(w => w.FormatCompletionRow(isThrottled))
        );
        var shown = DiskSpdOutputOptions.ForResult(result);
        if (shown.Latency || shown.Iops)
            WriteTable("Wait Statistics - Lookaside", DiskSpdWaitStatistics.LookasideHeader, 53, waits.Select(w => w.FormatLookasideRow()));
    }

    private void WriteTable(string title, string header, int width, IEnumerable<string> rows)
    {
        lines.WriteLine();
        lines.WriteLine(title);
        lines.WriteLine(header);
        lines.WriteLine(new string('-', width));
        foreach (var row in rows)
            lines.WriteLine(AlignRow(row));
    }

    private static string AlignRow(string row)
    {
        var bar = row.IndexOf(" | ", StringComparison.Ordinal);
        return bar > 0 ? row[..bar].PadLeft(6) + row[bar..] : row;
    }
}
