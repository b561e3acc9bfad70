namespace IoBench.Analysis.Caps;

/// <summary>One block size at its highest load.</summary>
/// <param name="BlockKB">Block size in KB.</param>
/// <param name="Last">The run at the highest load.</param>
/// <param name="Stands">The rate stood still while the load rose and the latency followed it.</param>
/// <param name="Even">The rate hardly varied either: something holds it.</param>
internal sealed record CapSize(double BlockKB, CapRun Last, bool Stands, bool Even)
{
    internal bool Held => Stands && Even;
}

/// <summary>
/// The limits that explain the rates of all sizes: I/Os per second = min(IOPS limit, throughput limit / block size).
/// With three sizes the middle one shows whether that is so: a medium whose service takes longer for larger blocks fits no such line.
/// </summary>
/// <param name="Iops">Limit on I/Os per second; null = none.</param>
/// <param name="MBps">Limit on MiB per second; null = none.</param>
internal sealed record CapModel(double? Iops, double? MBps)
{
    private const double Tolerance = 0.02;

    internal static CapModel? Of(IReadOnlyList<CapSize> sizes)
    {
        var held = sizes.Where(s => s.Held).ToList();
        if (held.Count == 0)
            return null;
        // Of several sizes whose rates stand still one that is held speaks for those that agree with it: few I/Os per interval are counted coarsely.
        var still = sizes.Where(s => s.Stands).OrderBy(s => s.BlockKB).ToList();
        var (iops, mbps) = (still.Max(s => s.Last.Iops), still.Max(s => s.Last.MBps));
        // One size alone may be even by chance; two, or one far more even than independent I/Os are, is something that holds it.
        var isHeld = held.Count > 1 || IsEvenFor(held[0].Last);
        if (isHeld && still.Count > 1 && still.TrueForAll(s => Near(s.Last.Iops, iops)) && Allows(sizes, iops, null))
            return new(held.Average(s => s.Last.Iops), null);
        if (isHeld && still.Count > 1 && still.TrueForAll(s => Near(s.Last.MBps, mbps)) && Allows(sizes, null, mbps))
            return new(null, held.Average(s => s.Last.MBps));
        return (still.Count > 2 ? Both(sizes, still, iops, mbps) : null) ?? Single(sizes, held);
    }

    // Small sizes at the one limit, large ones at the other, none in between.
    private static CapModel? Both(IReadOnlyList<CapSize> sizes, IReadOnlyList<CapSize> still, double iops, double mbps)
    {
        if (!still.All(s => Near(s.Last.Iops, iops) || Near(s.Last.MBps, mbps)) || !Allows(sizes, iops, mbps))
            return null;
        var byBytes = still.Where(s => Near(s.Last.MBps, mbps)).ToList();
        var byIos = still.Except(byBytes).ToList();
        // Several that agree are one limit when one of them is held; one alone must be more even than so many I/Os are by themselves.
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

    // One held size among others that the medium limits: the smallest is held by I/Os, the largest by bytes.
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

    // No size may go beyond a limit.
    private static bool Allows(IReadOnlyList<CapSize> sizes, double? iops, double? mbps) =>
        sizes.All(s => !(s.Last.Iops > iops * (1 + Tolerance)) && !(s.Last.MBps > mbps * (1 + Tolerance)));

    // Independent I/Os of a medium vary by about 1 / sqrt(count an interval); a limit by far less. Of few intervals, without the farthest, the
    // variation is less by chance: a third of that over twenty intervals comes once in ten thousand runs, a quarter over ten (chi-square).
    private static bool IsEvenFor(CapRun run) =>
        run.Variation <= 0.33 * Math.Min(1, Math.Pow(run.Intervals / 20.0, 0.6)) / Math.Sqrt(Math.Max(1, run.Iops * run.IntervalSeconds));
}
