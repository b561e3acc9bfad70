namespace IoBench.Engine;

/// <summary>What a request may not ask for; everything that needs no file system.</summary>
internal static class TestPlanRules
{
    /// <exception cref="IoBenchException">The request contradicts itself or a value is out of range.</exception>
    public static void Check(TestPlanRequest request)
    {
        CheckPaths(request);
        CheckLists(request);
        CheckSuites(request);
        CheckLoad(request);
        if (request.Repeat is < 1 or > 10000)
            throw IoBenchException.Usage("IoBench.InvalidRepeat", $"A repeat of {request.Repeat} is not possible: 1 to 10000.");
        if (request.Labels.Count > 1 && request.Labels.Count != request.Paths.Count)
            throw IoBenchException.Usage("IoBench.LabelCount", $"{request.Labels.Count} labels for {request.Paths.Count} paths: give one for all or one a path.");
    }

    private static void CheckPaths(TestPlanRequest request)
    {
        if (request.Paths.Count == 0 && !(request.Specifications.Count > 0 && request.Workloads.Count == 0 && request.Specifications.All(s => s.Targets.Count > 0)))
            throw IoBenchException.Usage("IoBench.NoPath", "No path to test: name a test file, or a folder for iobench.dat in it.");
        if (request.Paths.FirstOrDefault(string.IsNullOrWhiteSpace) is not null)
            throw IoBenchException.Usage("IoBench.NoPath", "A path is empty: name a test file, or a folder for iobench.dat in it.");
        var comparer = OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;
        if (request.Paths.GroupBy(path => path, comparer).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw new IoBenchException("IoBench.DuplicatePath", IoErrorKind.Usage, $"{twice.Key} is named twice: name each path once (--repeat runs a test again).", twice.Key);
    }

    private static void CheckLists(TestPlanRequest request)
    {
        if (request.FileSizes.Any(size => size <= 0))
            throw IoBenchException.Usage("IoBench.InvalidFileSize", "A file size of 0 cannot be tested: give a size such as 20GB, or leave it out for 20 GB (at most 10 % of the free space).");
        foreach (var size in request.BlockSizes)
            if (size < 512)
                throw IoBenchException.Usage("IoBench.InvalidBlockSize", BlockSizeMessage(size));
        CheckRange(request.ThreadCounts, 1, 256, "IoBench.InvalidThreadCount", "thread count", "1 to 256 threads a target are possible, or auto for one a logical processor");
        CheckRange(request.OutstandingIOs, 1, 256, "IoBench.InvalidOutstandingIO", "number of outstanding I/Os", "1 to 256 a thread are possible");
        CheckRange(request.WritePercents, 0, 100, "IoBench.InvalidWritePercent", "share of writes", "0 (reads only) to 100 (writes only) percent are possible");
        CheckRange(request.RandomPercent is { } percent ? [percent] : [], 1, 100, "IoBench.InvalidRandomPercent", "share of random I/O", "1 to 100 percent are possible");
        if (request.Duration is { } duration && duration <= TimeSpan.Zero)
            throw IoBenchException.Usage("IoBench.InvalidDuration", "A duration of 0 measures nothing: give seconds above 0, for example 30 or 5m.");
        if (request.TargetIops is { } iops && !(iops > 0 && double.IsFinite(iops)))
            throw IoBenchException.Usage("IoBench.InvalidTargetIops", "The target rate must be above 0 I/Os a second.");
    }

    /// <summary>A bare 8 is meant as 8 KB: SQLIO's sizes were in KB.</summary>
    private static string BlockSizeMessage(long size) => size is 0
        ? "A block size of 0 is not possible: give one such as 8KB."
        : FormattableString.Invariant($"A block size of {size} is {size} bytes, less than a sector. Did you mean {size}KB?");

    private static void CheckRange(IEnumerable<int> values, int least, int most, string errorId, string what, string possible)
    {
        foreach (var value in values)
            if (value < least || value > most)
                throw IoBenchException.Usage(errorId, FormattableString.Invariant($"A {what} of {value} is not possible: {possible}."));
    }

    /// <summary>The tests of a suite differ in just what such an option would make equal.</summary>
    private static void CheckSuites(TestPlanRequest request)
    {
        var option = request switch
        {
            { BlockSizes.Count: > 0 } => "block size",
            { AccessPatterns.Count: > 0 } or { RandomPercent: not null } or { Stride: not null } => "access pattern",
            { WritePercents.Count: > 0 } => "share of writes",
            { ThreadCounts.Count: > 0 } => "thread count",
            { OutstandingIOs.Count: > 0 } => "number of outstanding I/Os",
            { TargetIops: not null } => "target rate",
            _ => null,
        };
        if (option is null)
            return;
        foreach (var name in request.Workloads)
        {
            var workload = WorkloadCatalog.Find(name);
            if (workload.Members.Count > 1)
                throw new IoBenchException("IoBench.SuiteOverride", IoErrorKind.Usage,
                    $"{workload.Name} is {workload.Members.Count} tests that differ in their {option}: leave it out, or name one of them ({string.Join(", ", workload.Members.Take(3))} …).", workload.Name);
        }
    }

    private static void CheckLoad(TestPlanRequest request)
    {
        if (request.TargetIops is not null && request.MaxRate is not null)
            throw IoBenchException.Usage("IoBench.TwoRates", "A target rate (open loop) and a maximum rate (closed loop) exclude each other: give one.");
        if (request.ThinkTimeMs is > 0 && request.BurstSize is null or 0)
            throw IoBenchException.Usage("IoBench.ThinkTimeWithoutBurst", "A think time needs a burst size: the number of I/Os after which it rests.");
    }
}
