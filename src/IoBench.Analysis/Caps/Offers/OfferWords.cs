using IoBench.Engine;

namespace IoBench.Analysis;

internal static class OfferWords
{
    private const double Same = 0.05;

    private sealed record OfferFigure(StorageOffer Offer, double Value, string Text, bool IsBurst);

    internal static string? Of(StorageSpecification bought, double? iops, double? mebibytes, CapBurst? burst)
    {
        var sentences = new[]
        {
            Explain(iops, Iops(bought), "IOPS", burst?.BurstIops),
            Explain(mebibytes * 1048576, Bytes(bought), "throughput", null),
        };
        var said = string.Join(" ", sentences.OfType<string>());
        return said.Length > 0 ? said : null;
    }

    internal static bool IsBought(StorageSpecification? bought, double? iops, double? mebibytes) =>
        bought is not null
        && (
            IsNear(iops, bought.Iops)
            || IsNear(mebibytes * 1048576, bought.BytesPerSecond)
            || Iops(bought).Any(figure => IsNear(iops, figure.Value))
            || Bytes(bought).Any(figure => IsNear(mebibytes * 1048576, figure.Value))
        );

    private static string? Explain(double? limit, List<OfferFigure> figures, string kind, double? burst)
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
        value is { } measured && figure is { } sold && Math.Abs(measured - sold) <= Same * sold;

    private static List<OfferFigure> Iops(StorageSpecification bought) =>
        Figure(bought, offer => offer.Iops, offer => offer.BurstIops, offer => 1, _ => "IOPS");

    private static List<OfferFigure> Bytes(StorageSpecification bought) =>
        Figure(bought, offer => offer.Throughput, offer => offer.BurstThroughput, offer => offer.UnitBytes, offer => offer.Unit);

    private static List<OfferFigure> Figure(
        StorageSpecification bought,
        Func<StorageOffer, double?> lasting,
        Func<StorageOffer, double?> burst,
        Func<StorageOffer, double> unit,
        Func<StorageOffer, string> name
    ) =>
        [
            .. bought.Offers.SelectMany(offer =>
                new[] { (Value: lasting(offer), IsBurst: false), (Value: burst(offer), IsBurst: true) }
                    .Where(figure => figure.Value is not null)
                    .Select(figure => new OfferFigure(
                        offer,
                        figure.Value!.Value * unit(offer),
                        $"{Figures.Rate(figure.Value.Value)} {name(offer)}",
                        figure.IsBurst
                    ))
            ),
        ];
}
