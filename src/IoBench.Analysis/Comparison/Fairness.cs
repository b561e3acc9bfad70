using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What makes a comparison of two runs unfair.</summary>
internal static class Fairness
{
    internal static IEnumerable<string> Warnings(IoTestResult a, IoTestResult b)
    {
        if (a.FileSizeMB is { } sizeA && b.FileSizeMB is { } sizeB && Math.Abs(sizeA - sizeB) > 0.01 * Math.Max(sizeA, sizeB))
            yield return string.Create(CultureInfo.InvariantCulture, $"file sizes differ ({sizeA:0} and {sizeB:0} MB): a smaller file is answered by caches and shorter ways");
        if (a.Buffering != b.Buffering && a.Buffering is not null && b.Buffering is not null)
            yield return $"buffering differs ({a.Buffering} and {b.Buffering})";
        if (a.LoadModel != b.LoadModel && a.LoadModel is not null && b.LoadModel is not null)
            yield return $"load models differ ({a.LoadModel} and {b.LoadModel} loop)";
        if (a.ComputerName is not null && b.ComputerName is not null && !string.Equals(a.ComputerName, b.ComputerName, StringComparison.OrdinalIgnoreCase))
            yield return $"computers differ ({a.ComputerName} and {b.ComputerName})";
        if (Tool(a) != Tool(b))
            yield return $"tools differ ({Tool(a)} and {Tool(b)})";
        if (Math.Max(a.OutstandingIO ?? 1, b.OutstandingIO ?? 1) > 1 && IsDiskSpd(a) && IsDiskSpd(b) && IsNewLoop(a) != IsNewLoop(b))
            yield return "DiskSpd 2.2 changed how it keeps several I/Os outstanding: its results above queue depth 1 do not continue those of older versions";
        if (a.Source == IoResultSource.Sqlio || b.Source == IoResultSource.Sqlio)
            yield return "SQLIO cuts its average latency to whole milliseconds: latency is compared by Little's law (outstanding / IOPS) on both sides";
        if (a.WritePercent > 0 && IsWindows(a) is { } windowsA && IsWindows(b) is { } windowsB && windowsA != windowsB)
            yield return "writes on Windows (write-through) and on Linux (O_DSYNC) ask different things of a device";
    }

    private static string Tool(IoTestResult r) => r.Source == IoResultSource.DiskSpdXml ? "DiskSpd" : r.Source.ToString();
    private static bool IsDiskSpd(IoTestResult r) => r.Source is IoResultSource.DiskSpd or IoResultSource.DiskSpdXml;
    private static bool IsNewLoop(IoTestResult r) => r.ToolVersion?.StartsWith("2.2", StringComparison.Ordinal) == true;

    private static bool? IsWindows(IoTestResult r) => r.Source != IoResultSource.IoBench ? r.Source is IoResultSource.Sqlio ? true : null
        : r.Host.TryGetValue("OS", out var os) ? os.Contains("Windows", StringComparison.OrdinalIgnoreCase)
        : r.Backend is null ? null : r.Backend.StartsWith("Overlapped", StringComparison.Ordinal);
}
