using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>SKUs that are not considered, with the reason.</summary>
public sealed record StorageExclusion(string Storage, string Reason);

/// <summary>Disks and virtual machines of a cloud that can handle the peak load of a server.</summary>
public sealed class StorageAdvice : IHasFindings
{
    public required double HeadroomPercent { get; init; }

    /// <summary>Seconds between the snapshots, without ignored windows.</summary>
    public required double Seconds { get; init; }

    public required int Windows { get; init; }

    /// <summary>Length in seconds of the longest window, whose average hides bursts.</summary>
    public required double LongestWindowSeconds { get; init; }

    /// <summary>Whether the user specified prices.</summary>
    public bool HasPrices { get; init; }

    /// <summary>The highest load of each file role.</summary>
    public required IReadOnlyList<StorageLoad> Loads { get; init; }

    /// <summary>The highest load of all file roles together, for which the virtual machine is sized.</summary>
    public required StorageLoad Total { get; init; }

    /// <summary>Plans that fit first, in their order or by price, then the others.</summary>
    public required IReadOnlyList<StoragePlan> Plans { get; init; }

    public required IReadOnlyList<StorageExclusion> NotConsidered { get; init; }

    public required IReadOnlyList<IoWarning> Warnings { get; init; }

    /// <summary>The first plan that fits; null if none does.</summary>
    public StoragePlan? Recommended => Plans.FirstOrDefault(plan => plan.Fits);

    /// <summary>The result in one sentence or two: how many plans fit, and which one is the cheapest.</summary>
    public string Summary
    {
        get
        {
            var count = Plans.Count(plan => plan.Fits);
            if (count == 0)
                return Invariant($"No plan fits the load with {HeadroomPercent:0.#}% headroom.");
            var fits = $"{NumberFormat.Pluralize(count, "plan")} {(count == 1 ? "fits" : "fit")}.";
            return !HasPrices ? $"{fits} Without prices, IoBench does not rank {(count == 1 ? "plans" : "them")}."
                : Recommended is { Price: { } price } cheapest ? $"{fits} The cheapest is {cheapest.Name}: {NumberFormat.Price(price)}."
                : $"{fits} The price file is incomplete for every plan that fits.";
        }
    }

    /// <summary>The load that decides, with the length of its windows.</summary>
    public string LoadSummary
    {
        get
        {
            var length = StorageLoad.DescribeLength(LongestWindowSeconds);
            var loads = Windows == 1 ? Loads.Select(load => load.RateText) : Loads.Select(load => load.ToString());
            return $"{(Windows == 1 ? $"Average over {length}" : $"Busiest windows of {(IsEvenlySpaced ? "" : "up to ")}{length}")}: {string.Join(", ", loads)}. All file roles together: {NumberFormat.Grouped(Total.IOPS)} IOPS and {NumberFormat.Rate(Total.ThroughputMBps)} MB/s.";
        }
    }

    internal bool IsEvenlySpaced { get; init; }

    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                .. Plans.Select(plan => new Finding
                {
                    Code = plan.Fits ? FindingCodes.StorageFits : FindingCodes.StorageDoesNotFit,
                    Subject = plan.Name,
                    What = plan.Summary,
                    Evidence =
                    [
                        .. plan.Choices.Select(choice => new FindingEvidence(
                            $"{choice.File ?? choice.Role} {choice.Bottleneck}",
                            Math.Round(choice.LoadPercent, 1),
                            "%"
                        )),
                    ],
                    WhatToDo =
                        plan.Commands is [var command, ..] ? $"Test the storage before you rely on it: {command}"
                        : plan is { IsManagedInstance: true, Fits: true }
                            ? "Take new snapshots after the change, and rate them with iobench test."
                        : null,
                    Values = Finding.CreateValues(("Cloud", plan.Cloud), ("Price", plan.Price?.ToString("0.##", null as IFormatProvider))),
                }),
            ];

    public override string ToString() => Summary;

    private const string Scope =
        "IoBench compares the load with sustained limits, not with burst limits. IoBench does not check availability in a region, or the CPUs, memory, and maximum number of disks of a virtual machine.";

    /// <summary>Sentences after the tables: plans that do not fit, and notes.</summary>
    public IEnumerable<string> DescribeNotes()
    {
        foreach (var plan in Plans.Where(plan => !plan.Fits))
            yield return plan.Summary;
        var unconfirmed = Plans.SelectMany(plan => plan.Choices).Where(choice => !choice.Confirmed).Select(GetSkuName).Distinct();
        if (string.Join(", ", unconfirmed) is { Length: > 0 } names)
            yield return $"IoBench has no dated vendor page for the limits of {names}. Check whether these limits are current.";
        foreach (var line in DescribeManagedInstance())
            yield return line;
        if (Plans.SelectMany(plan => plan.Choices).Any(choice => choice.MinSizeGiB is not null || choice.CapacityGiB is not null))
            if (Loads.Any(load => load.SizeGiB is null))
                yield return "The snapshots have no column size_on_disk_bytes, so IoBench does not check the size of the storage.";
        if (string.Join(", ", Plans.Where(plan => plan.Price is not null).Select(DescribePrice)) is { Length: > 0 } prices)
            yield return $"Prices from your price file: {prices}.";
        if (DescribeDates() is { } dates)
            yield return dates;
        yield return Scope;
    }

    /// <summary>A heading and a command for each disk of the first plan, to test it on the new virtual machine.</summary>
    public IEnumerable<(string Heading, string Command)> DescribeCommands() =>
        Recommended is { } plan ? plan.CommandHeadings.Zip(plan.Commands) : [];

    private string? DescribeDates()
    {
        var dates = Plans.Where(plan => plan.Fits).SelectMany(plan => plan.Choices).Select(choice => choice.AsOf).OfType<string>();
        var ordered = dates.Distinct().Order(StringComparer.Ordinal).ToList();
        return ordered.Count switch
        {
            0 => null,
            1 => $"The limits are as of {ordered[0]}.",
            _ => $"The limits are as of {ordered[0]} to {ordered[^1]}. Reports and JSON contain the date and the source of each limit.",
        };
    }

    // A General Purpose instance has up to 280 files. The report has all of them.
    private const int MaxFiles = 20;

    private IEnumerable<string> DescribeManagedInstance()
    {
        var plans = Plans.Where(plan => plan.IsManagedInstance && plan.Fits).ToList();
        var files = plans.SelectMany(plan => plan.Choices).Where(choice => choice.File is not null).ToList();
        foreach (var file in files.Where(file => file.Change is not null).Take(MaxFiles))
            yield return $"{file.File}: {file.Change}.";
        if (plans.Count == 0)
            yield break;
        if (files.Exists(file => file.Role == "log"))
            yield return "In the General Purpose tier, the limit for the log writes of a database is between 22 and 65 MiB/s. Microsoft does not publish how this limit depends on the size of the log file.";
        if (files.Count > 0 && Loads.Any(load => load.Role == "tempdb"))
            yield return "In the General Purpose tier, tempdb is on a local SSD without published limits, so IoBench does not check it.";
        yield return "IoBench cannot run on SQL Managed Instance. To verify the change, take new snapshots on the managed instance, and run iobench test and iobench advise with these snapshots.";
    }

    private static string DescribePrice(StoragePlan plan) => $"{plan.Name} {NumberFormat.Price(plan.Price!.Value)}";

    private static string GetSkuName(StorageChoice choice) => string.Join(':', choice.Storage.Split(':').Take(2));
}
