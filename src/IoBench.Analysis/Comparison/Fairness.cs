using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What makes a comparison of two sides' equal runs unfair.</summary>
internal static class Fairness
{
    private static readonly Version s_newLoop = new(2, 2);

    /// <summary>Each warning once, over all the runs of both sides.</summary>
    internal static IEnumerable<string> Warnings(IReadOnlyList<IoTestResult> baseline, IReadOnlyList<IoTestResult> current)
        => baseline.DistinctBy(Circumstances).SelectMany(a => current.DistinctBy(Circumstances).SelectMany(b => Warnings(a, b))).Distinct();

    private static object Circumstances(IoTestResult r)
        => (r.FileSizeMB, r.Buffering, r.LoadModel, r.TargetIops, r.ComputerName, Tool(r), r.ToolVersion, IsWindows(r));

    private static IEnumerable<string> Warnings(IoTestResult a, IoTestResult b)
    {
        if (a.FileSizeMB is { } sizeA && b.FileSizeMB is { } sizeB && Math.Abs(sizeA - sizeB) > 0.01 * Math.Max(sizeA, sizeB))
            yield return string.Create(CultureInfo.InvariantCulture, $"file sizes differ ({sizeA:0} and {sizeB:0} MB): a smaller file is answered by caches and shorter ways");
        if (a.Buffering != b.Buffering && a.Buffering is not null && b.Buffering is not null)
            yield return $"buffering differs ({a.Buffering} and {b.Buffering})";
        if (a.LoadModel != b.LoadModel && a.LoadModel is not null && b.LoadModel is not null)
            yield return $"load models differ ({a.LoadModel} and {b.LoadModel} loop)";
        else if (a.TargetIops is { } rateA && b.TargetIops is { } rateB && Math.Abs(rateA - rateB) > 0.01 * Math.Max(rateA, rateB))
            yield return string.Create(CultureInfo.InvariantCulture, $"target rates differ ({rateA:0.#} and {rateB:0.#} IOPS)");
        if (a.ComputerName is not null && b.ComputerName is not null && !string.Equals(a.ComputerName, b.ComputerName, StringComparison.OrdinalIgnoreCase))
            yield return $"computers differ ({a.ComputerName} and {b.ComputerName})";
        if (Tool(a) != Tool(b))
            yield return $"tools differ ({Tool(a)} and {Tool(b)})";
        if (Math.Max(a.OutstandingIO ?? 1, b.OutstandingIO ?? 1) > 1 && HasNewLoop(a) is { } newA && HasNewLoop(b) is { } newB && newA != newB)
            yield return "DiskSpd 2.2 changed how it keeps several I/Os outstanding: its results above queue depth 1 do not continue those of older versions";
        if (a.Source == IoResultSource.Sqlio || b.Source == IoResultSource.Sqlio)
            yield return "SQLIO cuts its average latency to whole milliseconds: latency is compared by Little's law (outstanding / IOPS) on both sides";
        if (a.WritePercent > 0 && IsWindows(a) is { } windowsA && IsWindows(b) is { } windowsB && windowsA != windowsB)
            yield return "writes on Windows (write-through) and on Linux (O_DSYNC) ask different things of a device";
    }

    private static string Tool(IoTestResult r) => r.Source == IoResultSource.DiskSpdXml ? "DiskSpd" : r.Source.ToString();

    // Null: not DiskSpd, or its version is not known.
    private static bool? HasNewLoop(IoTestResult r)
        => r.Source is IoResultSource.DiskSpd or IoResultSource.DiskSpdXml && Version.TryParse(Digits(r.ToolVersion), out var version) ? version >= s_newLoop : null;

    // Of "2.0.21a" only the digits that a version may have.
    private static string Digits(string? version) => string.Concat((version ?? "").TakeWhile(c => char.IsAsciiDigit(c) || c == '.')).TrimEnd('.');

    private static bool? IsWindows(IoTestResult r) => r.Source != IoResultSource.IoBench ? true
        : r.Host.TryGetValue("OS", out var os) ? os.Contains("Windows", StringComparison.OrdinalIgnoreCase)
        : r.Backend is null ? null
        : r.Backend.StartsWith("Overlapped", StringComparison.OrdinalIgnoreCase) ? true
        : r.Backend.StartsWith("IoUring", StringComparison.OrdinalIgnoreCase) || r.Backend.StartsWith("LinuxAio", StringComparison.OrdinalIgnoreCase) ? false : null;
}
