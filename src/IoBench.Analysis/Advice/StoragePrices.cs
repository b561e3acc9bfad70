using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Prices of storage SKUs from a CSV file of the user. IoBench contains no prices.</summary>
public sealed class StoragePrices
{
    private const string ErrorId = "IoBench.InvalidPrices";
    private static readonly string[] s_optional = ["price_per_iops", "price_per_throughput", "price_per_gib"];

    private readonly Dictionary<string, double[]> _prices = new(StringComparer.OrdinalIgnoreCase);

    private StoragePrices() { }

    /// <summary>
    /// Loads a file with the columns name and price, and optionally price_per_iops, price_per_throughput (both above what is included),
    /// and price_per_gib, for disks whose limits are chosen.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidPrices</c>, or the errors of <see cref="InputFiles.Open"/>.</exception>
    public static StoragePrices LoadFile(string path)
    {
        var prices = new StoragePrices();
        HashSet<string> names = new(StringComparer.OrdinalIgnoreCase);
        var lines = InputFiles
            .ReadAllText(path)
            .ReplaceLineEndings("\n")
            .Split('\n')
            .Select((text, index) => (Text: text.Trim(), Number: index + 1))
            .Where(line => line.Text.Length > 0)
            .ToList();
        var separator = lines.Count > 0 && lines[0].Text.Contains(';', StringComparison.Ordinal) ? ';' : ',';
        List<string> header = lines.Count > 0 ? SplitLine(lines[0].Text.ToLowerInvariant(), separator) : [];
        var unknown = header.Find(column => column is not ("name" or "price") && !s_optional.Contains(column));
        if (!header.Contains("name") || !header.Contains("price") || unknown is not null)
            throw CreateError(
                path,
                unknown is null ? $"{path} must have the columns name and price." : $"{path} has the unknown column '{unknown}'."
            );
        foreach (var (text, number) in lines.Skip(1))
        {
            var fields = SplitLine(text, separator);
            if (fields.Count != header.Count)
                throw CreateError(path, $"{path} line {number} has {fields.Count} fields, but the header has {header.Count}.");
            var typed = fields[header.IndexOf("name")];
            var name = typed.Replace(":standard_", ":", StringComparison.OrdinalIgnoreCase);
            if (!StorageAdvisor.Catalog.Any(sku => sku.Name.Equals(name, StringComparison.OrdinalIgnoreCase)))
                throw CreateError(
                    path,
                    $"{path} line {number}: the catalog does not contain '{typed}'. To list the names, run iobench advise --all."
                );
            double Read(string column) =>
                !header.Contains(column) || fields[header.IndexOf(column)] is "" ? 0
                : double.TryParse(fields[header.IndexOf(column)], NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                && value >= 0
                && double.IsFinite(value)
                    ? value
                : throw CreateError(
                    path,
                    $"{path} line {number}: {column} '{fields[header.IndexOf(column)]}' must be a number of 0 or more."
                );
            if (!names.Add(name))
                throw CreateError(path, $"{path} line {number}: '{typed}' occurs twice.");
            // An empty price is unknown, and not 0.
            if (header.Zip(fields).Any(field => field.First != "name" && field.Second.Length > 0))
                prices._prices.Add(name, [Read("price"), .. s_optional.Select(Read)]);
        }
        return prices;
    }

    /// <summary>Price of a SKU with its chosen limits; null if the file does not contain it.</summary>
    /// <param name="sku">The SKU in the catalog, without chosen limits.</param>
    internal double? Find(StorageSku sku, StorageChoice choice)
    {
        // Interfaces and kinds of disks of a virtual machine have the same price: azure-vm:E8bds_v5:nvme-v2.
        var parts = sku.Name.Split(':');
        if (!_prices.TryGetValue(sku.Name, out var price) && !(sku.IsHost && _prices.TryGetValue($"{parts[0]}:{parts[1]}", out price)))
            return null;
        return sku.ThroughputPerIops is null
            ? price[0] * choice.Disks
            : price[0] * choice.Disks
                + price[1] * Math.Max(0, choice.LimitIops!.Value - (sku.Iops ?? 0) * choice.Disks)
                + price[2] * Math.Max(0, choice.LimitThroughput!.Value - (sku.Throughput ?? 0) * choice.Disks)
                + price[3] * (choice.MinSizeGiB ?? 0);
    }

    private static List<string> SplitLine(string line, char separator) =>
        [.. line.Split(separator).Select(field => field.Trim().Trim('"').Trim())];

    private static IoBenchException CreateError(string path, string what) =>
        IoBenchException.InvalidData(
            ErrorId,
            what,
            path,
            advice: "Create a CSV file with the columns name and price, and optionally price_per_iops, price_per_throughput, and price_per_gib."
        );
}
