using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdXmlResultWriter(IndentedXmlWriter xml, DiskSpdOutputVersion form)
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

    /// <param name="first">The result that the System element describes. The timespan states another computer or time.</param>
    internal void WriteTimespan(IoTestResult result, IoTestResult first)
    {
        xml.BeginElement("TimeSpan");
        if (!ReferenceEquals(result, first))
            WriteOrigin(result, first);
        if (result.DurationSeconds is not > 0 || (result.IOPS is null && result.IOCount is null))
        {
            xml.WriteElement("Error", DiskSpdTextResultWriter.Interrupted);
            xml.EndElement();
            return;
        }
        var shown = DiskSpdSupport.GetOutputOptions(result);
        xml.WriteDecimal("TestTimeSeconds", result.DurationSeconds, "F2");
        xml.WriteElement("ThreadCount", result.ThreadCount ?? result.Threads.Select(t => t.ThreadId).Distinct().Count());
        xml.WriteElement("RequestCount", (result.Specification is { SharedThreadPool: true } s ? s.PoolOutstandingIO : null) ?? 0);
        if (DiskSpdSupport.GetTopologyCount(result, "cpu count") is { } processors)
            xml.WriteElement("ProcCount", processors);
        if (form == DiskSpdOutputVersion.Version23)
            WriteVersion23(result);
        WriteLoad(result);
        if (shown.MeasureLatency)
            WriteLatency(result);
        if (shown.GatherIops)
            WriteIops(
                DiskSpdTotals.GetPrinted(result),
                DiskSpdTotals.GetPrintedReads(result),
                DiskSpdTotals.GetPrintedWrites(result),
                result.Timeline
            );
        WriteThreads(result, shown);
        xml.EndElement();
    }

    private void WriteVersion23(IoTestResult result)
    {
        // IoBench does not place its buffers at separate boundaries.
        var options = result.Specification?.GetOrAddOrigin().DiskSpd?.Version23;
        xml.WriteElement("EffectiveBufferSeparation", result.Source == IoTestResult.OwnSource ? 0 : options?.BufferBoundary ?? 0);
        if (DiskSpdProcessorLists.GetEffectiveProcessors(result) is { Count: > 0 } processors)
            xml.WriteMasks("EffectiveAffinity", DiskSpdProcessorLists.GetMasks(processors));
        if (result.Warnings.Contains(DiskSpdFormat.MixedCores))
            xml.WriteElement("HeterogeneousAffinityWarning", true);
    }

    /// <summary>A DiskSpd document has one computer and time. A joined result with another one states it in its timespan.</summary>
    private void WriteOrigin(IoTestResult result, IoTestResult first)
    {
        if (result.ComputerName != first.ComputerName)
            xml.WriteElement("ComputerName", result.ComputerName);
        if (result.StartTime is { } time && time != first.StartTime)
            xml.WriteElement("RunTime", DiskSpdValueFormat.FormatTime(time));
    }

    private void WriteLoad(IoTestResult result)
    {
        var all = result.Processors;
        if (all.Count == 0 && result.CpuPercent is null)
            return;
        xml.BeginElement("CpuUtilization");
        foreach (var p in all)
        {
            xml.BeginElement("CPU");
            xml.WriteElement("Socket", p.Socket ?? 0);
            xml.WriteElement("Node", p.Node ?? 0);
            xml.WriteElement("Group", p.Group ?? 0);
            xml.WriteElement("Core", p.Core ?? p.Processor);
            xml.WriteElement("EfficiencyClass", p.EfficiencyClass ?? 0);
            xml.WriteElement("Id", p.Processor);
            WritePercents(p.UsagePercent, p.UserPercent, p.KernelPercent, p.IdlePercent);
            xml.EndElement();
        }
        xml.BeginElement("Average");
        WritePercents(
            result.CpuPercent ?? all.Average(p => p.UsagePercent),
            all.Average(p => p.UserPercent),
            all.Average(p => p.KernelPercent),
            all.Average(p => p.IdlePercent)
        );
        xml.EndElement();
        xml.EndElement();
    }

    private void WritePercents(double? usage, double? user, double? kernel, double? idle)
    {
        xml.WriteDecimal("UsagePercent", usage, "F2");
        xml.WriteDecimal("UserPercent", user, "F2");
        xml.WriteDecimal("KernelPercent", kernel, "F2");
        xml.WriteDecimal("IdlePercent", idle, "F2");
    }

    private void WriteLatency(IoTestResult result)
    {
        var reads = DiskSpdTotals.GetPrintedReads(result);
        var writes = DiskSpdTotals.GetPrintedWrites(result);
        var read = DiskSpdPercentileLookup.ForReads(result.Percentiles, result.Histogram, reads.IOCount);
        var write = DiskSpdPercentileLookup.ForWrites(result.Percentiles, result.Histogram, writes.IOCount);
        var total = DiskSpdPercentileLookup.ForAll(result.Percentiles, result.Histogram, DiskSpdTotals.GetPrinted(result).IOCount);
        xml.BeginElement(
            "Latency",
            ("ReadHistoBuckets", FormatOptional(read.BucketCount)),
            ("WriteHistoBuckets", FormatOptional(write.BucketCount)),
            ("TotalHistoBuckets", FormatOptional(total.BucketCount))
        );
        xml.WriteDecimal("AverageReadMilliseconds", reads.AverageLatencyMs, "F3");
        xml.WriteDecimal("ReadLatencyStdev", reads.LatencyStdDevMs, "F3");
        xml.WriteDecimal("AverageWriteMilliseconds", writes.AverageLatencyMs, "F3");
        xml.WriteDecimal("WriteLatencyStdev", writes.LatencyStdDevMs, "F3");
        xml.WriteDecimal("AverageTotalMilliseconds", result.AverageLatencyMs, "F3");
        xml.WriteDecimal("LatencyStdev", result.LatencyStdDevMs, "F3");
        foreach (var percent in s_percents)
        {
            // Write all percentiles, even unknown ones, because parsers use the nth bucket as the nth percentile.
            var r = read.GetNext(percent);
            var w = write.GetNext(percent);
            var t = total.GetNext(percent);
            xml.BeginElement("Bucket");
            xml.WriteElement("Percentile", percent.ToString("0.#######", CultureInfo.InvariantCulture));
            xml.WriteDecimal("ReadMilliseconds", r, "F3");
            xml.WriteDecimal("WriteMilliseconds", w, "F3");
            xml.WriteDecimal("TotalMilliseconds", t, "F3");
            xml.EndElement();
        }
        xml.EndElement();
    }

    /// <summary>As in DiskSpd, the deviation is omitted if there were no such I/Os.</summary>
    private void WriteIops(IoTotals total, IoTotals read, IoTotals write, List<IoTimelinePoint> timeline)
    {
        xml.BeginElement("Iops");
        xml.WriteDecimal("ReadIopsStdDev", read.IOCount == 0 ? null : read.IopsStdDev, "F3");
        xml.WriteDecimal("WriteIopsStdDev", write.IOCount == 0 ? null : write.IopsStdDev, "F3");
        xml.WriteDecimal("IopsStdDev", total.IopsStdDev, "F3");
        foreach (var point in timeline)
        {
            var reads = GetLatency(point, point.ReadIOPS, point.WriteIOPS, point.ReadLatency);
            var writes = GetLatency(point, point.WriteIOPS, point.ReadIOPS, point.WriteLatency);
            xml.WriteEmptyElement(
                "Bucket",
                ("SampleMillisecond", NumberFormat.Integer((long)Math.Round(point.Seconds * 1000))),
                ("Read", FormatRate(point.ReadIOPS)),
                ("Write", FormatRate(point.WriteIOPS)),
                ("Total", FormatRate(point.IOPS)),
                ("ReadMinLatencyMilliseconds", FormatMs(reads?.MinMs)),
                ("ReadMaxLatencyMilliseconds", FormatMs(reads?.MaxMs)),
                ("ReadAvgLatencyMilliseconds", FormatMs(reads?.AverageMs)),
                ("ReadLatencyStdDev", FormatMs(reads?.StdDevMs)),
                ("WriteMinLatencyMilliseconds", FormatMs(writes?.MinMs)),
                ("WriteMaxLatencyMilliseconds", FormatMs(writes?.MaxMs)),
                ("WriteAvgLatencyMilliseconds", FormatMs(writes?.AverageMs)),
                ("WriteLatencyStdDev", FormatMs(writes?.StdDevMs))
            );
        }
        xml.EndElement();
    }

    /// <summary>Zeros without such I/Os, the latency of all I/Os if there are no others, otherwise the known latency.</summary>
    private static IoLatencySummary? GetLatency(IoTimelinePoint point, double? rate, double? otherRate, IoLatencySummary? known)
    {
        if (known is not null)
            return known;
        if (rate is 0)
            return new IoLatencySummary(0, 0, 0, 0);
        return otherRate is 0 ? new IoLatencySummary(null, point.MaxLatencyMs, point.AverageLatencyMs, null) : null;
    }

    private void WriteThreads(IoTestResult result, DiskSpdOptions shown)
    {
        var waits = DiskSpdWaitStatistics.FromResult(result);
        var submits = form == DiskSpdOutputVersion.Version23 ? DiskSpdWaitStatistics.ReadIoRingRows(result) : [];
        foreach (var rows in result.Threads.GroupBy(t => t.ThreadId))
        {
            xml.BeginElement("Thread");
            xml.WriteElement("Id", rows.Key);
            if (submits.Find(r => r.Thread == rows.Key) is { PerSecond: > 0 } submit)
                xml.WriteElement("SubmitCount", (long)Math.Round(submit.PerSecond * (result.DurationSeconds ?? 0)));
            foreach (var row in rows)
                WriteTarget(result, row, shown);
            WriteWaits(waits, rows.Key);
            xml.EndElement();
        }
    }

    private void WriteTarget(IoTestResult result, IoThreadResult row, DiskSpdOptions shown)
    {
        var total = DiskSpdTotals.Complete(row.Total, result.DurationSeconds);
        var read = DiskSpdTotals.Complete(row.Read, result.DurationSeconds);
        var write = DiskSpdTotals.Complete(row.Write, result.DurationSeconds);
        xml.BeginElement("Target");
        xml.WriteElement("Path", row.Path);
        xml.WriteElement("BytesCount", total.ByteCount!.Value);
        if (result.Targets.Find(t => t.Path == row.Path)?.FileSizeMB is double size)
            xml.WriteElement("FileSize", (long)Math.Round(size * 1048576));
        xml.WriteElement("IOCount", total.IOCount!.Value);
        xml.WriteElement("ReadBytes", read.ByteCount!.Value);
        xml.WriteElement("ReadCount", read.IOCount!.Value);
        xml.WriteElement("WriteBytes", write.ByteCount!.Value);
        xml.WriteElement("WriteCount", write.IOCount!.Value);
        WriteEffectiveDistribution(result, row);
        if (shown.MeasureLatency)
        {
            xml.WriteDecimal("AverageReadLatencyMilliseconds", read.AverageLatencyMs, "F3");
            xml.WriteDecimal("ReadLatencyStdev", read.LatencyStdDevMs, "F3");
            xml.WriteDecimal("AverageWriteLatencyMilliseconds", write.AverageLatencyMs, "F3");
            xml.WriteDecimal("WriteLatencyStdev", write.LatencyStdDevMs, "F3");
            // DiskSpd 2.2 omits the totals of reads and writes. IoBench does the same for a DiskSpd command line, but writes all known
            // values of any other result.
            if (result.Source != IoTestResult.OwnSource || result.Specification?.GetOrAddOrigin().DiskSpd is null)
            {
                xml.WriteDecimal("AverageLatencyMilliseconds", total.AverageLatencyMs, "F3");
                xml.WriteDecimal("LatencyStdev", total.LatencyStdDevMs, "F3");
            }
        }
        if (shown.GatherIops)
            WriteIops(total, read, write, row.Timeline);
        xml.EndElement();
    }

    private void WriteEffectiveDistribution(IoTestResult result, IoThreadResult row)
    {
        if (DiskSpdValueFormat.FormatEffectiveDistribution(result) is not { } text)
            return;
        var isOurs = false;
        var ranges = new List<(int Percent, long From, long To)>();
        foreach (var line in text.Split('\n'))
        {
            if (line.StartsWith("target: ", StringComparison.Ordinal))
                isOurs =
                    line.StartsWith($"target: {row.Path} [thread: ", StringComparison.Ordinal)
                    && DiskSpdValueFormat.HasDistributionThread(line, row.ThreadId);
            else if (isOurs && DiskSpdValueFormat.TryParseDistributionRange(line, out var percent, out var from, out var to))
                ranges.Add((percent, from, to));
        }
        if (ranges.Count == 0)
            return;
        xml.BeginElement("Distribution");
        xml.BeginElement("Absolute");
        long at = 0;
        foreach (var (percent, from, to) in ranges)
        {
            if (from > at)
                xml.WriteRange(0, from - at);
            xml.WriteRange(percent, to - from);
            at = to;
        }
        xml.EndElement();
        xml.EndElement();
    }

    private void WriteWaits(List<DiskSpdWaitStatistics>? waits, int thread)
    {
        if (waits?.Find(w => w.Thread == thread) is not { } row)
            return;
        xml.BeginElement("WaitStatistics");
        xml.WriteElement("CompletionWait", row.Wait);
        xml.WriteElement("ThrottleWait", row.ThrottleWait);
        xml.WriteElement("ThrottleSleep", row.ThrottleSleep);
        xml.WriteElement("Lookaside", row.Lookaside);
        if (form == DiskSpdOutputVersion.Version23)
            xml.WriteElement("WaitCompletion", row.WaitCompletions.Length > 0 ? row.WaitCompletions : DiskSpdWaitStatistics.Zeros);
        xml.WriteElement("LookasideCompletion", row.LookasideCompletions);
        xml.EndElement();
    }

    private static string? FormatRate(double? rate) => NumberFormat.Fixed(rate ?? 0, 0);

    private static string? FormatMs(double? milliseconds) => milliseconds is { } known ? NumberFormat.Fixed(known, 3) : null;

    private static string? FormatOptional(int? number) => number is null ? null : NumberFormat.Integer(number);

    /// <summary>Maximum number of listed nodes, sockets, or cores: Windows has 64 groups of 64 processors.</summary>
    private const int MaxParts = 4096;

    private readonly bool _is23 = form == DiskSpdOutputVersion.Version23;

    internal void WriteSystem(IoTestResult result)
    {
        xml.BeginElement("System");
        xml.WriteElement("ComputerName", result.ComputerName);
        if (_is23)
            xml.WriteElement("ProcessorName", DiskSpdSupport.GetProcessorName(result));
        xml.BeginElement("Tool");
        xml.WriteElement(
            "Version",
            result.Source == DiskSpdFormat.XmlSource && result.ToolVersion is { } version ? version
                : _is23 ? "2.3.0"
                : "2.2.0"
        );
        xml.WriteElement("VersionDate", _is23 ? "2026/09/04" : "2024/6/3");
        xml.EndElement();
        xml.WriteElement("RunTime", result.StartTime is { } time ? DiskSpdValueFormat.FormatTime(time) : "");
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            var open = scheme.EndsWith(')') ? scheme.LastIndexOf(" (", StringComparison.Ordinal) : -1;
            xml.WriteEmptyElement(
                "PowerScheme",
                ("Name", open < 0 ? scheme : scheme[..open]),
                ("Guid", open < 0 ? "" : scheme[(open + 2)..^1])
            );
        }
        if (_is23 && DiskSpdSupport.GetPageSize(result) is { } page)
            xml.WriteElement("PageSize", page);
        WriteTopology(result);
        xml.EndElement();
    }

    /// <summary>Without processors, only the numbers of groups, nodes, sockets, and cores are known, so they have no masks.</summary>
    private void WriteTopology(IoTestResult result)
    {
        if (DiskSpdSupport.GetTopologyCount(result, "cpu count") is not { } processors)
            return;
        var heterogeneous = DiskSpdSupport.GetHeterogeneous(result);
        xml.BeginElement(
            "ProcessorTopology",
            (
                "Heterogeneous",
                heterogeneous is null ? null
                : heterogeneous == "y" ? "true"
                : "false"
            )
        );
        var groups = result
            .Processors.GroupBy(p => p.Group ?? 0)
            .OrderBy(g => g.Key)
            .Select(g => (g.Key, Count: NumberFormat.Integer(g.Count())))
            .ToList();
        if (groups.Count <= 1)
            groups = [(groups.Count == 1 ? groups[0].Key : 0, processors)];
        foreach (var (group, count) in groups)
            xml.WriteEmptyElement(
                "Group",
                ("Group", NumberFormat.Integer(group)),
                ("MaximumProcessors", count),
                ("ActiveProcessors", count),
                ("ActiveProcessorMask", FormatMask(result.Processors.Where(p => (p.Group ?? 0) == group)))
            );
        WriteMembers(result, "node count", "Node", p => p.Node);
        WriteMembers(result, "socket count", "Socket", p => p.Socket);
        WriteCores(result);
        xml.EndElement();
    }

    private void WriteMembers(IoTestResult result, string countName, string name, Func<IoProcessorLoad, int?> member)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => member(p) is not null))
        {
            WriteParts(result, countName, name, i => [(name, NumberFormat.Integer(i))]);
            return;
        }
        foreach (var part in result.Processors.GroupBy(p => member(p)!.Value).OrderBy(g => g.Key))
        {
            xml.BeginElement(name, (name, NumberFormat.Integer(part.Key)));
            foreach (var group in part.GroupBy(p => p.Group ?? 0).OrderBy(g => g.Key))
                xml.WriteEmptyElement("Group", ("Group", NumberFormat.Integer(group.Key)), ("Mask", FormatMask(group)));
            xml.EndElement();
        }
    }

    private void WriteCores(IoTestResult result)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => p.Core is not null))
        {
            WriteParts(result, "core count", "Core", i => [("Group", "0"), ("Core", NumberFormat.Integer(i))]);
            return;
        }
        foreach (var core in result.Processors.GroupBy(p => (Group: p.Group ?? 0, p.Core)).OrderBy(g => g.Key))
            xml.WriteEmptyElement(
                "Core",
                ("Group", NumberFormat.Integer(core.Key.Group)),
                ("Core", NumberFormat.Integer(core.Key.Core!.Value)),
                ("Mask", FormatMask(core)),
                ("EfficiencyClass", NumberFormat.Integer(core.First().EfficiencyClass ?? 0))
            );
    }

    private static string? FormatMask(IEnumerable<IoProcessorLoad> processors)
    {
        ulong mask = 0;
        foreach (var p in processors)
            if (p.Processor is >= 0 and < 64)
                mask |= 1UL << p.Processor;
        return mask == 0 ? null : IndentedXmlWriter.FormatMask(mask);
    }

    private void WriteParts(IoTestResult result, string countName, string name, Func<int, (string, string?)[]> attributes)
    {
        if (ToolNumberParser.ParseLeadingInt32(DiskSpdSupport.GetTopologyCount(result, countName) ?? "") is not int count)
            return;
        for (var i = 0; i < Math.Min(count, MaxParts); i++)
            xml.WriteEmptyElement(name, attributes(i));
    }
}
