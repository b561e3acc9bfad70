using System.Globalization;
using System.Text.Json.Serialization;

namespace IoBench.Analysis.Caps.Offers;

/// <summary>What a cloud sells: a disk or a virtual machine with its limits, as a vendor's page said on a day.</summary>
public sealed record StorageOffer
{
    /// <summary>Name, as in <c>azure:P30</c>, <c>azure-vm:E16bds_v5</c>, <c>aws:gp3</c>; with figures of one's own they follow: <c>aws:gp3:6000:250</c>.</summary>
    public required string Name { get; init; }

    /// <summary>What it is, in words.</summary>
    public required string What { get; init; }

    /// <summary>Unit of the throughputs: <c>MB/s</c> (10^6) or <c>MiB/s</c> (2^20), as the vendor counts.</summary>
    public required string Unit { get; init; }

    /// <summary>I/Os per second that last; null = what one chooses, or not limited.</summary>
    public double? Iops { get; init; }

    /// <summary>Throughput that lasts, in <see cref="Unit"/>.</summary>
    public double? Throughput { get; init; }

    /// <summary>I/Os per second while credit lasts.</summary>
    public double? BurstIops { get; init; }

    /// <summary>Throughput while credit lasts, in <see cref="Unit"/>.</summary>
    public double? BurstThroughput { get; init; }

    /// <summary>The most that one can choose; null = nothing is chosen.</summary>
    public double? MaxIops { get; init; }

    /// <summary>The most that one can choose, in <see cref="Unit"/>.</summary>
    public double? MaxThroughput { get; init; }

    /// <summary>Day of the vendor's page, as year-month-day; null = it had none.</summary>
    public string? AsOf { get; init; }

    /// <summary>The page.</summary>
    public required string Source { get; init; }

    /// <summary>Bytes of <see cref="Unit"/>.</summary>
    [JsonIgnore]
    public double UnitBytes => Unit == "MiB/s" ? 1048576 : 1e6;

    /// <summary>Its limits in a line: <c>5,000 IOPS, 200 MB/s</c>.</summary>
    [JsonIgnore]
    public string Limits
    {
        get
        {
            var lasting = Pair(Iops, Throughput);
            if (MaxIops is not null || MaxThroughput is not null)
                return $"{(lasting.Length > 0 ? lasting + ", " : "")}as chosen up to {Pair(MaxIops, MaxThroughput)}";
            return BurstIops is null && BurstThroughput is null ? lasting : $"{lasting}; in a burst {Pair(BurstIops, BurstThroughput)}";
        }
    }

    /// <summary>Whether it is a virtual machine, whose limits all its disks share.</summary>
    [JsonIgnore]
    public bool IsHost => Name.Contains("-vm:", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether figures are chosen with it: <c>aws:gp3:6000:250</c>.</summary>
    [JsonIgnore]
    public bool IsChosen => MaxIops is not null || MaxThroughput is not null;

    /// <summary>What is to say of its age: a year after its page's day it may be another offer. Null while it is younger.</summary>
    /// <param name="today">The day to reckon from.</param>
    public string? AgeNote(DateOnly today)
    {
        if (AsOf is null)
            return $"{Name}: its figures come from a page without a date ({Source}): check them.";
        return DateOnly.Parse(AsOf, CultureInfo.InvariantCulture) < today.AddYears(-1)
            ? $"{Name}: its figures date from {AsOf} ({Source}), more than a year old: check whether the offer is still the same."
            : null;
    }

    private string Pair(double? iops, double? throughput) =>
        string.Join(
            ", ",
            new[]
            {
                iops is { } rate ? $"{Figures.Rate(rate)} IOPS" : null,
                throughput is { } bytes ? $"{Figures.Rate(bytes)} {Unit}" : null,
            }.OfType<string>()
        );

    /// <inheritdoc/>
    public override string ToString() => $"{Name}: {What}, {Limits}";
}
