using IoBench.Engine;
using IoBench.Reports.Model;

namespace IoBench.Reports.Sections;

/// <summary>A column of the Details sheet.</summary>
/// <param name="Header">The property's name, with its unit.</param>
/// <param name="IsNumber">Whether it holds numbers.</param>
/// <param name="Cell">The cell for a result.</param>
internal sealed record DetailColumn(string Header, bool IsNumber, Func<IoTestResult, CellValue> Cell);

/// <summary>Every flat property of a result in the order of the documentation, with its unit.</summary>
internal static class DetailColumns
{
    /// <summary>The columns.</summary>
    public static readonly IReadOnlyList<DetailColumn> All =
    [
        Text("Source", r => r.Source.ToString()),
        Text("SourceFile", r => r.SourceFile),
        Number("SourceLine", CellStyle.Whole, r => r.SourceLine),
        Text("ToolVersion", r => r.ToolVersion),
        Text("Status", r => r.Status.ToString()),
        Text("RunId", r => r.RunId),
        Text("Label", r => r.Label),
        Text("Workload", r => r.Workload),
        Text("WorkloadRole", r => r.WorkloadRole),
        Text("ComputerName", r => r.ComputerName),
        new("StartTime (local to the test)", true, r => CellValue.Of(r.StartTime)),
        Text("Path", r => r.Path),
        Number("TargetCount", CellStyle.Whole, r => r.TargetCount),
        Number("FileSizeMB (MiB)", CellStyle.Number, r => r.FileSizeMB),
        Number("ThreadCount", CellStyle.Whole, r => r.ThreadCount),
        Number("OutstandingIO (a thread and target)", CellStyle.Whole, r => r.OutstandingIO),
        Number("TotalOutstanding", CellStyle.Whole, r => r.TotalOutstanding),
        Number("BlockSizeKB (KiB)", CellStyle.Number, r => r.BlockSizeKB),
        Text("Operation", r => r.Operation?.ToString()),
        Number("WritePercent (%)", CellStyle.Whole, r => r.WritePercent),
        Text("AccessPattern", r => r.AccessPattern?.ToString()),
        Text("IOPattern", r => r.IOPattern),
        Text("Buffering", r => r.Buffering?.ToString()),
        Text("LoadModel", r => r.LoadModel?.ToString()),
        Number("TargetIops (1/s)", CellStyle.Number, r => r.TargetIops),
        Number("Repeat", CellStyle.Whole, r => r.Repeat),
        Number("DurationSeconds (s)", CellStyle.Number, r => r.DurationSeconds),
        Number("BandwidthMBps (MiB/s)", CellStyle.TwoDecimals, r => r.BandwidthMBps),
        Number("IOPS (1/s)", CellStyle.TwoDecimals, r => r.IOPS),
        Number("ReadMBps (MiB/s)", CellStyle.TwoDecimals, r => r.ReadMBps),
        Number("ReadIOPS (1/s)", CellStyle.TwoDecimals, r => r.ReadIOPS),
        Number("WriteMBps (MiB/s)", CellStyle.TwoDecimals, r => r.WriteMBps),
        Number("WriteIOPS (1/s)", CellStyle.TwoDecimals, r => r.WriteIOPS),
        Latency("AverageLatencyMs (ms)", r => r.AverageLatencyMs),
        Latency("MinLatencyMs (ms)", r => r.MinLatencyMs),
        Latency("MaxLatencyMs (ms)", r => r.MaxLatencyMs),
        Latency("LatencyStdDevMs (ms)", r => r.LatencyStdDevMs),
        Latency("P50Ms (ms)", r => r.P50Ms),
        Latency("P90Ms (ms)", r => r.P90Ms),
        Latency("P95Ms (ms)", r => r.P95Ms),
        Latency("P99Ms (ms)", r => r.P99Ms),
        Latency("P999Ms (ms)", r => r.P999Ms),
        Latency("ReadAverageLatencyMs (ms)", r => r.ReadAverageLatencyMs),
        Latency("ReadP99Ms (ms)", r => r.ReadP99Ms),
        Latency("WriteAverageLatencyMs (ms)", r => r.WriteAverageLatencyMs),
        Latency("WriteP99Ms (ms)", r => r.WriteP99Ms),
        Latency("ResponseAverageMs (ms)", r => r.ResponseAverageMs),
        Latency("ResponseP99Ms (ms)", r => r.ResponseP99Ms),
        Number("LittlesLawLatencyMs (ms)", CellStyle.ThreeDecimals, r => r.LittlesLawLatencyMs),
        Number("IopsStdDev (1/s)", CellStyle.TwoDecimals, r => r.IopsStdDev),
        Number("CpuPercent (% of all processors)", CellStyle.OneDecimal, r => r.CpuPercent),
        Number("CpuUsPerIO (us an I/O)", CellStyle.TwoDecimals, r => r.CpuUsPerIO),
        Number("GcCount", CellStyle.Whole, r => r.GcCount),
        Text("Backend", r => r.Backend),
        Text("FileSystem", r => r.FileSystem),
        Text("Device", r => r.Device),
        Number("IOCount", CellStyle.Whole, r => r.IOCount),
        Number("ByteCount (bytes)", CellStyle.Whole, r => r.ByteCount),
        Text("Warnings", r => r.Warnings.Count == 0 ? null : string.Join("; ", r.Warnings)),
        Text("ErrorId", r => r.ErrorId),
        Text("ErrorMessage", r => r.ErrorMessage),
    ];

    private static DetailColumn Text(string header, Func<IoTestResult, string?> value)
        => new(header, false, result => CellValue.Of(value(result)));

    private static DetailColumn Number(string header, CellStyle style, Func<IoTestResult, double?> value)
        => new(header, true, result => CellValue.Of(value(result), style));

    private static DetailColumn Latency(string header, Func<IoTestResult, double?> value)
        => new(header, true, result => RunText.LatencyCell(result, value(result)));
}
