using System.Globalization;

namespace IoBench.Analysis.Fleet;

/// <summary>A step of a ramp.</summary>
/// <param name="Hosts">Hosts that ran.</param>
/// <param name="IOPS">Sum of their I/Os per second.</param>
/// <param name="MBps">Sum of their MiB per second.</param>
/// <param name="AverageLatencyMs">Average latency of all I/Os.</param>
/// <param name="Group">The step's answer.</param>
public sealed record FleetRampPoint(int Hosts, double IOPS, double? MBps, double? AverageLatencyMs, FleetGroup Group);

/// <summary>What a host loses while the others run.</summary>
/// <param name="Host">Its name in the inventory.</param>
/// <param name="AloneIops">Its I/Os per second alone.</param>
/// <param name="TogetherIops">Its I/Os per second in the step of most hosts.</param>
/// <param name="LossPercent">What is lost, in percent of alone.</param>
public sealed record FleetLoss(string Host, double AloneIops, double TogetherIops, double LossPercent);

/// <summary>Where a storage that hosts share stops giving more, and what each of them loses: one answer of groups of growing size.</summary>
public sealed class FleetRamp : IHasFindings
{
    /// <summary>Below this share of what as many hosts would give alone, a step is beyond the knee.</summary>
    private const double LinearShare = 0.95;

    /// <summary>Workload or pattern.</summary>
    public required string Test { get; init; }

    /// <summary>The steps, by their number of hosts.</summary>
    public required IReadOnlyList<FleetRampPoint> Points { get; init; }

    /// <summary>Hosts from which on more give no more: what the storage gives / what a host gives alone. Null when it still grew.</summary>
    public double? KneeHosts { get; init; }

    /// <summary>I/Os per second that a host gives alone, or in the smallest step.</summary>
    public required double AloneIops { get; init; }

    /// <summary>What each host loses that was measured alone too.</summary>
    public required IReadOnlyList<FleetLoss> Losses { get; init; }

    /// <summary>The answer in a sentence.</summary>
    public required string Summary { get; init; }

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                new()
                {
                    Code = KneeHosts is null ? FindingCodes.FleetNoKnee : FindingCodes.FleetKnee,
                    Subject = Test,
                    What = Summary,
                    Severity = FindingSeverity.Info,
                    Evidence =
                    [
                        new("KneeHosts", KneeHosts),
                        new("IOPS", Points.Max(point => point.IOPS), "IOPS"),
                        new("IOPS alone", AloneIops, "IOPS"),
                        new("Hosts", Points[^1].Hosts),
                    ],
                    WhatToDo = KneeHosts is null ? "Add hosts to see where it ends" : null,
                },
                .. Losses
                    .OrderByDescending(loss => loss.LossPercent)
                    .Select(loss => new Finding
                    {
                        Code = FindingCodes.FleetLoss,
                        Subject = loss.Host,
                        Severity = FindingSeverity.Info,
                        What = string.Create(
                            CultureInfo.InvariantCulture,
                            $"{loss.Host} gives {loss.TogetherIops:#,##0} IOPS with the others and {loss.AloneIops:#,##0} alone: {loss.LossPercent:0} % less."
                        ),
                        Evidence =
                        [
                            new("IOPS alone", loss.AloneIops, "IOPS"),
                            new("IOPS together", loss.TogetherIops, "IOPS"),
                            new("LossPercent", loss.LossPercent, "%"),
                        ],
                    }),
            ];

    /// <summary>An answer for each test that ran on several numbers of hosts; empty when none did.</summary>
    /// <param name="groups">Groups of all sizes, in any order.</param>
    public static IReadOnlyList<FleetRamp> Find(IEnumerable<FleetGroup> groups) =>
        [
            .. groups
                .Where(group => group.IOPS > 0 && !group.IsResumedAlone)
                .GroupBy(group => group.Test)
                .Where(test => test.Select(group => group.AskedHosts).Distinct().Count() > 1)
                .Select(test => Of(test.Key, [.. test])),
        ];

    /// <inheritdoc/>
    public override string ToString() => Summary;

    private static FleetRamp Of(string test, IReadOnlyList<FleetGroup> groups)
    {
        // Of steps of one size (each host alone) the mean stands for all.
        var points = groups
            .GroupBy(group => group.Hosts.Count)
            .OrderBy(size => size.Key)
            .Select(size => new FleetRampPoint(
                size.Key,
                size.Average(group => group.IOPS!.Value),
                size.Average(group => group.MBps),
                size.Average(group => group.AverageLatencyMs),
                size.MaxBy(group => group.IOPS)!
            ))
            .ToList();
        var alone = groups
            .Where(group => group.Hosts.Count == 1)
            .GroupBy(group => group.Hosts[0].Host)
            .ToDictionary(host => host.Key, host => host.Average(group => group.IOPS!.Value));
        var first = points[0];
        var each = first.IOPS / first.Hosts;
        var best = points.Max(point => point.IOPS);
        var last = points[^1];
        var isFlat = last.IOPS < LinearShare * Expected(last.Group, alone, each);
        var knee = isFlat ? Knee(last.Group, alone, each, best) : (double?)null;
        List<FleetLoss> losses =
        [
            .. last
                .Group.Hosts.Where(host => alone.GetValueOrDefault(host.Host) > 0 && host.IOPS is not null)
                .Select(host => new FleetLoss(
                    host.Host,
                    alone[host.Host],
                    host.IOPS!.Value,
                    (1 - host.IOPS!.Value / alone[host.Host]) * 100
                )),
        ];
        return new FleetRamp
        {
            Test = test,
            Points = points,
            KneeHosts = knee,
            AloneIops = each,
            Losses = losses,
            Summary = Words(test, last, best, knee, losses),
        };
    }

    /// <summary>What the hosts of a step would give if none were in another's way.</summary>
    private static double Expected(FleetGroup group, Dictionary<string, double> alone, double each) =>
        group.Hosts.Sum(host => alone.GetValueOrDefault(host.Host, each));

    /// <summary>Where what hosts give alone, added up, comes to what the storage gives.</summary>
    private static double Knee(FleetGroup group, Dictionary<string, double> alone, double each, double best) =>
        best / (Expected(group, alone, each) / group.Hosts.Count);

    private static string Words(string test, FleetRampPoint last, double best, double? knee, IReadOnlyList<FleetLoss> losses)
    {
        var worst = losses.MaxBy(loss => loss.LossPercent);
        var loss =
            losses.Count < 2 || worst is null
                ? ""
                : string.Create(CultureInfo.InvariantCulture, $", {worst.Host} loses most, {worst.LossPercent:0} %");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{test}: {(knee is null ? last.IOPS : best):#,##0} IOPS at {last.Hosts} hosts, {(knee is { } hosts ? $"knee at {Math.Max(1, Math.Round(hosts)):0}" : "no knee: the sum still grows with each host")}{FleetWords.SmallShares(last.Group)}{loss}."
        );
    }
}
