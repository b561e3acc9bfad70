using System.Collections;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Provisioned limits of storage; a limit that is not stated is null.</summary>
public sealed record StorageSpecification
{
    public double? Iops { get; init; }

    /// <summary>Provisioned throughput in bytes per second.</summary>
    public double? BytesPerSecond { get; init; }

    /// <summary>IOPS while burst credit remains.</summary>
    public double? BurstIops { get; init; }

    public double? BurstBytesPerSecond { get; init; }

    /// <summary>Average latency in milliseconds at one outstanding I/O.</summary>
    public double? LatencyMs { get; init; }

    /// <summary>Named SKUs, such as a disk and its virtual machine; the lowest of their limits applies.</summary>
    public IReadOnlyList<StorageSku> Offers { get; init; } = [];

    /// <summary>Warnings about the age of the SKUs' limits.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    private const string Example = "azure:P30, or IOPS = 2300; Throughput = '150 MB/s'; BurstIOPS = 3500; LatencyMs = 1";

    /// <summary>
    /// Parses <c>IOPS = 2300; Throughput = '150 MB/s'; BurstIOPS = 3500; BurstThroughput = '170 MB/s'; LatencyMs = 1</c> (any of these) and
    /// names of storage SKUs, such as <c>azure:P30; azure-vm:E8ds_v5</c> or <c>2 x azure:P30</c>. A stated limit overrides the limit of
    /// the SKUs.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidSpecification</c> or <c>IoBench.UnknownOffer</c>.</exception>
    public static StorageSpecification Parse(string text, DateOnly? today = null)
    {
        var values = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
        var offers = new List<StorageSku>();
        foreach (var part in text.Split([';', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (StorageSku.IsSkuName(part))
            {
                offers.Add(StorageSku.Find(part));
                continue;
            }
            var separator = part.IndexOfAny(['=', ':']);
            if (separator <= 0)
                throw CreateInvalidSpecificationError($"'{part}' is not of the form NAME = VALUE");
            if (!values.TryAdd(part[..separator].Trim(), part[(separator + 1)..].Trim().Trim('\'', '"').Trim()))
                throw CreateInvalidSpecificationError($"'{part[..separator].Trim()}' is specified twice");
        }
        var figures = values.Count > 0 || offers.Count == 0 ? Parse(values) : new StorageSpecification();
        return offers.Count == 0 ? figures : figures.AddSkus(offers, today ?? DateOnly.FromDateTime(DateTime.Today));
    }

    /// <summary>Limits of the virtual machine alone, which several disks share; null if no virtual machine was named.</summary>
    internal StorageSpecification? HostSpecification =>
        Offers.Where(offer => offer.IsHost).ToList() is { Count: > 0 } hosts
            ? new StorageSpecification
            {
                Iops = hosts.Min(offer => offer.Iops),
                BytesPerSecond = hosts.Min(offer => offer.Throughput * offer.UnitBytes),
                Offers = hosts,
            }
            : null;

    private StorageSpecification AddSkus(List<StorageSku> offers, DateOnly today) =>
        this with
        {
            Iops = Iops ?? offers.Min(offer => offer.Iops),
            BytesPerSecond = BytesPerSecond ?? offers.Min(offer => offer.Throughput * offer.UnitBytes),
            // Burst limits of SKUs are not copied: burst credit can be used up before a test, so a missing burst is not a failure.
            Offers = offers,
            Notes = [.. offers.Select(offer => offer.GetAgeNote(today)).OfType<string>()],
        };

    /// <summary>Parses the same from names and values. A throughput is text with a unit; other values are numbers or text.</summary>
    public static StorageSpecification Parse(IDictionary values)
    {
        var specification = new StorageSpecification();
        foreach (DictionaryEntry entry in values)
        {
            var name = Convert.ToString(entry.Key, CultureInfo.InvariantCulture) ?? "";
            specification = name.ToUpperInvariant() switch
            {
                "IOPS" => specification with { Iops = ParseRate(name, entry.Value) },
                "BURSTIOPS" => specification with { BurstIops = ParseRate(name, entry.Value) },
                "THROUGHPUT" => specification with { BytesPerSecond = ParseThroughput(name, entry.Value) },
                "BURSTTHROUGHPUT" => specification with { BurstBytesPerSecond = ParseThroughput(name, entry.Value) },
                "LATENCYMS" => specification with { LatencyMs = ParseNumber(name, entry.Value) },
                _ => throw CreateInvalidSpecificationError(
                    $"'{name}' is not one of IOPS, Throughput, BurstIOPS, BurstThroughput, and LatencyMs"
                ),
            };
        }
        return specification != new StorageSpecification() ? specification : throw CreateInvalidSpecificationError("it contains no value");
    }

    private static double ParseRate(string name, object? value) =>
        FormatValue(value) is { } text && text.EndsWith("IOPS", StringComparison.OrdinalIgnoreCase)
            ? ParseNumber(name, text[..^4].TrimEnd())
            : ParseNumber(name, value);

    private static double ParseThroughput(string name, object? value)
    {
        var text = FormatValue(value);
        if (text is not null && IoRate.TryParse(text, out var rate) && rate.BytesPerSecond is { } bytes)
            return bytes;
        throw CreateInvalidSpecificationError(
            double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _)
                ? $"{name} {text} has no unit. Use '{text} MB/s' (10^6 bytes, as most vendors do) or '{text} MiB/s' (2^20 bytes)"
                : $"{name} '{text}' is not a throughput. Use a number with MB/s (10^6 bytes) or MiB/s (2^20 bytes)"
        );
    }

    private static double ParseNumber(string name, object? value) =>
        double.TryParse(FormatValue(value), NumberStyles.Float | NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out var number)
        && number > 0
        && double.IsFinite(number)
            ? number
            : throw CreateInvalidSpecificationError($"{name} '{FormatValue(value)}' is not a number greater than 0");

    private static string? FormatValue(object? value) => Convert.ToString(value, CultureInfo.InvariantCulture)?.Trim();

    private static IoBenchException CreateInvalidSpecificationError(string what) =>
        IoBenchException.Usage(
            "IoBench.InvalidSpecification",
            $"The specification of the storage is invalid: {what}. Examples: {Example}."
        );
}
