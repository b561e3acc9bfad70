using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdTextResultWriter(LineWriter lines, DiskSpdOutputVersion form)
{
    internal const string Interrupted = "The test was interrupted before the measurements began. No results are displayed.";

    private const string Stars = "*******************************************************************************";

    internal void WriteTimespan(IoTestResult result, int number)
    {
        lines.WriteLine();
        lines.WriteLine($"Results for timespan {number}:");
        lines.WriteLine(Stars);
        var total = DiskSpdTotals.GetPrinted(result);
        if (result.DurationSeconds is not > 0 || (result.IOPS is null && result.IOCount is null))
        {
            lines.WriteLine(Interrupted);
            return;
        }
        lines.WriteLine();
        lines.WriteLine($"actual test time:\t{result.DurationSeconds:F2}s");
        lines.WriteLine($"thread count:\t\t{result.ThreadCount ?? result.Threads.Select(t => t.ThreadId).Distinct().Count()}");
        if (result.Specification is { SharedThreadPool: true, PoolOutstandingIO: int pool })
            lines.WriteLine($"request count:\t\t{pool}");
        if (form == DiskSpdOutputVersion.Version23)
            WriteAffinity(result);
        if (result.Processors.Count > 0)
            WriteProcessors(result);
        WriteEffectiveDistributions(result);
        var shown = DiskSpdSupport.GetOutputOptions(result);
        WriteTable("Total IO", result, shown, t => t.Total, total);
        WriteTable("Read IO", result, shown, t => t.Read, DiskSpdTotals.GetPrintedReads(result));
        WriteTable("Write IO", result, shown, t => t.Write, DiskSpdTotals.GetPrintedWrites(result));
        if (form == DiskSpdOutputVersion.Version23)
            WriteIoRing(result);
        if (shown.MeasureLatency)
            WriteCharts(result);
        WriteEtw(result);
        WriteWaits(result);
    }

    private void WriteAffinity(IoTestResult result)
    {
        if (DiskSpdProcessorLists.GetEffectiveProcessors(result) is not { Count: > 0 } processors)
            return;
        lines.WriteLine();
        lines.WriteLine("effective affinity " + DiskSpdProcessorLists.FormatList(processors));
    }

    private void WriteProcessors(IoTestResult result)
    {
        var all = result.Processors;
        var socket = all.Exists(p => p.Socket is not null);
        var node = all.Exists(p => p.Node is not null);
        var group = all.Exists(p => p.Group is not null);
        var core = all.Exists(p => p.Core is not null);
        var kind = all.Exists(p => p.EfficiencyClass is not null);
        var heading =
            (socket ? "Socket | " : "")
            + (node ? "Node | " : "")
            + (group ? "Group | " : "")
            + (core ? "Core | " : "")
            + (kind ? "Class | " : "");
        var rule = new string('-', heading.Length + 40);
        lines.WriteLine();
        lines.WriteLine(heading + "CPU |  Usage |  User  | Kernel |  Idle");
        lines.WriteLine(rule);
        var best = all.Max(p => p.EfficiencyClass);
        foreach (var p in all)
        {
            var left =
                (socket ? FormattableString.Invariant($"{p.Socket ?? 0, 7}| ") : "")
                + (node ? FormattableString.Invariant($"{p.Node ?? 0, 5}| ") : "")
                + (group ? FormattableString.Invariant($"{p.Group ?? 0, 6}| ") : "")
                + (core ? FormattableString.Invariant($"{p.Core ?? 0, 5}| ") : "")
                + (kind ? FormattableString.Invariant($"{p.EfficiencyClass ?? 0, 5}{(p.EfficiencyClass == best ? 'P' : ' ')}| ") : "");
            lines.WriteLine($"{left}{p.Processor, 4}| {FormatLoads(p.UsagePercent, p.UserPercent, p.KernelPercent, p.IdlePercent)}");
        }
        lines.WriteLine(rule);
        lines.WriteLine(
            new string(' ', heading.Length)
                + "avg.| "
                + FormatLoads(
                    result.CpuPercent ?? all.Average(p => p.UsagePercent),
                    all.Average(p => p.UserPercent),
                    all.Average(p => p.KernelPercent),
                    all.Average(p => p.IdlePercent)
                )
        );
    }

    private static string FormatLoads(params double?[] percents) =>
        string.Join("| ", percents.Select(p => LineWriter.FormatReal(p ?? 0, 6, 2) + "%"));

    private void WriteEffectiveDistributions(IoTestResult result)
    {
        if (DiskSpdValueFormat.FormatEffectiveDistribution(result) is not { } text)
            return;
        lines.WriteLine();
        lines.WriteLine("Effective IO Distributions");
        lines.WriteLine("--------------------------");
        foreach (var line in text.Split('\n'))
        {
            if (DiskSpdValueFormat.TryParseDistributionRange(line, out var percent, out var from, out var to))
                lines.WriteLine(DiskSpdValueFormat.FormatDistributionRange(percent, from, to, form));
            else
                lines.WriteLine(line);
        }
    }

    private void WriteTable(string name, IoTestResult result, DiskSpdOptions shown, Func<IoReadWriteTotals, IoTotals> kind, IoTotals total)
    {
        lines.WriteLine();
        lines.WriteLine(name);
        lines.WriteLine(
            "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s "
                + (shown.MeasureLatency ? "|  AvgLat  " : "")
                + (shown.GatherIops ? "| IopsStdDev " : "")
                + (shown.MeasureLatency ? "| LatStdDev " : "")
                + "|  file"
        );
        var rule = new string('-', 78 + (shown.MeasureLatency ? 23 : 0) + (shown.GatherIops ? 13 : 0));
        lines.WriteLine(rule);
        var files = new Dictionary<string, string>();
        foreach (var thread in result.Threads)
        {
            var row = new StringBuilder(LineWriter.FormatInteger(thread.ThreadId, 6)).Append(" | ");
            AppendValues(row, DiskSpdTotals.Complete(kind(thread), result.DurationSeconds), shown);
            lines.WriteLine(row.Append(" | ").Append(FormatFile(result, thread.Path ?? "", files)).ToString());
        }
        lines.WriteLine(rule);
        var last = new StringBuilder("total:   ");
        AppendValues(last, total, shown);
        lines.WriteLine(last.ToString());
    }

    private static void AppendValues(StringBuilder row, IoTotals f, DiskSpdOptions shown)
    {
        row.Append(LineWriter.FormatInteger(f.ByteCount!.Value, 15))
            .Append(" | ")
            .Append(LineWriter.FormatInteger(f.IOCount!.Value, 12))
            .Append(" | ")
            .Append(LineWriter.FormatReal(f.MBps!.Value, 10, 2))
            .Append(" | ")
            .Append(LineWriter.FormatReal(f.IOPS!.Value, 10, 2));
        if (shown.MeasureLatency)
            row.Append(" | ")
                .Append(f.AverageLatencyMs is null && f.IOCount > 0 ? "     N/A" : LineWriter.FormatReal(f.AverageLatencyMs ?? 0, 8, 3));
        if (shown.GatherIops)
            row.Append(" | ").Append(LineWriter.FormatReal(f.IopsStdDev ?? 0, 10, 2));
        if (shown.MeasureLatency)
            row.Append(f.LatencyStdDevMs is null ? " |       N/A" : " |  " + LineWriter.FormatReal(f.LatencyStdDevMs.Value, 8, 3));
    }

    private string FormatFile(IoTestResult result, string path, Dictionary<string, string> known)
    {
        if (known.TryGetValue(path, out var text))
            return text;
        var size = result.Targets.Find(t => t.Path == path)?.FileSizeMB;
        return known[path] = size is null ? path : $"{path} ({FormatSize((long)Math.Round(size.Value * 1048576))})";
    }

    private string FormatSize(long bytes) =>
        form == DiskSpdOutputVersion.Version23 ? DiskSpdValueFormat.FormatSize23(bytes) : DiskSpdValueFormat.FormatSize(bytes);

    private void WriteCharts(IoTestResult result)
    {
        var distinct = result.Targets.DistinctBy(t => t.Path).ToList();
        if (distinct.Count > 1)
        {
            foreach (var target in distinct.Where(t => t.Percentiles.Count > 0 || t.Histogram is not null))
            {
                lines.WriteLine();
                lines.WriteLine("Latency distribution: " + target.Path);
                WriteChart(target.Percentiles, target.Histogram, target.Read.IOCount, target.Write.IOCount, target.Total.IOCount);
            }
        }
        if (result.Percentiles.Count == 0 && result.Histogram is null)
            return;
        lines.WriteLine();
        lines.WriteLine("Total latency distribution:");
        var read = DiskSpdTotals.GetPrintedReads(result).IOCount;
        var write = DiskSpdTotals.GetPrintedWrites(result).IOCount;
        WriteChart(result.Percentiles, result.Histogram, read, write, result.IOCount ?? read + write);
    }

    private void WriteChart(List<IoPercentile> listed, IoHistogram? histogram, long? reads, long? writes, long? all)
    {
        var read = DiskSpdPercentileLookup.ForReads(listed, histogram, reads);
        var write = DiskSpdPercentileLookup.ForWrites(listed, histogram, writes);
        var total = DiskSpdPercentileLookup.ForAll(listed, histogram, all);
        lines.WriteLine("  %-ile |  Read (ms) | Write (ms) | Total (ms)");
        lines.WriteLine("----------------------------------------------");
        foreach (var (name, percent) in DiskSpdTableRows.PercentileRows)
            lines.WriteLine(
                $"{name, 7} | {FormatCell(read.GetNext(percent))} | {FormatCell(write.GetNext(percent))} | {FormatCell(total.GetNext(percent) ?? (total.HasAny ? null : 0))}"
            );
    }

    private static string FormatCell(double? milliseconds) =>
        milliseconds is double value ? LineWriter.FormatReal(value, 10, 3) : "       N/A";

    private void WriteEtw(IoTestResult result)
    {
        if (result.ToolDetails.GetValueOrDefault(DiskSpdFormat.Etw) is not { } etw)
            return;
        for (var i = 0; i < 3; i++)
            lines.WriteLine();
        lines.WriteLine("ETW:");
        lines.WriteLine("----");
        lines.WriteLine();
        foreach (var line in etw.Split('\n'))
            lines.WriteLine((line.Contains(':', StringComparison.Ordinal) ? "\t\t" : "\t") + line);
    }

    internal void WriteTotals(IReadOnlyList<IoTestResult> results)
    {
        var measured = results.Where(r => r.DurationSeconds > 0 && (r.IOPS is not null || r.IOCount is not null)).ToList();
        var seconds = measured.Sum(r => r.DurationSeconds ?? 0);
        lines.WriteLine();
        lines.WriteLine();
        lines.WriteLine("Totals:");
        lines.WriteLine(Stars);
        lines.WriteLine();
        lines.WriteLine("type   |       bytes     |     I/Os     |    MiB/s   |  I/O per s");
        lines.WriteLine(new string('-', 79));
        WriteSum("write  | ", measured.ConvertAll(DiskSpdTotals.GetPrintedWrites), seconds);
        WriteSum("read   | ", measured.ConvertAll(DiskSpdTotals.GetPrintedReads), seconds);
        WriteSum("total  | ", measured.ConvertAll(DiskSpdTotals.GetPrinted), seconds);
        lines.WriteLine();
        lines.WriteLine(string.Create(CultureInfo.InvariantCulture, $"total test time:\t{seconds:F2}s"));
    }

    private void WriteSum(string name, List<IoTotals> rows, double seconds)
    {
        var bytes = DiskSpdTotals.SumCounts(rows.Select(f => f.ByteCount!.Value));
        var count = DiskSpdTotals.SumCounts(rows.Select(f => f.IOCount!.Value));
        lines.WriteLine(
            name
                + LineWriter.FormatInteger(bytes, 15)
                + " | "
                + LineWriter.FormatInteger(count, 12)
                + " | "
                + LineWriter.FormatReal(seconds > 0 ? bytes / 1048576.0 / seconds : 0, 10, 2)
                + " | "
                + LineWriter.FormatReal(seconds > 0 ? count / seconds : 0, 10, 2)
        );
    }

    private void WriteIoRing(IoTestResult result)
    {
        var rows = DiskSpdWaitStatistics.ReadIoRingRows(result);
        if (rows.Count == 0)
            return;
        lines.WriteLine();
        lines.WriteLine();
        lines.WriteLine("IoRing Statistics");
        lines.WriteLine(DiskSpdWaitStatistics.IoRingHeader + " ");
        lines.WriteLine(new string('-', 20));
        foreach (var (thread, rate) in rows)
            lines.WriteLine(AlignRow(DiskSpdWaitStatistics.FormatIoRingRow(thread, rate)));
        lines.WriteLine(new string('-', 20));
        lines.WriteLine(
            "total: | " + LineWriter.FormatReal(DiskSpdWaitStatistics.ReadIoRingTotal(result) ?? rows.Sum(r => r.PerSecond), 11, 2)
        );
    }

    private void WriteWaits(IoTestResult result)
    {
        if (DiskSpdWaitStatistics.FromResult(result) is not { Count: > 0 } waits)
            return;
        if (form == DiskSpdOutputVersion.Version22)
        {
            WriteThreadTable("Wait Statistics", DiskSpdWaitStatistics.Header, 95, waits.Select(w => w.FormatRow()));
            return;
        }
        var isThrottled = waits.Exists(w => w.IsThrottled);
        WriteThreadTable(
            "Wait Statistics - Completion Wait",
            isThrottled ? DiskSpdWaitStatistics.ThrottledHeader : DiskSpdWaitStatistics.CompletionHeader,
            isThrottled ? 74 : 48,
            waits.Select(w => w.FormatCompletionRow(isThrottled))
        );
        var shown = DiskSpdSupport.GetOutputOptions(result);
        if (shown.MeasureLatency || shown.GatherIops)
            WriteThreadTable(
                "Wait Statistics - Lookaside",
                DiskSpdWaitStatistics.LookasideHeader,
                53,
                waits.Select(w => w.FormatLookasideRow())
            );
    }

    private void WriteThreadTable(string title, string header, int width, IEnumerable<string> rows)
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
