using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class SqlioTextWriter
{
    /// <summary>True if latency was requested. If SQLIO's output options are unknown, true if the latency is known.</summary>
    public static bool ShouldPrintLatency(IoTestResult result) =>
        result.Specification?.GetOrAddOrigin().Sqlio is { } asked && result.Source != SqlioFormat.Source
            ? asked.LatencyTimer is not null
            : result.AverageLatencyMs is not null
                || result.MinLatencyMs is not null
                || result.MaxLatencyMs is not null
                || result.Histogram is not null
                || result.ToolDetails.ContainsKey(SqlioPropertyNames.AvgInit);

    public static void WriteMeasurements(LineWriter lines, IoTestResult result)
    {
        if (result.IOPS is not null || result.BandwidthMBps is not null)
        {
            lines.WriteLine("CUMULATIVE DATA:");
            lines.WriteLine("throughput metrics:");
            WriteRate(lines, "IOs/sec:", result.IOPS);
            WriteRate(lines, "MBs/sec:", result.BandwidthMBps);
        }
        WriteProcessors(lines, result);
        if (!ShouldPrintLatency(result))
            return;
        lines.WriteLine("latency metrics:");
        WriteInitiationLatency(lines, result);
        WriteLatency(lines, "Min_Latency(ms):", result.MinLatencyMs);
        WriteLatency(lines, "Avg_Latency(ms):", result.AverageLatencyMs);
        WriteLatency(lines, "Max_Latency(ms):", result.MaxLatencyMs);
        if (SqlioHistogram.GetPercents(result) is not { } percents)
            return;
        lines.WriteLine("histogram:");
        lines.WriteLine(
            "ms:"
                + string.Concat(
                    Enumerable
                        .Range(0, SqlioHistogram.BucketCount - 1)
                        .Select(ms => ms.ToString(CultureInfo.InvariantCulture).PadLeft(ms == 0 ? 2 : 3))
                )
                + " 24+"
        );
        lines.WriteLine("%:" + string.Concat(percents.Select(p => p.ToString(CultureInfo.InvariantCulture).PadLeft(3))));
    }

    /// <summary>Formats a value with at most two decimals, as SQLIO does.</summary>
    public static string FormatValue(double value) => NumberFormat.Plain(value, 2);

    private static void WriteRate(LineWriter lines, string name, double? value)
    {
        if (value is { } rate)
            lines.WriteLine(name + rate.ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9));
    }

    /// <summary>Writes whole milliseconds, truncated instead of rounded, as SQLIO does.</summary>
    private static void WriteLatency(LineWriter lines, string name, double? milliseconds)
    {
        if (milliseconds is { } value)
            lines.WriteLine($"{name} {Math.Floor(value).ToString("0", CultureInfo.InvariantCulture)}");
    }

    private static void WriteInitiationLatency(LineWriter lines, IoTestResult result)
    {
        foreach (var name in (string[])[SqlioPropertyNames.MinInit, SqlioPropertyNames.AvgInit, SqlioPropertyNames.MaxInit])
            if (result.ToolDetails.TryGetValue(name, out var microseconds))
                lines.WriteLine($"{name}: {microseconds}");
    }

    private static void WriteProcessors(LineWriter lines, IoTestResult result)
    {
        var isAsked = result.Specification?.GetOrAddOrigin().Sqlio is not { ProcessorUse: false } || result.Source == SqlioFormat.Source;
        if (!isAsked || (result.Processors.Count == 0 && !(result.Source == SqlioFormat.Source && result.CpuPercent is not null)))
            return;
        var loads = result.Processors;
        if (result.Source != SqlioFormat.Source && result.Specification?.GetOrAddOrigin().Sqlio is { ProcessorUseEach: false })
            loads = [];
        lines.WriteLine(
            "ProcessorNumber:"
                + "ALL".PadLeft(12)
                + string.Concat(loads.Select(l => l.Processor.ToString(CultureInfo.InvariantCulture).PadLeft(9)))
        );
        WriteDetailRow(lines, result, SqlioPropertyNames.DpcTime);
        WriteDetailRow(lines, result, SqlioPropertyNames.InterruptTime);
        WriteRow(lines, "PrivilegedTime(%):", GetMean(result, l => l.KernelPercent), loads.Select(l => l.KernelPercent));
        WriteRow(lines, "ProcessorTime(%):", result.CpuPercent ?? GetMean(result, l => l.UsagePercent), loads.Select(l => l.UsagePercent));
        WriteRow(lines, "UserTime(%):", GetMean(result, l => l.UserPercent), loads.Select(l => l.UserPercent));
        WriteDetailRow(lines, result, SqlioPropertyNames.Interrupts);
    }

    private static double? GetMean(IoTestResult result, Func<IoProcessorLoad, double?> figure) => result.Processors.Average(figure);

    private static void WriteDetailRow(LineWriter lines, IoTestResult result, string name)
    {
        if (result.ToolDetails.TryGetValue(name, out var values))
            lines.WriteLine((name + ":").PadRight(19) + string.Concat(values.Split(' ').Select(v => v.PadLeft(9))));
    }

    private static void WriteRow(LineWriter lines, string name, double? all, IEnumerable<double?> each)
    {
        if (all is null)
            return;
        lines.WriteLine(
            name.PadRight(19)
                + string.Concat(each.Prepend(all).Select(v => (v ?? 0).ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9)))
        );
    }
}
