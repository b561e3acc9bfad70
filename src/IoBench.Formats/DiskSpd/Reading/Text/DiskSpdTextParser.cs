using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A run begins at its command line, its parameters, or, if a copy lacks both, its first table.</summary>
internal sealed class DiskSpdTextParser(string? sourceFile, Queue<IoTestResult> results)
{
    private delegate bool LineParser(ReadOnlySpan<char> line);

    private readonly DiskSpdTable<IoProcessorLoad> _cpu = new(DiskSpdTableRows.CpuColumns);
    private readonly WrappedCommandLine _commandLine = new();
    private DiskSpdRun? _run;
    private DiskSpdTimespan? _span;
    private DiskSpdParameterParser? _parameters;
    private readonly DiskSpdIoTable _io = new();
    private VersionDetector _version = new();
    private LineParser? _parsePartLine;
    private LineParser? _parseRow;
    private List<IoPercentile> _chart = [];
    private string? _held;
    private int _heldLine;
    private string? _detail;
    private readonly List<string> _earlyErrors = [];
    private readonly List<string> _earlyWarnings = [];
    private (string Text, int Line)? _call;
    private int _earlyErrorLine;
    private int _line;

    internal bool HasDiskSpdOutput { get; private set; }

    internal bool HasUsageText { get; private set; }

    internal void ParseLine(ReadOnlySpan<char> line, int number)
    {
        _line = number;
        if (_commandLine.TryAppend(line, number))
        {
            _run!.CommandLine = _commandLine.Text;
            return;
        }
        line = Trim(line);
        if (line.IsEmpty)
            return;
        // Rows first, because most lines are rows.
        if (char.IsAsciiDigit(line[0]) && TryParseRow(line))
            return;
        if (
            IsRule(line)
            || TryParseHeading(line)
            || TryParseRow(line)
            || (_parsePartLine is not null && _parsePartLine(line))
            || TryParseMessage(line)
        )
            return;
        HoldLine(line);
    }

    internal void EndText() => EndRun();

    private static ReadOnlySpan<char> Trim(ReadOnlySpan<char> line)
    {
        // No line of DiskSpd begins with a quote mark, so it belongs to an e-mail reply or to Markdown.
        while (!line.IsEmpty && (IsBlank(line[0]) || line[0] == '>'))
            line = line[1..];
        while (!line.IsEmpty && IsBlank(line[^1]))
            line = line[..^1];
        return line;
    }

    private static bool IsBlank(char c) => c is ' ' or '\t' or '\0' or '\u00A0' or '\uFEFF';

    private static bool IsRule(ReadOnlySpan<char> line) =>
        line[0] is '-' or '*' or '_' or '=' or '.' or '`' && line.IndexOfAnyExcept(line[0]) < 0;

    private bool TryParseHeading(ReadOnlySpan<char> line)
    {
        switch (line[0])
        {
            case 'C' when line.StartsWith("Command Line:"):
                BeginRun();
                _run!.CommandLine = _commandLine.SetFirstLine(line[13..].Trim(), line.Length, _line);
                return true;
            case 'I' when line is "Input parameters:":
                BeginParameters();
                return true;
            case 'S' when line is "System information:" or "System info:":
                EndParameters();
                if (_run is null || _run.Timespans.Count > 0)
                    BeginRun();
                _parsePartLine = TryParseSystemLine;
                if (line is "System info:")
                    _version.IsLinux = true;
                else
                    _version.AtLeast("2.0.21");
                return true;
            case 'R' when line.StartsWith("Results for timespan ") || line.StartsWith("Results for job "):
                BeginTimespan(ToolNumberParser.ParseLeadingInt32(line[(line.StartsWith("Results for job ") ? 16 : 21)..]) ?? 1);
                return true;
            case 'E' when line.StartsWith("Experiment Flags:"):
                _version.AtLeast("2.2");
                // DiskSpd prints the flags in hexadecimal, and in decimal in parentheses.
                if (_run is not null)
                    _run.ExperimentFlags = ToolNumberParser.ParseLeadingInt32(line[(line.IndexOf('(') + 1)..]) ?? 0;
                return true;
            case 'T' when line is "Totals:" && _span is not null:
                EndTable();
                _parsePartLine = IsTotalsLine;
                return true;
            case 'U' when line.StartsWith("Usage: ") && line.Contains("diskspd", StringComparison.OrdinalIgnoreCase):
                HasUsageText = true;
                return true;
        }
        return TryParseTableHeading(line);
    }

