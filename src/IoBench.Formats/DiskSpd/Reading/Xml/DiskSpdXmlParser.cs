using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a Results element. Everything is stored, except interval values of threads beyond a memory limit.</summary>
internal sealed class DiskSpdXmlParser(DiskSpdXmlInput input)
{
    private const int MaxIntervals = 1_000_000;

    /// <summary>Maximum number of intervals of single threads per document, to limit memory.</summary>
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
        ["EffectiveAffinity"] = (_, span, e) => DiskSpdXmlDetails.AddAffinity(e, span),
        ["HeterogeneousAffinityWarning"] = (p, _, e) => p.WarnOfMixedCores(e.Text is "true" or "1"),
        ["Error"] = (_, span, e) => span.Interruption = e.Text,
        ["CpuUtilization"] = (_, span, e) => DiskSpdSystemMapper.ReadCpuLoad(e, span),
        ["Latency"] = (_, span, e) => DiskSpdLatencyMapper.ReadLatency(e, span),
        ["Iops"] = (p, span, e) => p.ReadIops(e, span.Totals, span.Timeline),
        ["Thread"] = (p, span, e) => p.ReadThread(e, span),
        ["ETW"] = (_, span, e) => DiskSpdXmlDetails.AddEtwCounters(e, span),
        ["ETWSessionInfo"] = (_, span, e) => DiskSpdXmlDetails.AddEtwCounters(e, span),
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
                DiskSpdSystemMapper.ReadSystem(input.ReadElement(), _run);
            else if (name == "Profile")
                ReadProfile(input.ReadElement());
            else if (name == "TimeSpan" && _run.Timespans.Count < DiskSpdRun.MaxTimeSpans)
                ReadTimeSpan();
            else
                ReportUnknown(input.ReadElement());
        }
        if (input.HasEnded && _run.Timespans.Count > 0)
            _run.Timespans[^1].MissingParts ??= $"The XML is incomplete. It ends at line {input.Line} within <Results>.";
        return _run;
    }

    private void AddProblem(int line, string what) => _run.AddWarning($"Line {line}: {what}.");

    private void ReadProfile(DiskSpdXmlElement profile)
    {
        var mapper = new DiskSpdProfileMapper((line, what, _) => AddProblem(line, DiskSpdSupport.DescribeForResult(what)));
        _run.Specifications.AddRange(mapper.CreateSpecifications(profile));
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
            span.MissingParts = $"The XML is incomplete. It ends at line {input.Line} within <TimeSpan>.";
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
            _run.AddWarning(DiskSpdPropertyNames.MixedCores);
    }

    /// <summary>Debug builds of DiskSpd write values by target and group, whose Latency elements are not the timespan's.</summary>
    private void ReportUnknown(DiskSpdXmlElement element)
    {
        if (_unknown.Contains(element.Name))
            return;
        if (_unknown.Count < DiskSpdRun.MaxWarnings)
            _unknown.Add(element.Name);
        AddProblem(element.Line, $"the element <{element.Name}> is unknown, so IoBench ignores it everywhere");
    }

    private void ReadThread(DiskSpdXmlElement thread, DiskSpdTimespan span)
    {
        var id = span.Rows.Count == 0 ? 0 : span.Rows[^1].Thread.ThreadId + 1;
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
                    DiskSpdXmlDetails.AddSubmits(ParseInteger(element) ?? 0, id, span);
                    break;
                case "WaitStatistics":
                    DiskSpdXmlDetails.AddWaits(element, id, span);
                    break;
                default:
                    ReportUnknown(element);
                    break;
            }
        }
    }

    private void ReadTarget(DiskSpdXmlElement target, DiskSpdTimespan span, int thread)
    {
        var row = new DiskSpdThreadRow { Thread = new IoThreadResult { ThreadId = thread } };
        span.Rows.Add(row);
        foreach (var element in target.Children)
        {
            if (s_targetElements.TryGetValue(element.Name, out var read))
                read(this, row.Thread, element);
            else if (element.Name == "FileSize")
                row.FileSize = ParseInteger(element);
            else if (element.Name == "Distribution")
                DiskSpdXmlDetails.AddDistribution(element, row.Thread, span);
            else
                ReportUnknown(element);
        }
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
                $"IoBench reads up to {MaxThreadIntervals} intervals of single threads per document. It ignores the intervals of thread {thread.ThreadId} after the first {room}, and all intervals of the threads after thread {thread.ThreadId}"
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
        if (!DiskSpdXmlDetails.IsNoNumber(element.Text))
            AddProblem(element.Line, $"'{DiskSpdXmlElement.Shorten(element.Text)}' is not a valid number");
        return null;
    }
}
