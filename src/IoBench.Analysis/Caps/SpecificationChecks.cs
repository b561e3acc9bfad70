using IoBench.Engine;

namespace IoBench.Analysis;

internal static class SpecificationCheck
{
    internal const double MinPassPercent = 95;

    internal static IReadOnlyList<SpecificationCheck> CreateAll(
        StorageSpecification bought,
        IReadOnlyList<CapRun> lasting,
        CapBurst? burst,
        IReadOnlyList<CapRun> all
    )
    {
        List<SpecificationCheck> checks = [];
        if (bought.Iops is { } iops)
            checks.Add(CheckRate("IOPS", iops, lasting.Max(r => r.Iops), "IOPS", v => v));
        if (bought.BytesPerSecond is { } bytes)
            checks.Add(CheckRate("Throughput", bytes, lasting.Max(r => r.MBps) * 1048576, GetUnit(bought), v => v / GetUnitBytes(bought)));
        if (bought.BurstIops is { } burstIops)
            checks.Add(CheckRate("BurstIOPS", burstIops, Math.Max(burst?.BurstIops ?? 0, all.Max(r => r.Iops)), "IOPS in a burst", v => v));
        if (bought.BurstBytesPerSecond is { } burstBytes)
            checks.Add(
                CheckRate(
                    "BurstThroughput",
                    burstBytes,
                    all.Max(r => Math.Max(r.BurstIops ?? 0, r.Iops) * r.BlockKB * 1024),
                    GetUnit(bought) + " in a burst",
                    v => v / GetUnitBytes(bought)
                )
            );
        if (bought.LatencyMs is { } latency)
            checks.Add(CheckLatency(latency, all.Where(r => r.Depth == 1 && r.LatencyMs is not null).Select(r => r.LatencyMs).Min()));
        return checks;
    }

    // Use the vendor's unit if a SKU was named, so that the number matches the invoice.
    private static double GetUnitBytes(StorageSpecification bought) =>
        bought.Offers.MinBy(offer => (offer.Throughput ?? double.PositiveInfinity) * offer.UnitBytes)?.UnitBytes ?? 1e6;

    private static string GetUnit(StorageSpecification bought) => GetUnitBytes(bought) == 1e6 ? "MB/s (10^6)" : "MiB/s";

    private static SpecificationCheck CheckRate(string name, double bought, double measured, string unit, Func<double, double> shown)
    {
        var percent = measured / bought * 100;
        return new(
            name,
            bought,
            measured,
            percent,
            percent >= MinPassPercent,
            $"{NumberFormat.Rate(shown(measured))} of {NumberFormat.Rate(shown(bought))} {unit} that were bought are there ({FormatPercent(percent)} %)"
        )
        {
            BoughtText = $"{NumberFormat.Rate(shown(bought))} {unit}",
            MeasuredText = $"{NumberFormat.Rate(shown(measured))} {unit}",
        };
    }

    private static SpecificationCheck CheckLatency(double bought, double? measured) =>
        measured is { } ms
            ? new(
                "LatencyMs",
                bought,
                ms,
                bought / ms * 100,
                ms <= bought,
                $"One read at a time waits {NumberFormat.Milliseconds(ms)}; {NumberFormat.Milliseconds(bought)} was bought ({(ms <= bought ? "kept" : "missed")})"
            )
            {
                BoughtText = NumberFormat.Milliseconds(bought),
                MeasuredText = NumberFormat.Milliseconds(ms),
            }
            : new("LatencyMs", bought, null, null, null, "No run had one outstanding read, so the latency is not known")
            {
                BoughtText = NumberFormat.Milliseconds(bought),
            };

    private static string FormatPercent(double percent) =>
        percent is >= 99.95 or < 10 ? NumberFormat.Plain(percent) : NumberFormat.Fixed(percent, 1);
}
