using System.Globalization;
using System.Text;
using System.Xml;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a Results element. Everything is stored, except interval values of threads beyond a memory limit.</summary>
internal sealed class DiskSpdXmlParser(DiskSpdXmlInput input)
{
    private const int MaxIntervals = 1_000_000;
    private const int MaxDetailLength = 64 * 1024;

    /// <summary>Maximum number of intervals of individual threads per document, to limit memory.</summary>
    private const int MaxThreadIntervals = 250_000;

    private static readonly Dictionary<string, Action<DiskSpdXmlParser, DiskSpdTimespan, DiskSpdXmlElement>> s_timespanElements = new()
    {
        ["TestTimeSeconds"] = (p, span, e) => span.Seconds = p.ParseReal(e),
        ["ThreadCount"] = (_, span, e) => span.ThreadCount = ToolNumberParser.ParseLeadingInt32(e.Text),
        ["RequestCount"] = (_, _, _) => { },
        // DiskSpd does not have this element. IoBench writes it if it joins results of several runs in one document.
        ["ComputerName"] = (_, span, e) => span.ComputerName = e.Text,
        ["RunTime"] = (_, span, e) => span.StartTime = DiskSpdValueFormat.ParseTime(e.Text),
        ["ProcCount"] = (p, _, e) => p._run.Host.TryAdd("cpu count", e.Text),
        ["EffectiveBufferSeparation"] = (p, span, e) => p.SetBoundary(span, p.ParseInteger(e)),
        ["EffectiveAffinity"] = (_, span, e) => AddAffinity(e, span),
        ["HeterogeneousAffinityWarning"] = (p, _, e) => p.WarnOfMixedCores(e.Text is "true" or "1"),
        ["Error"] = (_, span, e) => span.Interruption = e.Text,
        ["CpuUtilization"] = (_, span, e) => ReadCpuLoad(e, span),
        ["Latency"] = (_, span, e) => ReadLatency(e, span),
        ["Iops"] = (p, span, e) => p.ReadIops(e, span.Totals, span.Timeline),
        ["Thread"] = (p, span, e) => p.ReadThread(e, span),
        ["ETW"] = (_, span, e) => AddEtwCounters(e, span),
        ["ETWSessionInfo"] = (_, span, e) => AddEtwCounters(e, span),
    };

    private static readonly Dictionary<string, Action<DiskSpdXmlParser, IoThreadResult, DiskSpdXmlElement>> s_targetElements = new()
    {
        ["Path"] = (p, t, e) => t.Path = p._run.ReusePath(e.Text),
        ["BytesCount"] = (p, t, e) => t.Total.ByteCount = p.ParseInteger(e),
        ["IOCount"] = (p, t, e) => t.Total.IOCount = p.ParseInteger(e),
        ["ReadBytes"] = (p, t, e) => t.Read.ByteCount = p.ParseInteger(e),
        ["ReadCount"] = (p, t, e) => t.Read.IOCount = p.ParseInteger(e),
        ["WriteBytes"] = (p, t, e) => t.Write.ByteCount = p.ParseInteger(e),
        ["WriteCount"] = (p, t, e) => t.Write.IOCount = p.ParseInteger(e),
        ["AverageReadLatencyMilliseconds"] = (p, t, e) => t.Read.AverageLatencyMs = p.ParseReal(e),
        ["ReadLatencyStdev"] = (p, t, e) => t.Read.LatencyStdDevMs = p.ParseReal(e),
        ["AverageWriteLatencyMilliseconds"] = (p, t, e) => t.Write.AverageLatencyMs = p.ParseReal(e),
        ["WriteLatencyStdev"] = (p, t, e) => t.Write.LatencyStdDevMs = p.ParseReal(e),
        ["AverageLatencyMilliseconds"] = (p, t, e) => t.Total.AverageLatencyMs = p.ParseReal(e),
        ["LatencyStdev"] = (p, t, e) => t.Total.LatencyStdDevMs = p.ParseReal(e),
        ["FileSize"] = (_, _, _) => { },
        ["Iops"] = (p, t, e) => p.ReadThreadIops(e, t),
    };

