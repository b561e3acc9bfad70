using IoBench.Engine;

namespace IoBench.Analysis;

internal sealed class CapMessages(string path, IReadOnlyList<CapSizeResult> sizes, CapModel? model, IReadOnlyList<CapRun> runs)
{
    internal string DescribeCap(CapKind kind, CapBurst? burst) =>
        kind switch
        {
            CapKind.BurstEnds => DescribeBurst(burst!),
            CapKind.Iops =>
                $"{path} stays at {NumberFormat.Rate(model!.Iops!.Value)} IOPS{DescribeVariation(GetSizesLimitedBy(model.Iops.Value, null))}, while latency increases with queue depth. "
                    + $"This is an IOPS limit of {NumberFormat.Rate(RoundLimit(model.Iops.Value))}, not the speed of the disk.",
            CapKind.Throughput =>
                $"{path} stays at {ThroughputDisplay.Format(model!.MBps!.Value)}{DescribeVariation(GetSizesLimitedBy(null, model.MBps))}, while latency increases with queue depth. "
                    + $"This is a throughput limit of {FormatBothUnits(model.MBps.Value)}, not the speed of the disk.",
            CapKind.IopsAndThroughput =>
                $"{path} stays at {NumberFormat.Rate(model!.Iops!.Value)} IOPS with blocks of {JoinSizes(GetSizesLimitedBy(model.Iops, null))}, and at {ThroughputDisplay.Format(model.MBps!.Value)} with blocks of {JoinSizes(GetSizesLimitedBy(null, model.MBps))} "
                    + $"(variation {FormatVariation(sizes.Where(s => s.IsLimited))}), while latency increases with queue depth. These are an IOPS limit of {NumberFormat.Rate(RoundLimit(model.Iops.Value))} and a throughput limit of {FormatBothUnits(model.MBps.Value)}, not the speed of the disk.",
            CapKind.NotReached =>
                $"{path} reached no limit. Throughput still increases at {runs.Max(r => r.Depth)} outstanding I/Os ({DescribeHighest()}). Increase the load to find the limit.",
            CapKind.Unknown => DescribeBusyComputer(),
            _ => DescribeDevice(),
        };

    private string DescribeBusyComputer() =>
        Invariant(
            $"The limit of {path} is unknown. Worker threads waited up to {runs.Max(run => run.Result.ProcessorWaitPercent):0}% of the time for a CPU, so this computer might be the bottleneck (highest: {DescribeHighest()}). Stop other programs, and repeat the test."
        );

    // The highest IOPS and the highest throughput can be of different block sizes.
    private string DescribeHighest()
    {
        var fastest = runs.MaxBy(run => run.Iops)!;
        var widest = runs.MaxBy(run => run.MBps)!;
        var iops = $"{NumberFormat.Rate(fastest.Iops)} IOPS";
        var throughput = $"{ThroughputDisplay.Format(widest.MBps)} at {FormatSize(widest.BlockKB)}";
        return fastest.BlockKB == widest.BlockKB ? $"{iops}, {throughput}" : $"{iops} at {FormatSize(fastest.BlockKB)}, {throughput}";
    }

    private string DescribeBurst(CapBurst burst)
    {
        var rate =
            $"{FormatSize(burst.Run.BlockKB)} reads fell from {NumberFormat.Rate(burst.BurstIops)} to {NumberFormat.Rate(burst.SustainedIops)} IOPS";
        var limit =
            model?.Iops is { } iops ? $" (an IOPS limit of {NumberFormat.Rate(RoundLimit(iops))})"
            : model?.MBps is { } mbps ? $" (a throughput limit of {FormatBothUnits(mbps)})"
            : "";
        return burst.IsWithinRun
            ? $"{path}: {rate} after {FormatSeconds(burst.Seconds)} of load, and did not recover (variation {FormatVariation(burst.Run.Variation)}). This is the end of a burst. {NumberFormat.Rate(burst.SustainedIops)} IOPS are sustained{limit}."
            : $"{path}: {rate} between the first and the last run with the same settings, within {FormatSeconds(burst.Seconds)} of load. This is the end of a burst. {NumberFormat.Rate(burst.SustainedIops)} IOPS are sustained{limit}.";
    }

    private string DescribeDevice()
    {
        var uneven = sizes.FirstOrDefault(s => !s.IsEven && s.Last.Variation is not null)?.Last;
        var rates = string.Join(
            ", ",
            sizes.Select(s => $"{FormatSize(s.BlockKB)}: {NumberFormat.Rate(s.Last.Iops)} IOPS = {ThroughputDisplay.Format(s.Last.MBps)}")
        );
        string why;
        if (sizes.Any(s => s.IsLimited) && sizes.All(s => s.IsLimited || !s.IsPlateau) && sizes.Count > 1)
            why = "neither IOPS nor throughput is the same for all block sizes";
        else if (uneven is not null)
            why = $"the IOPS vary (variation {FormatVariation(uneven.Variation)} for {FormatSize(uneven.BlockKB)} reads)";
        else if (sizes.Any(s => !s.IsPlateau))
            why = "the IOPS still increase with the load";
        else if (sizes.Any(s => s.Last.Variation is null))
            why = "the runs are too short to show how much the IOPS vary";
        else
            why = "the IOPS are constant, but the runs are too short to exclude chance";
        return $"{path}: IoBench found no limit ({rates}), because {why}.";
    }

    private IEnumerable<CapSizeResult> GetSizesLimitedBy(double? iops, double? mbps) =>
        sizes.Where(s => s.IsLimited && (s.Last.Iops >= 0.97 * iops || s.Last.MBps >= 0.97 * mbps));

