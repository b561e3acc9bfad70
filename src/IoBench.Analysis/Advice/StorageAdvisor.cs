using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Chooses disks and virtual machines of the catalog for the peak load of a server. A plan has one kind of disk, because the limits
/// of a virtual machine depend on it, and because a larger load then never gets a smaller SKU.
/// </summary>
public static class StorageAdvisor
{
    public const double DefaultHeadroomPercent = 30;

    /// <summary>Clouds whose catalog has disks and virtual machines, and Azure SQL Managed Instance.</summary>
    public static IReadOnlyList<string> Clouds { get; } = ["azure", "aws", ManagedInstance];

    internal const string ManagedInstance = "azure-mi";

    /// <summary>The catalog does not have the number of disks of a virtual machine. Only very small ones allow fewer.</summary>
    private const int MaxDisks = 8;

    private const double MinChosenIops = 100;

    /// <param name="IsDisk">Null if only a host is chosen: a virtual machine or an instance.</param>
    /// <param name="IsPerFile">Whether a size is chosen for each file; otherwise, a disk for each file role.</param>
    private sealed record PlanKind(
        string Cloud,
        string Name,
        Func<StorageSku, bool>? IsDisk,
        Func<StorageSku, bool> IsHost,
        bool IsPerFile = false
    );

    /// <summary>Length of a window above which its average hides too much.</summary>
    private const double MaxWindowSeconds = 900;

    private static readonly string[] s_blockExpressHosts = ["r5b", "r6in", "r6idn", "x2iedn"];

    // The kinds of disks of a cloud in the order of their limits, and the virtual machines that can use them.
    private static readonly PlanKind[] s_plans =
    [
        new(
            "azure",
            "Premium SSD",
            sku => sku.Name.StartsWith("azure:P", StringComparison.Ordinal) && !IsPreview(sku),
            sku => IsAzureHost(sku, null, "nvme")
        ),
        new("azure", "Premium SSD v2", sku => sku.Name == "azure:premium-v2", sku => IsAzureHost(sku, "v2", "nvme-v2")),
        new("azure", "Ultra Disk", sku => sku.Name == "azure:ultra", sku => IsAzureHost(sku, "v2", "nvme-v2")),
        new("aws", "EBS gp3", sku => sku.Name == "aws:gp3", sku => sku.Name.StartsWith("aws-vm:", StringComparison.Ordinal)),
        // Block Express requires certain instances. Source: provisioned-iops.md of the EC2 guide.
        new(
            "aws",
            "EBS io2 Block Express",
            sku => sku.Name == "aws:io2",
            sku => s_blockExpressHosts.Any(family => sku.Name.StartsWith($"aws-vm:{family}.", StringComparison.Ordinal))
        ),
        new(
            ManagedInstance,
            "SQL Managed Instance General Purpose",
            sku => IsManaged(sku, "gp") && sku.VCores is null,
            sku => IsManaged(sku, "gp") && sku.VCores is not null,
            IsPerFile: true
        ),
        new(ManagedInstance, "SQL Managed Instance Next-gen General Purpose", null, sku => IsManaged(sku, "nextgen")),
        new(ManagedInstance, "SQL Managed Instance Business Critical", null, sku => IsManaged(sku, "bc")),
    ];

    internal static IEnumerable<StorageSku> Catalog => StorageSku.All.Concat(StorageSku.ManagedInstances);

