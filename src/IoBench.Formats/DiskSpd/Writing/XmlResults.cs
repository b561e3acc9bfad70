using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>Writes System and the TimeSpan elements of results as DiskSpd 2.2 does.</summary>
internal sealed class XmlResults(XmlLines xml)
{
    private static readonly double[] s_percents = [.. Enumerable.Range(0, 100).Select(p => (double)p), 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999, 99.9999999, 100];

    /// <summary>Nodes, sockets or cores that are listed: Windows has 64 groups of 64 processors.</summary>
    private const int MostParts = 4096;

    /// <summary>The computer.</summary>
    internal void WriteSystem(IoTestResult result)
    {
        xml.Begin("System");
        xml.Element("ComputerName", result.ComputerName);
        xml.Begin("Tool");
        xml.Element("Version", result.Source == IoResultSource.DiskSpdXml && result.ToolVersion is { } version ? version : "2.2.0");
        xml.Element("VersionDate", "2024/6/3");
        xml.End();
        xml.Element("RunTime", result.StartTime is { } time ? TimeText.Format(time) : "");
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            var open = scheme.EndsWith(')') ? scheme.LastIndexOf(" (", StringComparison.Ordinal) : -1;
            xml.Empty("PowerScheme", "Name", open < 0 ? scheme : scheme[..open], "Guid", open < 0 ? "" : scheme[(open + 2)..^1]);
        }
        WriteTopology(result);
        xml.End();
    }

    /// <summary>Groups, nodes, sockets and cores as far as they are known; the masks of what is only counted are not.</summary>
    private void WriteTopology(IoTestResult result)
    {
        if (Topology.Count(result, "cpu count") is not { } processors)
            return;
        xml.Begin("ProcessorTopology", "Heterogeneous", Topology.Heterogeneous(result) switch { "y" => "true", "n" => "false", _ => null });
        var groups = result.Processors.GroupBy(p => p.Group ?? 0).OrderBy(g => g.Key).Select(g => (g.Key, Count: Text(g.Count()))).ToList();
        if (groups.Count <= 1)
            groups = [(groups.Count == 1 ? groups[0].Key : 0, processors)];
        foreach (var (group, count) in groups)
            xml.Empty("Group", "Group", Text(group), "MaximumProcessors", count, "ActiveProcessors", count, "ActiveProcessorMask", Mask(result.Processors.Where(p => (p.Group ?? 0) == group)));
        WriteMembers(result, "node count", "Node", p => p.Node);
        WriteMembers(result, "socket count", "Socket", p => p.Socket);
        WriteCores(result);
        xml.End();
    }

    /// <summary>Nodes or sockets with the processors of each group; only counted ones without.</summary>
    private void WriteMembers(IoTestResult result, string countName, string name, Func<IoProcessorLoad, int?> member)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => member(p) is not null))
        {
            WriteParts(result, countName, name, i => [name, Text(i)]);
            return;
        }
        foreach (var part in result.Processors.GroupBy(p => member(p)!.Value).OrderBy(g => g.Key))
        {
            xml.Begin(name, name, Text(part.Key));
            foreach (var group in part.GroupBy(p => p.Group ?? 0).OrderBy(g => g.Key))
                xml.Empty("Group", "Group", Text(group.Key), "Mask", Mask(group));
            xml.End();
        }
    }

    private void WriteCores(IoTestResult result)
    {
        if (result.Processors.Count == 0 || !result.Processors.TrueForAll(p => p.Core is not null))
        {
            WriteParts(result, "core count", "Core", i => ["Group", "0", "Core", Text(i)]);
            return;
        }
        foreach (var core in result.Processors.GroupBy(p => (Group: p.Group ?? 0, p.Core)).OrderBy(g => g.Key))
            xml.Empty("Core", "Group", Text(core.Key.Group), "Core", Text(core.Key.Core!.Value), "Mask", Mask(core), "EfficiencyClass", Text(core.First().EfficiencyClass ?? 0));
    }

    /// <summary>A bit for each processor of a group; null when none is known.</summary>
    private static string? Mask(IEnumerable<IoProcessorLoad> processors)
    {
        ulong mask = 0;
        foreach (var p in processors)
            if (p.Processor is >= 0 and < 64)
                mask |= 1UL << p.Processor;
        return mask == 0 ? null : "0x" + mask.ToString("x", CultureInfo.InvariantCulture);
    }

    private void WriteParts(IoTestResult result, string countName, string name, Func<int, string?[]> attributes)
    {
        if (Numbers.LeadingInt(Topology.Count(result, countName) ?? "") is not int count)
            return;
        for (var i = 0; i < Math.Min(count, MostParts); i++)
            xml.Empty(name, attributes(i));
    }

    /// <summary>A timespan; <paramref name="first"/> is the result that System tells of, of another one time and computer are told here.</summary>
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
        var shown = Shown.Of(result);
        xml.Real("TestTimeSeconds", result.DurationSeconds, "F2");
        xml.Element("ThreadCount", result.ThreadCount ?? result.Threads.Select(t => t.ThreadId).Distinct().Count());
        xml.Element("RequestCount", (result.Specification is { SharedThreadPool: true } s ? s.PoolOutstandingIO : null) ?? 0);
        if (Topology.Count(result, "cpu count") is { } processors)
            xml.Element("ProcCount", processors);
        WriteLoad(result);
        if (shown.Latency)
            WriteLatency(result);
        if (shown.Iops)
            WriteIops(Figures.Total(result), Figures.OfKind(result, reads: true), Figures.OfKind(result, reads: false), result.Timeline);
        WriteThreads(result, shown);
        xml.End();
    }

    /// <summary>DiskSpd has one computer and time a document: those of a result joined to it stand in its own timespan.</summary>
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
        WritePercents(result.CpuPercent ?? all.Average(p => p.UsagePercent), all.Average(p => p.UserPercent), all.Average(p => p.KernelPercent), all.Average(p => p.IdlePercent));
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
        var (reads, writes) = (Figures.OfKind(result, reads: true), Figures.OfKind(result, reads: false));
        var read = new Percentiles(result.Percentiles, result.Histogram, Percentiles.Kind.Read, reads.Count);
        var write = new Percentiles(result.Percentiles, result.Histogram, Percentiles.Kind.Write, writes.Count);
        var total = new Percentiles(result.Percentiles, result.Histogram, Percentiles.Kind.Total, Figures.Total(result).Count);
        xml.Begin("Latency", "ReadHistoBuckets", Optional(read.BucketCount), "WriteHistoBuckets", Optional(write.BucketCount), "TotalHistoBuckets", Optional(total.BucketCount));
        xml.Real("AverageReadMilliseconds", reads.AverageMs, "F3");
        xml.Real("ReadLatencyStdev", reads.DeviationMs, "F3");
        xml.Real("AverageWriteMilliseconds", writes.AverageMs, "F3");
        xml.Real("WriteLatencyStdev", writes.DeviationMs, "F3");
        xml.Real("AverageTotalMilliseconds", result.AverageLatencyMs, "F3");
        xml.Real("LatencyStdev", result.LatencyStdDevMs, "F3");
        foreach (var percent in s_percents)
        {
            // All of them, known or not: who reads DiskSpd takes the nth bucket as the nth percentile.
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

    /// <summary>Deviations of IOPS and the rates by interval, of the run or of a thread on a target. DiskSpd leaves out the deviation of what there was none of.</summary>
    private void WriteIops(in Figures total, in Figures read, in Figures write, List<IoTimelinePoint> timeline)
    {
        xml.Begin("Iops");
        xml.Real("ReadIopsStdDev", read.Count == 0 ? null : read.IopsDeviation, "F3");
        xml.Real("WriteIopsStdDev", write.Count == 0 ? null : write.IopsDeviation, "F3");
        xml.Real("IopsStdDev", total.IopsDeviation, "F3");
        foreach (var point in timeline)
        {
            var (reads, writes) = (LatencyOf(point, point.ReadIOPS, point.WriteIOPS, point.ReadLatency), LatencyOf(point, point.WriteIOPS, point.ReadIOPS, point.WriteLatency));
            xml.Empty("Bucket", "SampleMillisecond", Text((long)Math.Round(point.Seconds * 1000)), "Read", Rate(point.ReadIOPS), "Write", Rate(point.WriteIOPS), "Total", Rate(point.IOPS),
                "ReadMinLatencyMilliseconds", Ms(reads?.MinMs), "ReadMaxLatencyMilliseconds", Ms(reads?.MaxMs), "ReadAvgLatencyMilliseconds", Ms(reads?.AverageMs), "ReadLatencyStdDev", Ms(reads?.StdDevMs),
                "WriteMinLatencyMilliseconds", Ms(writes?.MinMs), "WriteMaxLatencyMilliseconds", Ms(writes?.MaxMs), "WriteAvgLatencyMilliseconds", Ms(writes?.AverageMs), "WriteLatencyStdDev", Ms(writes?.StdDevMs));
        }
        xml.End();
    }

    /// <summary>An interval's latency of one kind: zeros without such I/Os, the interval's own where there is no other kind, else what is known.</summary>
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
        foreach (var rows in result.Threads.GroupBy(t => t.ThreadId))
        {
            xml.Begin("Thread");
            xml.Element("Id", rows.Key);
            foreach (var row in rows)
                WriteTarget(result, row, shown);
            WriteWaits(result, rows.Key);
            xml.End();
        }
    }

    private void WriteTarget(IoTestResult result, IoThreadResult row, Shown shown)
    {
        var (total, read, write) = (Figures.Of(row.Total, result.DurationSeconds), Figures.Of(row.Read, result.DurationSeconds), Figures.Of(row.Write, result.DurationSeconds));
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
            xml.Real("AverageLatencyMilliseconds", total.AverageMs, "F3");
            xml.Real("LatencyStdev", total.DeviationMs, "F3");
        }
        if (shown.Iops)
            WriteIops(total, read, write, row.Timeline);
        xml.End();
    }

    private void WriteEffectiveDistribution(IoTestResult result, IoThreadResult row)
    {
        if (result.ToolDetails.GetValueOrDefault(DetailNames.Distribution) is not { } text)
            return;
        var isOurs = false;
        var ranges = new List<(int Percent, long From, long To)>();
        foreach (var line in text.Split('\n'))
        {
            if (line.StartsWith("target: ", StringComparison.Ordinal))
                isOurs = line.StartsWith($"target: {row.Path} [thread: ", StringComparison.Ordinal) && DetailNames.HasThread(line, row.ThreadId);
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

    private void WriteWaits(IoTestResult result, int thread)
    {
        if (result.ToolDetails.GetValueOrDefault(DetailNames.Waits) is not { } text)
            return;
        foreach (var line in text.Split('\n'))
        {
            var cells = line.Split('|', StringSplitOptions.TrimEntries);
            var sleep = cells.Length == 5 ? cells[2].Split('-', StringSplitOptions.TrimEntries) : [];
            if (sleep.Length != 2 || cells[0] != Text(thread))
                continue;
            xml.Begin("WaitStatistics");
            xml.Element("CompletionWait", cells[1]);
            xml.Element("ThrottleWait", sleep[0]);
            xml.Element("ThrottleSleep", sleep[1]);
            xml.Element("Lookaside", cells[3]);
            xml.Element("LookasideCompletion", cells[4]);
            xml.End();
            return;
        }
    }

    private static string? Rate(double? rate) => (rate ?? 0).ToString("F0", CultureInfo.InvariantCulture);
    private static string? Ms(double? milliseconds) => milliseconds?.ToString("F3", CultureInfo.InvariantCulture);
    private static string? Optional(int? number) => number?.ToString(CultureInfo.InvariantCulture);
    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
