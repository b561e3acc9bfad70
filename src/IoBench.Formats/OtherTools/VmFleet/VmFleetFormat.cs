using System.Globalization;
using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads tables of a sweep and of virtual machines. An unknown column becomes a tool detail with its name.</summary>
public static class VmFleetFormat
{
    public const string Source = "VmFleet";

    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "VMFleet's table",
            Tool = "VMFleet",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            Extensions = [".tsv"],
            LooksLike = LooksLike,
            ReadText = Read,
        };

    private const int MaxDetails = 200;

    /// <summary>Maximum value. No fleet reaches it, and calculations with it cannot overflow.</summary>
    private const double MaxFigure = 1e15;

    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var text = head.AsSpan().TrimStart('\uFEFF');
        var end = text.IndexOfAny('\r', '\n');
        if (end >= 0)
            text = text[..end];
        if (!text.Contains('\t'))
            return false;
        var columns = text.ToString().Split('\t').Select(name => name.Trim('"', ' ')).ToHashSet(StringComparer.OrdinalIgnoreCase);
        return columns.Contains("IOPS")
            && (
                (columns.Contains("AverageReadBW") && columns.Contains("AverageWriteBW"))
                || (columns.Contains("AVRLat") && columns.Contains("AVWLat"))
            );
    }

    /// <exception cref="IoBenchException"><c>IoBench.InvalidCsv</c>, with the line.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string name)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var records = new CsvRecordReader(reader, name);
        var header = records.Read()?.Select(column => column.Trim()).ToArray();
        var empty = 0;
        var firstEmpty = 0;
        IoTestResult? last = null;
        while (header is not null && records.Read() is { } fields)
        {
            // A sweep that is started again appends its header again.
            if (fields.SequenceEqual(header))
                continue;
            var row = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            for (var i = 0; i < Math.Min(header.Length, Math.Min(fields.Count, MaxDetails)); i++)
                row.TryAdd(header[i], fields[i].Trim());
            if (!Array.Exists(s_figures.Value, column => row.TryGetValue(column, out var text) && text.Length > 0))
            {
                firstEmpty = empty++ == 0 ? records.RecordLine : firstEmpty;
                continue;
            }
            if (last is not null)
                yield return last;
            last = CreateResult(row, name, records.RecordLine);
            if (fields.Count != header.Length)
                last.Warnings.Add(
                    $"line {NumberFormat.Integer(records.RecordLine)}: the line has {NumberFormat.Pluralize(fields.Count, "field")}, but the header has {NumberFormat.Pluralize(header.Length, "column")}."
                );
        }
        if (last is null)
            yield break;
        if (empty > 0)
            last.Warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"IoBench skipped {NumberFormat.Pluralize(empty, "line")} without values. The first one is line {firstEmpty}."
                )
            );
        yield return last;
    }

    /// <summary>Result columns, of which a row must have at least one. Any other line is a remark, or the rest of a broken line.</summary>
    private static readonly Lazy<string[]> s_figures = new(() =>
        [
            "IOPS",
            "AverageReadIOPS",
            "AverageWriteIOPS",
            "AverageReadBW",
            "AverageWriteBW",
            "AverageReadMilliseconds",
            "AverageWriteMilliseconds",
            "AVRLat",
            "AVWLat",
        ]
    );

    private static IoTestResult CreateResult(Dictionary<string, string> row, string name, int line)
    {
        var result = new IoTestResult
        {
            Source = Source,
            SourceFile = name,
            SourceLine = line,
            LoadModel = IoLoadModel.Closed,
        };
        result.Label = GetText(row, "RunLabel") ?? GetText(row, "Result");
        result.Workload = GetText(row, "Workload");
        result.IOPS = GetNumber(row, "IOPS", result);
        result.CpuPercent = GetNumber(row, "AverageCPU", result) ?? GetNumber(row, "AVCPU", result);
        result.WritePercent =
            GetNumber(row, "WriteRatio", result) is >= 0 and <= 100 and var share && share == Math.Floor(share) ? (int)share : null;
        SetReadsAndWrites(result, row);
        SetOperation(result);
        // Only rows of one virtual machine have percentiles. The row of a fleet has the averages of percentiles, which are not percentiles.
        if (row.ContainsKey("Result") && !row.ContainsKey("VMCount"))
            SetPercentiles(result, row);
        foreach (var (column, text) in row)
        {
            if (text.Length > 0 && !s_mapped.Value.Contains(column) && (result.Percentiles.Count == 0 || !IsPercentile(column)))
                result.ToolDetails[column] = text;
        }
        return result;
    }

    private static readonly Lazy<HashSet<string>> s_mapped = new(() =>
        new(StringComparer.OrdinalIgnoreCase)
        {
            "RunLabel",
            "Result",
            "Workload",
            "IOPS",
            "AverageCPU",
            "AVCPU",
            "WriteRatio",
            "AverageReadIOPS",
            "AverageWriteIOPS",
            "AverageReadBW",
            "AverageWriteBW",
            "AverageReadMilliseconds",
            "AverageWriteMilliseconds",
            "AVRLat",
            "AVWLat",
        }
    );

    private static bool IsPercentile(string column) =>
        column.StartsWith("ReadMilliseconds", StringComparison.OrdinalIgnoreCase)
        || column.StartsWith("WriteMilliseconds", StringComparison.OrdinalIgnoreCase);

    private static void SetReadsAndWrites(IoTestResult result, Dictionary<string, string> row)
    {
        result.ReadIOPS = GetNumber(row, "AverageReadIOPS", result);
        result.WriteIOPS = GetNumber(row, "AverageWriteIOPS", result);
        result.ReadMBps = GetNumber(row, "AverageReadBW", result) / (1 << 20);
        result.WriteMBps = GetNumber(row, "AverageWriteBW", result) / (1 << 20);
        result.BandwidthMBps = result.ReadMBps + result.WriteMBps;
        // The first version has seconds, from performance counters. Both versions write 0 if there were no such I/Os.
        result.ReadAverageLatencyMs = IgnoreZero(
            GetNumber(row, "AverageReadMilliseconds", result) ?? GetNumber(row, "AVRLat", result) * 1000
        );
        result.WriteAverageLatencyMs = IgnoreZero(
            GetNumber(row, "AverageWriteMilliseconds", result) ?? GetNumber(row, "AVWLat", result) * 1000
        );
        var reads = result.ReadIOPS;
        var writes = result.WriteIOPS;
        result.AverageLatencyMs = (reads, writes) switch
        {
            (> 0, 0) => result.ReadAverageLatencyMs,
            (0, > 0) => result.WriteAverageLatencyMs,
            (> 0, > 0) => (result.ReadAverageLatencyMs * reads + result.WriteAverageLatencyMs * writes) / (reads + writes),
            _ => null,
        };
    }

    private static double? IgnoreZero(double? milliseconds) => milliseconds > 0 ? milliseconds : null;

    private static void SetOperation(IoTestResult result)
    {
        result.Operation = (result.ReadIOPS, result.WriteIOPS, result.WritePercent) switch
        {
            (> 0, > 0, _) => IoOperation.Mixed,
            (> 0, 0, _) => IoOperation.Read,
            (0, > 0, _) => IoOperation.Write,
            (_, _, 0) => IoOperation.Read,
            (_, _, 100) => IoOperation.Write,
            (_, _, not null) => IoOperation.Mixed,
            _ => null,
        };
        result.WritePercent ??= result.Operation switch
        {
            IoOperation.Read => 0,
            IoOperation.Write => 100,
            _ => null,
        };
        var pattern = PatternText.Describe(null, null, result.WritePercent);
        result.IOPattern = pattern.Length > 0 ? pattern : null;
    }

    private static void SetPercentiles(IoTestResult result, Dictionary<string, string> row)
    {
        foreach (var percent in (int[])[50, 90, 99])
        {
            var read = result.ReadIOPS > 0 ? GetNumber(row, $"ReadMilliseconds{percent}", result) : null;
            var write = result.WriteIOPS > 0 ? GetNumber(row, $"WriteMilliseconds{percent}", result) : null;
            if (read is null && write is null)
                continue;
            var total =
                result.WriteIOPS == 0 ? read
                : result.ReadIOPS == 0 ? write
                : null;
            result.Percentiles.Add(
                new IoPercentile
                {
                    Percent = percent,
                    ReadMs = read,
                    WriteMs = write,
                    TotalMs = total,
                }
            );
            switch (percent)
            {
                case 50:
                    result.P50Ms = total;
                    break;
                case 90:
                    result.P90Ms = total;
                    break;
                default:
                    result.P99Ms = total;
                    result.ReadP99Ms = read;
                    result.WriteP99Ms = write;
                    break;
            }
        }
    }

    private static string? GetText(Dictionary<string, string> row, string column) =>
        row.GetValueOrDefault(column) is { Length: > 0 } text ? text : null;

    private static double? GetNumber(Dictionary<string, string> row, string column, IoTestResult result)
    {
        if (GetText(row, column) is not { } text)
            return null;
        // Export-Csv writes numbers in the culture of the computer.
        if (
            double.TryParse(text.Replace(',', '.'), NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
            && value is >= 0 and <= MaxFigure
        )
            return value;
        result.Warnings.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"line {result.SourceLine}: '{string.Concat(text.Take(40).Select(c => char.IsControl(c) ? ' ' : c))}' is not a valid number in the column {column}."
            )
        );
        return null;
    }
}
