namespace IoBench.Analysis;

/// <summary>One block size at its greatest load.</summary>
/// <param name="BlockKB">Block size in KB.</param>
/// <param name="Last">The run at the greatest load.</param>
/// <param name="Stands">The rate stood still while the load rose and the latency followed it.</param>
/// <param name="Even">The rate hardly varied either: something holds it.</param>
internal sealed record CapSize(double BlockKB, CapRun Last, bool Stands, bool Even)
{
    internal bool Held => Stands && Even;
}

/// <summary>
/// The limits that explain the rates of all sizes: I/Os a second = min(IOPS limit, throughput limit / block size).
/// With three sizes the middle one shows whether that is so: a medium whose service takes longer for larger blocks fits no such line.
/// </summary>
/// <param name="Iops">Limit on I/Os a second; null = none.</param>
/// <param name="MBps">Limit on MiB a second; null = none.</param>
internal sealed record CapModel(double? Iops, double? MBps)
{
    private const double Tolerance = 0.02;

    internal static CapModel? Of(IReadOnlyList<CapSize> sizes)
    {
        var held = sizes.Where(s => s.Held).OrderBy(s => s.BlockKB).ToList();
        if (held.Count == 0)
            return null;
        var (iops, mbps) = (held.Max(s => s.Last.Iops), held.Max(s => s.Last.MBps));
        // The simplest that explains every held size.
        if (held.Count > 1 && held.TrueForAll(s => Near(s.Last.Iops, iops)) && Allows(sizes, iops, null))
            return new(held.Average(s => s.Last.Iops), null);
        if (held.Count > 1 && held.TrueForAll(s => Near(s.Last.MBps, mbps)) && Allows(sizes, null, mbps))
            return new(null, held.Average(s => s.Last.MBps));
        if (held.Count > 2 && held.TrueForAll(s => Near(s.Last.Iops, iops) || Near(s.Last.MBps, mbps)) && Allows(sizes, iops, mbps))
        {
            var byBytes = held.Where(s => Near(s.Last.MBps, mbps)).ToList();
            var byIos = held.Except(byBytes).ToList();
            var throughput = byBytes.Average(s => s.Last.MBps);
            // One size alone needs an evenness that many I/Os do not have by themselves.
            return byIos.Count > 1 || IsEvenFor(byIos[0].Last) ? new(byIos.Average(s => s.Last.Iops), byBytes.Count > 1 || IsEvenFor(byBytes[0].Last) ? throughput : null)
                : new(null, throughput);
        }
        if (held.Count == 1 && IsEvenFor(held[0].Last))
        {
            if (held[0].BlockKB == sizes.Min(s => s.BlockKB) && Allows(sizes, iops, null))
                return new(iops, null);
            if (held[0].BlockKB == sizes.Max(s => s.BlockKB) && Allows(sizes, null, mbps))
                return new(null, mbps);
        }
        // Two held sizes that agree in nothing: the smaller held by I/Os and the larger by bytes, when both are far too even for chance.
        return held.Count == 2 && sizes.Count == 2 && IsEvenFor(held[0].Last) && IsEvenFor(held[1].Last) && held[0].Last.MBps < mbps && held[1].Last.Iops < iops
            ? new(iops, mbps) : null;
    }

    private static bool Near(double value, double limit) => value >= limit * (1 - Tolerance);

    // No size may go beyond a limit.
    private static bool Allows(IReadOnlyList<CapSize> sizes, double? iops, double? mbps)
        => sizes.All(s => !(s.Last.Iops > iops * (1 + Tolerance)) && !(s.Last.MBps > mbps * (1 + Tolerance)));

    // Independent I/Os of a medium vary by about 1 / sqrt(count an interval); a limit by far less.
    private static bool IsEvenFor(CapRun run) => run.Variation <= 0.5 / Math.Sqrt(Math.Max(1, run.Iops * run.IntervalSeconds));
}
