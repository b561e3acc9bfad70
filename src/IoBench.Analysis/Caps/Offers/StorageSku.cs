using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A storage SKU: a disk or a virtual machine of a cloud with its limits, as the vendor documented them.</summary>
public sealed partial record StorageSku
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
            return $"The limits of {Name} are from a source without a date ({Source}). Check whether the limits are current.";
        return DateOnly.Parse(AsOf, CultureInfo.InvariantCulture) < today.AddYears(-1)
            ? $"The limits of {Name} are from {AsOf} ({Source}), which is more than one year ago. Check whether the limits are current."
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

    private static readonly Lazy<IReadOnlyList<StorageSku>> s_all = new(() => Load("storage-offers.json"));
    private static readonly Lazy<IReadOnlyList<StorageSku>> s_managedInstances = new(() => Load("managed-instances.json"));

    /// <summary>Disks and virtual machines, on which IoBench can run (<c>storage-offers.json</c>).</summary>
    public static IReadOnlyList<StorageSku> All => s_all.Value;

    /// <summary>Sizes of files and instances of Azure SQL Managed Instance, on which no test can run.</summary>
    public static IReadOnlyList<StorageSku> ManagedInstances => s_managedInstances.Value;

    private static IReadOnlyList<StorageSku> Load(string name)
    {
        using var stream =
            typeof(StorageSku).Assembly.GetManifestResourceStream(name)
            ?? throw new InvalidOperationException($"{name} is not in the assembly.");
        return JsonSerializer.Deserialize(stream, CatalogJson.Default.ListStorageSku)!;
    }

    /// <summary>Prefixes of the names, before the first colon.</summary>
    public static IReadOnlyList<string> Providers { get; } = ["azure", "azure-vm", "aws", "aws-vm", "gcp", "gcp-vm"];

    internal static bool IsSkuName(string text)
    {
        text = ParseStripe(text).Name;
        var end = text.IndexOf(':', StringComparison.Ordinal);
        return end > 0 && Providers.Contains(text[..end].Trim(), StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>
    /// Finds a SKU. Chosen limits follow the name: <c>aws:gp3:6000:250</c> is IOPS, then throughput in the vendor's unit. Striped disks
    /// have their number first, as in <c>2 x azure:P30</c>.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownOffer</c> or <c>IoBench.InvalidSpecification</c>.</exception>
    public static StorageSku Find(string text)
    {
        var (disks, name) = ParseStripe(text);
        var sku = FindOne(name);
        return disks == 1 || !sku.IsHost
            ? sku.Stripe(disks)
            : throw CreateInvalidSpecificationError($"{sku.Name} is a virtual machine, and only disks can be striped");
    }

    private static (int Disks, string Name) ParseStripe(string text)
    {
        text = text.Trim();
        var match = GetStripeRegex().Match(text);
        return match.Success
            ? (int.Parse(match.Groups[1].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture), text[match.Length..])
            : (1, text);
    }

    [GeneratedRegex("^([1-9][0-9]?) *[xX*] *")]
    private static partial Regex GetStripeRegex();

    private static StorageSku FindOne(string text)
    {
        // Azure writes the size of a virtual machine as Standard_E16bds_v5.
        var wanted = text.Trim().Replace(":Standard_", ":", StringComparison.OrdinalIgnoreCase);
        if (All.FirstOrDefault(offer => offer.Name.Equals(wanted, StringComparison.OrdinalIgnoreCase)) is { } exact)
            return exact.Iops is not null || exact.Throughput is not null
                ? exact
                : throw CreateInvalidSpecificationError(
                    $"{exact.Name} has no fixed limits. Add the provisioned limits to its name: {exact.Name}:IOPS:{exact.Unit}, for example {exact.Name}:{FormatNumber(Math.Min(3000, exact.MaxIops ?? 3000))}:{FormatNumber(Math.Min(125, exact.MaxThroughput ?? 125))}"
                );
        var chosen = All.Where(offer => offer.IsChosen && wanted.StartsWith(offer.Name + ":", StringComparison.OrdinalIgnoreCase))
            .MaxBy(offer => offer.Name.Length);
        return chosen is null
            ? throw CreateUnknownSkuError(wanted)
            : WithChosenLimits(chosen, wanted[(chosen.Name.Length + 1)..].Split(':'));
    }

    private static StorageSku WithChosenLimits(StorageSku offer, string[] values)
    {
        if (values.Length > 2)
            throw CreateInvalidSpecificationError($"{offer.Name} requires two values, IOPS and {offer.Unit}: {offer.Name}:3000:125");
        var iops = ParseLimit(offer, values[0], "IOPS", offer.MaxIops) ?? offer.Iops;
        var throughput = (values.Length > 1 ? ParseLimit(offer, values[1], offer.Unit, offer.MaxThroughput) : null) ?? offer.Throughput;
        return offer with
        {
            Name = $"{offer.Name}:{string.Join(':', values.Select(value => value.Trim()))}",
            Iops = iops,
            Throughput = throughput,
            MaxIops = null,
            MaxThroughput = null,
        };
    }

    private static double? ParseLimit(StorageSku offer, string text, string unit, double? max)
    {
        if (text.Trim().Length == 0)
            return null;
        if (
            !double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            || !(number > 0)
            || !double.IsFinite(number)
        )
            throw CreateInvalidSpecificationError(
                $"{offer.Name}: '{text}' is not a number of {unit}. Use the form {offer.Name}:IOPS:{offer.Unit}, for example {offer.Name}:3000:125"
            );
        return max is null || number <= max
            ? number
            : throw CreateInvalidSpecificationError(
                $"{offer.Name} supports at most {NumberFormat.Rate(max.Value)} {unit}{(offer.AsOf is null ? "" : $" (as of {offer.AsOf})")}, not {NumberFormat.Rate(number)}. If the vendor has changed the limit, specify the values instead of the name, for example IOPS = {FormatNumber(number)}"
            );
    }

    private static IoBenchException CreateUnknownSkuError(string wanted)
    {
        var near = Suggestions.FindNearest(wanted, All.Select(offer => offer.Name)).ToList();
        // If no name is similar, suggest names of the same provider that start with the same characters.
        var provider = wanted[..(wanted.IndexOf(':', StringComparison.Ordinal) + 1)];
        var others =
            near.Count > 0
                ? near
                : All.Select(offer => offer.Name)
                    .Where(name => name.StartsWith(provider, StringComparison.OrdinalIgnoreCase))
                    .OrderByDescending(name => CountCommonPrefix(name, wanted))
                    .ThenBy(name => name.Length)
                    .Take(3)
                    .ToList();
        var known = others.Count > 0 ? $" Similar names are {string.Join(", ", others)}." : "";
        return IoBenchException.Usage(
            "IoBench.UnknownOffer",
            $"'{wanted}' is not a known storage SKU.{known}",
            wanted,
            advice: "You can also specify the limits: \"IOPS = 5000; Throughput = '200 MB/s'\"."
        );
    }

    private static int CountCommonPrefix(string left, string right) =>
        left.Zip(right).TakeWhile(pair => char.ToUpperInvariant(pair.First) == char.ToUpperInvariant(pair.Second)).Count();

    private static string FormatNumber(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);

    private static IoBenchException CreateInvalidSpecificationError(string what) =>
        IoBenchException.Usage("IoBench.InvalidSpecification", $"The specification of the storage is invalid: {what}.");
}
