using System.Globalization;
using System.Runtime.InteropServices;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

internal static class Comparability
{
    internal static IReadOnlyList<Finding> CreateFindings(IReadOnlyList<ComparisonRow> rows)
    {
        var left = rows.SelectMany(row => row.BaselineResults).ToList();
        var right = rows.SelectMany(row => row.Results).ToList();
        if (left.Count == 0 || right.Count == 0 || left.Select(GetTool).Concat(right.Select(GetTool)).Distinct().Count() == 1)
            return [];
        return
        [
            .. new[]
            {
                CompareLatency(left, right),
                ComparePercentiles(left, right),
                CompareDeviation(left, right),
                CompareUnits(left, right),
                CompareBestRun(left, right),
            }.OfType<Finding>(),
        ];
    }

    private static Finding? CompareLatency(List<IoTestResult> left, List<IoTestResult> right)
    {
        var fio = FilterResults(left, right, r => GetFioDetail(r, "percentiles of") == "clat" || GetFioDetail(r, "latency of") == "clat");
        if (fio.Count == 0)
            return null;
        var submission = fio.Select(GetAverageSubmissionMs).OfType<double>().ToList();
        var isAverage = fio.Exists(r => GetFioDetail(r, "latency of") == "clat");
        var average = submission.Count > 0 ? submission.Average() : (double?)null;
        var lost = average is { } ms
            ? Invariant(
                $". The submission took {ms:0.#####} ms on average. The {(isAverage ? "latency of fio does" : "percentiles of fio do")} not include this time"
            )
            : "";
        return new Finding
        {
            Code = FindingCodes.ComparisonLatencyMeaning,
            Subject = "fio",
            What = isAverage
                ? $"fio measures latency from the end of the submission, but the latency of {JoinOtherTools(left, right, "fio")} is measured from the start of the submission{lost}"
                : $"fio measures percentiles from the end of the submission, but the percentiles of {JoinOtherTools(left, right, "fio")} are measured from the start. fio also measures averages from the start{lost}",
            Evidence = average is null ? [] : [new("submission", average, "ms"), .. CreateConvertedEvidence(fio, average.Value)],
            WhatToDo = average > 0 ? "Add the submission latency to the percentiles of fio, or run fio with lat_percentiles=1" : null,
        };
    }

    private static IEnumerable<FindingEvidence> CreateConvertedEvidence(List<IoTestResult> fio, double submission)
    {
        var p99 = fio.Select(r => r.P99Ms).OfType<double>().ToList();
        if (p99.Count > 0)
            yield return new("P99Ms with submission", p99.Average() + submission, "ms");
    }

    private static Finding? ComparePercentiles(List<IoTestResult> left, List<IoTestResult> right)
    {
        if (
            !left.Exists(r => r.P99Ms is not null)
            || !right.Exists(r => r.P99Ms is not null)
            || GetPercentileRule(left[0]) == GetPercentileRule(right[0])
        )
            return null;
        return new Finding
        {
            Code = FindingCodes.ComparisonStatistics,
            Subject = "percentiles",
            What =
                $"the tools calculate percentiles differently, so a difference below 1% has no meaning. {GetTool(left[0])} reports {GetPercentileRule(left[0])}. {GetTool(right[0])} reports {GetPercentileRule(right[0])}",
        };
    }

    private static string GetPercentileRule(IoTestResult r) =>
        GetTool(r) switch
        {
            "fio" or ResultFormats.OwnTool => "the middle of a histogram bucket, with an error of up to 0.8%",
            "DiskSpd" or "VMFleet" => "the latency of the I/O at that percentile, with a resolution of 1 us",
            "SQLIO" => "a whole number of milliseconds, because its histogram has buckets of 1 ms",
            _ => "a value without a documented definition",
        };

    private static Finding? CompareDeviation(List<IoTestResult> left, List<IoTestResult> right)
    {
        var fio = FilterResults(left, right, r => r.Source == FioFormat.Source && r.LatencyStdDevMs is not null && r.IOCount is < 1000);
        return fio.Count == 0
            ? null
            : new Finding
            {
                Code = FindingCodes.ComparisonStatistics,
                Subject = "deviation",
                What =
                    $"fio reports the sample standard deviation (n - 1). Results of {JoinOtherTools(left, right, "fio")} contain the standard deviation of all I/Os (n). With fewer than 1,000 I/Os, the two values differ",
            };
    }

