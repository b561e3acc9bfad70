using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a Results element. Everything is stored, except interval values of threads beyond a memory limit.</summary>
internal sealed class DiskSpdXmlParser(DiskSpdXmlScanner scanner)
{
    private const int MaxIntervals = 1_000_000;

    /// <summary>Maximum number of intervals of single threads per document, to limit memory.</summary>
    private const int MaxThreadIntervals = 250_000;

    private readonly HashSet<string> _unknown = [];
    private DiskSpdRun _run = null!;
    private int _threadIntervals;

    internal DiskSpdRun ReadRun()
    {
        _run = new DiskSpdRun { Line = scanner.Line, Source = DiskSpdFormat.XmlSource };
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText)
        {
            if (scanner.Depth < depth)
                return _run;
            if (piece != XmlTagKind.Start)
                continue;
            switch (scanner.Name)
            {
                case "System":
                    DiskSpdSystemMapper.ReadSystem(DiskSpdXmlElement.Read(scanner), _run);
                    break;
                case "Profile":
                    _run.Specifications.AddRange(
                        new DiskSpdProfileMapper(
                            (line, what, _) => AddProblem(line, DiskSpdSupport.DescribeForResult(what))
                        ).CreateSpecifications(DiskSpdXmlElement.Read(scanner))
                    );
                    break;
                case "TimeSpan" when _run.Timespans.Count < DiskSpdRun.MaxTimeSpans:
                    ReadTimeSpan();
                    break;
                default:
                    SkipUnknown();
                    break;
            }
            if (scanner.Depth < depth)
                return _run;
        }
        if (_run.Timespans.Count > 0)
            _run.Timespans[^1].MissingParts ??= $"The XML is incomplete. It ends at line {scanner.Line} within <Results>.";
        return _run;
    }

    private void AddProblem(int line, string what) => _run.AddWarning($"Line {line}: {what}.");

    private void ReadTimeSpan()
    {
        var span = new DiskSpdTimespan { Number = _run.Timespans.Count + 1, Line = scanner.Line };
        _run.Timespans.Add(span);
        var depth = scanner.Depth;
        var isWhole = false;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText)
        {
            isWhole = scanner.Depth < depth;
            if (isWhole)
                break;
            if (piece == XmlTagKind.Start)
                ReadElement(span);
            isWhole = scanner.Depth < depth;
            if (isWhole)
                break;
        }
        if (!isWhole)
            span.MissingParts = $"The XML is incomplete. It ends at line {scanner.Line} within <TimeSpan>.";
        else if (span is { Interruption: null, Rows.Count: 0 })
            span.MissingParts = $"Line {span.Line}: <TimeSpan> has no threads.";
        DiskSpdTotals.SetTimespanTotals(_run, span);
    }

    private void ReadElement(DiskSpdTimespan span)
    {
        switch (scanner.Name)
        {
            case "TestTimeSeconds":
                span.Seconds = ReadReal();
                break;
            case "ThreadCount":
                span.ThreadCount = ToolNumberParser.ParseLeadingInt32(ReadText());
                break;
            case "RequestCount":
                ReadText();
                break;
            // DiskSpd does not have this element. IoBench writes it if it joins results of several runs in one document.
            case "ComputerName":
                span.ComputerName = ReadText();
                break;
            case "RunTime":
                span.StartTime = DiskSpdValueFormat.ParseTime(ReadText());
                break;
            case "ProcCount":
                _run.Host.TryAdd("cpu count", ReadText());
                break;
            case "EffectiveBufferSeparation":
                SetBoundary(span, ReadInteger());
                break;
            case "EffectiveAffinity":
                DiskSpdXmlDetails.AddAffinity(DiskSpdXmlElement.Read(scanner), span);
                break;
            case "HeterogeneousAffinityWarning":
                if (ReadText() is "true" or "1")
                    _run.AddWarning(DiskSpdPropertyNames.MixedCores);
                break;
            case "Error":
                span.Interruption = ReadText();
                break;
            case "CpuUtilization":
                DiskSpdSystemMapper.ReadCpuLoad(DiskSpdXmlElement.Read(scanner), span);
                break;
            case "Latency":
                DiskSpdLatencyMapper.ReadLatency(DiskSpdXmlElement.Read(scanner), span);
                break;
            case "Iops":
                ReadIops(span.Totals, span.Timeline, MaxIntervals);
                break;
            case "Thread":
                ReadThread(span);
                break;
            case "ETW" or "ETWSessionInfo":
                DiskSpdXmlDetails.AddEtwCounters(DiskSpdXmlElement.Read(scanner), span);
                break;
            default:
                SkipUnknown();
                break;
        }
    }

    private void SetBoundary(DiskSpdTimespan span, long? bytes)
    {
        if (span.Number <= _run.Specifications.Count)
            (_run.Specifications[span.Number - 1].GetOrAddOrigin().DiskSpd!.Version23 ??= new DiskSpd23Options()).BufferBoundary = bytes;
    }

    /// <summary>Debug builds of DiskSpd write values by target and group, whose Latency elements are not the timespan's.</summary>
    private void SkipUnknown()
    {
        if (!_unknown.Contains(scanner.Name))
        {
            if (_unknown.Count < DiskSpdRun.MaxWarnings)
                _unknown.Add(scanner.Name);
            AddProblem(scanner.Line, $"the element <{scanner.Name}> is unknown, so IoBench ignores it everywhere");
        }
        ReadText();
    }

    private void ReadThread(DiskSpdTimespan span)
    {
        var depth = scanner.Depth;
        var id = span.Rows.Count == 0 ? 0 : span.Rows[^1].Thread.ThreadId + 1;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlTagKind.Start)
                continue;
            switch (scanner.Name)
            {
                case "Id":
                    id = ToolNumberParser.ParseLeadingInt32(ReadText()) ?? id;
                    break;
                case "Target" when span.Rows.Count < DiskSpdIoTable.MaxRows:
                    ReadTarget(span, id);
                    break;
                case "Target":
                    ReadText();
                    break;
                case "SubmitCount":
                    DiskSpdXmlDetails.AddSubmits(ReadInteger() ?? 0, id, span);
                    break;
                case "WaitStatistics":
                    DiskSpdXmlDetails.AddWaits(DiskSpdXmlElement.Read(scanner), id, span);
                    break;
                default:
                    SkipUnknown();
                    break;
            }
            if (scanner.Depth < depth)
                return;
        }
    }

    private void ReadTarget(DiskSpdTimespan span, int thread)
    {
        var row = new DiskSpdThreadRow { Thread = new IoThreadResult { ThreadId = thread } };
        var total = row.Thread.Total;
        var read = row.Thread.Read;
        var write = row.Thread.Write;
        span.Rows.Add(row);
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlTagKind.Start)
                continue;
            switch (scanner.Name)
            {
                case "Path":
                    row.Thread.Path = ReusePath(ReadText());
                    break;
                case "FileSize":
                    row.FileSize = ReadInteger();
                    break;
                case "BytesCount":
                    total.ByteCount = ReadInteger();
                    break;
                case "IOCount":
                    total.IOCount = ReadInteger();
                    break;
                case "ReadBytes":
                    read.ByteCount = ReadInteger();
                    break;
                case "ReadCount":
                    read.IOCount = ReadInteger();
                    break;
                case "WriteBytes":
                    write.ByteCount = ReadInteger();
                    break;
                case "WriteCount":
                    write.IOCount = ReadInteger();
                    break;
                case "AverageReadLatencyMilliseconds":
                    read.AverageLatencyMs = ReadReal();
                    break;
                case "ReadLatencyStdev":
                    read.LatencyStdDevMs = ReadReal();
                    break;
                case "AverageWriteLatencyMilliseconds":
                    write.AverageLatencyMs = ReadReal();
                    break;
                case "WriteLatencyStdev":
                    write.LatencyStdDevMs = ReadReal();
                    break;
                case "AverageLatencyMilliseconds":
                    total.AverageLatencyMs = ReadReal();
                    break;
                case "LatencyStdev":
                    total.LatencyStdDevMs = ReadReal();
                    break;
                case "Iops":
                    ReadThreadIops(row.Thread);
                    break;
                case "Distribution":
                    DiskSpdXmlDetails.AddDistribution(DiskSpdXmlElement.Read(scanner), row.Thread, span);
                    break;
                default:
                    SkipUnknown();
                    break;
            }
            if (scanner.Depth < depth)
                return;
        }
    }

    private string ReusePath(string path)
    {
        foreach (var specification in _run.Specifications)
        {
            foreach (var target in specification.Targets)
            {
                if (target.Path == path)
                    return target.Path;
            }
        }
        return path;
    }

    private void ReadThreadIops(IoThreadResult thread)
    {
        var line = scanner.Line;
        var room = MaxThreadIntervals - _threadIntervals;
        // Warn only once. The intervals of all later threads are skipped too.
        if (ReadIops(thread, thread.Timeline, room) && room > 0)
            AddProblem(
                line,
                $"IoBench reads up to {MaxThreadIntervals} intervals of single threads per document. It ignores the intervals of thread {thread.ThreadId} after the first {room}, and all intervals of the threads after thread {thread.ThreadId}"
            );
        _threadIntervals += thread.Timeline.Count;
    }

    /// <summary>Reads deviations and intervals. Returns true if the element has more than <paramref name="max"/> intervals.</summary>
    private bool ReadIops(IoReadWriteTotals place, List<IoTimelinePoint> timeline, int max)
    {
        var more = false;
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlTagKind.Start)
                continue;
            switch (scanner.Name)
            {
                case "ReadIopsStdDev":
                    place.Read.IopsStdDev = ReadReal();
                    break;
                case "WriteIopsStdDev":
                    place.Write.IopsStdDev = ReadReal();
                    break;
                case "IopsStdDev":
                    place.Total.IopsStdDev = ReadReal();
                    break;
                case "Bucket" when timeline.Count < max:
                    timeline.Add(DiskSpdLatencyMapper.CreateInterval(scanner.Attributes));
                    break;
                case "Bucket":
                    more = true;
                    break;
            }
        }
        return more;
    }

    private double? ReadReal()
    {
        var text = ReadText();
        return ToolNumberParser.ParseReal(text) ?? ReportNumber<double>(text);
    }

    private long? ReadInteger()
    {
        var text = ReadText();
        return ToolNumberParser.ParseInteger(text) ?? ReportNumber<long>(text);
    }

    private T? ReportNumber<T>(string text)
        where T : struct
    {
        if (!DiskSpdXmlDetails.IsNoNumber(text))
            AddProblem(scanner.Line, $"'{(text.Length > 40 ? text[..40] + "…" : text)}' is not a valid number");
        return null;
    }

    private string ReadText()
    {
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText)
        {
            if (scanner.Depth < depth)
                return scanner.Text;
        }
        return "";
    }
}
