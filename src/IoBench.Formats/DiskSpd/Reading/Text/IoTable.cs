using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads the tables Total IO, Read IO, and Write IO. The header names the columns, which depend on -L and -D. A value can be wider than its
/// column, so rows are
/// split at their bars.
/// </summary>
internal sealed class IoTable(DiskSpdRun run)
{
    /// <summary>Maximum number of rows per table: 256 threads on 256 targets.</summary>
    internal const int MaxRows = 65536;

    private const int MaxColumns = 12;

    private enum Column
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

    private readonly Column[] _columns = new Column[MaxColumns];
    private int _columnCount;
    private int _row;
    private DiskSpdSpan _span = new() { Number = 0, Line = 0 };

    internal enum Section
    {
        Total,
        Read,
        Write,
    }

    internal Section Current { get; private set; }

    /// <summary>Whether the header has <c>MB/s</c>, as in versions through 2.0.17.</summary>
    internal bool SaysMB { get; private set; }

    internal bool SaysMiB { get; private set; }

    internal void Begin(Section section, DiskSpdSpan span)
    {
        Current = section;
        _span = span;
        _row = 0;
        _columnCount = 0;
    }

    internal void TakeHeader(ReadOnlySpan<char> line)
    {
        Span<Range> cells = stackalloc Range[MaxColumns];
        _columnCount = TableCells.Split(line, cells);
        for (var i = 0; i < _columnCount; i++)
        {
            var name = line[cells[i]];
            _columns[i] = name switch
            {
                "thread" => Column.Thread,
                "bytes" => Column.Bytes,
                "I/Os" => Column.Count,
                "MB/s" or "MiB/s" => Column.MBps,
                "I/O per s" => Column.Iops,
                "AvgLat" or "AvgLat(ms)" => Column.Average,
                "IopsStdDev" => Column.IopsDeviation,
                "LatStdDev" => Column.LatencyDeviation,
                "file" => Column.File,
                _ => Column.Other,
            };
            SaysMB |= name is "MB/s";
            SaysMiB |= name is "MiB/s";
        }
    }

    internal bool TakeRow(ReadOnlySpan<char> line)
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
        var count = TableCells.Split(line, cells[..Math.Max(1, _columnCount - first)]);
        var totals = new IoTotals();
        long? thread = null;
        ReadOnlySpan<char> file = default;
        for (var i = 0; i < count; i++)
        {
            var cell = line[cells[i]];
            switch (_columns[first + i])
            {
                case Column.Thread:
                    thread = Numbers.Integer(cell);
                    break;
                case Column.Bytes:
                    totals.ByteCount = Numbers.Integer(cell);
                    break;
                case Column.Count:
                    totals.IOCount = Numbers.Integer(cell);
                    break;
                case Column.MBps:
                    totals.MBps = Numbers.Real(cell);
                    break;
                case Column.Iops:
                    totals.IOPS = Numbers.Real(cell);
                    break;
                case Column.Average:
                    totals.AverageLatencyMs = Numbers.Real(cell);
                    break;
                case Column.IopsDeviation:
                    totals.IopsStdDev = Numbers.Real(cell);
                    break;
                case Column.LatencyDeviation:
                    totals.LatencyStdDevMs = Numbers.Real(cell);
                    break;
                case Column.File:
                    file = cell;
                    break;
            }
        }
        if (totals.ByteCount is null || totals.IOCount is null || totals.IOPS is null || totals.MBps is null)
            return false;
        // Without any I/O, DiskSpd prints 0.000 as the average.
        if (totals.IOCount == 0)
            (totals.AverageLatencyMs, totals.LatencyStdDevMs) = (null, null);
        if (isTotal)
        {
            Set(_span.Totals, totals);
            return true;
        }
        return thread is >= 0 and <= int.MaxValue && AddRow((int)thread, file, totals);
    }

    private bool AddRow(int thread, ReadOnlySpan<char> file, IoTotals totals)
    {
        var row = FindRow(thread, file);
        if (row is null)
        {
            if (_span.Rows.Count >= MaxRows)
                return false;
            var (path, size) = SplitFile(file);
            row = new DiskSpdRow
            {
                Thread = new IoThreadResult { ThreadId = thread, Path = path },
                FileSize = size,
            };
            _span.Rows.Add(row);
        }
        _row++;
        Set(row.Thread, totals);
        return true;
    }

    /// <summary>Finds the row of an earlier table for the same thread and target. It usually has the same index.</summary>
    private DiskSpdRow? FindRow(int thread, ReadOnlySpan<char> file)
    {
        if (Current == Section.Total || _span.Rows.Count == 0)
            return null;
        if (_row < _span.Rows.Count && Matches(_span.Rows[_row], thread, file))
            return _span.Rows[_row];
        var index = _span.Rows.Count <= 1024 ? IndexOf(thread, SplitFile(file).Path) : -1;
        return index < 0 ? null : _span.Rows[index];
    }

    private int IndexOf(int thread, string? path) => _span.Rows.FindIndex(r => r.Thread.ThreadId == thread && r.Thread.Path == path);

    private static bool Matches(DiskSpdRow row, int thread, ReadOnlySpan<char> file) =>
        row.Thread.ThreadId == thread && (row.Thread.Path is null || file.StartsWith(row.Thread.Path));

    private void Set(IoReadWriteTotals place, IoTotals totals)
    {
        switch (Current)
        {
            case Section.Total:
                place.Total = totals;
                break;
            case Section.Read:
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
        if (open < 0 || !file.EndsWith(")") || !DiskSpdSize.TryParse(file[(open + 2)..^1], out var bytes, out _))
            return (Known(file), null);
        return (Known(file[..open]), bytes);
    }

    private string Known(ReadOnlySpan<char> path)
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