    private static string JoinSizes(IEnumerable<CapSizeResult> sizes)
    {
        var names = sizes.Select(s => FormatSize(s.BlockKB)).ToList();
        return names.Count < 2
            ? string.Concat(names)
            : $"{string.Join(", ", names.SkipLast(1))}{(names.Count > 2 ? "," : "")} and {names[^1]}";
    }

    /// <summary>Variation and block sizes; empty if only the agreement of the runs shows the limit.</summary>
    private static string DescribeVariation(IEnumerable<CapSizeResult> sizes) =>
        sizes.ToList() is { Count: > 0 } known
            ? $" with blocks of {JoinSizes(known)} (variation {FormatVariation(known)})"
            : " in runs with several block sizes and loads";

    private static string FormatVariation(IEnumerable<CapSizeResult> sizes) => FormatVariation(sizes.Select(s => s.Last.Variation).Max());

    private static string FormatVariation(double? variation) => NumberFormat.Fixed(variation, 3, "not known");

    internal static string FormatSize(double kilobytes) =>
        kilobytes >= 1024 && kilobytes % 1024 == 0
            ? NumberFormat.Plain(kilobytes / 1024, 0) + " MB"
            : NumberFormat.Plain(kilobytes, 2) + " KB";

    // Vendors state throughput in MB/s or in MiB/s.
    internal static string FormatBothUnits(double mebibytes) =>
        $"{NumberFormat.Rate(RoundLimit(mebibytes * 1.048576))} MB/s ({NumberFormat.Rate(mebibytes)} MiB/s)";

    private static string FormatSeconds(double seconds) =>
        seconds >= 120 ? NumberFormat.Plain(seconds / 60) + " minutes" : NumberFormat.Plain(seconds, 0) + " s";

    // Vendors sell round limits: use two or three digits if that is within 1% of the measured value.
    internal static double RoundLimit(double value)
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

    private const double SkuTolerance = 0.05;

    private sealed record SkuLimit(StorageSku Offer, double Value, string Text, bool IsBurst);

    internal static string? DescribeSkuLimit(StorageSpecification provisioned, double? iops, double? mebibytes, CapBurst? burst)
    {
        var sentences = new[]
        {
            ExplainLimit(iops, GetIopsLimits(provisioned), "IOPS", burst?.BurstIops),
            ExplainLimit(mebibytes * 1048576, GetThroughputLimits(provisioned), "throughput", null),
        };
        var text = string.Join(" ", sentences.OfType<string>());
        return text.Length > 0 ? text : null;
    }

    internal static bool IsProvisionedLimit(StorageSpecification? provisioned, double? iops, double? mebibytes) =>
        provisioned is not null
        && (
            IsNear(iops, provisioned.Iops)
            || IsNear(mebibytes * 1048576, provisioned.BytesPerSecond)
            || GetIopsLimits(provisioned).Any(figure => IsNear(iops, figure.Value))
            || GetThroughputLimits(provisioned).Any(figure => IsNear(mebibytes * 1048576, figure.Value))
        );

    private static string? ExplainLimit(double? limit, List<SkuLimit> figures, string kind, double? burst)
    {
        var found = figures
            .Where(figure => IsNear(limit, figure.Value))
            .OrderBy(figure => figure.IsBurst)
            .ThenBy(figure => Math.Abs(figure.Value - limit!.Value))
            .FirstOrDefault();
        if (found is null)
            return null;
        var lasting = figures.Find(figure => figure.Offer == found.Offer && !figure.IsBurst);
        if (found.IsBurst)
            return $"The rate matches the burst limit of {found.Offer.Name} ({found.Text}), which applies until the burst credit is used up{(lasting is null ? "" : $" ({lasting.Text} are sustained)")}. To see the end of the burst, use a longer duration.";
        var spent = figures.Find(figure => figure.Offer == found.Offer && figure.IsBurst && IsNear(burst, figure.Value));
        if (spent is not null)
            return $"Both rates match limits of {found.Offer.Name}: {spent.Text} until the burst credit is used up, and {found.Text} afterwards.";
        // Other SKUs with a higher limit are not the one that was reached.
        var others = figures.Where(figure => figure.Offer != found.Offer && !figure.IsBurst && figure.Value > found.Value).ToList();
        return $"The rate matches the {kind} limit of {found.Offer.Name} ({found.Text}){(others.Count == 0 ? "" : $", not the limit of {string.Join(", ", others.Select(other => $"{other.Offer.Name} ({other.Text})"))}")}.";
    }

    private static bool IsNear(double? value, double? figure) =>
        value is { } measured && figure is { } sold && Math.Abs(measured - sold) <= SkuTolerance * sold;

    private static List<SkuLimit> GetIopsLimits(StorageSpecification provisioned) =>
        GetSkuLimits(provisioned, offer => offer.Iops, offer => offer.BurstIops, offer => 1, _ => "IOPS");

    private static List<SkuLimit> GetThroughputLimits(StorageSpecification provisioned) =>
        GetSkuLimits(provisioned, offer => offer.Throughput, offer => offer.BurstThroughput, offer => offer.UnitBytes, offer => offer.Unit);

    private static List<SkuLimit> GetSkuLimits(
        StorageSpecification provisioned,
        Func<StorageSku, double?> lasting,
        Func<StorageSku, double?> burst,
        Func<StorageSku, double> unit,
        Func<StorageSku, string> name
    ) =>
        [
            .. provisioned.Offers.SelectMany(offer =>
                new[] { (Value: lasting(offer), IsBurst: false), (Value: burst(offer), IsBurst: true) }
                    .Where(figure => figure.Value is not null)
                    .Select(figure => new SkuLimit(
                        offer,
                        figure.Value!.Value * unit(offer),
                        $"{NumberFormat.Rate(figure.Value.Value)} {name(offer)}",
                        figure.IsBurst
                    ))
            ),
        ];
}