    private readonly HashSet<string> _unknown = [];
    private readonly DiskSpdRun _run = new() { Line = input.Line, Source = DiskSpdFormat.XmlSource };
    private int _threadIntervals;

    internal DiskSpdRun ReadRun()
    {
        foreach (var name in input.ReadChildren())
        {
            if (name == "System")
                ReadSystem(input.ReadElement(), _run);
            else if (name == "Profile")
                ReadProfile(input.ReadElement());
            else if (name == "TimeSpan" && _run.Timespans.Count < DiskSpdRun.MaxTimeSpans)
                ReadTimeSpan();
            else
                ReportUnknown(input.ReadElement());
        }
        if (!input.HasEnded)
            return _run;
        _run.MissingParts = input.DescribeEnd("Results");
        if (_run.Timespans.Count > 0)
            _run.Timespans[^1].MissingParts ??= _run.MissingParts;
        return _run;
    }

    private void AddProblem(int line, string what) => _run.AddWarning($"Line {line}: {what}.");

    private void ReadProfile(DiskSpdXmlElement element)
    {
        var profile = new DiskSpdProfile((line, what, _) => AddProblem(line, DiskSpdSupport.DescribeForResult(what))).Read(element);
        _run.Specifications.AddRange(profile.Specifications);
    }

    private void ReadTimeSpan()
    {
        var span = new DiskSpdTimespan { Number = _run.Timespans.Count + 1, Line = input.Line };
        _run.Timespans.Add(span);
        foreach (var name in input.ReadChildren())
        {
            var element = input.ReadElement(name == "Thread" ? MaxThreadIntervals - _threadIntervals : MaxIntervals);
            if (s_timespanElements.TryGetValue(name, out var read))
                read(this, span, element);
            else
                ReportUnknown(element);
        }
        if (input.HasEnded)
            span.MissingParts = input.DescribeEnd("TimeSpan");
        else if (span is { Interruption: null, Rows.Count: 0 })
            span.MissingParts = $"Line {span.Line}: <TimeSpan> has no threads.";
        DiskSpdTotals.SetTimespanTotals(_run, span);
    }

    private void SetBoundary(DiskSpdTimespan span, long? bytes)
    {
        if (span.Number <= _run.Specifications.Count)
            (_run.Specifications[span.Number - 1].GetOrAddOrigin().DiskSpd!.Version23 ??= new DiskSpd23Options()).BufferBoundary = bytes;
    }

    private void WarnOfMixedCores(bool isMixed)
    {
        if (isMixed)
            _run.AddWarning(DiskSpdFormat.MixedCores);
    }

    /// <summary>Debug builds of DiskSpd write values by target and group, whose Latency elements are not the timespan's.</summary>
    private void ReportUnknown(DiskSpdXmlElement element)
    {
        if (_unknown.Contains(element.Name))
            return;
        if (_unknown.Count < DiskSpdRun.MaxWarnings)
            _unknown.Add(element.Name);
        AddProblem(element.Line, $"the element <{element.Name}> is unknown, so IoBench ignores all elements with this name");
    }

    private void ReadThread(DiskSpdXmlElement thread, DiskSpdTimespan span)
    {
        var id = span.Rows.Count == 0 ? 0 : span.Rows[^1].ThreadId + 1;
        foreach (var element in thread.Children)
        {
            switch (element.Name)
            {
                case "Id":
                    id = ToolNumberParser.ParseLeadingInt32(element.Text) ?? id;
                    break;
                case "Target":
                    if (span.Rows.Count < DiskSpdIoTable.MaxRows)
                        ReadTarget(element, span, id);
                    break;
                case "SubmitCount":
                    AddSubmits(ParseInteger(element) ?? 0, id, span);
                    break;
                case "WaitStatistics":
                    AddWaits(element, id, span);
                    break;
                default:
                    ReportUnknown(element);
                    break;
            }
        }
    }

