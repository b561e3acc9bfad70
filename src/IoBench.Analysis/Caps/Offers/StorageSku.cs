using System.Globalization;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A storage SKU: a disk or a virtual machine of a cloud with its limits, as the vendor documented them.</summary>
public sealed record StorageSku
{
    /// <summary>Name, such as <c>azure:P30</c>; chosen limits follow the name, as in <c>aws:gp3:6000:250</c>.</summary>
    public required string Name { get; init; }

    public required string What { get; init; }

    /// <summary>Unit of the throughput values, as the vendor uses it: <c>MB/s</c> (10^6 bytes) or <c>MiB/s</c> (2^20 bytes).</summary>
    public required string Unit { get; init; }

    /// <summary>Sustained IOPS limit; null if it is chosen or unlimited.</summary>
    public double? Iops { get; init; }

    /// <summary>Sustained throughput limit, in <see cref="Unit"/>.</summary>
    public double? Throughput { get; init; }

    /// <summary>IOPS limit while burst credit remains.</summary>
    public double? BurstIops { get; init; }

    /// <summary>Throughput limit while burst credit remains, in <see cref="Unit"/>.</summary>
    public double? BurstThroughput { get; init; }

    /// <summary>Highest IOPS that can be chosen; null if IOPS cannot be chosen.</summary>
    public double? MaxIops { get; init; }

    /// <summary>Highest throughput that can be chosen, in <see cref="Unit"/>; null if it cannot be chosen.</summary>
    public double? MaxThroughput { get; init; }

    /// <summary>Largest size of the disk in GiB; null for a virtual machine, or if it is unknown.</summary>
    public double? CapacityGiB { get; init; }

    /// <summary>Highest throughput that can be chosen for each chosen IOPS, in <see cref="Unit"/>; null if limits are not chosen
    /// freely.</summary>
    public double? ThroughputPerIops { get; init; }

    /// <summary>Highest IOPS that can be chosen for each GiB of the disk; null if limits are not chosen freely.</summary>
    public double? IopsPerGiB { get; init; }

    /// <summary>Highest rate of log writes in MiB/s; null if the vendor states no such limit.</summary>
    public double? LogMiBps { get; init; }

    /// <summary>Size of a file in GiB above which it gets these limits; null if every size gets them.</summary>
    public double? AboveGiB { get; init; }

    /// <summary>Largest number of database files; null if the vendor states no such limit.</summary>
    public int? MaxFiles { get; init; }

    /// <summary>Number of vCores of a SQL Managed Instance; otherwise null.</summary>
    public int? VCores { get; init; }

    /// <summary>Whether the limits are from a copy, from a page without a date, or from a page that is not the vendor's.</summary>
    public bool Unconfirmed { get; init; }

    /// <summary>Date of the vendor's page (yyyy-MM-dd); null if the page has no date.</summary>
    public string? AsOf { get; init; }

    public required string Source { get; init; }

    [JsonIgnore]
    public double UnitBytes => Unit == "MiB/s" ? 1048576 : 1e6;

    /// <summary>Limits in one line, such as <c>5,000 IOPS, 200 MB/s</c>.</summary>
    [JsonIgnore]
    public string Limits
    {
        get
        {
            var lasting = FormatLimits(Iops, Throughput);
            if (MaxIops is not null || MaxThroughput is not null)
                return $"{(lasting.Length > 0 ? lasting + ", " : "")}configurable up to {FormatLimits(MaxIops, MaxThroughput)}";
            return BurstIops is null && BurstThroughput is null
                ? lasting
                : $"{lasting}; in a burst {FormatLimits(BurstIops, BurstThroughput)}";
        }
    }

    /// <summary>Whether the SKU is a virtual machine, whose disks share its limits.</summary>
    [JsonIgnore]
    public bool IsHost => Name.Contains("-vm:", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether limits are chosen with the SKU, as in <c>aws:gp3:6000:250</c>.</summary>
    [JsonIgnore]
    public bool IsChosen => MaxIops is not null || MaxThroughput is not null;

    /// <summary>The sum of several disks that are striped together.</summary>
    internal StorageSku Stripe(int disks) =>
        disks == 1
            ? this
            : this with
            {
                Name = Invariant($"{disks} x {Name}"),
                Iops = Iops * disks,
                Throughput = Throughput * disks,
                BurstIops = BurstIops * disks,
                BurstThroughput = BurstThroughput * disks,
                CapacityGiB = CapacityGiB * disks,
            };

    /// <summary>Returns a warning if the limits are more than a year old or have no date; otherwise null.</summary>
    public string? GetAgeNote(DateOnly today)
    {
        if (AsOf is null)
            return $"The limits of {Name} are from a source without a date ({Source}). Check whether they are current.";
        return DateOnly.Parse(AsOf, CultureInfo.InvariantCulture) < today.AddYears(-1)
            ? $"The limits of {Name} are from {AsOf} ({Source}), which is more than one year ago. Check whether they are current."
            : null;
    }

    private string FormatLimits(double? iops, double? throughput) =>
        string.Join(
            ", ",
            new[]
            {
                iops is { } rate ? $"{NumberFormat.Rate(rate)} IOPS" : null,
                throughput is { } bytes ? $"{NumberFormat.Rate(bytes)} {Unit}" : null,
            }.OfType<string>()
        );

    public override string ToString() => $"{Name}: {What}, {Limits}";
}
