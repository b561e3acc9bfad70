using IoBench.Engine;

namespace IoBench.Analysis;

internal static class SpecificationChecks
{
    internal const double KeptPercent = 95;

    internal static IReadOnlyList<SpecificationCheck> Of(
        StorageSpecification bought,
        IReadOnlyList<CapRun> lasting,
        CapBurst? burst,
        IReadOnlyList<CapRun> all
    )
    {
        List<SpecificationCheck> checks = [];
        if (bought.Iops is { } iops)
            checks.Add(Rate("IOPS", iops, lasting.Max(r => r.Iops), "IOPS", v => v));
        if (bought.BytesPerSecond is { } bytes)
            checks.Add(Rate("Throughput", bytes, lasting.Max(r => r.MBps) * 1048576, Unit(bought), v => v / UnitBytes(bought)));
        if (bought.BurstIops is { } burstIops)
            checks.Add(Rate("BurstIOPS", burstIops, Math.Max(burst?.BurstIops ?? 0, all.Max(r => r.Iops)), "IOPS in a burst", v => v));
        if (bought.BurstBytesPerSecond is { } burstBytes)
            checks.Add(
                Rate(
                    "BurstThroughput",
                    burstBytes,
                    all.Max(r => Math.Max(r.BurstIops ?? 0, r.Iops) * r.BlockKB * 1024),
                    Unit(bought) + " in a burst",
                    v => v / UnitBytes(bought)
                )
            );
        if (bought.LatencyMs is { } latency)
            checks.Add(Latency(latency, all.Where(r => r.Depth == 1 && r.LatencyMs is not null).Select(r => r.LatencyMs).Min()));
        return checks;
    }

    // Use the vendor's unit if a SKU was named, so that the number matches the invoice.
    private static double UnitBytes(StorageSpecification bought) =>
        bought.Offers.MinBy(offer => (offer.Throughput ?? double.PositiveInfinity) * offer.UnitBytes)?.UnitBytes ?? 1e6;

    private static string Unit(StorageSpecification bought) => UnitBytes(bought) == 1e6 ? "MB/s (10^6)" : "MiB/s";

    private static SpecificationCheck Rate(string name, double bought, double measured, string unit, Func<double, double> shown)
    {
        var percent = measured / bought * 100;
        return new(
            name,
            bought,
            measured,
            percent,
            percent >= KeptPercent,
            $"{Figures.Rate(shown(measured))} of {Figures.Rate(shown(bought))} {unit} that were bought are there ({Percent(percent)} %)"
        )
        {
            BoughtText = $"{Figures.Rate(shown(bought))} {unit}",
            MeasuredText = $"{Figures.Rate(shown(measured))} {unit}",
        };
    }

    private static SpecificationCheck Latency(double bought, double? measured) =>
        measured is { } ms
            ? new(
                "LatencyMs",
                bought,
                ms,
                bought / ms * 100,
                ms <= bought,
                $"One read at a time waits {Figures.Milliseconds(ms)}; {Figures.Milliseconds(bought)} was bought ({(ms <= bought ? "kept" : "missed")})"
            )
            {
                BoughtText = Figures.Milliseconds(bought),
                MeasuredText = Figures.Milliseconds(ms),
            }
            : new("LatencyMs", bought, null, null, null, "No run had one outstanding read, so the latency is not known")
            {
                BoughtText = Figures.Milliseconds(bought),
            };

    private static string Percent(double percent) => percent is >= 99.95 or < 10 ? Figures.Plain(percent) : Figures.Fixed(percent, 1);
}
