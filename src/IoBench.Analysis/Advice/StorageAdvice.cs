using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>SKUs that are not considered, with the reason.</summary>
public sealed record StorageExclusion(string Storage, string Reason);

/// <summary>Disks and virtual machines of a cloud that carry the busiest windows of a server.</summary>
public sealed class StorageAdvice : IHasFindings
{
    public required double HeadroomPercent { get; init; }

    /// <summary>Seconds between the snapshots, without ignored windows.</summary>
    public required double Seconds { get; init; }

    public required int Windows { get; init; }

    /// <summary>The highest load of each file role.</summary>
    public required IReadOnlyList<StorageLoad> Loads { get; init; }

    /// <summary>The highest load of all file roles together, which the virtual machine must carry.</summary>
    public required StorageLoad Total { get; init; }

    /// <summary>Plans that fit first, in their order or by price, then the others.</summary>
    public required IReadOnlyList<StoragePlan> Plans { get; init; }

    public required IReadOnlyList<StorageExclusion> NotConsidered { get; init; }

    public required IReadOnlyList<IoWarning> Warnings { get; init; }

    /// <summary>The first plan that fits; null if none does.</summary>
    public StoragePlan? Recommended => Plans.FirstOrDefault(plan => plan.Fits);

    public string Summary =>
        $"Busiest windows: {string.Join(", ", Loads)}. All together: {NumberFormat.Grouped(Total.IOPS)} IOPS and {NumberFormat.Rate(Total.ThroughputMBps)} MB/s.";

    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                .. Plans.Select(plan => new Finding
                {
                    Code = plan.Fits ? FindingCodes.StorageFits : FindingCodes.StorageDoesNotFit,
                    Subject = plan.Name,
                    What = plan.Summary,
                    Severity = FindingSeverity.Info,
                    Evidence =
                    [
                        .. plan.Choices.Select(choice => new FindingEvidence(
                            $"{choice.Role} {choice.BindingLimit}",
                            Math.Round(choice.LoadPercent, 1),
                            "%"
                        )),
                    ],
                    WhatToDo = plan.Commands is [var command, ..] ? $"Test the storage before you rely on it: {command}" : null,
                    Values = Finding.CreateValues(("Cloud", plan.Cloud), ("Price", plan.Price?.ToString("0.##", null as IFormatProvider))),
                }),
            ];

    public override string ToString() => Summary;
}
