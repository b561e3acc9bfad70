using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DetailTables(LineWriter lines)
{
    internal void WriteIoRing(IoTestResult result)
    {
        var rows = IoRingTable.Read(result);
        if (rows.Count == 0)
            return;
        lines.Line();
        lines.Line();
        lines.Line("IoRing Statistics");
        lines.Line(IoRingTable.Header + " ");
        lines.Line(new string('-', 20));
        foreach (var (thread, rate) in rows)
            lines.Line(Aligned(IoRingTable.Row(thread, rate)));
        lines.Line(new string('-', 20));
        lines.Line("total: | " + LineWriter.Real(IoRingTable.Total(result) ?? rows.Sum(r => r.PerSecond), 11, 2));
    }

    internal void WriteWaits(IoTestResult result, DiskSpdForm form)
    {
        if (WaitStatistics.From(result) is not { Count: > 0 } waits)
            return;
        if (form == DiskSpdForm.Version22)
        {
            Write("Wait Statistics", WaitStatistics.Header, 95, waits.Select(w => w.Row()));
            return;
        }
        var isThrottled = waits.Exists(w => w.IsThrottled);
        Write(
            "Wait Statistics - Completion Wait",
            isThrottled ? WaitStatistics.ThrottledHeader : WaitStatistics.CompletionHeader,
            isThrottled ? 74 : 48,
            waits.Select(w => w.CompletionRow(isThrottled))
        );
        var shown = Shown.For(result);
        if (shown.Latency || shown.Iops)
            Write("Wait Statistics - Lookaside", WaitStatistics.LookasideHeader, 53, waits.Select(w => w.LookasideRow()));
    }

    private void Write(string title, string header, int width, IEnumerable<string> rows)
    {
        lines.Line();
        lines.Line(title);
        lines.Line(header);
        lines.Line(new string('-', width));
        foreach (var row in rows)
            lines.Line(Aligned(row));
    }

    private static string Aligned(string row) =>
        row.IndexOf(" | ", StringComparison.Ordinal) is var bar and > 0 ? row[..bar].PadLeft(6) + row[bar..] : row;
}