    private void ReadTarget(DiskSpdXmlElement target, DiskSpdTimespan span, int thread)
    {
        var row = new IoThreadResult { ThreadId = thread };
        span.Rows.Add(row);
        foreach (var element in target.Children)
        {
            if (s_targetElements.TryGetValue(element.Name, out var read))
                read(this, row, element);
            else if (element.Name == "Distribution")
                AddDistribution(element, row, span);
            else
                ReportUnknown(element);
        }
        if (target["FileSize"] is { } size && ParseInteger(size) is { } bytes)
            span.FileSizes.TryAdd(row.Path ?? "", bytes);
    }

    private void ReadThreadIops(DiskSpdXmlElement iops, IoThreadResult thread)
    {
        var room = MaxThreadIntervals - _threadIntervals;
        ReadIops(iops, thread, thread.Timeline);
        _threadIntervals += thread.Timeline.Count;
        // Warn only once. The intervals of all later threads are skipped too.
        if (iops.HasMoreIntervals && room > 0)
            AddProblem(
                iops.Line,
                $"IoBench reads at most {MaxThreadIntervals} intervals of individual threads per document. It reads the first {room} intervals of thread {thread.ThreadId}, and ignores the rest and the intervals of all later threads"
            );
    }

    private void ReadIops(DiskSpdXmlElement iops, IoReadWriteTotals place, List<IoTimelinePoint> timeline)
    {
        place.Read.IopsStdDev = ParseReal(iops["ReadIopsStdDev"]);
        place.Write.IopsStdDev = ParseReal(iops["WriteIopsStdDev"]);
        place.Total.IopsStdDev = ParseReal(iops["IopsStdDev"]);
        timeline.AddRange(iops.Intervals);
    }

    private double? ParseReal(DiskSpdXmlElement? element) =>
        element is null ? null : ToolNumberParser.ParseReal(element.Text) ?? ReportNumber<double>(element);

    private long? ParseInteger(DiskSpdXmlElement element) => ToolNumberParser.ParseInteger(element.Text) ?? ReportNumber<long>(element);

    private T? ReportNumber<T>(DiskSpdXmlElement element)
        where T : struct
    {
        if (!DiskSpdXmlElement.IsNoNumber(element.Text))
            AddProblem(element.Line, $"'{DiskSpdXmlElement.Shorten(element.Text)}' is not a valid number");
        return null;
    }

    private static void AddWaits(DiskSpdXmlElement waits, int thread, DiskSpdTimespan span)
    {
        var row = new DiskSpdWaitStatistics(
            thread,
            GetCount(waits, "CompletionWait"),
            GetCount(waits, "ThrottleWait"),
            GetCount(waits, "ThrottleSleep"),
            waits.GetText("WaitCompletion") ?? "",
            GetCount(waits, "Lookaside"),
            waits.GetText("LookasideCompletion") ?? ""
        );
        if (row.WaitCompletions.Length == 0)
        {
            AppendRow(span, DiskSpdFormat.Waits, DiskSpdWaitStatistics.Header, row.FormatRow());
            return;
        }
        AppendRow(span, DiskSpdFormat.CompletionWaits, DiskSpdWaitStatistics.ThrottledHeader, row.FormatCompletionRow(hasThrottled: true));
        if (row.LookasideCompletions.Length > 0)
            AppendRow(span, DiskSpdFormat.Lookasides, DiskSpdWaitStatistics.LookasideHeader, row.FormatLookasideRow());
    }

    /// <summary>Adds the IoRing submissions of a thread. The XML has a count, the text a rate.</summary>
    private static void AddSubmits(long count, int thread, DiskSpdTimespan span)
    {
        if (span.Seconds > 0)
            AppendRow(
                span,
                DiskSpdFormat.IoRing,
                DiskSpdWaitStatistics.IoRingHeader,
                DiskSpdWaitStatistics.FormatIoRingRow(thread, count / span.Seconds.Value)
            );
    }

    private static void AddAffinity(DiskSpdXmlElement affinity, DiskSpdTimespan span)
    {
        var processors = new List<int>();
        foreach (var group in affinity.Children)
            DiskSpdProcessorLists.ReadGroupMask(group, processors);
        if (processors.Count > 0)
            span.Details[DiskSpdFormat.EffectiveAffinity] = DiskSpdProcessorLists.FormatList(processors);
    }

