using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a Results element. Everything is stored, except interval values of threads beyond a memory limit.</summary>
internal sealed class ResultParser(XmlScanner scanner)
{
    private const int MaxIntervals = 1_000_000;

    /// <summary>Maximum number of intervals of single threads per document, to limit memory.</summary>
    private const int MaxThreadIntervals = 250_000;

    private readonly HashSet<string> _unknown = [];
    private DiskSpdRun _run = null!;
    private int _threadIntervals;

    internal DiskSpdRun Read()
    {
        _run = new DiskSpdRun { Line = scanner.Line, Source = DiskSpdFormat.XmlSource };
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText)
        {
            if (scanner.Depth < depth)
                return _run;
            if (piece != XmlPiece.Start)
                continue;
            switch (scanner.Name)
            {
                case "System":
                    SystemMapper.Map(XmlTree.Read(scanner), _run);
                    break;
                case "Profile":
                    _run.Specifications.AddRange(
                        new ProfileMapper((line, what, _) => Problem(line, DiskSpdWords.OfResult(what))).Map(XmlTree.Read(scanner))
                    );
                    break;
                case "TimeSpan" when _run.Spans.Count < DiskSpdRun.MaxTimeSpans:
                    ReadTimeSpan();
                    break;
                default:
                    SkipUnknown();
                    break;
            }
            if (scanner.Depth < depth)
                return _run;
        }
        if (_run.Spans.Count > 0)
            _run.Spans[^1].Missing ??= $"The XML is not whole: it ends at line {scanner.Line} within <Results>.";
        return _run;
    }

    private void Problem(int line, string what) => _run.Warn($"Line {line}: {what}.");

    private void ReadTimeSpan()
    {
        var span = new DiskSpdSpan { Number = _run.Spans.Count + 1, Line = scanner.Line };
        _run.Spans.Add(span);
        var depth = scanner.Depth;
        var isWhole = false;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText)
        {
            isWhole = scanner.Depth < depth;
            if (isWhole)
                break;
            if (piece == XmlPiece.Start)
                TakeElement(span);
            isWhole = scanner.Depth < depth;
            if (isWhole)
                break;
        }
        if (!isWhole)
            span.Missing = $"The XML is not whole: it ends at line {scanner.Line} within <TimeSpan>.";
        else if (span is { Interruption: null, Rows.Count: 0 })
            span.Missing = $"Line {span.Line}: <TimeSpan> has no threads.";
        SpanTotals.Set(_run, span);
    }

    private void TakeElement(DiskSpdSpan span)
    {
        switch (scanner.Name)
        {
            case "TestTimeSeconds":
                span.Seconds = Numbers.Real(ReadText());
                break;
            case "ThreadCount":
                span.ThreadCount = Numbers.LeadingInt(ReadText());
                break;
            case "RequestCount":
                ReadText();
                break;
            // DiskSpd does not have this element. IoBench writes it if it joins results of several runs in one document.
            case "ComputerName":
                span.ComputerName = ReadText();
                break;
            case "RunTime":
                span.StartTime = TimeText.Parse(ReadText());
                break;
            case "ProcCount":
                _run.Host.TryAdd("cpu count", ReadText());
                break;
            case "EffectiveBufferSeparation":
                SetBoundary(span, Numbers.Integer(ReadText()));
                break;
            case "EffectiveAffinity":
                XmlDetails.AddAffinity(XmlTree.Read(scanner), span);
                break;
            case "HeterogeneousAffinityWarning":
                if (ReadText() is "true" or "1")
                    _run.Warn(DetailNames.MixedCores);
                break;
            case "Error":
                span.Interruption = ReadText();
                break;
            case "CpuUtilization":
                SystemMapper.MapLoad(XmlTree.Read(scanner), span);
                break;
            case "Latency":
                LatencyMapper.Map(XmlTree.Read(scanner), span);
                break;
            case "Iops":
                ReadIops(span.Totals, span.Timeline, MaxIntervals);
                break;
            case "Thread":
                ReadThread(span);
                break;
            case "ETW" or "ETWSessionInfo":
                XmlDetails.AddTree(XmlTree.Read(scanner), span);
                break;
            default:
                SkipUnknown();
                break;
        }
    }

    private void SetBoundary(DiskSpdSpan span, long? bytes)
    {
        if (span.Number <= _run.Specifications.Count)
            (_run.Specifications[span.Number - 1].Origin().DiskSpd!.Version23 ??= new DiskSpd23Options()).BufferBoundary = bytes;
    }

    /// <summary>
    /// Skips an element with its children, because their Latency or Thread elements do not belong to the timespan. DiskSpd's debug builds
    /// write values by target and
    /// group there. All elements with the same name are noted once.
    /// </summary>
    private void SkipUnknown()
    {
        if (!_unknown.Contains(scanner.Name))
        {
            if (_unknown.Count < DiskSpdRun.MaxWarnings)
                _unknown.Add(scanner.Name);
            Problem(scanner.Line, $"the element <{scanner.Name}> is not known and is passed over, here and wherever it stands again");
        }
        ReadText();
    }

    private void ReadThread(DiskSpdSpan span)
    {
        var depth = scanner.Depth;
        var id = span.Rows.Count == 0 ? 0 : span.Rows[^1].Thread.ThreadId + 1;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlPiece.Start)
                continue;
            switch (scanner.Name)
            {
                case "Id":
                    id = Numbers.LeadingInt(ReadText()) ?? id;
                    break;
                case "Target" when span.Rows.Count < IoTable.MaxRows:
                    ReadTarget(span, id);
                    break;
                case "Target":
                    ReadText();
                    break;
                case "SubmitCount":
                    XmlDetails.AddSubmits(Numbers.Integer(ReadText()) ?? 0, id, span);
                    break;
                case "WaitStatistics":
                    XmlDetails.AddWaits(XmlTree.Read(scanner), id, span);
                    break;
                default:
                    SkipUnknown();
                    break;
            }
            if (scanner.Depth < depth)
                return;
        }
    }

    private void ReadTarget(DiskSpdSpan span, int thread)
    {
        var row = new DiskSpdRow { Thread = new IoThreadResult { ThreadId = thread } };
        var (total, read, write) = (row.Thread.Total, row.Thread.Read, row.Thread.Write);
        span.Rows.Add(row);
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlPiece.Start)
                continue;
            switch (scanner.Name)
            {
                case "Path":
                    row.Thread.Path = KnownPath(ReadText());
                    break;
                case "FileSize":
                    row.FileSize = Numbers.Integer(ReadText());
                    break;
                case "BytesCount":
                    total.ByteCount = Numbers.Integer(ReadText());
                    break;
                case "IOCount":
                    total.IOCount = Numbers.Integer(ReadText());
                    break;
                case "ReadBytes":
                    read.ByteCount = Numbers.Integer(ReadText());
                    break;
                case "ReadCount":
                    read.IOCount = Numbers.Integer(ReadText());
                    break;
                case "WriteBytes":
                    write.ByteCount = Numbers.Integer(ReadText());
                    break;
                case "WriteCount":
                    write.IOCount = Numbers.Integer(ReadText());
                    break;
                case "AverageReadLatencyMilliseconds":
                    read.AverageLatencyMs = Numbers.Real(ReadText());
                    break;
                case "ReadLatencyStdev":
                    read.LatencyStdDevMs = Numbers.Real(ReadText());
                    break;
                case "AverageWriteLatencyMilliseconds":
                    write.AverageLatencyMs = Numbers.Real(ReadText());
                    break;
                case "WriteLatencyStdev":
                    write.LatencyStdDevMs = Numbers.Real(ReadText());
                    break;
                case "AverageLatencyMilliseconds":
                    total.AverageLatencyMs = Numbers.Real(ReadText());
                    break;
                case "LatencyStdev":
                    total.LatencyStdDevMs = Numbers.Real(ReadText());
                    break;
                case "Iops":
                    ReadThreadIops(row.Thread);
                    break;
                case "Distribution":
                    XmlDetails.AddDistribution(XmlTree.Read(scanner), row.Thread, span);
                    break;
                default:
                    SkipUnknown();
                    break;
            }
            if (scanner.Depth < depth)
                return;
        }
    }

    private string KnownPath(string path)
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
            Problem(
                line,
                $"intervals of single threads are kept up to {MaxThreadIntervals} per document; those of thread {thread.ThreadId} after the first {room}, and of the threads after it, are left out"
            );
        _threadIntervals += thread.Timeline.Count;
    }

    /// <summary>Reads deviations and intervals. Returns true if the element has more than <paramref name="max"/> intervals.</summary>
    private bool ReadIops(IoReadWriteTotals place, List<IoTimelinePoint> timeline, int max)
    {
        var more = false;
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlPiece.Start)
                continue;
            switch (scanner.Name)
            {
                case "ReadIopsStdDev":
                    place.Read.IopsStdDev = Numbers.Real(ReadText());
                    break;
                case "WriteIopsStdDev":
                    place.Write.IopsStdDev = Numbers.Real(ReadText());
                    break;
                case "IopsStdDev":
                    place.Total.IopsStdDev = Numbers.Real(ReadText());
                    break;
                case "Bucket" when timeline.Count < max:
                    timeline.Add(IntervalMapper.Map(scanner.Attributes));
                    break;
                case "Bucket":
                    more = true;
                    break;
            }
        }
        return more;
    }

    private string ReadText()
    {
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText)
        {
            if (scanner.Depth < depth)
                return scanner.Text;
        }
        return "";
    }
}