    private static Finding? CompareUnits(List<IoTestResult> left, List<IoTestResult> right)
    {
        var converted = FilterResults(left, right, r => r.Source == CrystalDiskMarkFormat.Source);
        return converted.Count == 0
            ? null
            : new Finding
            {
                Code = FindingCodes.ComparisonUnits,
                Subject = "CrystalDiskMark",
                What =
                    "CrystalDiskMark reports MB/s of 1,000,000 bytes. IoBench converted its values to MiB/s (1,048,576 bytes), the unit of all other results",
                Evidence = converted.Find(r => r.BandwidthMBps is not null)?.BandwidthMBps is { } rate
                    ? [new("BandwidthMBps", rate, "MiB/s"), new("as CrystalDiskMark shows it", rate * 1.048576, "MB/s")]
                    : [],
            };
    }

    private static Finding? CompareBestRun(List<IoTestResult> left, List<IoTestResult> right) =>
        FilterResults(left, right, r => r.Source == CrystalDiskMarkFormat.Source).Count == 0
            ? null
            : new Finding
            {
                Code = FindingCodes.ComparisonBestRun,
                Subject = "CrystalDiskMark",
                What =
                    $"CrystalDiskMark reports its best run. Results of {JoinOtherTools(left, right, "CrystalDiskMark")} cover the whole measurement, so the results of CrystalDiskMark are higher on the same storage",
                Severity = FindingSeverity.Warning,
            };

    private static List<IoTestResult> FilterResults(List<IoTestResult> left, List<IoTestResult> right, Func<IoTestResult, bool> has) =>
        [.. left.Where(has), .. right.Where(has)];

    private static string JoinOtherTools(List<IoTestResult> left, List<IoTestResult> right, string tool) =>
        string.Join(" and ", left.Concat(right).Select(GetTool).Where(other => other != tool).Distinct());

    private static string GetTool(IoTestResult r) => ResultFormats.GetToolName(r.Source);

    private static string? GetFioDetail(IoTestResult r, string name) =>
        r.Source == FioFormat.Source ? r.ToolDetails.GetValueOrDefault(name) : null;

    private static double? GetAverageSubmissionMs(IoTestResult r)
    {
        double sum = 0,
            count = 0;
        foreach (
            var (name, totals) in (ReadOnlySpan<(string, IoTotals?)>)
                [("read", r.Totals?.Read), ("write", r.Totals?.Write), ("mixed", r.Totals?.Total)]
        )
        {
            if (!double.TryParse(GetFioDetail(r, name + " slat mean (ms)"), NumberStyles.Float, CultureInfo.InvariantCulture, out var mean))
                continue;
            var weight = totals?.IOCount ?? 1;
            sum += mean * weight;
            count += weight;
        }
        return count > 0 ? sum / count : null;
    }

    private static readonly Version s_diskSpd23 = new(2, 3);

    /// <summary>
    /// DiskSpd 2.3 aligns each buffer separately and binds threads to P-cores first, unless <c>-bsn</c> and <c>-aup</c> are used; its
    /// authors recommend new baselines. Null if the results are comparable or a version is unknown.
    /// </summary>
    internal static string? FindDiskSpdDifference(IoTestResult a, IoTestResult b)
    {
        if (IsDiskSpd23OrLater(a) is not { } changedA || IsDiskSpd23OrLater(b) is not { } changedB || changedA == changedB)
            return null;
        var (changed, other) = changedA ? (a, b) : (b, a);
        string?[] reasons =
        [
            SeparatesBuffers(changed) ? "aligns each buffer separately" : null,
            OrdersCores(changed, other) ? "binds threads to P-cores first" : null,
        ];
        var what = string.Join(" and ", reasons.OfType<string>());
        return what.Length == 0 ? null : $"DiskSpd 2.3 {what}, so its results can differ from those of older versions";
    }

    internal static bool IsDiskSpd23Fact(string name, IoTestResult a, IoTestResult b) =>
        (name is "processor name" or "page size" || name.StartsWith("cache L", StringComparison.Ordinal))
        && a.Host.ContainsKey(name) != b.Host.ContainsKey(name);