    private static void AppendRow(DiskSpdTimespan span, string name, string header, string row)
    {
        span.Details.TryAdd(name, header);
        AppendLine(span, name, row);
    }

    private static void AddEtwCounters(DiskSpdXmlElement tree, DiskSpdTimespan span) => AddEtwCounters(tree, tree.Name, "", span);

    private static void AddEtwCounters(DiskSpdXmlElement tree, string name, string path, DiskSpdTimespan span)
    {
        foreach (var child in tree.Children)
        {
            if (child.Children.Count == 0)
                AppendLine(span, name, $"{path}{child.Name}: {child.Text}");
            else
                AddEtwCounters(child, name, path + child.Name + " ", span);
        }
    }

    /// <summary>Adds the ranges of a thread's I/Os, once for all threads of a target that have the same ranges.</summary>
    private static void AddDistribution(DiskSpdXmlElement distribution, IoThreadResult thread, DiskSpdTimespan span)
    {
        var lines = new StringBuilder();
        long from = 0;
        foreach (var range in distribution["Absolute"]?.Children ?? [])
        {
            var share = range.GetAttribute("IO");
            if (
                ToolNumberParser.ParseInteger(range.Text) is not long length
                || ToolNumberParser.ParseLeadingInt32(share) is not int percent
                || from > long.MaxValue - length
            )
                return;
            if (percent > 0)
                lines.Append('\n').Append(CultureInfo.InvariantCulture, $"{percent}% of IO => [{from} - {from + length})");
            from += length;
        }
        var text = lines.ToString();
        var all = span.Details.GetValueOrDefault(DiskSpdFormat.Distribution) ?? "";
        // Threads are in ascending order, so only the last entry can be extended.
        var last = all.LastIndexOf("target: ", StringComparison.Ordinal);
        var begin = $"target: {thread.Path} [thread: ";
        if (last >= 0 && all[last..].StartsWith(begin, StringComparison.Ordinal) && all.EndsWith("]" + text, StringComparison.Ordinal))
        {
            var close = all.Length - text.Length - 1;
            span.Details[DiskSpdFormat.Distribution] = $"{all[..close]} {thread.ThreadId}{all[close..]}";
            return;
        }
        AppendLine(span, DiskSpdFormat.Distribution, $"{begin}{thread.ThreadId}]{text}");
    }

    private static void AppendLine(DiskSpdTimespan span, string name, string line)
    {
        var text = span.Details.GetValueOrDefault(name);
        if (text is null || text.Length < MaxDetailLength)
            span.Details[name] = text is null ? line : text + "\n" + line;
    }

    private static string GetCount(DiskSpdXmlElement element, string name) => element.GetText(name) is { Length: > 0 } text ? text : "0";

    private static void ReadLatency(DiskSpdXmlElement latency, DiskSpdTimespan span)
    {
        var total = span.Totals.Total;
        var read = span.Totals.Read;
        var write = span.Totals.Write;
        read.AverageLatencyMs = GetNumber(latency, "AverageReadMilliseconds");
        read.LatencyStdDevMs = GetNumber(latency, "ReadLatencyStdev");
        write.AverageLatencyMs = GetNumber(latency, "AverageWriteMilliseconds");
        write.LatencyStdDevMs = GetNumber(latency, "WriteLatencyStdev");
        total.AverageLatencyMs = GetNumber(latency, "AverageTotalMilliseconds");
        total.LatencyStdDevMs = GetNumber(latency, "LatencyStdev");
        foreach (var bucket in latency.Children)
        {
            if (bucket.Name != "Bucket" || GetNumber(bucket, "Percentile") is not double percent)
                continue;
            var percentile = new IoPercentile
            {
                Percent = percent,
                ReadMs = GetNumber(bucket, "ReadMilliseconds"),
                WriteMs = GetNumber(bucket, "WriteMilliseconds"),
                TotalMs = GetNumber(bucket, "TotalMilliseconds"),
            };
            // DiskSpd prints all percentiles, even without any I/O. A bucket without a value means nothing.
            if (percentile is not { ReadMs: null, WriteMs: null, TotalMs: null })
                span.Percentiles.Add(percentile);
        }
    }

