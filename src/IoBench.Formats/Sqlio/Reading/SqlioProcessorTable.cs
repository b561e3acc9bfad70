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

    public List<KeyValuePair<string, string>> OtherRows { get; } = [];

    /// <summary>CPU time of all CPUs together in percent; null if there is no such column.</summary>
    public double? CpuPercent => _processor.Count > 0 && _columns.Count > 0 && _columns[0] is null ? _processor[0] : null;

    public bool HasProcessorColumns => _columns.Exists(c => c is not null);

    /// <summary>False if the line is not a row. <paramref name="problem"/> describes a row that cannot be read.</summary>
    public bool TryParseRow(ReadOnlySpan<byte> line, out string? problem)
    {
        problem = null;
        if (SqlioLineScanner.TryConsume(ref line, "ProcessorNumber:"u8))
            problem = ParseHeader(line);
        else if (SqlioLineScanner.TryConsume(ref line, "PrivilegedTime(%):"u8))
            problem = ParseValues(line, _privileged);
        else if (SqlioLineScanner.TryConsume(ref line, "ProcessorTime(%):"u8))
            problem = ParseValues(line, _processor);
        else if (SqlioLineScanner.TryConsume(ref line, "UserTime(%):"u8))
            problem = ParseValues(line, _user);
        else if (SqlioLineScanner.TryConsume(ref line, "DPCTime(%):"u8))
            AddOtherRow("DPCTime(%)", line);
        else if (SqlioLineScanner.TryConsume(ref line, "InterruptTime(%):"u8))
            AddOtherRow("InterruptTime(%)", line);
        else if (SqlioLineScanner.TryConsume(ref line, "Interrupts/sec:"u8))
            AddOtherRow("Interrupts/sec", line);
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
                        UsagePercent = GetValue(_processor, i),
                        UserPercent = GetValue(_user, i),
                        KernelPercent = GetValue(_privileged, i),
                    }
                );
        return loads;
    }

    private static double? GetValue(List<double> values, int index) => index < values.Count ? values[index] : null;

    private string? ParseHeader(ReadOnlySpan<byte> line)
    {
        _columns.Clear();
        while (!line.IsEmpty && _columns.Count < MaxProcessors)
        {
            if (SqlioLineScanner.TryConsume(ref line, "ALL"u8))
                _columns.Add(null);
            else if (SqlioLineScanner.TryReadInteger(ref line, out var number))
                _columns.Add(number);
            else
                return "a processor number cannot be read";
        }
        return line.IsEmpty ? null : "the table has more processors than Windows supports";
    }

    private string? ParseValues(ReadOnlySpan<byte> line, List<double> values)
    {
        values.Clear();
        while (!line.IsEmpty && values.Count < MaxProcessors)
        {
            if (!SqlioLineScanner.TryReadNumber(ref line, out var value))
                return "a percentage cannot be read";
            values.Add(value);
        }
        return values.Count == _columns.Count ? null : "the number of values in the row differs from the number of CPUs";
    }

    private void AddOtherRow(string name, ReadOnlySpan<byte> line)
    {
        // Store a row once, so that endless repetitions do not use memory.
        OtherRows.RemoveAll(row => row.Key == name);
        OtherRows.Add(
            new(name, string.Join(' ', SqlioLineScanner.Decode(line).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)))
        );
    }
}