    internal static object GetDiskSpdSettings(IoTestResult r) =>
        (
            r.Specification?.GetOrAddOrigin().DiskSpd?.Version23?.SeparatesBuffers,
            r.Specification?.GetOrAddOrigin().DiskSpd?.Version23?.CoreOrder,
            r.Specification?.AffinityMode,
            r.Host.GetValueOrDefault("heterogeneous cores")
        );

    internal static IEnumerable<Finding> CreateDiskSpdFindings(IReadOnlyList<ComparisonRow> rows)
    {
        var mixed = rows.Select(row =>
                (
                    row.IOPattern,
                    Text: row.BaselineResults.SelectMany(a => row.Results.Select(b => FindDiskSpdDifference(a, b)))
                        .FirstOrDefault(text => text is not null)
                )
            )
            .Where(row => row.Text is not null)
            .ToList();
        if (mixed.Count == 0)
            yield break;
        yield return new()
        {
            Code = FindingCodes.ComparisonDiskSpdVersions,
            Subject = "DiskSpd 2.3",
            What = mixed[0].Text!,
            Severity = FindingSeverity.Warning,
            Evidence = [new("Patterns", mixed.Count)],
            WhatToDo = "Compare runs of one version, or run version 2.3 with -bsn -aup to get the behavior of older versions",
        };
    }

    private static bool SeparatesBuffers(IoTestResult result) =>
        result.Specification?.GetOrAddOrigin().DiskSpd?.Version23 is not { SeparatesBuffers: false };

    /// <summary>Makes no difference if all cores are equal or threads are not bound.</summary>
    private static bool OrdersCores(IoTestResult changed, IoTestResult other) =>
        changed.Specification is not { AffinityMode: IoAffinityMode.Off }
        && changed.Specification?.GetOrAddOrigin().DiskSpd?.Version23 is not { CoreOrder: DiskSpdCoreOrder.Unordered }
        && changed.Host.GetValueOrDefault("heterogeneous cores") != "n"
        && other.Host.GetValueOrDefault("heterogeneous cores") != "n";

    private static bool? IsDiskSpd23OrLater(IoTestResult result)
    {
        if (ResultFormats.GetToolName(result.Source) != "DiskSpd" || result.ToolVersion is not { } version)
            return null;
        // In "2.0.21 to 2.2", "2.1 or 2.2", and "2.2 or later", the last word is decisive.
        var last = version[(version.LastIndexOf(' ') + 1)..];
        if (
            !Version.TryParse(GetVersionDigits(version), out var first)
            || (last != version && !Version.TryParse(GetVersionDigits(last), out _) && last != "earlier")
        )
            return null;
        var highest = Version.TryParse(GetVersionDigits(last), out var known) ? known : first;
        if (first >= s_diskSpd23)
            return true;
        return highest < s_diskSpd23 ? false : null;
    }

    internal static string GetVersionDigits(string? version) =>
        string.Concat((version ?? "").TakeWhile(c => char.IsAsciiDigit(c) || c == '.')).TrimEnd('.');

    private const int MaxChanges = 4;
    private static readonly Version s_firstBatchedVersion = new(2, 2);

    internal static IEnumerable<string> CreateWarnings(IReadOnlyList<IoTestResult> baseline, IReadOnlyList<IoTestResult> current) =>
        baseline
            .DistinctBy(GetCircumstances)
            .SelectMany(a => current.DistinctBy(GetCircumstances).SelectMany(b => CreateWarnings(a, b)))
            .Distinct();

    private static object GetCircumstances(IoTestResult r) =>
        (
            GetDiskSpdSettings(r),
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
            yield return "DiskSpd 2.2 changed how it issues several outstanding I/Os, so its results at queue depths above 1 are not comparable with results of older versions";
        if (FindDiskSpdDifference(a, b) is { } versions)
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

    // Null if the tool is not DiskSpd or its version is unknown.
    private static bool? HasNewLoop(IoTestResult r) =>
        GetTool(r) == "DiskSpd" && Version.TryParse(GetVersionDigits(r.ToolVersion), out var version)
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