    /// <param name="snapshots">Two or more snapshots of one server, the earliest first.</param>
    /// <param name="cloud">One of <see cref="Clouds"/>; null = all.</param>
    /// <param name="headroomPercent">Part of the load, in percent, by which each limit must exceed it.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TwoSnapshots</c>, <c>IoBench.NoLoad</c>, <c>IoBench.SameSnapshot</c>,
    /// <c>IoBench.CountersReset</c>.</exception>
    public static StorageAdvice Advise(
        IReadOnlyList<FileStatsSnapshot> snapshots,
        string? cloud = null,
        double headroomPercent = DefaultHeadroomPercent,
        StoragePrices? prices = null
    )
    {
        if (snapshots.Count < 2)
            throw IoBenchException.Usage(
                "IoBench.TwoSnapshots",
                $"To find the busiest window, IoBench requires at least two snapshots, but the input contains {snapshots.Count}.",
                advice: "Specify two or more snapshots, the earliest first."
            );
        List<IoWarning> warnings = [];
        var windows = FileStatsWindow.CreateAll(snapshots, warnings);
        var loads = StorageLoad.FindHighest(windows);
        if (loads.Count == 1)
            throw IoBenchException.InvalidData(
                "IoBench.NoLoad",
                "No I/O occurred between the snapshots.",
                advice: "Take the snapshots before and after a busy period."
            );
        AddLoadWarnings(windows, loads, warnings);
        List<StoragePlan> plans =
        [
            .. s_plans
                .Where(plan => cloud is null || plan.Cloud.Equals(cloud, StringComparison.OrdinalIgnoreCase))
                .Select(plan =>
                    CreatePlan(
                        plan,
                        plan.IsDisk is null ? []
                            : plan.IsPerFile ? StorageLoad.FindHighestOfFiles(windows)
                            : [.. loads.SkipLast(1)],
                        plan.IsPerFile ? StorageLoad.FindHighest(windows, "all", file => file.Role != "tempdb") : loads[^1],
                        headroomPercent,
                        prices
                    )
                ),
        ];
        if (prices is not null)
            AddPriceWarning(plans, warnings);
        var (shortest, longest) = (windows.Min(window => window.Seconds), windows.Max(window => window.Seconds));
        return new()
        {
            HeadroomPercent = headroomPercent,
            LongestWindowSeconds = longest,
            IsEvenlySpaced = Math.Round(longest) <= Math.Round(shortest * 1.1),
            HasPrices = prices is not null,
            Seconds = windows.Sum(window => window.Seconds),
            Windows = windows.Count,
            Loads = [.. loads.SkipLast(1)],
            Total = loads[^1],
            // The sort is stable: without prices, the order of the kinds of disks remains.
            Plans = [.. plans.OrderBy(plan => !plan.Fits).ThenBy(plan => plan.Price ?? double.PositiveInfinity)],
            NotConsidered = [.. GetExclusions(cloud)],
            Warnings = warnings,
        };
    }

    private static void AddLoadWarnings(IReadOnlyList<FileStatsWindow> windows, IReadOnlyList<StorageLoad> loads, List<IoWarning> warnings)
    {
        var idle = windows
            .SelectMany(window => window.Files)
            .Select(file => file.File.Role)
            .Distinct()
            .Except(loads.Select(load => load.Role));
        foreach (var role in idle.Order(StringComparer.Ordinal))
            warnings.Add(
                new(
                    WarningCodes.RoleWithoutIO,
                    $"The {role} files had no I/O between the snapshots, so the plans contain no disk for {role}. Take the snapshots while {role} is busy."
                )
            );
        var longest = windows.Max(window => window.Seconds);
        if (windows.Count > 1 && longest <= MaxWindowSeconds)
            return;
        var fact =
            windows.Count == 1
                ? $"Two snapshots show only an average over {StorageLoad.DescribeLength(longest)}"
                : $"The longest window shows an average over {StorageLoad.DescribeLength(longest)}";
        warnings.Add(
            new(
                WarningCodes.LongWindow,
                $"{fact}. An average hides bursts, so the recommended storage might be too slow. Take snapshots every 5 seconds, or every 5 minutes over a long period."
            )
        );
    }

    private static void AddPriceWarning(List<StoragePlan> plans, List<IoWarning> warnings)
    {
        var incomplete = plans.Where(plan => plan.Fits && plan.Price is null).ToList();
        // Plans of which the file has nothing are probably not of interest, unless there are no others.
        var started = incomplete.Where(plan => plan.Choices.Any(choice => choice.Price is not null)).ToList();
        var isAnyPriced = plans.Exists(plan => plan.Price is not null);
        if (started.Count == 0)
            started = isAnyPriced ? [] : [.. incomplete.Take(1)];
        if (started.Count == 0)
            return;
        var missing = started.Select(plan => $"Missing for {plan.Name}: {string.Join(", ", plan.MissingPrices)}.");
        warnings.Add(
            new(
                WarningCodes.PricesMissing,
                $"{(isAnyPriced ? "The price file is incomplete for some plans, so IoBench does not compare them." : "The price file is incomplete for every plan.")} {string.Join(" ", missing)}"
            )
        );
    }

