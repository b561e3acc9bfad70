namespace IoBench.Analysis;

internal sealed record CapSize(double BlockKB, CapRun Last, bool Stands, bool Even)
{
    internal bool Held => Stands && Even;
}

internal sealed record CapModel(double? Iops, double? MBps)
{
    private const double Tolerance = 0.02;

    internal static CapModel? Of(IReadOnlyList<CapSize> sizes)
    {
        var held = sizes.Where(s => s.Held).ToList();
        if (held.Count == 0)
            return null;
        // One limited block size also confirms the other sizes with the same rate, because few I/Os per interval make the variation coarse.
        var still = sizes.Where(s => s.Stands).OrderBy(s => s.BlockKB).ToList();
        var (iops, mbps) = (still.Max(s => s.Last.Iops), still.Max(s => s.Last.MBps));
        // The rate of a single size can be even by chance. Require two limited sizes, or one that is much more even than independent I/Os.
        var isHeld = held.Count > 1 || IsEvenFor(held[0].Last);
        if (isHeld && still.Count > 1 && still.TrueForAll(s => Near(s.Last.Iops, iops)) && Allows(sizes, iops, null))
            return new(held.Average(s => s.Last.Iops), null);
        if (isHeld && still.Count > 1 && still.TrueForAll(s => Near(s.Last.MBps, mbps)) && Allows(sizes, null, mbps))
            return new(null, held.Average(s => s.Last.MBps));
        return (still.Count > 2 ? Both(sizes, still, iops, mbps) : null) ?? Single(sizes, held);
    }

    private static CapModel? Both(IReadOnlyList<CapSize> sizes, IReadOnlyList<CapSize> still, double iops, double mbps)
    {
        if (!still.All(s => Near(s.Last.Iops, iops) || Near(s.Last.MBps, mbps)) || !Allows(sizes, iops, mbps))
            return null;
        var byBytes = still.Where(s => Near(s.Last.MBps, mbps)).ToList();
        var byIos = still.Except(byBytes).ToList();
        // Several sizes with the same rate are a limit if one of them is limited. A single size must be more even than independent I/Os
        // are.
        bool IsLimit(List<CapSize> agreeing) =>
            agreeing.Count > 1
                ? agreeing.Count(s => s.Held) > 1 || agreeing.Exists(s => s.Held && IsEvenFor(s.Last))
                : agreeing.TrueForAll(s => s.Held && IsEvenFor(s.Last));
        CapModel model = new(
            IsLimit(byIos) ? byIos.Average(s => s.Last.Iops) : null,
            IsLimit(byBytes) ? byBytes.Average(s => s.Last.MBps) : null
        );
        return model is { Iops: null, MBps: null } ? null : model;
    }

    private static CapModel? Single(IReadOnlyList<CapSize> sizes, IReadOnlyList<CapSize> held)
    {
        if (held.Count != 1 || !IsEvenFor(held[0].Last))
            return null;
        var run = held[0].Last;
        return run.BlockKB == sizes.Min(s => s.BlockKB) && Allows(sizes, run.Iops, null) ? new(run.Iops, null)
            : run.BlockKB == sizes.Max(s => s.BlockKB) && Allows(sizes, null, run.MBps) ? new(null, run.MBps)
            : null;
    }

    private static bool Near(double value, double limit) => value >= limit * (1 - Tolerance);

    private static bool Allows(IReadOnlyList<CapSize> sizes, double? iops, double? mbps) =>
        sizes.All(s => !(s.Last.Iops > iops * (1 + Tolerance)) && !(s.Last.MBps > mbps * (1 + Tolerance)));

    // Independent I/Os vary by about 1 / sqrt(I/Os per interval), a throttle by much less. With few intervals, and without the farthest
    // one, the variation can be lower
    // by chance: by chi-square, a third of that value over 20 intervals occurs in one of 10,000 runs, a quarter over 10 intervals.
    private static bool IsEvenFor(CapRun run) =>
        run.Variation <= 0.33 * Math.Min(1, Math.Pow(run.Intervals / 20.0, 0.6)) / Math.Sqrt(Math.Max(1, run.Iops * run.IntervalSeconds));
}
