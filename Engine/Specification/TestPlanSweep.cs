namespace IoBench.Engine;

/// <summary>Workloads, lists and single values of a request as tests that have no path yet.</summary>
internal static class TestPlanSweep
{
    /// <summary>Every workload x every combination of the lists; the last list changes fastest.</summary>
    public static List<IoTestSpecification> Expand(TestPlanRequest request)
    {
        var tests = new List<IoTestSpecification>();
        foreach (var start in Starts(request))
        {
            SetSingleValues(start, request);
            IEnumerable<IoTestSpecification> combinations = [start];
            combinations = Each(combinations, request.FileSizes, SetFileSize);
            combinations = Each(combinations, request.BlockSizes, (test, size) => ForEachPattern(test, pattern => pattern.BlockSize = size));
            combinations = Each(combinations, request.AccessPatterns, (test, order) => ForEachPattern(test, pattern => pattern.AccessPattern = order));
            combinations = Each(combinations, request.WritePercents, (test, percent) => ForEachPattern(test, pattern => pattern.WritePercent = percent));
            combinations = Each(combinations, request.ThreadCounts, (test, count) => ForEachPattern(test, pattern => pattern.ThreadCount = count));
            combinations = Each(combinations, request.OutstandingIOs, (test, count) => ForEachPattern(test, pattern => pattern.OutstandingIO = count));
            tests.AddRange(combinations);
        }
        foreach (var test in tests)
        {
            SetMaxRate(test, request.MaxRate);
            ForgetWorkloadIfChanged(test);
        }
        return tests;
    }

    private static List<IoTestSpecification> Starts(TestPlanRequest request)
    {
        var starts = request.Workloads.SelectMany(WorkloadCatalog.Resolve).Concat(request.Specifications.Select(s => s.Clone())).ToList();
        return starts.Count > 0 ? starts : [new IoTestSpecification()];
    }

    private static IEnumerable<IoTestSpecification> Each<T>(IEnumerable<IoTestSpecification> tests, IReadOnlyList<T> values, Action<IoTestSpecification, T> set)
        => values.Count == 0 ? tests : tests.SelectMany(test => values.Select(value =>
        {
            var copy = test.Clone();
            set(copy, value);
            return copy;
        }));

    private static void SetSingleValues(IoTestSpecification test, TestPlanRequest request)
    {
        test.Duration = request.Duration ?? test.Duration;
        test.WarmUp = request.WarmUp ?? (request.Duration is not null && test.WarmUp > TimeSpan.Zero ? TestPlan.DefaultWarmUp(test.Duration) : test.WarmUp);
        test.CoolDown = request.CoolDown ?? test.CoolDown;
        test.Seed = request.Seed ?? test.Seed;
        test.Backend = request.Backend ?? test.Backend;
        test.StorageCacheSize = request.StorageCacheSize ?? test.StorageCacheSize;
        test.StopAboveMs = request.StopAboveMs ?? test.StopAboveMs;
        ForEachPattern(test, pattern => SetSingleValues(pattern, request));
    }

    private static void SetSingleValues(IoPattern pattern, TestPlanRequest request)
    {
        pattern.Buffering = request.Buffering ?? pattern.Buffering;
        pattern.TargetIops = request.TargetIops ?? pattern.TargetIops;
        pattern.Stride = request.Stride ?? pattern.Stride;
        pattern.BurstSize = request.BurstSize ?? pattern.BurstSize;
        pattern.ThinkTimeMs = request.ThinkTimeMs ?? pattern.ThinkTimeMs;
        pattern.FlushEvery = request.FlushEvery ?? pattern.FlushEvery;
        pattern.CompressiblePercent = request.CompressiblePercent ?? pattern.CompressiblePercent;
        pattern.AffinityMode = request.AffinityMode ?? pattern.AffinityMode;
        pattern.WriteContent = request.WriteContent ?? pattern.WriteContent;
        if (request.WriteContentFile is not null)
        {
            pattern.WriteContent = IoWriteContentKind.File;
            pattern.WriteContentFile = request.WriteContentFile;
        }
        if (request.Processors.Count > 0)
        {
            pattern.Processors = [.. request.Processors];
            if (pattern.AffinityMode == IoAffinityMode.Off)
                pattern.AffinityMode = IoAffinityMode.RoundRobin;
        }
        if (request.RandomPercent is { } percent)
        {
            pattern.RandomPercent = percent;
            pattern.AccessPattern = IoAccessPattern.PartRandom;
        }
    }

    private static void SetFileSize(IoTestSpecification test, long size)
    {
        test.FileSize = size;
        foreach (var target in test.Targets)
            target.FileSize = null;
    }

    /// <summary>The request's limit is a target's, the specification's a thread's.</summary>
    private static void SetMaxRate(IoTestSpecification test, IoRate? rate)
    {
        if (rate is not { } limit)
            return;
        ForEachPattern(test, pattern =>
        {
            pattern.MaxIopsPerThread = limit.Iops / pattern.ThreadCount;
            pattern.MaxBytesPerSecondPerThread = limit.BytesPerSecond / pattern.ThreadCount;
        });
    }

    /// <summary>Another block size, order or operation is another pattern: it must not be judged as the workload it started from.</summary>
    private static void ForgetWorkloadIfChanged(IoTestSpecification test)
    {
        if (test.Workload is null || WorkloadCatalog.All.FirstOrDefault(w => w.Name == test.Workload && w.Kind == IoWorkloadKind.Workload) is not { } workload)
            return;
        var original = workload.CreateSpecifications()[0];
        if (test.BlockSize == original.BlockSize && test.AccessPattern == original.AccessPattern && test.WritePercent == original.WritePercent)
            return;
        test.Workload = null;
        test.WorkloadRole = null;
    }

    private static void ForEachPattern(IoTestSpecification test, Action<IoPattern> action)
    {
        action(test);
        foreach (var target in test.Targets)
            if (target.Pattern is { } pattern)
                action(pattern);
    }
}
