using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Text;

/// <summary>
/// Reads DiskSpd's text line by line. A run begins at its command line, its parameters or, where a copy lacks both, at its first table;
/// it ends where the next one begins. Finished results are taken with <see cref="TryTake"/>.
/// </summary>
internal sealed class RunParser
{
    private enum Part { Before, Parameters, System, Results, Totals, Details }

    private enum Table { None, Cpu, Io, Percentiles }

    private readonly string? _sourceFile;
    private readonly Queue<IoTestResult> _finished = [];
    private readonly CpuTable _cpu = new();
    private DiskSpdRun? _run;
    private DiskSpdSpan? _span;
    private ParameterBlock? _parameters;
    private IoTable? _io;
    private VersionGuess _version = new();
    private Part _part;
    private Table _table;
    private SpanProgress _seen;
    private List<IoPercentile> _chart = [];
    private string? _held;
    private int _heldLine;
    private string? _detail;
    private readonly List<string> _earlyErrors = [];
    private readonly List<string> _earlyWarnings = [];
    private int _line;

    internal RunParser(string? sourceFile) => _sourceFile = sourceFile;

    /// <summary>Anything of DiskSpd's was seen.</summary>
    internal bool SawDiskSpd { get; private set; }

    /// <summary>DiskSpd's help was seen.</summary>
    internal bool SawUsage { get; private set; }

    /// <summary>A finished result.</summary>
    internal bool TryTake(out IoTestResult result) => _finished.TryDequeue(out result!);

    /// <summary>Takes a line.</summary>
    internal void Take(ReadOnlySpan<char> line, int number)
    {
        _line = number;
        line = Trim(line);
        if (line.IsEmpty)
            return;
        // Rows first: they are most of the text.
        if (char.IsAsciiDigit(line[0]) && TakeRow(line))
            return;
        if (IsRule(line) || TakeHeading(line) || TakeRow(line) || TakePart(line) || TakeMessage(line))
            return;
        Hold(line);
    }

    /// <summary>Ends the text.</summary>
    internal void End() => EndRun();

    private static ReadOnlySpan<char> Trim(ReadOnlySpan<char> line)
    {
        while (!line.IsEmpty && IsBlank(line[0]))
            line = line[1..];
        while (!line.IsEmpty && IsBlank(line[^1]))
            line = line[..^1];
        return line;
    }

    private static bool IsBlank(char c) => c is ' ' or '\t' or '\0' or '\u00A0' or '\uFEFF';

    /// <summary>Lines of dashes and the like, dots of progress, fences of a web page.</summary>
    private static bool IsRule(ReadOnlySpan<char> line) => line[0] is '-' or '*' or '_' or '=' or '.' or '`' && line.IndexOfAnyExcept(line[0]) < 0;

    // ---- where parts begin ----

    private bool TakeHeading(ReadOnlySpan<char> line)
    {
        switch (line[0])
        {
            case 'C' when line.StartsWith("Command Line:"):
                BeginRun();
                _run!.CommandLine = line[13..].Trim().ToString();
                return true;
            case 'I' when line is "Input parameters:":
                BeginParameters();
                return true;
            case 'S' when line is "System information:" or "System info:":
                EndParameters();
                if (_run is null || _run.Spans.Count > 0)
                    BeginRun();
                _part = Part.System;
                if (line is "System info:")
                    _version.IsLinux = true;
                else
                    _version.AtLeast("2.0.21");
                return true;
            case 'R' when line.StartsWith("Results for timespan ") || line.StartsWith("Results for job "):
                BeginSpan(Numbers.LeadingInt(line[(line.StartsWith("Results for job ") ? 16 : 21)..]) ?? 1);
                return true;
            case 'E' when line.StartsWith("Experiment Flags:"):
                _version.AtLeast("2.2");
                // In hexadecimal, and in brackets once more as we count.
                if (_run is not null)
                    _run.ExperimentFlags = Numbers.LeadingInt(line[(line.IndexOf('(') + 1)..]) ?? 0;
                return true;
            case 'T' when line is "Totals:" && _span is not null:
                EndTable();
                _part = Part.Totals;
                return true;
            case 'U' when line.StartsWith("Usage: ") && line.Contains("diskspd", StringComparison.OrdinalIgnoreCase):
                return SawUsage = true;
        }
        return TakeTableHeading(line);
    }

