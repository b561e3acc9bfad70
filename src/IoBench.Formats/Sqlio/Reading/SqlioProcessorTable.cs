using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Parses the table of <c>-U</c> and <c>-Up</c>: one row per value, one column for all CPUs and one per CPU.</summary>
internal sealed class SqlioProcessorTable
{
    private const int MaxProcessors = 1024;
    private readonly List<int?> _columns = [];
    private readonly List<double> _privileged = [];
    private readonly List<double> _processor = [];
    private readonly List<double> _user = [];
    private readonly List<KeyValuePair<string, string>> _others = [];

    public List<KeyValuePair<string, string>> Others => _others;

    /// <summary>CPU time of all CPUs together in percent; null if there is no such column.</summary>
    public double? CpuPercent => _processor.Count > 0 && _columns.Count > 0 && _columns[0] is null ? _processor[0] : null;

    public bool HasEach => _columns.Exists(c => c is not null);

    public void Clear()
    {
        _columns.Clear();
        _privileged.Clear();
        _processor.Clear();
        _user.Clear();
        _others.Clear();
    }

    /// <summary>
    /// Parses a row of the table; false if the line is not a row. <paramref name="problem"/> describes a row that cannot be read.
    /// </summary>
    public bool TryTake(ReadOnlySpan<byte> line, out string? problem)
    {
        problem = null;
        if (SqlioLine.Take(ref line, "ProcessorNumber:"u8))
            problem = TakeColumns(line);
        else if (SqlioLine.Take(ref line, "PrivilegedTime(%):"u8))
            problem = TakeValues(line, _privileged);
        else if (SqlioLine.Take(ref line, "ProcessorTime(%):"u8))
            problem = TakeValues(line, _processor);
        else if (SqlioLine.Take(ref line, "UserTime(%):"u8))
            problem = TakeValues(line, _user);
        else if (SqlioLine.Take(ref line, "DPCTime(%):"u8))
            TakeOther("DPCTime(%)", line);
        else if (SqlioLine.Take(ref line, "InterruptTime(%):"u8))
            TakeOther("InterruptTime(%)", line);
        else if (SqlioLine.Take(ref line, "Interrupts/sec:"u8))
            TakeOther("Interrupts/sec", line);
        else
            return false;
        return true;
    }

    public List<IoProcessorLoad> ToLoads()
    {
        var loads = new List<IoProcessorLoad>();
        for (var i = 0; i < _columns.Count; i++)
            if (_columns[i] is { } processor)
                loads.Add(
                    new IoProcessorLoad
                    {
                        Processor = processor,
                        UsagePercent = At(_processor, i),
                        UserPercent = At(_user, i),
                        KernelPercent = At(_privileged, i),
                    }
                );
        return loads;
    }

    private static double? At(List<double> values, int index) => index < values.Count ? values[index] : null;

    private string? TakeColumns(ReadOnlySpan<byte> line)
    {
        _columns.Clear();
        while (!line.IsEmpty && _columns.Count < MaxProcessors)
        {
            if (SqlioLine.Take(ref line, "ALL"u8))
                _columns.Add(null);
            else if (SqlioLine.TakeInteger(ref line, out var number))
                _columns.Add(number);
            else
                return "a processor number cannot be read";
        }
        return line.IsEmpty ? null : "more processors than Windows has";
    }

    private string? TakeValues(ReadOnlySpan<byte> line, List<double> values)
    {
        values.Clear();
        while (!line.IsEmpty && values.Count < MaxProcessors)
        {
            if (!SqlioLine.TakeNumber(ref line, out var value))
                return "a percentage cannot be read";
            values.Add(value);
        }
        return values.Count == _columns.Count ? null : "the row has fewer or more figures than there are processors";
    }

    private void TakeOther(string name, ReadOnlySpan<byte> line)
    {
        // Store a row once, so that endless repetitions do not use memory.
        _others.RemoveAll(row => row.Key == name);
        _others.Add(new(name, string.Join(' ', SqlioLine.Text(line).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))));
    }
}
