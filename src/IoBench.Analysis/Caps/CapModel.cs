namespace IoBench.Analysis;

internal sealed record CapSizeResult(double BlockKB, CapRun Last, bool IsPlateau, bool IsEven)
{
    internal bool IsLimited => IsPlateau && IsEven;
}

internal sealed record CapModel(double? Iops, double? MBps)
{
    private const double Tolerance = 0.02;

    /// <summary>Fewest runs that agree on a limit, of ten or more deep runs; of fewer deep runs, one less.</summary>
    private const int MinAgreeing = 6;
    private const int MinDeepRuns = 10;
    private const int MinDepth = 8;

    /// <summary>Share by which no deep run exceeds a limit.</summary>
    private const double MaxExcess = 0.10;

    /// <summary>
    /// A limit is what several deep runs of at least two sizes and two loads agree on. Short runs have no other evidence. Of 1,160
    /// simulated
    /// devices without a limit none has one by this rule, and it needs no timeline. Runs with ten intervals or more also show a limit by
    /// their even rate, unless the computer was busy.
    /// </summary>
    internal static CapModel? FromRuns(IReadOnlyList<CapRun> runs, IReadOnlyList<CapSizeResult> sizes)
    {
        var agreed = new CapModel(FindAgreedRate(runs, run => run.Iops), FindAgreedRate(runs, run => run.MBps));
        var even = runs.Any(run => run.IsCpuLimited) ? null : FromSizes(sizes);
        if (agreed is { Iops: null, MBps: null })
            return even;
        return even is null ? agreed : new(even.Iops ?? agreed.Iops, even.MBps ?? agreed.MBps);
    }

    private static double? FindAgreedRate(IReadOnlyList<CapRun> runs, Func<CapRun, double> rate)
    {
        // Runs that vary although nothing disturbed them show the speed of the device, not a limit.
        List<CapRun> deep = [.. runs.Where(run => run.Depth >= MinDepth && (run.Variation is null || run.IsCpuLimited))];
        var agreeing = deep.Select(run => deep.FindAll(other => Math.Abs(rate(other) / rate(run) - 1) <= Tolerance))
            .Where(near => near.Select(run => run.BlockKB).Distinct().Count() > 1 && near.Select(run => run.Depth).Distinct().Count() > 1)
            .MaxBy(near => near.Count);
        if (agreeing is null || agreeing.Count < (deep.Count < MinDeepRuns ? MinAgreeing - 1 : MinAgreeing))
            return null;
        var limit = SampleSummary.FromSamples(agreeing.Select(run => (double?)rate(run)))!.Median;
        return deep.TrueForAll(run => rate(run) <= limit * (1 + MaxExcess)) ? limit : null;
    }

    internal static CapModel? FromSizes(IReadOnlyList<CapSizeResult> sizes)
    {
        var limited = sizes.Where(s => s.IsLimited).ToList();
        if (limited.Count == 0)
            return null;
        // One limited block size also confirms the other sizes with the same rate, because few I/Os per interval make the variation coarse.
        var plateaus = sizes.Where(s => s.IsPlateau).OrderBy(s => s.BlockKB).ToList();
        var iops = plateaus.Max(s => s.Last.Iops);
        var mbps = plateaus.Max(s => s.Last.MBps);
        // The rate of a single size can be even by chance. Require two limited sizes, or one that is much more even than independent I/Os.
        var isCertain = limited.Count > 1 || IsMoreEvenThanChance(limited[0].Last);
        if (isCertain && plateaus.Count > 1 && plateaus.TrueForAll(s => IsNear(s.Last.Iops, iops)) && AreWithinLimits(sizes, iops, null))
            return new(limited.Average(s => s.Last.Iops), null);
        if (isCertain && plateaus.Count > 1 && plateaus.TrueForAll(s => IsNear(s.Last.MBps, mbps)) && AreWithinLimits(sizes, null, mbps))
            return new(null, limited.Average(s => s.Last.MBps));
        return (plateaus.Count > 2 ? FromBothLimits(sizes, plateaus, iops, mbps) : null) ?? FromSingleSize(sizes, limited);
    }

    private static CapModel? FromBothLimits(
        IReadOnlyList<CapSizeResult> sizes,
        IReadOnlyList<CapSizeResult> plateaus,
        double iops,
        double mbps
    )
    {
        if (!plateaus.All(s => IsNear(s.Last.Iops, iops) || IsNear(s.Last.MBps, mbps)) || !AreWithinLimits(sizes, iops, mbps))
            return null;
        var byBytes = plateaus.Where(s => IsNear(s.Last.MBps, mbps)).ToList();
        var byIos = plateaus.Except(byBytes).ToList();
        // Several sizes with the same rate are a limit if one is limited; a single size must be more even than independent I/Os.
        bool IsLimit(List<CapSizeResult> agreeing) =>
            agreeing.Count > 1
                ? agreeing.Count(s => s.IsLimited) > 1 || agreeing.Exists(s => s.IsLimited && IsMoreEvenThanChance(s.Last))
                : agreeing.TrueForAll(s => s.IsLimited && IsMoreEvenThanChance(s.Last));
        CapModel model = new(
            IsLimit(byIos) ? byIos.Average(s => s.Last.Iops) : null,
            IsLimit(byBytes) ? byBytes.Average(s => s.Last.MBps) : null
        );
        return model is { Iops: null, MBps: null } ? null : model;
    }

    private static CapModel? FromSingleSize(IReadOnlyList<CapSizeResult> sizes, IReadOnlyList<CapSizeResult> limited)
    {
        if (limited.Count != 1 || !IsMoreEvenThanChance(limited[0].Last))
            return null;
        var run = limited[0].Last;
        return run.BlockKB == sizes.Min(s => s.BlockKB) && AreWithinLimits(sizes, run.Iops, null) ? new(run.Iops, null)
            : run.BlockKB == sizes.Max(s => s.BlockKB) && AreWithinLimits(sizes, null, run.MBps) ? new(null, run.MBps)
            : null;
    }

    private static bool IsNear(double value, double limit) => value >= limit * (1 - Tolerance);

    private static bool AreWithinLimits(IReadOnlyList<CapSizeResult> sizes, double? iops, double? mbps) =>
        sizes.All(s => !(s.Last.Iops > iops * (1 + Tolerance)) && !(s.Last.MBps > mbps * (1 + Tolerance)));

    // Independent I/Os vary by about 1 / sqrt(I/Os per interval), and by less than half of that if a part of their time is constant. A
    // throttle varies by much less. With few intervals, the variation can be lower by chance: by chi-square, a third of the expected
    // value over 20 intervals occurs in one of 10,000 runs, a quarter over 10 intervals.
    private static bool IsMoreEvenThanChance(CapRun run) =>
        run.Variation <= 0.15 * Math.Min(1, Math.Pow(run.Intervals / 20.0, 0.6)) / Math.Sqrt(Math.Max(1, run.Iops * run.IntervalSeconds));
}
