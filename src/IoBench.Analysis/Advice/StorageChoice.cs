using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A disk for one file role, or a virtual machine for all, with the load as a share of its sustained limits. In a plan for SQL
/// Managed Instance, a size of one file, or the instance.</summary>
public sealed record StorageChoice
{
    /// <summary>Role of the virtual machine, whose limits all disks share.</summary>
    internal const string HostRole = "VM";

    /// <summary>Role of the managed instance, whose limits all files share.</summary>
    internal const string InstanceRole = "instance";

    public required string Cloud { get; init; }

    /// <summary>Name of the plan, such as <c>Premium SSD v2</c>.</summary>
    public required string Plan { get; init; }

    /// <summary>File role: <c>data</c>, <c>log</c>, or <c>tempdb</c>; <c>VM</c> for the virtual machine; <c>instance</c> for the managed
    /// instance.</summary>
    public required string Role { get; init; }

    /// <summary>Name of the file; null for a disk, a virtual machine, or an instance.</summary>
    public string? File { get; init; }

    /// <summary>Number of disks that are striped together; 1 for a single disk.</summary>
    public int Disks { get; init; } = 1;

    /// <summary>Name of the SKU with its chosen limits, as <c>iobench cap --provisioned</c> accepts it.</summary>
    public required string Storage { get; init; }

    public required string What { get; init; }

    public required bool Fits { get; init; }

    /// <summary>Limit that the load reaches first: <c>IOPS</c>, <c>throughput</c>, <c>log writes</c>, <c>files</c>, or
    /// <c>size</c>.</summary>
    public required string Bottleneck { get; init; }

    /// <summary>Load in percent of the bottleneck, without headroom.</summary>
    public required double LoadPercent { get; init; }

    public required double LoadIops { get; init; }

    /// <summary>Throughput of the load, in <see cref="Unit"/>.</summary>
    public required double LoadThroughput { get; init; }

    /// <summary>Sustained IOPS limit; null if there is none. Burst limits are not counted.</summary>
    public required double? LimitIops { get; init; }

    /// <summary>Sustained throughput limit, in <see cref="Unit"/>; null if there is none.</summary>
    public required double? LimitThroughput { get; init; }

    /// <summary>Limit of log writes in MiB/s; null if there is none.</summary>
    public double? LimitLogMiBps { get; init; }

    /// <summary>Unit of the throughput values: <c>MB/s</c> (10^6 bytes) or <c>MiB/s</c> (2^20 bytes).</summary>
    public required string Unit { get; init; }

    /// <summary>Smallest size of the disk in GiB for its chosen IOPS and the files; null if the size is fixed.</summary>
    public double? MinSizeGiB { get; init; }

    /// <summary>Size of a disk with a fixed size in GiB; otherwise null.</summary>
    public double? CapacityGiB { get; init; }

    /// <summary>Number of vCores of a managed instance; otherwise null.</summary>
    public int? VCores { get; init; }

    /// <summary>What to change in a managed instance, such as <c>make the file larger than 129 GiB</c>; null if the present size is
    /// enough.</summary>
    public string? Change { get; init; }

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
    public string Limits =>
        string.Join(
            ", ",
            new[]
            {
                LimitIops is { } iops ? $"{NumberFormat.Rate(iops)} IOPS" : null,
                LimitThroughput is { } throughput ? $"{NumberFormat.Rate(throughput)} {Unit}" : null,
                LimitLogMiBps is { } log ? $"{NumberFormat.Rate(log)} MiB/s of log writes" : null,
            }.OfType<string>()
        );

    public override string ToString() =>
        Fits
            ? Invariant($"{File ?? Role}: {Storage} ({Limits}), {Bottleneck} {LoadPercent:0}%")
            : $"{File ?? Role}: {Storage} does not fit: {Reason}";

    /// <summary>A limit with the load in its unit. The size and the number of files are known exactly, so they need no headroom.</summary>
    private readonly record struct Limit(string Name, string Unit, double Load, double? Value, double Factor)
    {
        public double Percent => Value is { } value ? 100 * Load / value : 0;

        public bool Fits => !(Load * Factor > Value);
    }