    private static double? GetNumber(DiskSpdXmlElement element, string name) => DiskSpdXmlElement.ParseReal(element.GetText(name));

    internal static IoTimelinePoint CreateInterval(XmlReader bucket)
    {
        var point = new IoTimelinePoint { Seconds = (GetNumber(bucket, "SampleMillisecond") ?? 0) / 1000 };
        point.IOPS = GetNumber(bucket, "Total");
        point.ReadIOPS = GetNumber(bucket, "Read");
        point.WriteIOPS = GetNumber(bucket, "Write");
        point.ReadLatency = CreateLatency(bucket, "Read", point.ReadIOPS);
        point.WriteLatency = CreateLatency(bucket, "Write", point.WriteIOPS);
        SetCombinedLatency(point);
        return point;
    }

    private static void SetCombinedLatency(IoTimelinePoint point)
    {
        var read = point.ReadLatency;
        var write = point.WriteLatency;
        point.MaxLatencyMs = (read?.MaxMs, write?.MaxMs) switch
        {
            (null, null) => null,
            (var one, null) => one,
            (null, var other) => other,
            var (one, other) => Math.Max(one.Value, other.Value),
        };
        // Weight the averages of reads and writes by their rates.
        point.AverageLatencyMs = (read?.AverageMs, write?.AverageMs) switch
        {
            (double r, double w) => point.ReadIOPS + point.WriteIOPS > 0
                ? (r * point.ReadIOPS + w * point.WriteIOPS) / (point.ReadIOPS + point.WriteIOPS)
                : null,
            (var one, var other) => one ?? other,
        };
    }

    private static IoLatencySummary? CreateLatency(XmlReader bucket, string kind, double? rate)
    {
        // Without such I/Os, DiskSpd prints 0.000 for all values. A rate of 0 can have I/Os, because it is rounded to a whole number.
        var average = GetNumber(bucket, kind + "AvgLatencyMilliseconds");
        return rate is null || average is null or 0
            ? null
            : new IoLatencySummary(
                GetNumber(bucket, kind + "MinLatencyMilliseconds"),
                GetNumber(bucket, kind + "MaxLatencyMilliseconds"),
                average,
                GetNumber(bucket, kind + "LatencyStdDev")
            );
    }

    private static double? GetNumber(XmlReader bucket, string name) =>
        bucket.GetAttribute(name) is { } text ? ToolNumberParser.ParseReal(text) : null;

    internal static void ReadSystem(DiskSpdXmlElement system, DiskSpdRun run)
    {
        run.ComputerName = system.GetText("ComputerName");
        run.ToolVersion = system["Tool"]?.GetText("Version");
        if (system.GetText("RunTime") is { } time)
            run.StartTime = DiskSpdValueFormat.ParseTime(time);
        if (system.GetText("ProcessorName") is { Length: > 0 } processor)
            run.Host["processor name"] = processor;
        if (ToolNumberParser.ParseInteger(system.GetText("PageSize") ?? "") is { } page)
            run.Host["page size"] = DiskSpdValueFormat.FormatSize23(page);
        if (system["ProcessorTopology"] is { } topology)
            ReadTopology(topology, run);
        if (system["PowerScheme"] is { } scheme)
        {
            var guid = scheme.GetAttribute("Guid");
            run.Host["active power scheme"] = scheme.GetAttribute("Name") + (guid.Length > 0 ? $" ({guid})" : "");
        }
    }

    private static void ReadTopology(DiskSpdXmlElement topology, DiskSpdRun run)
    {
        var groups = topology.Children.FindAll(c => c.Name == "Group");
        var processors = groups.Sum(g => ToolNumberParser.ParseLeadingInt32(g.GetAttribute("ActiveProcessors")) ?? 0L);
        SetCount(run, "cpu count", processors);
        // Before 2.2, the element of a core is HyperThread.
        SetCount(run, "core count", topology.Children.Count(c => c.Name is "Core" or "HyperThread"));
        SetCount(run, "group count", groups.Count);
        run.Host["node count"] = NumberFormat.Integer(topology.Children.Count(c => c.Name == "Node"));
        SetCount(run, "socket count", topology.Children.Count(c => c.Name == "Socket"));
        foreach (var cache in topology.Children.Where(c => c.Name == "Cache"))
            ReadCache(cache, run);
        if (topology.Attributes.TryGetValue("Heterogeneous", out var heterogeneous))
            run.Host["heterogeneous cores"] = heterogeneous == "true" ? "y" : "n";
    }

