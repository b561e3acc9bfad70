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
        "Limits are sustained: bursts are not counted. IoBench does not check regions, or the CPUs and the memory of the virtual machine.";

    /// <summary>Sentences after the tables: plans that do not fit, and notes.</summary>
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
            yield return $"Price according to your price file: {prices}.";
        if (DescribeDates(advice) is { } dates)
            yield return dates;
        yield return Scope;
    }

    /// <summary>A heading and a command for each disk of the first plan, to test it on the new virtual machine.</summary>
    public static IEnumerable<(string Heading, string Command)> DescribeCommands(StorageAdvice advice)
    {
        ArgumentNullException.ThrowIfNull(advice);
        return advice.Recommended is { } plan ? plan.CommandHeadings.Zip(plan.Commands) : [];
    }

    private static string? DescribeDates(StorageAdvice advice)
    {
        var dates = advice.Plans.Where(plan => plan.Fits).SelectMany(plan => plan.Choices).Select(choice => choice.AsOf).OfType<string>();
        var ordered = dates.Distinct().Order(StringComparer.Ordinal).ToList();
        return ordered.Count switch
        {
            0 => null,
            1 => $"The limits are as of {ordered[0]}.",
            _ => $"The limits are as of {ordered[0]} to {ordered[^1]}. Reports and JSON have the date and the source of each limit.",
        };
    }

    private static string DescribePrice(StoragePlan plan) => $"{plan.Name} {NumberFormat.Price(plan.Price!.Value)}";

    private static string GetSkuName(StorageChoice choice) => string.Join(':', choice.Storage.Split(':').Take(2));
}
