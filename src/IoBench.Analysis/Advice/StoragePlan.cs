using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>One kind of disk for all file roles, and a virtual machine for their sum; or the sizes of files, and a managed
/// instance.</summary>
public sealed record StoragePlan
{
    /// <summary><c>azure</c>, <c>aws</c>, or <c>azure-mi</c>.</summary>
    public required string Cloud { get; init; }

    /// <summary>Kind of the disks, such as <c>Premium SSD v2</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Whether each file role has a disk that fits, and all together a virtual machine.</summary>
    public bool Fits => Missing.Count == 0;

    /// <summary>The smallest disk that fits for each file role, and the virtual machine, last. With prices, the cheapest.</summary>
    public required IReadOnlyList<StorageChoice> Choices { get; init; }

    /// <summary>Whether the plan is for Azure SQL Managed Instance, on which no test can run.</summary>
    [JsonIgnore]
    public bool IsManagedInstance => Cloud == StorageAdvisor.ManagedInstance;

    /// <summary>File roles without a disk that fits, files that cannot be large enough, and <c>VM</c> or <c>instance</c> if none
    /// fits.</summary>
    public required IReadOnlyList<string> Missing { get; init; }

    /// <summary>Other SKUs that fit, the smallest first.</summary>
    public required IReadOnlyList<StorageChoice> Others { get; init; }

    /// <summary>SKUs that do not fit, with the reason, the smallest first.</summary>
    public required IReadOnlyList<StorageChoice> Rejected { get; init; }

    /// <summary>Sum of the prices; null if a price is missing.</summary>
    public double? Price => Fits && Choices.All(choice => choice.Price is not null) ? Choices.Sum(choice => choice.Price) : null;

    /// <summary>One command for each file role, in the order of <see cref="Choices"/>, that tests the disk on the virtual machine. The
    /// paths are examples.</summary>
    public IReadOnlyList<string> Commands =>
        !Fits || IsManagedInstance
            ? []
            :
            [
                .. Choices
                    .SkipLast(1)
                    .Select(disk => $"iobench cap {GetExamplePath(disk.Role)} --provisioned \"{disk.Storage}; {Choices[^1].Storage}\""),
            ];

    /// <summary>A heading for each of <see cref="Commands"/>.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> CommandHeadings =>
        [.. Choices.SkipLast(1).Take(Commands.Count).Select(disk => $"To verify the {disk.Role} disk of {Name} on the new VM:")];

    /// <summary>Names in the catalog of the parts without a price.</summary>
    internal IReadOnlyList<string> MissingPrices =>
        [.. Choices.Where(choice => choice.Price is null).Select(choice => string.Join(':', choice.Storage.Split(':').Take(2))).Distinct()];

    /// <summary>The plan in one sentence: what it consists of, or why it does not fit.</summary>
    public string Summary =>
        Fits
            ? $"{Name}: {string.Join(", ", Choices.Where(choice => choice.File is null).Select(choice => $"{choice.Role} {choice.Storage}"))}{DescribeFiles()}."
            : $"{Name} does not fit. {string.Join(" ", Missing.Select(DescribeMissing))}";

    public override string ToString() => Summary;

    // D: is the temporary disk of many virtual machines.
    private static string GetExamplePath(string role) =>
        role switch
        {
            "log" => @"L:\",
            "tempdb" => @"T:\",
            _ => @"F:\",
        };

    private string DescribeFiles()
    {
        var files = Choices.Where(choice => choice.File is not null).ToList();
        var growing = files.Count(choice => choice.Change is not null);
        return files.Count == 0 ? "" : $"; {growing} of {NumberFormat.Pluralize(files.Count, "file")} must grow";
    }

    // The largest SKU shows what is missing.
    private string DescribeMissing(string role) =>
        Rejected.LastOrDefault(choice => (choice.File ?? choice.Role) == role) is { } largest
            ? $"{role}: {largest.Reason} ({largest.Storage}, the largest SKU).{(largest is { File: not null, Role: "data" } ? " Distribute the data over several files." : "")}"
            : $"{role}: the catalog has no SKU.";
}
