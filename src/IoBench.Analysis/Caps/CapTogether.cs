using IoBench.Engine;

namespace IoBench.Analysis;

internal static class CapFinder
{
    private const double SharedTolerance = 1.10;
    private const double IndependentShare = 0.90;

    internal static CapResult? AnalyzeConcurrentPaths(
        string path,
        List<CapRun> together,
        IReadOnlyList<CapRun> all,
        StorageSpecification? bought
    )
    {
        var parts = path.Split("; ", StringSplitOptions.RemoveEmptyEntries);
        var alone = parts
            .Select(p => CapBurst.SplitRuns([.. all.Where(r => r.Result.Path == p && !CapFinder.IsConcurrentRun(r.Result))]).Lasting)
            .ToList();
        if (alone.Exists(a => a.Count == 0))
            return null;
        var sizes = CapFinder.CreateSizes(together);
        var compared = sizes
            .Select(size =>
            {
                var best = alone
                    .Select(runs => runs.Where(r => r.BlockKB == size.BlockKB).Select(r => r.Iops).DefaultIfEmpty(double.NaN).Max())
                    .ToList();
                return (Size: size, Best: best.Max(), Sum: best.Sum(), Best2: best);
            })
            .Where(c => !double.IsNaN(c.Sum))
            .ToList();
        if (compared.Count == 0)
            return null;

        var shared = compared.Where(c => c.Size.Last.Iops < IndependentShare * c.Sum).ToList();
        var model = CapModel.FromSizes(sizes);
        // Less than the sum but more than one path alone is a limit only if the rate is limited; otherwise, the paths disturb each other.
        var limited = shared.Where(c => c.Size.Last.Iops <= SharedTolerance * c.Best || c.Size.IsLimited).ToList();
        var oneDevice = FindCommonDevice(together);
        var kind =
            limited.Count == 0 || oneDevice is not null
                ? shared.Count == 0
                    ? CapKind.Independent
                    : CapKind.Medium
                : CapKind.HostOrPath;
        var show =
            limited.Count > 0 ? limited[0]
            : shared.Count > 0 ? shared[0]
            : compared[0];
        var evidence =
            $"{CapMessages.FormatSize(show.Size.BlockKB)} reads give {NumberFormat.Rate(show.Size.Last.Iops)} IOPS ({Throughput.Format(show.Size.Last.MBps)}) in all, alone {string.Join(" and ", show.Best2.Select(NumberFormat.Rate))}";
        var paths = parts.Length > 2 ? "all" : "both";
        var limits = string.Join(
            " and ",
            new[]
            {
                model?.Iops is { } iops ? $"an IOPS limit of {NumberFormat.Rate(CapMessages.RoundLimit(iops))}" : null,
                model?.MBps is { } mbps ? $"a throughput limit of {CapMessages.FormatBothUnits(mbps)}" : null,
            }.OfType<string>()
        );
        // Several disks share only the limits of the virtual machine, so compare with those alone.
        var host = kind == CapKind.HostOrPath ? bought?.HostSpecification : null;
        var checks = host is null ? [] : SpecificationCheck.CreateAll(host, together, null, together);
        var offer = host is null
            ? ""
            : string.Concat(
                new[] { CapMessages.DescribeSkuLimit(host, model?.Iops, model?.MBps, null) }
                    .OfType<string>()
                    .Concat(checks.Select(check => check.Summary + "."))
                    .Select(sentence => " " + sentence)
            );
        return new CapResult
        {
            Path = path,
            Kind = kind,
            Checks = checks,
            IopsCap = kind == CapKind.HostOrPath ? model?.Iops : null,
            ThroughputCapMBps = kind == CapKind.HostOrPath ? model?.MBps : null,
            IOPS = together.Max(r => r.Iops),
            MBps = together.Max(r => r.MBps),
            Variation = show.Size.Last.Variation,
            Summary =
                (
                    kind switch
                    {
                        CapKind.HostOrPath =>
                            $"{path} together: {evidence}: {(limits.Length > 0 ? limits + " that they share" : "a limit that they share")}, of the host, the virtual machine, the adapter or the path to the storage.",
                        CapKind.Independent => $"{path} together: {evidence}: the sum of {paths}, so they share no limit.",
                        _ when oneDevice is not null =>
                            $"{path} together: {evidence}: {paths} are on {oneDevice}, which they share; name paths on different devices to see a limit of the host.",
                        _ =>
                            $"{path} together: {evidence}: less than the sum, but the rate does not stand still: they disturb each other on a medium or a path they share, and no limit is set.",
                    }
                ) + offer,
            Warnings = alone.Exists(a => a.Select(r => r.Depth).Max() * 2 < together.Max(r => r.Depth) / parts.Length)
                ? ["The paths were loaded less when alone than together: their figures alone may be too low."]
                : [],
            Results = [.. together.Select(r => r.Result)],
        };
    }

    // Two paths on one device share the device, regardless of the limits of the host.
    private static string? FindCommonDevice(List<CapRun> together)
    {
        var devices = together[^1].Result.Targets.Select(t => t.Device).ToList();
        return devices.Count > 1 && devices[0] is { Length: > 0 } first && devices.TrueForAll(d => d == first) ? first : null;
    }
}
