namespace IoBench.Formats;

internal sealed partial class DiskSpdTextParser
{
    private void BeginRun()
    {
        if (_run is not null)
            EndRun();
        HasDiskSpdOutput = true;
        _run = new DiskSpdRun { Line = _line, Source = DiskSpdFormat.Source };
        AddEarlyMessages(_run);
    }

    private void AddEarlyMessages(DiskSpdRun run)
    {
        run.Errors.AddRange(_earlyErrors);
        run.Warnings.AddRange(_earlyWarnings);
        _earlyErrors.Clear();
        _earlyWarnings.Clear();
    }

    private void BeginParameters()
    {
        var job = _version.IsLinux && _run is { Timespans.Count: > 0 } ? _run : null;
        if (job is not null)
            EndTable();
        else if (_run is null || _run.Specifications.Count > 0 || _run.Timespans.Count > 0 || _parameters is not null)
            BeginRun();
        _parameters = new DiskSpdParameterParser(_run!);
        _part = OutputPart.Parameters;
    }

    private void EndParameters()
    {
        FlushHeldLine();
        _parameters?.EndBlock();
        if (_parameters is not null)
            _version.EndParameters();
        if (_parameters is not null && _run is not null)
            (_run.HasThreadCounts, _run.HasRoundedSizes) = (_parameters.HasThreadCounts, _parameters.HasRoundedSizes);
        _parameters = null;
    }

    private void BeginTimespan(int number)
    {
        EndParameters();
        EndTable();
        EndTimespan();
        if (_run is null || _run.Timespans.Count >= DiskSpdRun.MaxTimeSpans || _run.Timespans.Exists(s => s.Number == number))
            BeginRun();
        _span = new DiskSpdTimespan { Number = number, Line = _line };
        _run!.Timespans.Add(_span);
        _io = new DiskSpdIoTable(_run);
        _seen = default;
        _part = OutputPart.Results;
    }

    private bool BeginIoTable(DiskSpdIoTable.TableKind section)
    {
        EndTable();
        if (_span is null || _seen.HasBegun(section))
            BeginTimespan(GetNextTimespanNumber());
        _seen.MarkBegun(section);
        _io!.BeginTable(section, _span!);
        _table = OpenTable.Io;
        _part = OutputPart.Results;
        return true;
    }

    /// <summary>Tables without a heading belong to the current run if it has no results yet. Otherwise they are a new run.</summary>
    private int GetNextTimespanNumber() => _run is { Timespans.Count: 0 } ? 1 : _run?.Timespans[^1].Number ?? 1;

    private bool BeginCpu(ReadOnlySpan<char> header)
    {
        EndTable();
        _cpu.ParseHeader(header);
        _table = OpenTable.Cpu;
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
            BeginTimespan(1);
        var heading = _held;
        _held = null;
        _chart = _span!.Percentiles;
        if (!string.IsNullOrEmpty(heading) && _span.TargetPercentiles.Count < DiskSpdIoTable.MaxRows)
            _span.TargetPercentiles[heading] = _chart = [];
        _table = OpenTable.Percentiles;
        _part = OutputPart.Results;
        return true;
    }

    private bool BeginDetails(string name)
    {
        if (_span is null)
            return false;
        EndTable();
        _detail = name;
        _part = OutputPart.Details;
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
        if (text is null || text.Length < TextLineReader.MaxLineLength)
            details[_detail!] = text is null ? line.ToString() : text + "\n" + line.ToString();
    }

    private void EndTable()
    {
        FlushHeldLine();
        if (_io is not null && _table == OpenTable.Io)
        {
            if (_io.HasMiBHeader)
                _version.AtLeast("2.0.18");
            if (_io.HasMBHeader)
                _version.AtMost("2.0.17");
        }
        _table = OpenTable.None;
    }

    private void EndTimespan()
    {
        if (_span is not null && _run is not null)
            _span.MissingParts = _seen.DescribeMissing(_run, _span, _line);
        _span = null;
    }

    private void EndRun()
    {
        EndParameters();
        EndTable();
        EndTimespan();
        if (_run is null && _earlyErrors.Count > 0)
        {
            _run = new DiskSpdRun { Line = _line, Source = DiskSpdFormat.Source };
            AddEarlyMessages(_run);
        }
        if (_run is { } run)
            FinishRun(run);
        _run = null;
        _part = OutputPart.Before;
        _version = new VersionDetector();
    }

    private void FinishRun(DiskSpdRun run)
    {
        run.ToolVersion = _version.ToString();
        DiskSpdParameterCompletion.CompleteSpecifications(run, _version.IsLinux);
        if (
            _version.IsLinux
            && run.Timespans.Exists(s => s.Rows.Select(r => r.Thread.ThreadId).Distinct().Skip(1).Any() && s.Percentiles.Count > 0)
        )
            run.AddWarning(
                "diskspd-for-linux counts the first threads several times in its Total percentiles: those of reads and of writes are right."
            );
        if (run.Timespans.Count == 0)
            _finished.Enqueue(DiskSpdResultBuilder.CreateResult(run, null, _sourceFile));
        foreach (var span in run.Timespans)
            _finished.Enqueue(DiskSpdResultBuilder.CreateResult(run, span, _sourceFile));
    }
}
