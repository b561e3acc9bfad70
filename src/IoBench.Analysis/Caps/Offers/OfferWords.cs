using IoBench.Engine;

namespace IoBench.Analysis;

internal static class CapMessages
{
    private const double SkuTolerance = 0.05;

    private sealed record SkuLimit(StorageSku Offer, double Value, string Text, bool IsBurst);

    internal static string? DescribeSkuLimit(StorageSpecification bought, double? iops, double? mebibytes, CapBurst? burst)
    {
        var sentences = new[]
        {
            ExplainLimit(iops, GetIopsLimits(bought), "IOPS", burst?.BurstIops),
            ExplainLimit(mebibytes * 1048576, GetThroughputLimits(bought), "throughput", null),
        };
        var said = string.Join(" ", sentences.OfType<string>());
        return said.Length > 0 ? said : null;
    }

    internal static bool IsProvisionedLimit(StorageSpecification? bought, double? iops, double? mebibytes) =>
        bought is not null
        && (
            IsNear(iops, bought.Iops)
            || IsNear(mebibytes * 1048576, bought.BytesPerSecond)
            || GetIopsLimits(bought).Any(figure => IsNear(iops, figure.Value))
            || GetThroughputLimits(bought).Any(figure => IsNear(mebibytes * 1048576, figure.Value))
        );

    private static string? ExplainLimit(double? limit, List<SkuLimit> figures, string kind, double? burst)
    {
        if (
            figures
                .Where(figure => IsNear(limit, figure.Value))
                .OrderBy(figure => figure.IsBurst)
                .ThenBy(figure => Math.Abs(figure.Value - limit!.Value))
                .FirstOrDefault()
            is not { } found
        )
            return null;
        var lasting = figures.Find(figure => figure.Offer == found.Offer && !figure.IsBurst);
        if (found.IsBurst)
            return $"That is the burst of {found.Offer.Name} ({found.Text}), which ends when its credit is spent{(lasting is null ? "" : $": {lasting.Text} are what lasts")}. Measure on to see it end.";
        var spent = figures.Find(figure => figure.Offer == found.Offer && figure.IsBurst && IsNear(burst, figure.Value));
        if (spent is not null)
            return $"Both are the figures of {found.Offer.Name}: {spent.Text} while its credit lasts, {found.Text} after that.";
        // Other SKUs with a higher limit are not the one that was reached.
        var others = figures.Where(figure => figure.Offer != found.Offer && !figure.IsBurst && figure.Value > found.Value).ToList();
        return $"That is the {kind} limit of {found.Offer.Name} ({found.Text}){(others.Count == 0 ? "" : $", not that of {string.Join(", ", others.Select(other => $"{other.Offer.Name} ({other.Text})"))}")}.";
    }

    private static bool IsNear(double? value, double? figure) =>
        value is { } measured && figure is { } sold && Math.Abs(measured - sold) <= SkuTolerance * sold;

    private static List<SkuLimit> GetIopsLimits(StorageSpecification bought) =>
        GetSkuLimits(bought, offer => offer.Iops, offer => offer.BurstIops, offer => 1, _ => "IOPS");

    private static List<SkuLimit> GetThroughputLimits(StorageSpecification bought) =>
        GetSkuLimits(bought, offer => offer.Throughput, offer => offer.BurstThroughput, offer => offer.UnitBytes, offer => offer.Unit);

    private static List<SkuLimit> GetSkuLimits(
        StorageSpecification bought,
        Func<StorageSku, double?> lasting,
        Func<StorageSku, double?> burst,
        Func<StorageSku, double> unit,
        Func<StorageSku, string> name
    ) =>
        [
            .. bought.Offers.SelectMany(offer =>
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
