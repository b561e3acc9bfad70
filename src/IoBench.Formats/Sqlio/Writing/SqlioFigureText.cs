using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class SqlioFigureText
{
    /// <summary>True if latency was requested. If SQLIO's output options are unknown, true if the latency is known.</summary>
    public static bool PrintsLatency(IoTestResult result) =>
        result.Specification?.Origin().Sqlio is { } asked && result.Source != SqlioFormat.Source
            ? asked.LatencyTimer is not null
            : result.AverageLatencyMs is not null
                || result.MinLatencyMs is not null
                || result.MaxLatencyMs is not null
                || result.Histogram is not null
                || result.ToolDetails.ContainsKey(SqlioFacts.AvgInit);

    public static void Write(LineWriter lines, IoTestResult result)
    {
        if (result.IOPS is not null || result.BandwidthMBps is not null)
        {
            lines.Line("CUMULATIVE DATA:");
            lines.Line("throughput metrics:");
            AddRate(lines, "IOs/sec:", result.IOPS);
            AddRate(lines, "MBs/sec:", result.BandwidthMBps);
        }
        WriteProcessors(lines, result);
        if (!PrintsLatency(result))
            return;
        lines.Line("latency metrics:");
        WriteInitiation(lines, result);
        AddLatency(lines, "Min_Latency(ms):", result.MinLatencyMs);
        AddLatency(lines, "Avg_Latency(ms):", result.AverageLatencyMs);
        AddLatency(lines, "Max_Latency(ms):", result.MaxLatencyMs);
        if (SqlioHistogram.ToPercents(result) is not { } percents)
            return;
        lines.Line("histogram:");
        lines.Line(
            "ms:"
                + string.Concat(
                    Enumerable
                        .Range(0, SqlioHistogram.BucketCount - 1)
                        .Select(ms => ms.ToString(CultureInfo.InvariantCulture).PadLeft(ms == 0 ? 2 : 3))
                )
                + " 24+"
        );
        lines.Line("%:" + string.Concat(percents.Select(p => p.ToString(CultureInfo.InvariantCulture).PadLeft(3))));
    }

    /// <summary>Formats a value with at most two decimals, as SQLIO does.</summary>
    public static string Figure(double value) => Figures.Plain(value, 2);

    private static void AddRate(LineWriter lines, string name, double? value)
    {
        if (value is { } rate)
            lines.Line(name + rate.ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9));
    }

    /// <summary>Writes whole milliseconds, truncated instead of rounded, as SQLIO does.</summary>
    private static void AddLatency(LineWriter lines, string name, double? milliseconds)
    {
        if (milliseconds is { } value)
            lines.Line($"{name} {Math.Floor(value).ToString("0", CultureInfo.InvariantCulture)}");
    }

    private static void WriteInitiation(LineWriter lines, IoTestResult result)
    {
        foreach (var name in (string[])[SqlioFacts.MinInit, SqlioFacts.AvgInit, SqlioFacts.MaxInit])
            if (result.ToolDetails.TryGetValue(name, out var microseconds))
                lines.Line($"{name}: {microseconds}");
    }

    private static void WriteProcessors(LineWriter lines, IoTestResult result)
    {
        var isAsked = result.Specification?.Origin().Sqlio is not { ProcessorUse: false } || result.Source == SqlioFormat.Source;
        if (!isAsked || (result.Processors.Count == 0 && !(result.Source == SqlioFormat.Source && result.CpuPercent is not null)))
            return;
        var loads = result.Processors;
        if (result.Source != SqlioFormat.Source && result.Specification?.Origin().Sqlio is { ProcessorUseEach: false })
            loads = [];
        lines.Line(
            "ProcessorNumber:"
                + "ALL".PadLeft(12)
                + string.Concat(loads.Select(l => l.Processor.ToString(CultureInfo.InvariantCulture).PadLeft(9)))
        );
        WriteDetail(lines, result, SqlioFacts.DpcTime);
        WriteDetail(lines, result, SqlioFacts.InterruptTime);
        WriteRow(lines, "PrivilegedTime(%):", Mean(result, l => l.KernelPercent), loads.Select(l => l.KernelPercent));
        WriteRow(lines, "ProcessorTime(%):", result.CpuPercent ?? Mean(result, l => l.UsagePercent), loads.Select(l => l.UsagePercent));
        WriteRow(lines, "UserTime(%):", Mean(result, l => l.UserPercent), loads.Select(l => l.UserPercent));
        WriteDetail(lines, result, SqlioFacts.Interrupts);
    }

    private static double? Mean(IoTestResult result, Func<IoProcessorLoad, double?> figure) => result.Processors.Average(figure);

    private static void WriteDetail(LineWriter lines, IoTestResult result, string name)
    {
        if (result.ToolDetails.TryGetValue(name, out var values))
            lines.Line((name + ":").PadRight(19) + string.Concat(values.Split(' ').Select(v => v.PadLeft(9))));
    }

    private static void WriteRow(LineWriter lines, string name, double? all, IEnumerable<double?> each)
    {
        if (all is null)
            return;
        lines.Line(
            name.PadRight(19)
                + string.Concat(each.Prepend(all).Select(v => (v ?? 0).ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9)))
        );
    }
}
