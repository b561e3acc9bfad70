using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads DiskSpd's text line by line. A run begins at its command line, its parameters, or, if a copy lacks both, its first table. It ends
/// at the beginning of the
/// next run. <see cref="TryDequeueResult"/> returns the finished results.
/// </summary>
internal sealed partial class DiskSpdTextParser
{
    private enum OutputPart
    {
        Before,
        Parameters,
        System,
        Results,
        Totals,
        Details,
    }

    private enum OpenTable
    {
        None,
        Cpu,
        Io,
        Percentiles,
    }

    private readonly string? _sourceFile;
    private readonly Queue<IoTestResult> _finished = [];
    private readonly DiskSpdCpuTable _cpu = new();
    private readonly WrappedCommandLine _commandLine = new();
    private DiskSpdRun? _run;
    private DiskSpdTimespan? _span;
    private DiskSpdParameterParser? _parameters;
    private DiskSpdIoTable? _io;
    private VersionDetector _version = new();
    private OutputPart _part;
    private OpenTable _table;
    private DiskSpdTableProgress _seen;
    private List<IoPercentile> _chart = [];
    private string? _held;
    private int _heldLine;
    private string? _detail;
    private readonly List<string> _earlyErrors = [];
    private readonly List<string> _earlyWarnings = [];
    private int _line;

    internal DiskSpdTextParser(string? sourceFile) => _sourceFile = sourceFile;

    internal bool HasDiskSpdOutput { get; private set; }

    internal bool HasUsageText { get; private set; }

    internal bool TryDequeueResult(out IoTestResult result) => _finished.TryDequeue(out result!);

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
        if (IsRule(line) || TryParseHeading(line) || TryParseRow(line) || TryParsePartLine(line) || TryParseMessage(line))
            return;
        HoldLine(line);
    }

    internal void EndText() => EndRun();

    private static ReadOnlySpan<char> Trim(ReadOnlySpan<char> line)
    {
        while (!line.IsEmpty && IsBlank(line[0]))
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
                _part = OutputPart.System;
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
                _part = OutputPart.Totals;
                return true;
            case 'U' when line.StartsWith("Usage: ") && line.Contains("diskspd", StringComparison.OrdinalIgnoreCase):
                return HasUsageText = true;
        }
        return TryParseTableHeading(line);
    }

    private bool TryParseTableHeading(ReadOnlySpan<char> line)
    {
        switch (line)
        {
            case "Total IO":
                return BeginIoTable(DiskSpdIoTable.TableKind.Total);
            case "Read IO":
                return BeginIoTable(DiskSpdIoTable.TableKind.Read);
            case "Write IO":
                return BeginIoTable(DiskSpdIoTable.TableKind.Write);
            case "Total latency distribution:":
                _version.AtLeast("2.2");
                return BeginTotalChart();
            case "total:" when _span is not null:
                return BeginTotalChart();
            case "Effective IO Distributions":
                return BeginDetails(DiskSpdPropertyNames.Distribution);
            case "ETW:":
                return BeginDetails(DiskSpdPropertyNames.Etw);
            case "Wait Statistics":
                _version.AtMost("2.2");
                return BeginDetails(DiskSpdPropertyNames.Waits);
            case "Wait Statistics - Completion Wait":
                return BeginDetails23(DiskSpdPropertyNames.CompletionWaits);
            case "Wait Statistics - Lookaside":
                return BeginDetails23(DiskSpdPropertyNames.Lookasides);
            case "IoRing Statistics":
                return BeginDetails23(DiskSpdPropertyNames.IoRing);
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
            if (_table != OpenTable.Io)
                BeginIoTable(DiskSpdIoTable.TableKind.Total);
            _io!.ParseHeader(line);
            return true;
        }
        if (DiskSpdPercentileTable.IsHeader(line))
            return BeginChart();
        if (_span is not null && DiskSpdCpuTable.IsHeader(line))
            return BeginCpu(line);
        return false;
    }

    private bool TryParseRow(ReadOnlySpan<char> line) =>
        _table switch
        {
            OpenTable.Io => TryParseIoRow(line),
            OpenTable.Percentiles => DiskSpdPercentileTable.TryParseRow(line, _chart),
            OpenTable.Cpu => _cpu.TryParseRow(line, _span!),
            _ => false,
        };

    private bool TryParseIoRow(ReadOnlySpan<char> line)
    {
        if (!_io!.TryParseRow(line))
            return false;
        if (line[0] == 't')
            _seen.MarkComplete(_io.Current);
        return true;
    }

    private bool TryParsePartLine(ReadOnlySpan<char> line)
    {
        switch (_part)
        {
            case OutputPart.Parameters:
                if (!_parameters!.TryParseLine(line))
                    return false;
                _version.ParseParameter(line);
                return true;
            case OutputPart.System:
                return DiskSpdTextParser.TryParseSystemLine(line, _run!, _version);
            case OutputPart.Results:
                return DiskSpdTextParser.TryParseTimespanLine(line, _run!, _span!, _version);
            case OutputPart.Totals:
                // Sums over all timespans. Each timespan has its own result.
                return line.StartsWith("type") || line.StartsWith("write") || line.StartsWith("read") || line.StartsWith("total");
            case OutputPart.Details:
                AddDetail(line);
                return true;
            default:
                return false;
        }
    }
}
