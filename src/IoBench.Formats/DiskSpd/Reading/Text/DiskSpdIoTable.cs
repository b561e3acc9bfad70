using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The tables of all I/Os, reads, and writes of a timespan. The columns depend on -L and -D.</summary>
internal sealed class DiskSpdIoTable
{
    /// <summary>Maximum number of rows per table: 256 threads on 256 targets.</summary>
    internal const int MaxRows = 65536;

    internal static readonly string[] Names = ["Total IO", "Read IO", "Write IO"];

    private static readonly Dictionary<string, DiskSpdCellSetter<IoTotals>> s_columns = new()
    {
        ["bytes"] = (totals, cell) => totals.ByteCount = ToolNumberParser.ParseInteger(cell),
        ["I/Os"] = (totals, cell) => totals.IOCount = ToolNumberParser.ParseInteger(cell),
        ["MB/s"] = (totals, cell) => totals.MBps = ToolNumberParser.ParseReal(cell),
        ["MiB/s"] = (totals, cell) => totals.MBps = ToolNumberParser.ParseReal(cell),
        ["I/O per s"] = (totals, cell) => totals.IOPS = ToolNumberParser.ParseReal(cell),
        ["AvgLat"] = (totals, cell) => totals.AverageLatencyMs = ToolNumberParser.ParseReal(cell),
        ["AvgLat(ms)"] = (totals, cell) => totals.AverageLatencyMs = ToolNumberParser.ParseReal(cell),
        ["IopsStdDev"] = (totals, cell) => totals.IopsStdDev = ToolNumberParser.ParseReal(cell),
        ["LatStdDev"] = (totals, cell) => totals.LatencyStdDevMs = ToolNumberParser.ParseReal(cell),
    };

    private readonly DiskSpdTable<IoTotals> _table = new(s_columns);
    private DiskSpdRun? _run;
    private DiskSpdTimespan _span = new() { Number = 0, Line = 0 };
    private string _name = "";
    private bool _hasFile;
    private int _row;

    /// <summary>Names of the tables that have begun.</summary>
    internal HashSet<string> Begun { get; } = [];

    /// <summary>Names of the tables that have their row of totals.</summary>
    internal HashSet<string> Complete { get; } = [];

    internal void BeginTimespan(DiskSpdRun run, DiskSpdTimespan span)
    {
        _run = run;
        _span = span;
        Begun.Clear();
        Complete.Clear();
    }

    internal void BeginTable(string name)
    {
        Begun.Add(name);
        _name = name;
        _row = 0;
        _table.Clear();
    }

    internal void ParseHeader(ReadOnlySpan<char> line)
    {
        _table.SetHeader(line);
        _hasFile = line.EndsWith("file");
    }

    internal bool TryParseRow(ReadOnlySpan<char> line)
    {
        const string total = "total:";
        if (_table.ColumnCount == 0)
            return false;
        var isTotal = line.StartsWith(total);
        var first = isTotal ? 1 : 0;
        var totals = new IoTotals();
        var count = first + _table.SetCells(isTotal ? line[total.Length..] : line, first, totals, out var file);
        if (totals.ByteCount is null || totals.IOCount is null || totals.IOPS is null || totals.MBps is null)
            return false;
        // Without any I/O, DiskSpd prints 0.000 as the average.
        if (totals.IOCount == 0)
        {
            totals.AverageLatencyMs = null;
            totals.LatencyStdDevMs = null;
        }
        if (isTotal)
        {
            SetTotals(_span.Totals, totals);
            Complete.Add(_name);
            return true;
        }
        return ToolNumberParser.ParseInteger(line[..line.IndexOf('|')].Trim()) is >= 0 and <= int.MaxValue and var thread
            && TryAddRow((int)thread, _hasFile && count == _table.ColumnCount ? file : default, totals);
    }

    private bool TryAddRow(int thread, ReadOnlySpan<char> file, IoTotals totals)
    {
        var row = FindRow(thread, file);
        if (row is null)
        {
            if (_span.Rows.Count >= MaxRows)
                return false;
            var (path, size) = SplitFile(file);
            row = new IoThreadResult { ThreadId = thread, Path = path };
            _span.Rows.Add(row);
            if (size is long bytes)
                _span.FileSizes.TryAdd(path ?? "", bytes);
        }
        _row++;
        SetTotals(row, totals);
        return true;
    }

    /// <summary>Finds the row of an earlier table for the same thread and target. It usually has the same index.</summary>
    private IoThreadResult? FindRow(int thread, ReadOnlySpan<char> file)
    {
        if (_name == Names[0] || _span.Rows.Count == 0)
            return null;
        if (_row < _span.Rows.Count && Matches(_span.Rows[_row], thread, file))
            return _span.Rows[_row];
        if (_span.Rows.Count > 1024)
            return null;
        var path = SplitFile(file).Path;
        return _span.Rows.Find(r => r.ThreadId == thread && r.Path == path);
    }

    private static bool Matches(IoThreadResult row, int thread, ReadOnlySpan<char> file) =>
        row.ThreadId == thread && (row.Path is null || file.StartsWith(row.Path));

    private void SetTotals(IoReadWriteTotals place, IoTotals totals)
    {
        if (_name == Names[0])
            place.Total = totals;
        else if (_name == Names[1])
            place.Read = totals;
        else
            place.Write = totals;
    }

    private (string? Path, long? Size) SplitFile(ReadOnlySpan<char> file)
    {
        if (file.IsEmpty)
            return (null, null);
        var open = file.LastIndexOf(" (");
        if (open < 0 || !file.EndsWith(")") || !DiskSpdValueFormat.TryParseSize(file[(open + 2)..^1], out var bytes, out _))
            return (ReusePath(file), null);
        return (ReusePath(file[..open]), bytes);
    }

    private string ReusePath(ReadOnlySpan<char> path) =>
        _span.Rows.Count > 0 && _span.Rows[^1].Path is { } last && path.SequenceEqual(last) ? last : _run!.ReusePath(path);
}