    private bool TakeTableHeading(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "Total IO": return BeginIoTable(IoTable.Section.Total);
            case "Read IO": return BeginIoTable(IoTable.Section.Read);
            case "Write IO": return BeginIoTable(IoTable.Section.Write);
            case "Total latency distribution:":
                _version.AtLeast("2.2");
                return BeginTotalChart();
            case "total:" when _span is not null:
                return BeginTotalChart();
            case "Effective IO Distributions": return BeginDetails(DetailNames.Distribution);
            case "ETW:": return BeginDetails(DetailNames.Etw);
            case "Wait Statistics": return BeginDetails(DetailNames.Waits);
        }
        if (line.StartsWith("Latency distribution: ") && _span is not null)
        {
            _version.AtLeast("2.2");
            FlushHeld();
            _held = line[22..].ToString();
            _heldLine = _line;
            return true;
        }
        if (line.StartsWith("thread |") && line.Contains("bytes", StringComparison.Ordinal))
        {
            if (_table != Table.Io)
                BeginIoTable(IoTable.Section.Total);
            _io!.TakeHeader(line);
            return true;
        }
        if (PercentileTable.IsHeader(line))
            return BeginChart();
        if (_span is not null && CpuTable.IsHeader(line))
            return BeginCpu(line);
        return false;
    }

    // ---- rows of the table at hand ----

    private bool TakeRow(ReadOnlySpan<char> line) => _table switch
    {
        Table.Io => TakeIoRow(line),
        Table.Percentiles => PercentileTable.TakeRow(line, _chart),
        Table.Cpu => _cpu.TakeRow(line, _span!),
        _ => false,
    };

    private bool TakeIoRow(ReadOnlySpan<char> line)
    {
        if (!_io!.TakeRow(line))
            return false;
        if (line[0] == 't')
            _seen.Add(_io.Current);
        return true;
    }

    private bool TakePart(ReadOnlySpan<char> line)
    {
        switch (_part)
        {
            case Part.Parameters:
                if (!_parameters!.Take(line))
                    return false;
                _version.TakeParameter(line);
                return true;
            case Part.System:
                return TakeSystem(line);
            case Part.Results:
                return TakeResult(line);
            case Part.Totals:
                // Sums over all timespans: each has its own result.
                return line.StartsWith("type") || line.StartsWith("write") || line.StartsWith("read") || line.StartsWith("total");
            case Part.Details:
                AddDetail(line);
                return true;
            default:
                return false;
        }
    }

    private bool TakeSystem(ReadOnlySpan<char> line)
    {
        var colon = line.IndexOf(':');
        if (colon < 0)
            return false;
        var value = line[(colon + 1)..].Trim();
        switch (line[..colon])
        {
            case "computer name":
                _run!.ComputerName = value.ToString();
                return true;
            case "start time":
                _run!.StartTime = TimeText.Parse(value);
                return _run.StartTime is not null || value.IsEmpty;
            case "cpu count" or "core count" or "group count" or "node count" or "socket count" or "heterogeneous cores" or "active power scheme":
                _version.AtLeast("2.2");
                break;
            case "processor count" or "caching options":
                break;
            default:
                return false;
        }
        _run!.Host[line[..colon].ToString()] = value.ToString();
        return true;
    }

    private bool TakeResult(ReadOnlySpan<char> line)
    {
        var colon = line.IndexOf(':');
        if (colon > 0)
        {
            var value = line[(colon + 1)..].Trim();
            switch (line[..colon])
            {
                case "actual test time" or "test time":
                    _span!.Seconds = Numbers.Real(value.TrimEnd('s').TrimEnd());
                    return _span.Seconds is not null;
                case "thread count":
                    _span!.ThreadCount = Numbers.LeadingInt(value);
                    return _span.ThreadCount is not null;
                case "request count":
                    _version.AtLeast("2.0.19");
                    return true;
                case "proc count":
                    _version.AtMost("2.1");
                    _run!.Host.TryAdd("cpu count", value.ToString());
                    return true;
            }
        }
        if (!line.StartsWith("The test was interrupted"))
            return false;
        _span!.Interruption = line.ToString();
        return true;
    }

    // ---- lines that are none of the above ----

    private bool TakeMessage(ReadOnlySpan<char> line)
    {
        if (DiskSpdMessages.IsError(line))
        {
            AddError(line.ToString());
            return true;
        }
        if (line.StartsWith("WARNING:"))
        {
            var warning = "DiskSpd said: " + line.ToString();
            if (_run is not null)
                _run.Warn(warning);
            else if (_earlyWarnings.Count < DiskSpdRun.MostWarnings)
                _earlyWarnings.Add(warning);
            return true;
        }
        if (DiskSpdMessages.IsVerbose(line))
            return true;
        // A prompt with the command that is to run: the run before it is over.
        if (DiskSpdMessages.IsPrompt(line))
        {
            if (_run is not null || _earlyErrors.Count > 0)
                EndRun();
            return true;
        }
        return false;
    }

    private void AddError(string text)
    {
        SawDiskSpd = true;
        // Messages go to stderr while the run lasts, the text to stdout at its end: they stand before the run they belong to.
        if (_run is null || _span is { Interruption: null })
        {
            if (_run is not null && _seen.IsWhole(_run, _span))
                EndRun();
            if (_run is null)
            {
                if (_earlyErrors.Count < DiskSpdRun.MostWarnings)
                    _earlyErrors.Add(text);
                return;
            }
        }
        if (_run.Errors.Count < DiskSpdRun.MostWarnings)
            _run.Errors.Add(text);
    }

    /// <summary>Keeps a line until the next one tells what it is: up to 2.1 a target's chart is headed by its bare path.</summary>
    private void Hold(ReadOnlySpan<char> line)
    {
        FlushHeld();
        if (_run is null)
            return;
        _held = line.Length <= 1024 ? line.ToString() : line[..1024].ToString();
        _heldLine = _line;
    }

    private void FlushHeld()
    {
        if (!string.IsNullOrEmpty(_held))
            _run?.Warn($"Line {_heldLine}: '{(_held.Length > 100 ? _held[..100] + "…" : _held)}' was not understood.");
        _held = null;
    }

    // ---- beginnings and ends ----

    private void BeginRun()
    {
        if (_run is not null)
            EndRun();
        SawDiskSpd = true;
        _run = new DiskSpdRun { Line = _line, Source = IoResultSource.DiskSpd };
        TakeEarly(_run);
    }

    private void TakeEarly(DiskSpdRun run)
    {
        run.Errors.AddRange(_earlyErrors);
        run.Warnings.AddRange(_earlyWarnings);
        _earlyErrors.Clear();
        _earlyWarnings.Clear();
    }

    private void BeginParameters()
    {
        var job = _version.IsLinux && _run is { Spans.Count: > 0 } ? _run : null;
        if (job is not null)
            EndTable();
        else if (_run is null || _run.Specifications.Count > 0 || _run.Spans.Count > 0 || _parameters is not null)
            BeginRun();
        _parameters = new ParameterBlock(_run!);
        _part = Part.Parameters;
    }

    private void EndParameters()
    {
        FlushHeld();
        _parameters?.End();
        if (_parameters is not null && _run is not null)
            (_run.TellsThreads, _run.HasRoundedSizes) = (_parameters.TellsThreads, _parameters.HasRoundedSizes);
        _parameters = null;
    }

    private void BeginSpan(int number)
    {
        EndParameters();
        EndTable();
        EndSpan();
        if (_run is null || _run.Spans.Count >= DiskSpdRun.MostTimeSpans || _run.Spans.Exists(s => s.Number == number))
            BeginRun();
        _span = new DiskSpdSpan { Number = number, Line = _line };
        _run!.Spans.Add(_span);
        _io = new IoTable(_run);
        _seen = default;
        _part = Part.Results;
    }

    private bool BeginIoTable(IoTable.Section section)
    {
        EndTable();
        if (_span is null || _seen.Began(section))
            BeginSpan(NextSpanNumber());
        _seen.Begin(section);
        _io!.Begin(section, _span!);
        _table = Table.Io;
        _part = Part.Results;
        return true;
    }

    /// <summary>Tables without a heading of their own belong to the run at hand if it has no results yet, else they are a run of their own.</summary>
    private int NextSpanNumber() => _run is { Spans.Count: 0 } ? 1 : _run?.Spans[^1].Number ?? 1;

    private bool BeginCpu(ReadOnlySpan<char> header)
    {
        EndTable();
        _cpu.TakeHeader(header);
        _table = Table.Cpu;
        if (header.StartsWith("Socket") || header.StartsWith("Node") || header.StartsWith("Core") || header.IndexOf("| Kernel |  Idle") > 0)
            _version.AtLeast("2.2");
        return true;
    }

    /// <summary>The heading of the chart over all targets.</summary>
    private bool BeginTotalChart()
    {
        EndTable();
        _held = "";
        return true;
    }

    private bool BeginChart()
    {
        if (_span is null)
            BeginSpan(1);
        var heading = _held;
        _held = null;
        _chart = _span!.Percentiles;
        if (!string.IsNullOrEmpty(heading) && _span.TargetPercentiles.Count < IoTable.MostRows)
            _span.TargetPercentiles[heading] = _chart = [];
        _table = Table.Percentiles;
        _part = Part.Results;
        return true;
    }

    private bool BeginDetails(string name)
    {
        if (_span is null)
            return false;
        EndTable();
        _detail = name;
        _part = Part.Details;
        return true;
    }

    private void AddDetail(ReadOnlySpan<char> line)
    {
        var details = _span!.Details;
        var text = details.GetValueOrDefault(_detail!);
        if (text is null || text.Length < LineSource.LongestLine)
            details[_detail!] = text is null ? line.ToString() : text + "\n" + line.ToString();
    }

    private void EndTable()
    {
        FlushHeld();
        if (_io is not null && _table == Table.Io)
        {
            if (_io.SaysMiB)
                _version.AtLeast("2.0.18");
            if (_io.SaysMB)
                _version.AtMost("2.0.17");
        }
        _table = Table.None;
    }

    private void EndSpan()
    {
        if (_span is not null && _run is not null)
            _span.Missing = _seen.Missing(_run, _span, _line);
        _span = null;
    }

    private void EndRun()
    {
        EndParameters();
        EndTable();
        EndSpan();
        if (_run is null && _earlyErrors.Count > 0)
        {
            _run = new DiskSpdRun { Line = _line, Source = IoResultSource.DiskSpd };
            TakeEarly(_run);
        }
        if (_run is { } run)
            Finish(run);
        _run = null;
        _part = Part.Before;
        _version = new VersionGuess();
    }

    private void Finish(DiskSpdRun run)
    {
        run.ToolVersion = _version.ToString();
        MissingParameters.Fill(run, _version.IsLinux);
        if (_version.IsLinux && run.Spans.Exists(s => s.Rows.Select(r => r.Thread.ThreadId).Distinct().Skip(1).Any() && s.Percentiles.Count > 0))
            run.Warn("diskspd-for-linux counts the first threads several times in its Total percentiles: those of reads and of writes are right.");
        if (run.Spans.Count == 0)
            _finished.Enqueue(ResultBuilder.Build(run, null, _sourceFile));
        foreach (var span in run.Spans)
            _finished.Enqueue(ResultBuilder.Build(run, span, _sourceFile));
    }
}
