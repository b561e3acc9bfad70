using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Xml;

/// <summary>Reads a Results element: all of a timespan is kept, but for interval figures of threads beyond what memory is meant for.</summary>
internal sealed class ResultParser(XmlScanner scanner)
{
    private const int MostIntervals = 1_000_000;

    /// <summary>Intervals of single threads that a document's results keep: each point takes some 300 bytes.</summary>
    private const int MostThreadIntervals = 250_000;

    private DiskSpdRun _run = null!;
    private int _threadIntervals;

    /// <summary>Reads the element whose start tag the scanner stands at.</summary>
    internal DiskSpdRun Read()
    {
        _run = new DiskSpdRun { Line = scanner.Line, Source = IoResultSource.DiskSpdXml };
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText)
        {
            if (scanner.Depth < depth)
                return _run;
            if (piece != XmlPiece.Start)
                continue;
            switch (scanner.Name)
            {
                case "System": SystemMapper.Map(XmlTree.Read(scanner), _run); break;
                case "Profile": _run.Specifications.AddRange(new ProfileMapper(Problem).Map(XmlTree.Read(scanner))); break;
                case "TimeSpan" when _run.Spans.Count < DiskSpdRun.MostTimeSpans: ReadTimeSpan(); break;
                default: Problem(scanner.Line, $"the element <{scanner.Name}> is not known"); break;
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
            case "TestTimeSeconds": span.Seconds = Numbers.Real(ReadText()); break;
            case "ThreadCount": span.ThreadCount = Numbers.LeadingInt(ReadText()); break;
            case "RequestCount": ReadText(); break;
            // Not DiskSpd's: results of several runs in one document, written by IoBench.
            case "ComputerName": span.ComputerName = ReadText(); break;
            case "RunTime": span.StartTime = TimeText.Parse(ReadText()); break;
            case "ProcCount": _run.Host.TryAdd("cpu count", ReadText()); break;
            case "Error": span.Interruption = ReadText(); break;
            case "CpuUtilization": SystemMapper.MapLoad(XmlTree.Read(scanner), span); break;
            case "Latency": LatencyMapper.Map(XmlTree.Read(scanner), span); break;
            case "Iops": ReadIops(span.Totals, span.Timeline, MostIntervals); break;
            case "Thread": ReadThread(span); break;
            case "ETW" or "ETWSessionInfo": Details.AddTree(XmlTree.Read(scanner), span); break;
            default:
                Problem(scanner.Line, $"the element <{scanner.Name}> is not known");
                break;
        }
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
                case "Id": id = Numbers.LeadingInt(ReadText()) ?? id; break;
                case "Target" when span.Rows.Count < Text.IoTable.MostRows: ReadTarget(span, id); break;
                case "WaitStatistics": Details.AddWaits(XmlTree.Read(scanner), id, span); break;
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
                case "Path": row.Thread.Path = KnownPath(ReadText()); break;
                case "FileSize": row.FileSize = Numbers.Integer(ReadText()); break;
                case "BytesCount": total.ByteCount = Numbers.Integer(ReadText()); break;
                case "IOCount": total.IOCount = Numbers.Integer(ReadText()); break;
                case "ReadBytes": read.ByteCount = Numbers.Integer(ReadText()); break;
                case "ReadCount": read.IOCount = Numbers.Integer(ReadText()); break;
                case "WriteBytes": write.ByteCount = Numbers.Integer(ReadText()); break;
                case "WriteCount": write.IOCount = Numbers.Integer(ReadText()); break;
                case "AverageReadLatencyMilliseconds": read.AverageLatencyMs = Numbers.Real(ReadText()); break;
                case "ReadLatencyStdev": read.LatencyStdDevMs = Numbers.Real(ReadText()); break;
                case "AverageWriteLatencyMilliseconds": write.AverageLatencyMs = Numbers.Real(ReadText()); break;
                case "WriteLatencyStdev": write.LatencyStdDevMs = Numbers.Real(ReadText()); break;
                case "AverageLatencyMilliseconds": total.AverageLatencyMs = Numbers.Real(ReadText()); break;
                case "LatencyStdev": total.LatencyStdDevMs = Numbers.Real(ReadText()); break;
                case "Iops": ReadThreadIops(row.Thread); break;
                case "Distribution": Details.AddDistribution(XmlTree.Read(scanner), row.Thread, span); break;
                default: Problem(scanner.Line, $"the element <{scanner.Name}> is not known"); break;
            }
            if (scanner.Depth < depth)
                return;
        }
    }

    /// <summary>One string for a path that many threads have.</summary>
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
        var room = MostThreadIntervals - _threadIntervals;
        // Told once: of all threads after it none are kept.
        if (ReadIops(thread, thread.Timeline, room) && room > 0)
            Problem(line, $"intervals of single threads are kept up to {MostThreadIntervals} a document; those of thread {thread.ThreadId} after the first {room}, and of the threads after it, are left out");
        _threadIntervals += thread.Timeline.Count;
    }

    /// <summary>Whether there were more intervals than may be kept.</summary>
    private bool ReadIops(IoReadWriteTotals place, List<IoTimelinePoint> timeline, int most)
    {
        var more = false;
        var depth = scanner.Depth;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText && scanner.Depth >= depth)
        {
            if (piece != XmlPiece.Start)
                continue;
            switch (scanner.Name)
            {
                case "ReadIopsStdDev": place.Read.IopsStdDev = Numbers.Real(ReadText()); break;
                case "WriteIopsStdDev": place.Write.IopsStdDev = Numbers.Real(ReadText()); break;
                case "IopsStdDev": place.Total.IopsStdDev = Numbers.Real(ReadText()); break;
                case "Bucket" when timeline.Count < most: timeline.Add(IntervalMapper.Map(scanner.Attributes)); break;
                case "Bucket": more = true; break;
            }
        }
        return more;
    }

    /// <summary>The text of the element whose start tag the scanner stands at.</summary>
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
