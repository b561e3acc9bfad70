using System.Globalization;

namespace IoBench.Analysis;

/// <summary>A point of a scaling curve: sums of the hosts that ran concurrently, and the average latency of all I/Os.</summary>
public sealed record ScalingPoint(int Hosts, double IOPS, double? MBps, double? AverageLatencyMs, FleetGroup Group);

/// <summary>Rate that a host loses while the other hosts run.</summary>
/// <param name="TogetherIops">IOPS of the host in the step with the most hosts.</param>
public sealed record ScalingLoss(string Host, double AloneIops, double TogetherIops, double LossPercent);

/// <summary>Shows how the throughput of shared storage scales with the number of hosts, and how much each host loses.</summary>
public sealed class ScalingCurve : IHasFindings
{
    /// <summary>A step is beyond the knee if its sum is below this share of the sum that the hosts reach alone.</summary>
    private const double LinearShare = 0.95;

    public required string Test { get; init; }

    public required IReadOnlyList<ScalingPoint> Points { get; init; }

    /// <summary>Hosts beyond which the throughput does not increase: highest sum / rate of one host; null if it still increased.</summary>
    public double? KneeHosts { get; init; }

    /// <summary>IOPS per host alone, or in the smallest step.</summary>
    public required double AloneIops { get; init; }

    /// <summary>Loss of each host that was also measured alone.</summary>
    public required IReadOnlyList<ScalingLoss> Losses { get; init; }

    public required string Summary { get; init; }

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
                    WhatToDo = KneeHosts is null ? "Add hosts to find the limit" : null,
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
                            $"{loss.Host} reaches {loss.TogetherIops:#,##0} IOPS with the other hosts and {loss.AloneIops:#,##0} IOPS alone, a loss of {loss.LossPercent:0}%."
                        ),
                        Evidence =
                        [
                            new("IOPS alone", loss.AloneIops, "IOPS"),
                            new("IOPS together", loss.TogetherIops, "IOPS"),
                            new("LossPercent", loss.LossPercent, "%"),
                        ],
                    }),
            ];

    /// <summary>Returns one curve for each test that ran with different numbers of hosts; empty if there is none.</summary>
    public static IReadOnlyList<ScalingCurve> Find(IEnumerable<FleetGroup> groups) =>
        [
            .. groups
                .Where(group => group.IOPS > 0 && !group.IsResumedAlone)
                .GroupBy(group => group.Test)
                .Where(test => test.Select(group => group.AskedHosts).Distinct().Count() > 1)
                .Select(test => CreateCurve(test.Key, [.. test])),
        ];

    public override string ToString() => Summary;

    private static ScalingCurve CreateCurve(string test, IReadOnlyList<FleetGroup> groups)
    {
        // Use the mean of steps with the same number of hosts, such as each host alone.
        var points = groups
            .GroupBy(group => group.Hosts.Count)
            .OrderBy(size => size.Key)
            .Select(size => new ScalingPoint(
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
        var expected = last.Group.Hosts.Sum(host => alone.GetValueOrDefault(host.Host, each));
        var knee = last.IOPS < LinearShare * expected ? best / (expected / last.Group.Hosts.Count) : (double?)null;
        List<ScalingLoss> losses =
        [
            .. last
                .Group.Hosts.Where(host => alone.GetValueOrDefault(host.Host) > 0 && host.IOPS is not null)
                .Select(host => new ScalingLoss(
                    host.Host,
                    alone[host.Host],
                    host.IOPS!.Value,
                    (1 - host.IOPS!.Value / alone[host.Host]) * 100
                )),
        ];
        return new ScalingCurve
        {
            Test = test,
            Points = points,
            KneeHosts = knee,
            AloneIops = each,
            Losses = losses,
            Summary = Describe(test, last, best, knee, losses),
        };
    }

    private static string Describe(string test, ScalingPoint last, double best, double? knee, IReadOnlyList<ScalingLoss> losses)
    {
        var worst = losses.MaxBy(loss => loss.LossPercent);
        var loss =
            losses.Count < 2 || worst is null
                ? ""
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $", and {worst.Host} has the largest loss of IOPS compared with its run alone ({worst.LossPercent:0}%)"
                );
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{test}: {(knee is null ? last.IOPS : best):#,##0} IOPS on {last.Hosts} hosts, {(knee is { } hosts ? $"saturation point at {Math.Max(1, Math.Round(hosts)):0} hosts" : "no saturation point: the sum still increases with each host")}{last.Group.DescribeSmallShares()}{loss}."
        );
    }
}
