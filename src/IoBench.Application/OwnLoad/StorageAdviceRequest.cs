using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Options of the storage advice (<see cref="OptionTables.Advice"/>).</summary>
public sealed record StorageAdviceRequest
{
    /// <summary>One of <see cref="StorageAdvisor.Clouds"/>; null = all.</summary>
    public string? Cloud { get; init; }

    public double HeadroomPercent { get; init; } = StorageAdvisor.DefaultHeadroomPercent;

    public string? PricesPath { get; init; }

    /// <summary>Whether to show SKUs that do not fit.</summary>
    public bool All { get; init; }

    public static StorageAdviceRequest Create(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return new()
        {
            Cloud = values.GetText(new OptionName("Cloud")),
            HeadroomPercent = values.GetValue<double>(new OptionName("Headroom")) ?? StorageAdvisor.DefaultHeadroomPercent,
            PricesPath = values.GetText(new OptionName("PricesPath")),
            All = values.IsOn(new OptionName("All")),
        };
    }

    /// <exception cref="IoBenchException">The errors of <see cref="StorageAdvisor.Advise"/> and
    /// <see cref="StoragePrices.LoadFile"/>.</exception>
    public StorageAdvice Advise(IReadOnlyList<FileStatsSnapshot> snapshots) =>
        StorageAdvisor.Advise(snapshots, Cloud, HeadroomPercent, PricesPath is null ? null : StoragePrices.LoadFile(PricesPath));
}

/// <summary>Lines about storage advice that both front ends show.</summary>
public static class StorageAdviceMessages
{
    private const string Scope =
        "Limits are sustained: bursts are not counted. IoBench does not check the CPUs and the memory of the virtual machine, nor regions.";

    /// <summary>Lines after the table: plans that do not fit, notes, and the command that tests the storage.</summary>
    public static IEnumerable<string> DescribeNotes(StorageAdvice advice)
    {
        ArgumentNullException.ThrowIfNull(advice);
        foreach (var plan in advice.Plans.Where(plan => !plan.Fits))
            yield return plan.Summary;
        var unconfirmed = advice.Plans.SelectMany(plan => plan.Choices).Where(choice => !choice.Confirmed).Select(GetSkuName).Distinct();
        if (string.Join(", ", unconfirmed) is { Length: > 0 } names)
            yield return $"The limits of {names} are not from a dated page of the vendor. Check them.";
        if (advice.Plans.SelectMany(plan => plan.Choices).Any(choice => choice.MinSizeGiB is not null || choice.CapacityGiB is not null))
            if (advice.Loads.Any(load => load.SizeGiB is null))
                yield return "The snapshots have no column size_on_disk_bytes, so IoBench does not check the size of the disks.";
        if (string.Join(", ", advice.Plans.Where(plan => plan.Price is not null).Select(DescribePrice)) is { Length: > 0 } prices)
            yield return $"Price by your file: {prices}.";
        yield return Scope;
        if (advice.Recommended is { } recommended)
            foreach (var command in recommended.Commands)
                yield return $"To prove it there: {command}";
    }

    private static string DescribePrice(StoragePlan plan) =>
        $"{plan.Name} {plan.Price!.Value.ToString("#,##0.##", CultureInfo.InvariantCulture)}";

    private static string GetSkuName(StorageChoice choice) => string.Join(':', choice.Storage.Split(':').Take(2));
}