    internal static StorageChoice Create(string cloud, string plan, StorageLoad load, StorageSku sku, double headroom)
    {
        var throughput = load.BytesPerSecond / sku.UnitBytes;
        var factor = 1 + headroom / 100;
        Limit[] rates =
        [
            new("IOPS", "IOPS", load.IOPS, sku.Iops, factor),
            new("throughput", sku.Unit, throughput, sku.Throughput, factor),
            new("log writes", "MiB/s of log writes", load.LogBytesPerSecond / 1048576, sku.LogMiBps, factor),
        ];
        Limit[] others = [new("files", "files", load.Files, sku.MaxFiles, 1), new("size", "GiB", load.SizeGiB ?? 0, sku.CapacityGiB, 1)];
        var fits = Array.TrueForAll(rates, rate => rate.Fits);
        // A limit that does not fit comes first, and a rate before the size.
        var bottleneck =
            fits && Array.Exists(others, limit => !limit.Fits) ? Array.Find(others, limit => !limit.Fits)
            : rates.Max(rate => rate.Percent) > 0 ? rates.MaxBy(rate => rate.Percent)
            : others[^1];
        var grows = sku.AboveGiB is { } above && !(load.SizeGiB > above);
        return new()
        {
            Cloud = cloud,
            Plan = plan,
            Role =
                sku.VCores is not null ? InstanceRole
                : sku.IsHost ? HostRole
                : load.Role,
            File = load.File,
            Storage = sku.Name,
            What = sku.What,
            VCores = sku.VCores,
            Fits = fits && bottleneck.Fits,
            Bottleneck = bottleneck.Name,
            LoadPercent = bottleneck.Percent,
            LoadIops = load.IOPS,
            LoadThroughput = throughput,
            LimitIops = sku.Iops,
            LimitThroughput = sku.Throughput,
            LimitLogMiBps = sku.LogMiBps,
            Unit = sku.Unit,
            MinSizeGiB =
                sku.IopsPerGiB is { } ratio ? Math.Max(Math.Ceiling(sku.Iops!.Value / ratio), Math.Ceiling(load.SizeGiB ?? 0))
                : load.File is null ? null
                : Math.Max(sku.AboveGiB + 1 ?? 0, Math.Ceiling(load.SizeGiB ?? 0)),
            Change = grows ? DescribeGrowth(sku.AboveGiB!.Value, load.SizeGiB) : null,
            AsOf = sku.AsOf,
            Source = sku.Source,
            Confirmed = !sku.Unconfirmed,
            CapacityGiB = sku.IopsPerGiB is null ? sku.CapacityGiB : null,
            Explain =
                fits && bottleneck.Fits ? null
                : bottleneck.Name == "size"
                    ? () => Invariant($"the files need {load.SizeGiB:#,0} GiB, but {DescribeOwner(sku)} has {sku.CapacityGiB:#,0} GiB")
                : () => DescribeShortfall(bottleneck, headroom) + DescribeBurst(load.IOPS * factor, throughput * factor, sku),
        };
    }

    private static string DescribeGrowth(double above, double? size) =>
        Invariant($"make the file larger than {above:#,0} GiB")
        + (size is { } now ? Invariant($" (now {(now < 10 ? Math.Round(now, 1) : Math.Round(now)):#,0.#} GiB)") : "");

    private static string DescribeOwner(StorageSku sku) =>
        sku.VCores is null
            ? sku.Name.Contains(" x ", StringComparison.Ordinal)
                ? "the stripe"
                : "the disk"
            : "the instance";

    private static string DescribeShortfall(Limit limit, double headroom)
    {
        var margin =
            headroom > 0 && limit.Factor > 1 ? Invariant($" ({NumberFormat.Rate(limit.Load)} {limit.Unit} + {headroom:0.#}%)") : "";
        return $"{NumberFormat.Rate(limit.Load * limit.Factor)} {limit.Unit} required{margin}; limit {NumberFormat.Rate(limit.Value!.Value)} {limit.Unit}";
    }

    private static string DescribeBurst(double iops, double throughput, StorageSku sku) =>
        sku.BurstIops >= iops && sku.BurstThroughput >= throughput
            ? $"; the burst limit ({NumberFormat.Rate(sku.BurstIops.Value)} IOPS, {NumberFormat.Rate(sku.BurstThroughput.Value)} {sku.Unit}) would be enough, but only until the burst ends"
            : "";
}
