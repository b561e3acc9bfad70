using System.Runtime.InteropServices;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

internal static class ComparabilityCheck
{
    private const int MaxChanges = 4;
    private static readonly Version s_firstBatchedVersion = new(2, 2);

    internal static IEnumerable<string> CreateWarnings(IReadOnlyList<IoTestResult> baseline, IReadOnlyList<IoTestResult> current) =>
        baseline
            .DistinctBy(GetCircumstances)
            .SelectMany(a => current.DistinctBy(GetCircumstances).SelectMany(b => CreateWarnings(a, b)))
            .Distinct();

    private static object GetCircumstances(IoTestResult r) =>
        (
            ToolDifferences.GetDiskSpdSettings(r),
            r.FileSizeMB,
            r.DurationSeconds is { } seconds ? Math.Round(seconds) : -1,
            r.Buffering,
            r.LoadModel,
            r.TargetIops,
            r.ComputerName,
            GetTool(r),
            r.ToolVersion,
            RanOnWindows(r),
            GetStorageCacheSize(r),
            r.HasMissedRate() ? IoTestResult.DescribeMissedRate(r) : "",
            string.Join('|', r.Host.Values)
        );

    private static IEnumerable<string> CreateWarnings(IoTestResult a, IoTestResult b)
    {
        if (a.FileSizeMB is { } sizeA && b.FileSizeMB is { } sizeB && Math.Abs(sizeA - sizeB) > 0.01 * Math.Max(sizeA, sizeB))
            yield return Invariant(
                $"file sizes differ ({sizeA:0} and {sizeB:0} MB): with a smaller file, caches serve more I/Os, and seeks are shorter"
            );
        if (
            a.DurationSeconds is { } secondsA
            && b.DurationSeconds is { } secondsB
            && Math.Abs(secondsA - secondsB) > 0.1 * Math.Max(secondsA, secondsB)
        )
            yield return Invariant(
                $"durations differ ({secondsA:0.#} and {secondsB:0.#} s): a shorter run is less likely to show stalls, the end of a burst, or a full cache"
            );
        if (GetStorageCacheSize(a) is { } cacheA && GetStorageCacheSize(b) is { } cacheB && cacheA != cacheB)
            yield return $"storage cache sizes differ ({cacheA} and {cacheB})";
        if (a.Buffering != b.Buffering && a.Buffering is not null && b.Buffering is not null)
            yield return $"buffering differs ({a.Buffering} and {b.Buffering})";
        if (a.LoadModel != b.LoadModel && a.LoadModel is not null && b.LoadModel is not null)
            yield return $"load models differ ({a.LoadModel} and {b.LoadModel} loop)";
        else if (a.TargetIops is { } rateA && b.TargetIops is { } rateB && Math.Abs(rateA - rateB) > 0.01 * Math.Max(rateA, rateB))
            yield return Invariant($"target rates differ ({rateA:0.#} and {rateB:0.#} IOPS)");
        foreach (var (result, side) in new[] { (a, "the baseline"), (b, "the current results") })
            if (result.HasWarning(WarningCodes.ChangedFile))
                yield return $"in {side}, a test read a file that another program changed after IoBench wrote it";
        if (DescribeMissedRate(a, "the baseline") is { } missedA)
            yield return missedA;
        if (DescribeMissedRate(b, "the current results") is { } missedB)
            yield return missedB;
        if (
            a.ComputerName is not null
            && b.ComputerName is not null
            && !string.Equals(a.ComputerName, b.ComputerName, StringComparison.OrdinalIgnoreCase)
        )
            yield return $"computers differ ({a.ComputerName} and {b.ComputerName})";
        // Different paths are the purpose of the comparison. The same path with another device is a change worth reporting.
        else if (
            a.Path == b.Path
            && RanOnWindows(a) == RanOnWindows(b)
            && HostChange.FindBetween(a, b).Where(change => change.Name is not ("Backend" or "Tool version")).ToList()
                is { Count: > 0 } changed
        )
            yield return $"changed between baseline and current results: {NumberFormat.List(changed, MaxChanges, "; ")}";
        if (GetTool(a) != GetTool(b))
            yield return $"tools differ ({GetTool(a)} and {GetTool(b)})";
        if (
            Math.Max(a.OutstandingIO ?? 1, b.OutstandingIO ?? 1) > 1
            && HasNewLoop(a) is { } newA
            && HasNewLoop(b) is { } newB
            && newA != newB
        )
            yield return "DiskSpd 2.2 changed how it issues several outstanding I/Os, so its results above queue depth 1 are not comparable with results of older versions";
        if (ToolDifferences.FindDiskSpdDifference(a, b) is { } versions)
            yield return versions;
        if (ResultFormats.IsInWholeMilliseconds(a) || ResultFormats.IsInWholeMilliseconds(b))
            yield return "SQLIO truncates its average latency to whole milliseconds, so IoBench compares the latency that it calculates by Little's law (outstanding I/Os / IOPS)";
        if (a.WritePercent > 0 && RanOnWindows(a) is { } windowsA && RanOnWindows(b) is { } windowsB && windowsA != windowsB)
            yield return "writes on Windows (write-through) and on Linux (O_DSYNC) send different requests to the device";
    }

    private static string? DescribeMissedRate(IoTestResult r, string side) =>
        r.HasMissedRate()
            ? $"{side} did not reach the target rate ({IoTestResult.DescribeMissedRate(r)}), so IoBench compares the IOPS, but not the latency"
            : null;

    private static IoSize? GetStorageCacheSize(IoTestResult r) =>
        r.GetStoredSpecification()?.StorageCacheSize is { } bytes ? new IoSize(bytes) : null;

    private static string GetTool(IoTestResult r) => ResultFormats.GetToolName(r.Source);

    // Null if the tool is not DiskSpd or its version is unknown.
    private static bool? HasNewLoop(IoTestResult r) =>
        GetTool(r) == "DiskSpd" && Version.TryParse(ToolDifferences.GetVersionDigits(r.ToolVersion), out var version)
            ? version >= s_firstBatchedVersion
            : null;

    // Null if unknown. The operating system that the host reports takes precedence over the descriptor of the tool or backend.
    private static bool? RanOnWindows(IoTestResult r)
    {
        if (r.Host.TryGetValue(HostFacts.OperatingSystemFact, out var system))
            return system.Contains("Windows", StringComparison.OrdinalIgnoreCase);
        var runsOn = ResultFormats.GetDescriptor(r.Source)?.RunsOn ?? BackendCatalog.FindForResult(r)?.RunsOn;
        return runsOn is null ? null : runsOn == OSPlatform.Windows;
    }
}
