using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class TextResults(LineWriter lines, DiskSpdForm form)
{
    internal const string Interrupted = "The test was interrupted before the measurements began. No results are displayed.";

    private const string Stars = "*******************************************************************************";

    internal void Write(IoTestResult result, int number)
    {
        lines.Line();
        lines.Line($"Results for timespan {number}:");
        lines.Line(Stars);
        var total = DiskSpdFigures.Total(result);
        if (result.DurationSeconds is not > 0 || (result.IOPS is null && result.IOCount is null))
        {
            lines.Line(Interrupted);
            return;
        }
        lines.Line();
        lines.Line($"actual test time:\t{result.DurationSeconds:F2}s");
        lines.Line($"thread count:\t\t{result.ThreadCount ?? result.Threads.Select(t => t.ThreadId).Distinct().Count()}");
        if (result.Specification is { SharedThreadPool: true, PoolOutstandingIO: int pool })
            lines.Line($"request count:\t\t{pool}");
        if (form == DiskSpdForm.Version23)
            WriteAffinity(result);
        if (result.Processors.Count > 0)
            WriteProcessors(result);
        WriteEffectiveDistributions(result);
        var shown = Shown.For(result);
        WriteTable("Total IO", result, shown, t => t.Total, total);
        WriteTable("Read IO", result, shown, t => t.Read, DiskSpdFigures.OfKind(result, reads: true));
        WriteTable("Write IO", result, shown, t => t.Write, DiskSpdFigures.OfKind(result, reads: false));
        if (form == DiskSpdForm.Version23)
            new DetailTables(lines).WriteIoRing(result);
        if (shown.Latency)
            WriteCharts(result);
        WriteEtw(result);
        new DetailTables(lines).WriteWaits(result, form);
    }

    private void WriteAffinity(IoTestResult result)
    {
        if (EffectiveAffinity.Processors(result) is not { Count: > 0 } processors)
            return;
        lines.Line();
        lines.Line("effective affinity " + AffinityText.Entries(processors));
    }

    private void WriteProcessors(IoTestResult result)
    {
        var all = result.Processors;
        var (socket, node, group) = (
            all.Exists(p => p.Socket is not null),
            all.Exists(p => p.Node is not null),
            all.Exists(p => p.Group is not null)
        );
        var (core, kind) = (all.Exists(p => p.Core is not null), all.Exists(p => p.EfficiencyClass is not null));
        var heading =
            (socket ? "Socket | " : "")
            + (node ? "Node | " : "")
            + (group ? "Group | " : "")
            + (core ? "Core | " : "")
            + (kind ? "Class | " : "");
        var rule = new string('-', heading.Length + 40);
        lines.Line();
        lines.Line(heading + "CPU |  Usage |  User  | Kernel |  Idle");
        lines.Line(rule);
        var best = all.Max(p => p.EfficiencyClass);
        foreach (var p in all)
        {
            var left =
                (socket ? FormattableString.Invariant($"{p.Socket ?? 0, 7}| ") : "")
                + (node ? FormattableString.Invariant($"{p.Node ?? 0, 5}| ") : "")
                + (group ? FormattableString.Invariant($"{p.Group ?? 0, 6}| ") : "")
                + (core ? FormattableString.Invariant($"{p.Core ?? 0, 5}| ") : "")
                + (kind ? FormattableString.Invariant($"{p.EfficiencyClass ?? 0, 5}{(p.EfficiencyClass == best ? 'P' : ' ')}| ") : "");
            lines.Line($"{left}{p.Processor, 4}| {Loads(p.UsagePercent, p.UserPercent, p.KernelPercent, p.IdlePercent)}");
        }
        lines.Line(rule);
        lines.Line(
            new string(' ', heading.Length)
                + "avg.| "
                + Loads(
                    result.CpuPercent ?? all.Average(p => p.UsagePercent),
                    all.Average(p => p.UserPercent),
                    all.Average(p => p.KernelPercent),
                    all.Average(p => p.IdlePercent)
                )
        );
    }

    private static string Loads(params double?[] percents) => string.Join("| ", percents.Select(p => LineWriter.Real(p ?? 0, 6, 2) + "%"));

    private void WriteEffectiveDistributions(IoTestResult result)
    {
        if (DistributionLines.Of(result) is not { } text)
            return;
        lines.Line();
        lines.Line("Effective IO Distributions");
        lines.Line("--------------------------");
        foreach (var line in text.Split('\n'))
        {
            if (EffectiveRange.TryParse(line, out var percent, out var from, out var to))
                lines.Line(DistributionText.Range(percent, from, to, form));
            else
                lines.Line(line);
        }
    }

    private void WriteTable(string name, IoTestResult result, Shown shown, Func<IoReadWriteTotals, IoTotals> kind, DiskSpdFigures total)
    {
        lines.Line();
        lines.Line(name);
        lines.Line(
            "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s "
                + (shown.Latency ? "|  AvgLat  " : "")
                + (shown.Iops ? "| IopsStdDev " : "")
                + (shown.Latency ? "| LatStdDev " : "")
                + "|  file"
        );
        var rule = new string('-', 78 + (shown.Latency ? 23 : 0) + (shown.Iops ? 13 : 0));
        lines.Line(rule);
        var files = new Dictionary<string, string>();
        foreach (var thread in result.Threads)
        {
            var row = new StringBuilder(LineWriter.Int(thread.ThreadId, 6)).Append(" | ");
            Append(row, DiskSpdFigures.OfPart(kind(thread), result.DurationSeconds), shown);
            lines.Line(row.Append(" | ").Append(File(result, thread.Path ?? "", files)).ToString());
        }
        lines.Line(rule);
        var last = new StringBuilder("total:   ");
        Append(last, total, shown);
        lines.Line(last.ToString());
    }

    private static void Append(StringBuilder row, DiskSpdFigures f, Shown shown)
    {
        row.Append(LineWriter.Int(f.Bytes, 15))
            .Append(" | ")
            .Append(LineWriter.Int(f.Count, 12))
            .Append(" | ")
            .Append(LineWriter.Real(f.MBps, 10, 2))
            .Append(" | ")
            .Append(LineWriter.Real(f.Iops, 10, 2));
        if (shown.Latency)
            row.Append(" | ").Append(f.AverageMs is null && f.Count > 0 ? "     N/A" : LineWriter.Real(f.AverageMs ?? 0, 8, 3));
        if (shown.Iops)
            row.Append(" | ").Append(LineWriter.Real(f.IopsDeviation ?? 0, 10, 2));
        if (shown.Latency)
            row.Append(f.DeviationMs is null ? " |       N/A" : " |  " + LineWriter.Real(f.DeviationMs.Value, 8, 3));
    }

    private string File(IoTestResult result, string path, Dictionary<string, string> known)
    {
        if (known.TryGetValue(path, out var text))
            return text;
        var size = result.Targets.Find(t => t.Path == path)?.FileSizeMB;
        return known[path] = size is null ? path : $"{path} ({Size((long)Math.Round(size.Value * 1048576))})";
    }

    private string Size(long bytes) => form == DiskSpdForm.Version23 ? DiskSpdSize.Format23(bytes) : DiskSpdSize.Format(bytes);

    private void WriteCharts(IoTestResult result)
    {
        var distinct = result.Targets.DistinctBy(t => t.Path).ToList();
        if (distinct.Count > 1)
        {
            foreach (var target in distinct.Where(t => t.Percentiles.Count > 0 || t.Histogram is not null))
            {
                lines.Line();
                lines.Line("Latency distribution: " + target.Path);
                WriteChart(target.Percentiles, target.Histogram, target.Read.IOCount, target.Write.IOCount, target.Total.IOCount);
            }
        }
        if (result.Percentiles.Count == 0 && result.Histogram is null)
            return;
        lines.Line();
        lines.Line("Total latency distribution:");
        var (read, write) = (DiskSpdFigures.OfKind(result, reads: true).Count, DiskSpdFigures.OfKind(result, reads: false).Count);
        WriteChart(result.Percentiles, result.Histogram, read, write, result.IOCount ?? read + write);
    }

    private void WriteChart(List<IoPercentile> listed, IoHistogram? histogram, long? reads, long? writes, long? all)
    {
        var read = new Percentiles(listed, histogram, Percentiles.Kind.Read, reads);
        var write = new Percentiles(listed, histogram, Percentiles.Kind.Write, writes);
        var total = new Percentiles(listed, histogram, Percentiles.Kind.Total, all);
        lines.Line("  %-ile |  Read (ms) | Write (ms) | Total (ms)");
        lines.Line("----------------------------------------------");
        foreach (var (name, percent) in PercentileTable.Rows)
            lines.Line(
                $"{name, 7} | {Cell(read.Next(percent))} | {Cell(write.Next(percent))} | {Cell(total.Next(percent) ?? (total.HasAny ? null : 0))}"
            );
    }

    private static string Cell(double? milliseconds) => milliseconds is double value ? LineWriter.Real(value, 10, 3) : "       N/A";

    private void WriteEtw(IoTestResult result)
    {
        if (result.ToolDetails.GetValueOrDefault(DetailNames.Etw) is not { } etw)
            return;
        for (var i = 0; i < 3; i++)
            lines.Line();
        lines.Line("ETW:");
        lines.Line("----");
        lines.Line();
        foreach (var line in etw.Split('\n'))
            lines.Line((line.Contains(':', StringComparison.Ordinal) ? "\t\t" : "\t") + line);
    }

    internal void WriteTotals(IReadOnlyList<IoTestResult> results)
    {
        var measured = results.Where(r => r.DurationSeconds > 0 && (r.IOPS is not null || r.IOCount is not null)).ToList();
        var seconds = measured.Sum(r => r.DurationSeconds ?? 0);
        lines.Line();
        lines.Line();
        lines.Line("Totals:");
        lines.Line(Stars);
        lines.Line();
        lines.Line("type   |       bytes     |     I/Os     |    MiB/s   |  I/O per s");
        lines.Line(new string('-', 79));
        WriteSum("write  | ", measured.ConvertAll(r => DiskSpdFigures.OfKind(r, reads: false)), seconds);
        WriteSum("read   | ", measured.ConvertAll(r => DiskSpdFigures.OfKind(r, reads: true)), seconds);
        WriteSum("total  | ", measured.ConvertAll(DiskSpdFigures.Total), seconds);
        lines.Line();
        lines.Line(string.Create(CultureInfo.InvariantCulture, $"total test time:\t{seconds:F2}s"));
    }

    private void WriteSum(string name, List<DiskSpdFigures> figures, double seconds)
    {
        var (bytes, count) = (CountMath.Sum(figures.Select(f => f.Bytes)), CountMath.Sum(figures.Select(f => f.Count)));
        lines.Line(
            name
                + LineWriter.Int(bytes, 15)
                + " | "
                + LineWriter.Int(count, 12)
                + " | "
                + LineWriter.Real(seconds > 0 ? bytes / 1048576.0 / seconds : 0, 10, 2)
                + " | "
                + LineWriter.Real(seconds > 0 ? count / seconds : 0, 10, 2)
        );
    }
}
