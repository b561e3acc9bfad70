using IoBench.Engine;

namespace IoBench.Analysis;

internal sealed class CapText(string path, IReadOnlyList<CapSize> sizes, CapModel? model, IReadOnlyList<CapRun> runs)
{
    internal string Sentence(CapKind kind, CapBurst? burst) =>
        kind switch
        {
            CapKind.BurstEnds => Burst(burst!),
            CapKind.Iops =>
                $"{path} is flat at {Figures.Rate(model!.Iops!.Value)} IOPS (variation {Variation(HeldBy(model.Iops.Value, null))}) at {SizesOf(HeldBy(model.Iops.Value, null))} while latency follows queue depth: "
                    + $"an IOPS limit of {Figures.Rate(Round(model.Iops.Value))}, not the speed of the disk.",
            CapKind.Throughput =>
                $"{path} is flat at {Throughput.Text(model!.MBps!.Value)} (variation {Variation(HeldBy(null, model.MBps))}) at {SizesOf(HeldBy(null, model.MBps))} while latency follows queue depth: "
                    + $"a throughput limit of {Both(model.MBps.Value)}, not the speed of the disk.",
            CapKind.IopsAndThroughput =>
                $"{path} is flat at {Figures.Rate(model!.Iops!.Value)} IOPS at {SizesOf(HeldBy(model.Iops, null))} and at {Throughput.Text(model.MBps!.Value)} at {SizesOf(HeldBy(null, model.MBps))} "
                    + $"(variation {Variation(sizes.Where(s => s.Held))}) while latency follows queue depth: an IOPS limit of {Figures.Rate(Round(model.Iops.Value))} and a throughput limit of {Both(model.MBps.Value)}, not the speed of the disk.",
            CapKind.NotReached =>
                $"{path} still grows at {runs.Max(r => r.Depth)} outstanding ({Figures.Rate(runs.Max(r => r.Iops))} IOPS, {Throughput.Text(runs.Max(r => r.MBps))}): nothing limits it yet; raise the load to see what does.",
            _ => Medium(),
        };

    private string Burst(CapBurst burst)
    {
        var rate = $"{Size(burst.Run.BlockKB)} reads fell from {Figures.Rate(burst.BurstIops)} to {Figures.Rate(burst.LastingIops)} IOPS";
        var limit =
            model?.Iops is { } iops ? $", an IOPS limit of {Figures.Rate(Round(iops))}"
            : model?.MBps is { } mbps ? $", a throughput limit of {Both(mbps)}"
            : "";
        return burst.IsSeen
            ? $"{path}: {rate} after {Seconds(burst.Seconds)} of load and stayed there (variation {Variation(burst.Run.Variation)}): the end of a burst. {Figures.Rate(burst.LastingIops)} IOPS are what lasts{limit}."
            : $"{path}: {rate} between the first and the last of two equal runs, within {Seconds(burst.Seconds)} of load: the end of a burst. {Figures.Rate(burst.LastingIops)} IOPS are what lasts{limit}.";
    }

    private string Medium()
    {
        var uneven = sizes.FirstOrDefault(s => !s.Even && s.Last.Variation is not null)?.Last;
        var rates = string.Join(
            ", ",
            sizes.Select(s => $"{Size(s.BlockKB)}: {Figures.Rate(s.Last.Iops)} IOPS = {Throughput.Text(s.Last.MBps)}")
        );
        var why =
            sizes.Any(s => s.Held) && sizes.All(s => s.Held || !s.Stands) && sizes.Count > 1
                ? "neither I/Os nor bytes per second are the same at all sizes"
            : uneven is not null ? $"the rate varies ({Variation(uneven.Variation)} at {Size(uneven.BlockKB)})"
            : sizes.Any(s => !s.Stands) ? "the rate does not stand still as the load rises"
            : sizes.Any(s => s.Last.Variation is null) ? "how even the rate is was not measured"
            : "the rate is even, but the runs are so short that it may be so by chance";
        return $"{path} gives what its medium can ({rates}): {why}, so no limit is set below it.";
    }

    private IEnumerable<CapSize> HeldBy(double? iops, double? mbps) =>
        sizes.Where(s => s.Held && (s.Last.Iops >= 0.97 * iops || s.Last.MBps >= 0.97 * mbps));

    private static string SizesOf(IEnumerable<CapSize> sizes)
    {
        var names = sizes.Select(s => Size(s.BlockKB)).ToList();
        return names.Count < 2 ? string.Concat(names) : $"{string.Join(", ", names.SkipLast(1))} and {names[^1]}";
    }

    private static string Variation(IEnumerable<CapSize> sizes) => Variation(sizes.Select(s => s.Last.Variation).Max());

    private static string Variation(double? variation) => Figures.Fixed(variation, 3, "not known");

    internal static string Size(double kilobytes) =>
        kilobytes >= 1024 && kilobytes % 1024 == 0 ? Figures.Plain(kilobytes / 1024, 0) + " MB" : Figures.Plain(kilobytes, 2) + " KB";

    // Vendors state throughput in MB/s or in MiB/s.
    internal static string Both(double mebibytes) => $"{Figures.Rate(Round(mebibytes * 1.048576))} MB/s ({Figures.Rate(mebibytes)} MiB/s)";

    private static string Seconds(double seconds) =>
        seconds >= 120 ? Figures.Plain(seconds / 60) + " minutes" : Figures.Plain(seconds, 0) + " s";

    // Vendors sell round limits: use two or three digits if that is within 1% of the measured value.
    internal static double Round(double value)
    {
        for (var digits = 2; digits <= 3; digits++)
        {
            var unit = Math.Pow(10, Math.Floor(Math.Log10(value)) + 1 - digits);
            var round = Math.Round(value / unit) * unit;
            if (Math.Abs(round - value) <= 0.01 * value)
                return round;
        }
        return value;
    }
}
