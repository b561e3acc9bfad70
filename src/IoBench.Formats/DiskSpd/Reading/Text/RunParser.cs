using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads DiskSpd's text line by line. A run begins at its command line, its parameters, or, if a copy lacks both, its first table. It ends
/// at the beginning of the
/// next run. <see cref="TryTake"/> returns the finished results.
/// </summary>
internal sealed partial class RunParser
{
    private enum Part
    {
        Before,
        Parameters,
        System,
        Results,
        Totals,
        Details,
    }

    private enum Table
    {
        None,
        Cpu,
        Io,
        Percentiles,
    }

    private readonly string? _sourceFile;
    private readonly Queue<IoTestResult> _finished = [];
    private readonly CpuTable _cpu = new();
    private readonly WrappedLine _commandLine = new();
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

    internal bool SawDiskSpd { get; private set; }

    internal bool SawUsage { get; private set; }

    internal bool TryTake(out IoTestResult result) => _finished.TryDequeue(out result!);

    internal void Take(ReadOnlySpan<char> line, int number)
    {
        _line = number;
        if (_commandLine.Continues(line, number))
        {
            _run!.CommandLine = _commandLine.Text;
            return;
        }
        line = Trim(line);
        if (line.IsEmpty)
            return;
        // Rows first, because most lines are rows.
        if (char.IsAsciiDigit(line[0]) && TakeRow(line))
            return;
        if (IsRule(line) || TakeHeading(line) || TakeRow(line) || TakePart(line) || TakeMessage(line))
            return;
        Hold(line);
    }

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

    private static bool IsRule(ReadOnlySpan<char> line) =>
        line[0] is '-' or '*' or '_' or '=' or '.' or '`' && line.IndexOfAnyExcept(line[0]) < 0;

    private bool TakeHeading(ReadOnlySpan<char> line)
    {
        switch (line[0])
        {
            case 'C' when line.StartsWith("Command Line:"):
                BeginRun();
                _run!.CommandLine = _commandLine.Begin(line[13..].Trim(), line.Length, _line);
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
                // DiskSpd prints the flags in hexadecimal, and in decimal in parentheses.
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
            case "Total IO":
                return BeginIoTable(IoTable.Section.Total);
            case "Read IO":
                return BeginIoTable(IoTable.Section.Read);
            case "Write IO":
                return BeginIoTable(IoTable.Section.Write);
            case "Total latency distribution:":
                _version.AtLeast("2.2");
                return BeginTotalChart();
            case "total:" when _span is not null:
                return BeginTotalChart();
            case "Effective IO Distributions":
                return BeginDetails(DetailNames.Distribution);
            case "ETW:":
                return BeginDetails(DetailNames.Etw);
            case "Wait Statistics":
                _version.AtMost("2.2");
                return BeginDetails(DetailNames.Waits);
            case "Wait Statistics - Completion Wait":
                return BeginDetails23(DetailNames.CompletionWaits);
            case "Wait Statistics - Lookaside":
                return BeginDetails23(DetailNames.Lookasides);
            case "IoRing Statistics":
                return BeginDetails23(DetailNames.IoRing);
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

    private bool TakeRow(ReadOnlySpan<char> line) =>
        _table switch
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
                return SystemLines.Take(line, _run!, _version);
            case Part.Results:
                return SpanLines.Take(line, _run!, _span!, _version);
            case Part.Totals:
                // Sums over all timespans. Each timespan has its own result.
                return line.StartsWith("type") || line.StartsWith("write") || line.StartsWith("read") || line.StartsWith("total");
            case Part.Details:
                AddDetail(line);
                return true;
            default:
                return false;
        }
    }
}