    /// <summary>The SKU with the smallest limits that the load, with headroom, does not exceed; with prices, the cheapest. Disks are
    /// striped only if no single disk fits, or if that is cheaper.</summary>
    private static StoragePlan CreatePlan(
        PlanKind kind,
        IReadOnlyList<StorageLoad> loads,
        StorageLoad total,
        double headroom,
        StoragePrices? prices
    )
    {
        List<StorageChoice> choices = [];
        List<StorageChoice> others = [];
        List<StorageChoice> rejected = [];
        List<string> missing = [];
        List<StorageSku> disks = kind.IsDisk is { } isDisk ? [.. Catalog.Where(isDisk)] : [];
        foreach (var load in loads)
            Choose(load, disks, kind.IsPerFile ? 1 : MaxDisks, load.File ?? load.Role);
        // Files that grow need room in the instance, so their sizes must be known.
        if (kind.IsPerFile)
            total = total with { SizeGiB = total.SizeGiB - loads.Sum(load => load.SizeGiB) + choices.Sum(choice => choice.MinSizeGiB) };
        if (!kind.IsPerFile || missing.Count == 0)
            Choose(
                total,
                [.. Catalog.Where(kind.IsHost)],
                1,
                kind.Cloud == ManagedInstance ? StorageChoice.InstanceRole : StorageChoice.HostRole
            );
        return new()
        {
            Cloud = kind.Cloud,
            Name = kind.Name,
            Choices = choices,
            Others = others,
            Rejected = rejected,
            Missing = missing,
        };

        void Choose(StorageLoad load, IReadOnlyList<StorageSku> skus, int maxDisks, string name)
        {
            List<StorageChoice> fitting = [];
            for (var count = 1; count <= maxDisks && (fitting.Count == 0 || prices is not null); count++)
            {
                var candidates = skus.Select(sku => CreateChoice(kind, load, sku, count, headroom, prices))
                    .OrderBy(choice => choice.LimitIops)
                    .ThenBy(choice => choice.LimitThroughput)
                    .ThenBy(choice => choice.LimitLogMiBps)
                    .ThenBy(choice => choice.CapacityGiB)
                    .ThenBy(choice => choice.VCores)
                    .ThenBy(choice => choice.Storage, StringComparer.Ordinal)
                    .ToList();
                fitting.AddRange(candidates.Where(choice => choice.Fits));
                var tooSmall = candidates.Where(choice => !choice.Fits);
                rejected.AddRange(
                    count == 1 ? tooSmall
                    : count == maxDisks && fitting.Count == 0 ? tooSmall.TakeLast(1)
                    : []
                );
            }
            fitting = [.. fitting.OrderBy(choice => choice.Price ?? double.PositiveInfinity)];
            choices.AddRange(fitting.Take(1));
            others.AddRange(fitting.Skip(1).Where(choice => choice.Disks <= fitting[0].Disks));
            if (fitting.Count == 0)
                missing.Add(name);
        }
    }

    private static StorageChoice CreateChoice(
        PlanKind kind,
        StorageLoad load,
        StorageSku sku,
        int disks,
        double headroom,
        StoragePrices? prices
    )
    {
        var choice = StorageChoice.Create(
            kind.Cloud,
            kind.Name,
            load,
            ChooseLimits(sku, load, disks, headroom).Stripe(disks),
            headroom
        ) with
        {
            Disks = disks,
        };
        return choice with { Price = prices?.Find(sku, choice) };
    }

    /// <summary>Sets the limits of a disk whose limits are chosen: its part of the load with headroom, at least what is included.</summary>
    private static StorageSku ChooseLimits(StorageSku sku, StorageLoad load, int disks, double headroom)
    {
        if (sku.ThroughputPerIops is not { } ratio)
            return sku;
        var factor = (1 + headroom / 100) / disks;
        var throughput = Math.Max(sku.Throughput ?? 1, Math.Ceiling(load.BytesPerSecond / sku.UnitBytes * factor));
        var iops = Math.Max(sku.Iops ?? MinChosenIops, Math.Max(Math.Ceiling(load.IOPS * factor), Math.Ceiling(throughput / ratio)));
        (iops, throughput) = (Math.Min(iops, sku.MaxIops!.Value), Math.Min(throughput, sku.MaxThroughput!.Value));
        return sku with { Name = Invariant($"{sku.Name}:{iops:0}:{throughput:0}"), Iops = iops, Throughput = throughput };
    }

    private static bool IsManaged(StorageSku sku, string tier) =>
        sku.Name.StartsWith($"{ManagedInstance}:{tier}:", StringComparison.Ordinal);

    private static bool IsPreview(StorageSku sku) => sku.Name.EndsWith(":plus", StringComparison.Ordinal);

    /// <param name="suffixes">Last parts of the names of the limits; null = none.</param>
    private static bool IsAzureHost(StorageSku sku, params string?[] suffixes)
    {
        var parts = sku.Name.Split(':');
        return parts[0] == "azure-vm" && suffixes.Contains(parts.ElementAtOrDefault(2));
    }

    private static IEnumerable<StorageExclusion> GetExclusions(string? cloud) =>
        StorageSku
            .All.Where(sku => !Array.Exists(s_plans, plan => plan.IsDisk?.Invoke(sku) == true || plan.IsHost(sku)))
            .Where(sku =>
                Clouds.Any(name =>
                    (cloud is null || name.Equals(cloud, StringComparison.OrdinalIgnoreCase)) && sku.Name.Split('-', ':')[0] == name
                )
            )
            .Select(sku => new StorageExclusion(
                sku.Name,
                IsPreview(sku) ? "performance plus was in preview when the limits were published"
                    : sku.IsHost ? "these are limits of a local or cached disk"
                    : "its limits depend on its size, and the catalog has only the highest limits"
            ));
}
