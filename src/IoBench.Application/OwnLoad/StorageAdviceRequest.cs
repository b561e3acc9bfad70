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
