namespace IoBench.Formats;

internal sealed partial class RunParser
{
    private void BeginRun()
    {
        if (_run is not null)
            EndRun();
        SawDiskSpd = true;
        _run = new DiskSpdRun { Line = _line, Source = DiskSpdFormat.Source };
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
        if (_parameters is not null)
            _version.EndParameters();
        if (_parameters is not null && _run is not null)
            (_run.TellsThreads, _run.HasRoundedSizes) = (_parameters.TellsThreads, _parameters.HasRoundedSizes);
        _parameters = null;
    }

    private void BeginSpan(int number)
    {
        EndParameters();
        EndTable();
        EndSpan();
        if (_run is null || _run.Spans.Count >= DiskSpdRun.MaxTimeSpans || _run.Spans.Exists(s => s.Number == number))
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

    /// <summary>Tables without a heading belong to the current run if it has no results yet. Otherwise they are a new run.</summary>
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
        if (!string.IsNullOrEmpty(heading) && _span.TargetPercentiles.Count < IoTable.MaxRows)
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

    private bool BeginDetails23(string name)
    {
        _version.AtLeast("2.3");
        return BeginDetails(name);
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
            _run = new DiskSpdRun { Line = _line, Source = DiskSpdFormat.Source };
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
        if (
            _version.IsLinux
            && run.Spans.Exists(s => s.Rows.Select(r => r.Thread.ThreadId).Distinct().Skip(1).Any() && s.Percentiles.Count > 0)
        )
            run.Warn(
                "diskspd-for-linux counts the first threads several times in its Total percentiles: those of reads and of writes are right."
            );
        if (run.Spans.Count == 0)
            _finished.Enqueue(ResultBuilder.Build(run, null, _sourceFile));
        foreach (var span in run.Spans)
            _finished.Enqueue(ResultBuilder.Build(run, span, _sourceFile));
    }
}
