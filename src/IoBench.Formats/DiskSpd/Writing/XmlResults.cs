using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class XmlResults(XmlLines xml, DiskSpdForm form)
{
    private static readonly double[] s_percents =
    [
        .. Enumerable.Range(0, 100).Select(p => (double)p),
        99.9,
        99.99,
        99.999,
        99.9999,
        99.99999,
        99.999999,
        99.9999999,
        100,
    ];

    /// <summary>Writes a timespan.</summary>
    /// <param name="first">The result that the System element describes. If the computer or time of <paramref name="result"/> differs, the
    /// timespan states it.</param>
    internal void Write(IoTestResult result, IoTestResult first)
    {
        xml.Begin("TimeSpan");
        if (!ReferenceEquals(result, first))
            WriteOrigin(result, first);
        if (result.DurationSeconds is not > 0 || (result.IOPS is null && result.IOCount is null))
        {
            xml.Element("Error", TextResults.Interrupted);
            xml.End();
            return;
        }
        var shown = Shown.For(result);
        xml.Real("TestTimeSeconds", result.DurationSeconds, "F2");
        xml.Element("ThreadCount", result.ThreadCount ?? result.Threads.Select(t => t.ThreadId).Distinct().Count());
        xml.Element("RequestCount", (result.Specification is { SharedThreadPool: true } s ? s.PoolOutstandingIO : null) ?? 0);
        if (Topology.Count(result, "cpu count") is { } processors)
            xml.Element("ProcCount", processors);
        if (form == DiskSpdForm.Version23)
            WriteVersion23(result);
        WriteLoad(result);
        if (shown.Latency)
            WriteLatency(result);
        if (shown.Iops)
            WriteIops(
                DiskSpdFigures.Total(result),
                DiskSpdFigures.OfKind(result, reads: true),
                DiskSpdFigures.OfKind(result, reads: false),
                result.Timeline
            );
        WriteThreads(result, shown);
        xml.End();
    }

    private void WriteVersion23(IoTestResult result)
    {
        // IoBench does not place its buffers at separate boundaries.
        var options = result.Specification?.Origin().DiskSpd?.Version23;
        xml.Element("EffectiveBufferSeparation", result.Source == IoTestResult.OwnSource ? 0 : options?.BufferBoundary ?? 0);
        if (EffectiveAffinity.Processors(result) is { Count: > 0 } processors)
            xml.Masks("EffectiveAffinity", AffinityText.Masks(processors));
        if (result.Warnings.Contains(DetailNames.MixedCores))
            xml.Element("HeterogeneousAffinityWarning", true);
    }

    /// <summary>A DiskSpd document has one computer and time. A joined result with another one states it in its timespan.</summary>
    private void WriteOrigin(IoTestResult result, IoTestResult first)
    {
        if (result.ComputerName != first.ComputerName)
            xml.Element("ComputerName", result.ComputerName);
        if (result.StartTime is { } time && time != first.StartTime)
            xml.Element("RunTime", TimeText.Format(time));
    }

    private void WriteLoad(IoTestResult result)
    {
        var all = result.Processors;
        if (all.Count == 0 && result.CpuPercent is null)
            return;
        xml.Begin("CpuUtilization");
        foreach (var p in all)
        {
            xml.Begin("CPU");
            xml.Element("Socket", p.Socket ?? 0);
            xml.Element("Node", p.Node ?? 0);
            xml.Element("Group", p.Group ?? 0);
            xml.Element("Core", p.Core ?? p.Processor);
            xml.Element("EfficiencyClass", p.EfficiencyClass ?? 0);
            xml.Element("Id", p.Processor);
            WritePercents(p.UsagePercent, p.UserPercent, p.KernelPercent, p.IdlePercent);
            xml.End();
        }
        xml.Begin("Average");
        WritePercents(
            result.CpuPercent ?? all.Average(p => p.UsagePercent),
            all.Average(p => p.UserPercent),
            all.Average(p => p.KernelPercent),
            all.Average(p => p.IdlePercent)
        );
        xml.End();
        xml.End();
    }

    private void WritePercents(double? usage, double? user, double? kernel, double? idle)
    {
        xml.Real("UsagePercent", usage, "F2");
        xml.Real("UserPercent", user, "F2");
        xml.Real("KernelPercent", kernel, "F2");
        xml.Real("IdlePercent", idle, "F2");
    }

    private void WriteLatency(IoTestResult result)
    {
        var (reads, writes) = (DiskSpdFigures.OfKind(result, reads: true), DiskSpdFigures.OfKind(result, reads: false));
        var read = new Percentiles(result.Percentiles, result.Histogram, Percentiles.Kind.Read, reads.Count);
        var write = new Percentiles(result.Percentiles, result.Histogram, Percentiles.Kind.Write, writes.Count);
        var total = new Percentiles(result.Percentiles, result.Histogram, Percentiles.Kind.Total, DiskSpdFigures.Total(result).Count);
        xml.Begin(
            "Latency",
            "ReadHistoBuckets",
            Optional(read.BucketCount),
            "WriteHistoBuckets",
            Optional(write.BucketCount),
            "TotalHistoBuckets",
            Optional(total.BucketCount)
        );
        xml.Real("AverageReadMilliseconds", reads.AverageMs, "F3");
        xml.Real("ReadLatencyStdev", reads.DeviationMs, "F3");
        xml.Real("AverageWriteMilliseconds", writes.AverageMs, "F3");
        xml.Real("WriteLatencyStdev", writes.DeviationMs, "F3");
        xml.Real("AverageTotalMilliseconds", result.AverageLatencyMs, "F3");
        xml.Real("LatencyStdev", result.LatencyStdDevMs, "F3");
        foreach (var percent in s_percents)
        {
            // Write all percentiles, even unknown ones, because parsers use the nth bucket as the nth percentile.
            var (r, w, t) = (read.Next(percent), write.Next(percent), total.Next(percent));
            xml.Begin("Bucket");
            xml.Element("Percentile", percent.ToString("0.#######", CultureInfo.InvariantCulture));
            xml.Real("ReadMilliseconds", r, "F3");
            xml.Real("WriteMilliseconds", w, "F3");
            xml.Real("TotalMilliseconds", t, "F3");
            xml.End();
        }
        xml.End();
    }

    /// <summary>
    /// Writes deviations of IOPS and the rates by interval, of the run or of a thread and target. As in DiskSpd, the deviation is omitted
    /// if there were no such I/Os.
    /// </summary>
    private void WriteIops(in DiskSpdFigures total, in DiskSpdFigures read, in DiskSpdFigures write, List<IoTimelinePoint> timeline)
    {
        xml.Begin("Iops");
        xml.Real("ReadIopsStdDev", read.Count == 0 ? null : read.IopsDeviation, "F3");
        xml.Real("WriteIopsStdDev", write.Count == 0 ? null : write.IopsDeviation, "F3");
        xml.Real("IopsStdDev", total.IopsDeviation, "F3");
        foreach (var point in timeline)
        {
            var (reads, writes) = (
                LatencyOf(point, point.ReadIOPS, point.WriteIOPS, point.ReadLatency),
                LatencyOf(point, point.WriteIOPS, point.ReadIOPS, point.WriteLatency)
            );
            xml.Empty(
                "Bucket",
                "SampleMillisecond",
                Figures.Whole((long)Math.Round(point.Seconds * 1000)),
                "Read",
                Rate(point.ReadIOPS),
                "Write",
                Rate(point.WriteIOPS),
                "Total",
                Rate(point.IOPS),
                "ReadMinLatencyMilliseconds",
                Ms(reads?.MinMs),
                "ReadMaxLatencyMilliseconds",
                Ms(reads?.MaxMs),
                "ReadAvgLatencyMilliseconds",
                Ms(reads?.AverageMs),
                "ReadLatencyStdDev",
                Ms(reads?.StdDevMs),
                "WriteMinLatencyMilliseconds",
                Ms(writes?.MinMs),
                "WriteMaxLatencyMilliseconds",
                Ms(writes?.MaxMs),
                "WriteAvgLatencyMilliseconds",
                Ms(writes?.AverageMs),
                "WriteLatencyStdDev",
                Ms(writes?.StdDevMs)
            );
        }
        xml.End();
    }

    /// <summary>
    /// Returns an interval's latency of reads or writes: zeros without such I/Os, the latency of all I/Os if there are no others, otherwise
    /// the known latency.
    /// </summary>
    private static IoLatencySummary? LatencyOf(IoTimelinePoint point, double? rate, double? otherRate, IoLatencySummary? known)
    {
        if (known is not null)
            return known;
        if (rate is 0)
            return new IoLatencySummary(0, 0, 0, 0);
        return otherRate is 0 ? new IoLatencySummary(null, point.MaxLatencyMs, point.AverageLatencyMs, null) : null;
    }

    private void WriteThreads(IoTestResult result, Shown shown)
    {
        var waits = WaitStatistics.From(result);
        var submits = form == DiskSpdForm.Version23 ? IoRingTable.Read(result) : [];
        foreach (var rows in result.Threads.GroupBy(t => t.ThreadId))
        {
            xml.Begin("Thread");
            xml.Element("Id", rows.Key);
            if (submits.Find(r => r.Thread == rows.Key) is { PerSecond: > 0 } submit)
                xml.Element("SubmitCount", (long)Math.Round(submit.PerSecond * (result.DurationSeconds ?? 0)));
            foreach (var row in rows)
                WriteTarget(result, row, shown);
            WriteWaits(waits, rows.Key);
            xml.End();
        }
    }

    private void WriteTarget(IoTestResult result, IoThreadResult row, Shown shown)
    {
        var (total, read, write) = (
            DiskSpdFigures.OfPart(row.Total, result.DurationSeconds),
            DiskSpdFigures.OfPart(row.Read, result.DurationSeconds),
            DiskSpdFigures.OfPart(row.Write, result.DurationSeconds)
        );
        xml.Begin("Target");
        xml.Element("Path", row.Path);
        xml.Element("BytesCount", total.Bytes);
        if (result.Targets.Find(t => t.Path == row.Path)?.FileSizeMB is double size)
            xml.Element("FileSize", (long)Math.Round(size * 1048576));
        xml.Element("IOCount", total.Count);
        xml.Element("ReadBytes", read.Bytes);
        xml.Element("ReadCount", read.Count);
        xml.Element("WriteBytes", write.Bytes);
        xml.Element("WriteCount", write.Count);
        WriteEffectiveDistribution(result, row);
        if (shown.Latency)
        {
            xml.Real("AverageReadLatencyMilliseconds", read.AverageMs, "F3");
            xml.Real("ReadLatencyStdev", read.DeviationMs, "F3");
            xml.Real("AverageWriteLatencyMilliseconds", write.AverageMs, "F3");
            xml.Real("WriteLatencyStdev", write.DeviationMs, "F3");
            // DiskSpd 2.2 omits the totals of reads and writes. IoBench does the same for a DiskSpd command line, but writes all known
            // values of any other result.
            if (result.Source != IoTestResult.OwnSource || result.Specification?.Origin().DiskSpd is null)
            {
                xml.Real("AverageLatencyMilliseconds", total.AverageMs, "F3");
                xml.Real("LatencyStdev", total.DeviationMs, "F3");
            }
        }
        if (shown.Iops)
            WriteIops(total, read, write, row.Timeline);
        xml.End();
    }

    private void WriteEffectiveDistribution(IoTestResult result, IoThreadResult row)
    {
        if (DistributionLines.Of(result) is not { } text)
            return;
        var isOurs = false;
        var ranges = new List<(int Percent, long From, long To)>();
        foreach (var line in text.Split('\n'))
        {
            if (line.StartsWith("target: ", StringComparison.Ordinal))
                isOurs =
                    line.StartsWith($"target: {row.Path} [thread: ", StringComparison.Ordinal) && DetailNames.HasThread(line, row.ThreadId);
            else if (isOurs && EffectiveRange.TryParse(line, out var percent, out var from, out var to))
                ranges.Add((percent, from, to));
        }
        if (ranges.Count == 0)
            return;
        xml.Begin("Distribution");
        xml.Begin("Absolute");
        long at = 0;
        foreach (var (percent, from, to) in ranges)
        {
            if (from > at)
                xml.Range(0, from - at);
            xml.Range(percent, to - from);
            at = to;
        }
        xml.End();
        xml.End();
    }

    private void WriteWaits(List<WaitStatistics>? waits, int thread)
    {
        if (waits?.Find(w => w.Thread == thread) is not { } row)
            return;
        xml.Begin("WaitStatistics");
        xml.Element("CompletionWait", row.Wait);
        xml.Element("ThrottleWait", row.ThrottleWait);
        xml.Element("ThrottleSleep", row.ThrottleSleep);
        xml.Element("Lookaside", row.Lookaside);
        if (form == DiskSpdForm.Version23)
            xml.Element("WaitCompletion", row.WaitCompletions.Length > 0 ? row.WaitCompletions : WaitStatistics.Zeros);
        xml.Element("LookasideCompletion", row.LookasideCompletions);
        xml.End();
    }

    private static string? Rate(double? rate) => Figures.Fixed(rate ?? 0, 0);

    private static string? Ms(double? milliseconds) => milliseconds is { } known ? Figures.Fixed(known, 3) : null;

    private static string? Optional(int? number) => number is null ? null : Figures.Whole(number);
}