    private bool TryParseTableHeading(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "Total IO" or "Read IO" or "Write IO":
                return BeginIoTable(line.ToString());
            case "Total latency distribution:":
                _version.AtLeast("2.2");
                return BeginTotalChart();
            case "total:" when _span is not null:
                return BeginTotalChart();
            case "Effective IO Distributions":
                return BeginDetails(DiskSpdFormat.Distribution);
            case "ETW:":
                return BeginDetails(DiskSpdFormat.Etw);
            case "Wait Statistics":
                _version.AtMost("2.2");
                return BeginDetails(DiskSpdFormat.Waits);
            case "Wait Statistics - Completion Wait":
                return BeginDetails23(DiskSpdFormat.CompletionWaits);
            case "Wait Statistics - Lookaside":
                return BeginDetails23(DiskSpdFormat.Lookasides);
            case "IoRing Statistics":
                return BeginDetails23(DiskSpdFormat.IoRing);
        }
        if (line.StartsWith("Latency distribution: ") && _span is not null)
        {
            _version.AtLeast("2.2");
            FlushHeldLine();
            _held = line[22..].ToString();
            _heldLine = _line;
            return true;
        }
        if (line.StartsWith("thread |") && line.Contains("bytes", StringComparison.Ordinal))
        {
            if (_parseRow?.Target is not DiskSpdIoTable)
                BeginIoTable(DiskSpdIoTable.Names[0]);
            _io.ParseHeader(line);
            if (line.Contains(" MiB/s", StringComparison.Ordinal))
                _version.AtLeast("2.0.18");
            if (line.Contains(" MB/s", StringComparison.Ordinal))
                _version.AtMost("2.0.17");
            return true;
        }
        if (DiskSpdTableRows.IsPercentileHeader(line))
            return BeginChart();
        if (_span is not null && DiskSpdTableRows.IsCpuHeader(line))
            return BeginCpu(line);
        return false;
    }

    private bool TryParseRow(ReadOnlySpan<char> line) => _parseRow is not null && _parseRow(line);

    private bool TryParseParameter(ReadOnlySpan<char> line) => _parameters!.TryParseLine(line);

    /// <summary>Sums over all timespans. Each timespan has its own result.</summary>
    private static bool IsTotalsLine(ReadOnlySpan<char> line) =>
        line.StartsWith("type") || line.StartsWith("write") || line.StartsWith("read") || line.StartsWith("total");

    private bool TryParseTimespanLine(ReadOnlySpan<char> line)
    {
        var span = _span!;
        var colon = line.IndexOf(':');
        if (colon > 0)
        {
            var value = line[(colon + 1)..].Trim();
            switch (line[..colon])
            {
                case "actual test time" or "test time":
                    span.Seconds = ToolNumberParser.ParseReal(value.TrimEnd('s').TrimEnd());
                    return span.Seconds is not null;
                case "thread count":
                    span.ThreadCount = ToolNumberParser.ParseLeadingInt32(value);
                    return span.ThreadCount is not null;
                case "request count":
                    _version.AtLeast("2.0.19");
                    return true;
                case "proc count":
                    _version.AtMost("2.1");
                    _run!.Host.TryAdd("cpu count", value.ToString());
                    return true;
                case "effective affinity (cpu)" or "effective affinity (group/cpu)":
                    _version.AtLeast("2.3");
                    span.Details[DiskSpdFormat.EffectiveAffinity] = line[19..].ToString();
                    return true;
                case "P-core cpus" or "E-core cpus":
                    span.Details[line[..colon].ToString()] = value.ToString();
                    return true;
            }
        }
        if (line.StartsWith("NOTE: thread assignment spans different core types"))
        {
            _version.AtLeast("2.3");
            _run!.AddWarning(DiskSpdFormat.MixedCores);
            return true;
        }
        if (line.StartsWith("Performance results may reflect mixed core capabilities"))
            return true;
        if (!line.StartsWith("The test was interrupted"))
            return false;
        span.Interruption = line.ToString();
        return true;
    }

    private bool TryParseSystemLine(ReadOnlySpan<char> line)
    {
        var run = _run!;
        if (line.IndexOf('|') > 0)
            return TryParseCache(line, run);
        var colon = line.IndexOf(':');
        if (colon < 0)
            return false;
        var name = line[..colon];
        var value = line[(colon + 1)..].Trim();
        switch (name)
        {
            case "computer name":
                run.ComputerName = value.ToString();
                return true;
            case "start time":
                run.StartTime = DiskSpdValueFormat.ParseTime(value);
                return run.StartTime is not null || value.IsEmpty;
            case "cpu count"
            or "core count"
            or "group count"
            or "node count"
            or "socket count"
            or "heterogeneous cores"
            or "active power scheme":
                _version.AtLeast("2.2");
                // DiskSpd 2.3 prints the name of the processor before all of these.
                if (!run.Host.ContainsKey("processor name"))
                    _version.AtMost("2.2");
                break;
            case "processor name" or "page size":
                _version.AtLeast("2.3");
                break;
            case "cache information":
                return value.IsEmpty;
            case "processor count" or "caching options":
                break;
            default:
                return false;
        }
        run.Host[name.ToString()] = value.ToString();
        return true;
    }

    private static bool TryParseCache(ReadOnlySpan<char> line, DiskSpdRun run)
    {
        Span<Range> cells = stackalloc Range[6];
        if (DiskSpdTable<IoTotals>.Split(line, cells) != 5)
            return false;
        if (line[cells[0]] is not "Cache")
            run.AddCache(line[cells[0]].ToString(), $"{line[cells[1]]}, lines of {line[cells[2]]}, {line[cells[3]]}, CPU {line[cells[4]]}");
        return true;
    }

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
        _parameters = new DiskSpdParameterParser(_run!, _version);
        _parsePartLine = TryParseParameter;
    }

    private void EndParameters()
    {
        FlushHeldLine();
        _parameters?.EndBlock();
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
        _io.BeginTimespan(_run, _span);
        _parsePartLine = TryParseTimespanLine;
    }

    private bool BeginIoTable(string name)
    {
        EndTable();
        if (_span is null || _io.Begun.Contains(name))
            BeginTimespan(GetNextTimespanNumber());
        _io.BeginTable(name);
        _parseRow = _io.TryParseRow;
        _parsePartLine = TryParseTimespanLine;
        return true;
    }

    /// <summary>Tables without a heading belong to the current run if it has no results yet. Otherwise they are a new run.</summary>
    private int GetNextTimespanNumber() => _run is { Timespans.Count: 0 } ? 1 : _run?.Timespans[^1].Number ?? 1;

    private bool BeginCpu(ReadOnlySpan<char> header)
    {
        EndTable();
        _cpu.SetHeader(header);
        _parseRow = line => DiskSpdTableRows.TryParseCpuRow(_cpu, line, _span!);
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
        _parseRow = line => DiskSpdTableRows.TryParsePercentileRow(line, _chart);
        _parsePartLine = TryParseTimespanLine;
        return true;
    }

    private bool BeginDetails(string name)
    {
        if (_span is null)
            return false;
        EndTable();
        _detail = name;
        _parsePartLine = AddDetail;
        return true;
    }

    private bool BeginDetails23(string name)
    {
        _version.AtLeast("2.3");
        return BeginDetails(name);
    }

    private bool AddDetail(ReadOnlySpan<char> line)
    {
        var details = _span!.Details;
        var text = details.GetValueOrDefault(_detail!);
        if (text is null || text.Length < TextLineReader.MaxLineLength)
            details[_detail!] = text is null ? line.ToString() : text + "\n" + line.ToString();
        return true;
    }

    private void EndTable()
    {
        FlushHeldLine();
        _parseRow = null;
    }

    private void EndTimespan()
    {
        if (_span is not null && _run is not null)
            _span.MissingParts = DescribeMissing(_run, _span);
        _span = null;
    }

    /// <summary>Returns a sentence about what is missing; null if the timespan is complete.</summary>
    private string? DescribeMissing(DiskSpdRun run, DiskSpdTimespan span)
    {
        if (span.Interruption is not null)
            return null;
        var names = DiskSpdIoTable.Names.Where(name => !_io.Complete.Contains(name)).ToList();
        var index = span.Number - 1;
        var latency = index >= 0 && index < run.Specifications.Count && run.Specifications[index].GetOrAddOrigin().DiskSpd!.MeasureLatency;
        if (latency && !span.Percentiles.Exists(p => p.Percent == 100))
            names.Add("latency percentiles");
        return names.Count == 0
            ? null
            : $"The output is incomplete and ends at line {_line}. These sections are missing or incomplete: {string.Join(", ", names)}.";
    }

    private void EndRun()
    {
        EndParameters();
        EndTable();
        EndTimespan();
        if (_run is null && _earlyErrors.Count > 0)
        {
            _run = new DiskSpdRun { Line = _call?.Line ?? _earlyErrorLine, Source = DiskSpdFormat.Source };
            AddEarlyMessages(_run);
            if (_call is { } call)
                SetCall(_run, call.Text);
        }
        if (_run is { } run)
            FinishRun(run);
        _run = null;
        _call = null;
        _parsePartLine = null;
        _version = new VersionDetector();
    }

    /// <summary>A failed run without output has only its call.</summary>
    private static void SetCall(DiskSpdRun run, string call)
    {
        run.CommandLine = call;
        try
        {
            var words = CommandLineSplitter.Split(call);
            var arguments = words.Skip(words.FindIndex(ToolName.IsDiskSpd) + 1).ToList();
            run.Specifications.AddRange(DiskSpdCommandLine.ReadCall(arguments, null, slashOptions: true, isToRun: false).Specifications);
        }
        catch (IoBenchException)
        {
            // An invalid call is why the run failed, and DiskSpd's error line says so.
        }
    }

    private void FinishRun(DiskSpdRun run)
    {
        run.ToolVersion = _version.ToString();
        DiskSpdRun.CompleteSpecifications(run, _version.IsLinux);
        if (
            _version.IsLinux
            && run.Timespans.Exists(s => s.Rows.Select(r => r.ThreadId).Distinct().Skip(1).Any() && s.Percentiles.Count > 0)
        )
            run.AddWarning(
                "diskspd-for-linux counts the first threads several times in the Total percentiles. The percentiles of reads and writes are correct."
            );
        if (run.Timespans.Count == 0)
            results.Enqueue(DiskSpdResultBuilder.CreateResult(run, null, sourceFile));
        foreach (var span in run.Timespans)
            results.Enqueue(DiskSpdResultBuilder.CreateResult(run, span, sourceFile));
    }

    private bool TryParseMessage(ReadOnlySpan<char> line)
    {
        if (DiskSpdLogLines.TryGetCall(line, out var call))
        {
            if (_run is not null || _earlyErrors.Count > 0)
                EndRun();
            _call = (call, _line);
            return true;
        }
        if (DiskSpdLogLines.RemovePowerShellPrefix(line) is var message && DiskSpdLogLines.IsError(message))
        {
            AddError(message.ToString());
            return true;
        }
        if (line.StartsWith("WARNING:"))
        {
            var warning = "DiskSpd said: " + line.ToString();
            if (_run is not null)
                _run.AddWarning(warning);
            else if (_earlyWarnings.Count < DiskSpdRun.MaxWarnings)
                _earlyWarnings.Add(warning);
            return true;
        }
        if (DiskSpdLogLines.IsVerbose(line) || DiskSpdLogLines.IsTranscript(line))
            return true;
        // The prompt belongs to the next call, so the current run is complete.
        if (DiskSpdLogLines.IsPrompt(line))
        {
            if (_run is not null || _earlyErrors.Count > 0)
                EndRun();
            return true;
        }
        return false;
    }

    private void AddError(string text)
    {
        HasDiskSpdOutput = true;
        // Messages go to stderr during the run, and the text goes to stdout at its end. So messages precede the run that they belong to.
        if (_run is null || _span is { Interruption: null })
        {
            if (_run is not null && _span is not null && DescribeMissing(_run, _span) is null)
                EndRun();
            if (_run is null)
            {
                // A run has this line only once, at its end.
                if (_earlyErrors.Contains(DiskSpdLogLines.LastError))
                    EndRun();
                if (_earlyErrors.Count == 0)
                    _earlyErrorLine = _line;
                AddDistinct(_earlyErrors, text);
                return;
            }
        }
        AddDistinct(_run.Errors, text);
    }

    /// <summary>Each of many threads can print the same error. The last line separates runs, so it is always added.</summary>
    private static void AddDistinct(List<string> errors, string text)
    {
        if ((errors.Count < DiskSpdRun.MaxErrors || text == DiskSpdLogLines.LastError) && !errors.Contains(text))
            errors.Add(text);
    }

    /// <summary>Through 2.1, the heading of a target's percentiles is only its path, so the next line shows the meaning.</summary>
    private void HoldLine(ReadOnlySpan<char> line)
    {
        FlushHeldLine();
        if (_run is null)
            return;
        _held = line.Length <= 1024 ? line.ToString() : line[..1024].ToString();
        _heldLine = _line;
    }

    private void FlushHeldLine()
    {
        if (!string.IsNullOrEmpty(_held))
            _run?.AddWarning($"Line {_heldLine}: '{(_held.Length > 100 ? _held[..100] + "…" : _held)}' could not be read.");
        _held = null;
    }
}
