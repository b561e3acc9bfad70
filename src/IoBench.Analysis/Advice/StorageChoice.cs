using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A disk for one file role, or a virtual machine for all, with the load as a share of its sustained limits.</summary>
public sealed record StorageChoice
{
    /// <summary>Role of the virtual machine, whose limits all disks share.</summary>
    internal const string HostRole = "VM";

    public required string Cloud { get; init; }

    /// <summary>Name of the plan, such as <c>Premium SSD v2</c>.</summary>
    public required string Plan { get; init; }

    /// <summary>File role: <c>data</c>, <c>log</c>, or <c>tempdb</c>; <c>VM</c> for the virtual machine.</summary>
    public required string Role { get; init; }

    /// <summary>Name of the SKU with its chosen limits, as <c>iobench cap --provisioned</c> accepts it.</summary>
    public required string Storage { get; init; }

    public required string What { get; init; }

    public required bool Fits { get; init; }

    /// <summary>Limit that the load reaches first: <c>IOPS</c>, <c>throughput</c>, or <c>size</c>.</summary>
    public required string Bottleneck { get; init; }

    /// <summary>Load in percent of the bottleneck, without headroom.</summary>
    public required double LoadPercent { get; init; }

    public required double LoadIops { get; init; }

    /// <summary>Throughput of the load, in <see cref="Unit"/>.</summary>
    public required double LoadThroughput { get; init; }

    /// <summary>Sustained IOPS limit. Burst limits are not counted.</summary>
    public required double LimitIops { get; init; }

    /// <summary>Sustained throughput limit, in <see cref="Unit"/>.</summary>
    public required double LimitThroughput { get; init; }

    /// <summary>Unit of the throughput values: <c>MB/s</c> (10^6 bytes) or <c>MiB/s</c> (2^20 bytes).</summary>
    public required string Unit { get; init; }

    /// <summary>Smallest size of the disk in GiB for its chosen IOPS and the files; null if the size is fixed.</summary>
    public double? MinSizeGiB { get; init; }

    /// <summary>Size of a disk with a fixed size in GiB; otherwise null.</summary>
    public double? CapacityGiB { get; init; }

    /// <summary>Price from the file of the user; null without one.</summary>
    public double? Price { get; init; }

    /// <summary>Date of the vendor's page; null if the page has no date.</summary>
    public string? AsOf { get; init; }

    public required string Source { get; init; }

    /// <summary>Whether the limits were read on a dated page of the vendor.</summary>
    public required bool Confirmed { get; init; }

    /// <summary>Why it does not fit; null if it fits. Created on demand, because few of many choices are displayed.</summary>
    public string? Reason => Explain?.Invoke();

    private Func<string>? Explain { get; init; }

    /// <summary>Date of the limits, as in <c>2026-08-11</c> or <c>2025-09-30, not confirmed</c>.</summary>
    [JsonIgnore]
    public string DateText => $"{AsOf ?? "no date"}{(Confirmed ? "" : ", not confirmed")}";

    [JsonIgnore]
    public string Limits => $"{NumberFormat.Rate(LimitIops)} IOPS, {NumberFormat.Rate(LimitThroughput)} {Unit}";

    public override string ToString() =>
        Fits ? Invariant($"{Role}: {Storage} ({Limits}), {Bottleneck} {LoadPercent:0}%") : $"{Role}: {Storage} does not fit: {Reason}";

    internal static StorageChoice Create(string cloud, string plan, StorageLoad load, StorageSku sku, double headroom)
    {
        var throughput = load.BytesPerSecond / sku.UnitBytes;
        var (iopsPercent, throughputPercent) = (100 * load.IOPS / sku.Iops!.Value, 100 * throughput / sku.Throughput!.Value);
        var factor = 1 + headroom / 100;
        var isLarge = load.SizeGiB <= sku.CapacityGiB || load.SizeGiB is null || sku.CapacityGiB is null;
        var fits = load.IOPS * factor <= sku.Iops && throughput * factor <= sku.Throughput;
        var isIops = iopsPercent >= throughputPercent;
        return new()
        {
            Cloud = cloud,
            Plan = plan,
            Role = sku.IsHost ? HostRole : load.Role,
            Storage = sku.Name,
            What = sku.What,
            Fits = fits && isLarge,
            Bottleneck =
                fits && !isLarge ? "size"
                : isIops ? "IOPS"
                : "throughput",
            LoadPercent = fits && !isLarge ? 100 * load.SizeGiB!.Value / sku.CapacityGiB!.Value : Math.Max(iopsPercent, throughputPercent),
            LoadIops = load.IOPS,
            LoadThroughput = throughput,
            LimitIops = sku.Iops.Value,
            LimitThroughput = sku.Throughput.Value,
            Unit = sku.Unit,
            MinSizeGiB = sku.IopsPerGiB is { } ratio
                ? Math.Max(Math.Ceiling(sku.Iops.Value / ratio), Math.Ceiling(load.SizeGiB ?? 0))
                : null,
            AsOf = sku.AsOf,
            Source = sku.Source,
            Confirmed = !sku.Unconfirmed,
            CapacityGiB = sku.IopsPerGiB is null ? sku.CapacityGiB : null,
            Explain =
                fits && isLarge ? null
                : fits ? () => Invariant($"the files have {load.SizeGiB:#,0} GiB, and the disk has {sku.CapacityGiB:#,0} GiB")
                : () =>
                    DescribeShortfall(isIops, isIops ? load.IOPS : throughput, sku, headroom)
                    + DescribeBurst(load.IOPS * factor, throughput * factor, sku),
        };
    }

    private static string DescribeShortfall(bool isIops, double load, StorageSku sku, double headroom)
    {
        var (limit, unit) = isIops ? (sku.Iops!.Value, "IOPS") : (sku.Throughput!.Value, sku.Unit);
        var margin = headroom > 0 ? Invariant($" ({NumberFormat.Rate(load)} {unit} + {headroom:0.#}%)") : "";
        return $"{NumberFormat.Rate(load * (1 + headroom / 100))} {unit} required{margin}; limit {NumberFormat.Rate(limit)} {unit}";
    }

    private static string DescribeBurst(double iops, double throughput, StorageSku sku) =>
        sku.BurstIops >= iops && sku.BurstThroughput >= throughput
            ? $"; the burst limit ({NumberFormat.Rate(sku.BurstIops.Value)} IOPS, {NumberFormat.Rate(sku.BurstThroughput.Value)} {sku.Unit}) would be enough, but only until the burst ends"
            : "";
}
