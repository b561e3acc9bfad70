using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The columns depend on -L and -D. A value can be wider than its column, so rows are split at their bars.</summary>
internal sealed class DiskSpdIoTable(DiskSpdRun run)
{
    /// <summary>Maximum number of rows per table: 256 threads on 256 targets.</summary>
    internal const int MaxRows = 65536;

    private const int MaxColumns = 12;

    private enum IoColumn
    {
        Thread,
        Bytes,
        Count,
        MBps,
        Iops,
        Average,
        IopsDeviation,
        LatencyDeviation,
        File,
        Other,
    }

    private readonly IoColumn[] _columns = new IoColumn[MaxColumns];
    private int _columnCount;
    private int _row;
    private DiskSpdTimespan _span = new() { Number = 0, Line = 0 };

    internal enum TableKind
    {
        Total,
        Read,
        Write,
    }

    internal TableKind Current { get; private set; }

    /// <summary>Whether the header has <c>MB/s</c>, as in versions through 2.0.17.</summary>
    internal bool HasMBHeader { get; private set; }

    internal bool HasMiBHeader { get; private set; }

    internal void BeginTable(TableKind section, DiskSpdTimespan span)
    {
        Current = section;
        _span = span;
        _row = 0;
        _columnCount = 0;
    }

    internal void ParseHeader(ReadOnlySpan<char> line)
    {
        Span<Range> cells = stackalloc Range[MaxColumns];
        _columnCount = DiskSpdTableCells.Split(line, cells);
        for (var i = 0; i < _columnCount; i++)
        {
            var name = line[cells[i]];
            _columns[i] = name switch
            {
                "thread" => IoColumn.Thread,
                "bytes" => IoColumn.Bytes,
                "I/Os" => IoColumn.Count,
                "MB/s" or "MiB/s" => IoColumn.MBps,
                "I/O per s" => IoColumn.Iops,
                "AvgLat" or "AvgLat(ms)" => IoColumn.Average,
                "IopsStdDev" => IoColumn.IopsDeviation,
                "LatStdDev" => IoColumn.LatencyDeviation,
                "file" => IoColumn.File,
                _ => IoColumn.Other,
            };
            HasMBHeader |= name is "MB/s";
            HasMiBHeader |= name is "MiB/s";
        }
    }

    internal bool TryParseRow(ReadOnlySpan<char> line)
    {
        if (_columnCount == 0)
            return false;
        var isTotal = line.StartsWith("total:");
        var first = 0;
        if (isTotal)
        {
            line = line[6..];
            first = 1;
        }
        Span<Range> cells = stackalloc Range[MaxColumns];
        // Limit the cells to the number of columns, because a bar in the last cell is part of the path.
        var count = DiskSpdTableCells.Split(line, cells[..Math.Max(1, _columnCount - first)]);
        var totals = new IoTotals();
        long? thread = null;
        ReadOnlySpan<char> file = default;
        for (var i = 0; i < count; i++)
        {
            var cell = line[cells[i]];
            switch (_columns[first + i])
            {
                case IoColumn.Thread:
                    thread = ToolNumberParser.ParseInteger(cell);
                    break;
                case IoColumn.Bytes:
                    totals.ByteCount = ToolNumberParser.ParseInteger(cell);
                    break;
                case IoColumn.Count:
                    totals.IOCount = ToolNumberParser.ParseInteger(cell);
                    break;
                case IoColumn.MBps:
                    totals.MBps = ToolNumberParser.ParseReal(cell);
                    break;
                case IoColumn.Iops:
                    totals.IOPS = ToolNumberParser.ParseReal(cell);
                    break;
                case IoColumn.Average:
                    totals.AverageLatencyMs = ToolNumberParser.ParseReal(cell);
                    break;
                case IoColumn.IopsDeviation:
                    totals.IopsStdDev = ToolNumberParser.ParseReal(cell);
                    break;
                case IoColumn.LatencyDeviation:
                    totals.LatencyStdDevMs = ToolNumberParser.ParseReal(cell);
                    break;
                case IoColumn.File:
                    file = cell;
                    break;
            }
        }
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
            return true;
        }
        return thread is >= 0 and <= int.MaxValue && TryAddRow((int)thread, file, totals);
    }

    private bool TryAddRow(int thread, ReadOnlySpan<char> file, IoTotals totals)
    {
        var row = FindRow(thread, file);
        if (row is null)
        {
            if (_span.Rows.Count >= MaxRows)
                return false;
            var (path, size) = SplitFile(file);
            row = new DiskSpdThreadRow
            {
                Thread = new IoThreadResult { ThreadId = thread, Path = path },
                FileSize = size,
            };
            _span.Rows.Add(row);
        }
        _row++;
        SetTotals(row.Thread, totals);
        return true;
    }

    /// <summary>Finds the row of an earlier table for the same thread and target. It usually has the same index.</summary>
    private DiskSpdThreadRow? FindRow(int thread, ReadOnlySpan<char> file)
    {
        if (Current == TableKind.Total || _span.Rows.Count == 0)
            return null;
        if (_row < _span.Rows.Count && Matches(_span.Rows[_row], thread, file))
            return _span.Rows[_row];
        var index = _span.Rows.Count <= 1024 ? FindRowIndex(thread, SplitFile(file).Path) : -1;
        return index < 0 ? null : _span.Rows[index];
    }

    private int FindRowIndex(int thread, string? path) => _span.Rows.FindIndex(r => r.Thread.ThreadId == thread && r.Thread.Path == path);

    private static bool Matches(DiskSpdThreadRow row, int thread, ReadOnlySpan<char> file) =>
        row.Thread.ThreadId == thread && (row.Thread.Path is null || file.StartsWith(row.Thread.Path));

    private void SetTotals(IoReadWriteTotals place, IoTotals totals)
    {
        switch (Current)
        {
            case TableKind.Total:
                place.Total = totals;
                break;
            case TableKind.Read:
                place.Read = totals;
                break;
            default:
                place.Write = totals;
                break;
        }
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

    private string ReusePath(ReadOnlySpan<char> path)
    {
        if (_span.Rows.Count > 0 && _span.Rows[^1].Thread.Path is { } last && path.SequenceEqual(last))
            return last;
        foreach (var specification in run.Specifications)
        {
            foreach (var target in specification.Targets)
            {
                if (path.SequenceEqual(target.Path))
                    return target.Path;
            }
        }
        return path.ToString();
    }
}