    /// <summary>Adds a cache in the format of the text output: <c>32KiB, lines of 64B, 8-way, CPU 0-7</c>.</summary>
    private static void ReadCache(DiskSpdXmlElement cache, DiskSpdRun run)
    {
        var kind = cache.GetAttribute("Type") switch
        {
            "Data" => "d",
            "Instruction" => "i",
            "Trace" => "t",
            "Unified" => "",
            _ => "?",
        };
        var processors = new List<int>();
        foreach (var group in cache.Children)
            DiskSpdProcessorLists.ReadGroupMask(group, processors);
        var associativity = cache.GetAttribute("Associativity");
        var list = DiskSpdProcessorLists.FormatList(processors);
        run.AddCache(
            "L" + cache.Attributes.GetValueOrDefault("Level", "?") + kind,
            $"{FormatSizeAttribute(cache, "CacheSize")}, lines of {FormatSizeAttribute(cache, "LineSize")}, {(associativity == "255" ? "full" : associativity + "-way")}, CPU {list[(list.IndexOf(' ', StringComparison.Ordinal) + 1)..]}"
        );
    }

    private static string FormatSizeAttribute(DiskSpdXmlElement element, string name) =>
        ToolNumberParser.ParseInteger(element.GetAttribute(name)) is { } bytes ? DiskSpdValueFormat.FormatSize23(bytes) : "?";

    private static void SetCount(DiskSpdRun run, string name, long count)
    {
        if (count > 0)
            run.Host[name] = NumberFormat.Integer(count);
    }

    internal static void ReadCpuLoad(DiskSpdXmlElement utilization, DiskSpdTimespan span)
    {
        foreach (var cpu in utilization.Children)
        {
            if (cpu.Name == "Average")
                span.CpuPercent = GetNumber(cpu, "UsagePercent");
            else if (cpu.Name == "CPU" && ParseInt32(cpu, "Id") is int id)
                span.Processors.Add(CreateProcessor(cpu, id));
        }
        ClearUniformNumbers(span.Processors);
    }

    private static IoProcessorLoad CreateProcessor(DiskSpdXmlElement cpu, int id) =>
        new()
        {
            Processor = id,
            Group = ParseInt32(cpu, "Group"),
            Socket = ParseInt32(cpu, "Socket"),
            Node = ParseInt32(cpu, "Node"),
            Core = ParseInt32(cpu, "Core"),
            EfficiencyClass = ParseInt32(cpu, "EfficiencyClass"),
            UsagePercent = GetNumber(cpu, "UsagePercent"),
            UserPercent = GetNumber(cpu, "UserPercent"),
            KernelPercent = GetNumber(cpu, "KernelPercent"),
            IdlePercent = GetNumber(cpu, "IdlePercent"),
        };

    /// <summary>The text output has these columns only if there are several values.</summary>
    private static void ClearUniformNumbers(List<IoProcessorLoad> processors)
    {
        if (processors.TrueForAll(p => p.Group == processors[0].Group))
            processors.ForEach(p => p.Group = null);
        if (processors.TrueForAll(p => p.Socket == processors[0].Socket))
            processors.ForEach(p => p.Socket = null);
        if (processors.TrueForAll(p => p.Node == processors[0].Node))
            processors.ForEach(p => p.Node = null);
        if (processors.TrueForAll(p => p.EfficiencyClass == processors[0].EfficiencyClass))
            processors.ForEach(p => p.EfficiencyClass = null);
        var cores = processors.Select(p => (p.Group, p.Core)).Distinct().Count();
        if (cores == processors.Count)
            processors.ForEach(p => p.Core = null);
    }

    private static int? ParseInt32(DiskSpdXmlElement element, string name) =>
        element.GetText(name) is { } text ? ToolNumberParser.ParseLeadingInt32(text) : null;
}
