using System.Globalization;

namespace IoBench.Analysis;

/// <summary>A point of a scaling curve: the sum of the hosts that ran concurrently.</summary>
/// <param name="Hosts">Number of hosts.</param>
/// <param name="IOPS">Sum of the IOPS.</param>
/// <param name="MBps">Sum of the MiB/s.</param>
/// <param name="AverageLatencyMs">Average latency of all I/Os in milliseconds.</param>
/// <param name="Group">Result of the group.</param>
public sealed record ScalingPoint(int Hosts, double IOPS, double? MBps, double? AverageLatencyMs, FleetGroup Group);

/// <summary>Rate that a host loses while the other hosts run.</summary>
/// <param name="Host">Name of the host in the inventory.</param>
/// <param name="AloneIops">IOPS of the host alone.</param>
/// <param name="TogetherIops">IOPS of the host in the step with the most hosts.</param>
/// <param name="LossPercent">Loss in percent of the rate alone.</param>
public sealed record ScalingLoss(string Host, double AloneIops, double TogetherIops, double LossPercent);

/// <summary>Shows how the throughput of shared storage scales with the number of hosts, and how much each host loses.</summary>
public sealed class ScalingCurve : IHasFindings
{
    /// <summary>A step is beyond the knee if its sum is below this share of the sum that the hosts reach alone.</summary>
    private const double LinearShare = 0.95;

    /// <summary>Workload or pattern.</summary>
    public required string Test { get; init; }

    /// <summary>Steps in ascending number of hosts.</summary>
    public required IReadOnlyList<ScalingPoint> Points { get; init; }

    /// <summary>
    /// Number of hosts from which on more hosts do not increase the throughput: highest sum / rate of one host alone. Null if the sum still
    /// increased.
    /// </summary>
    public double? KneeHosts { get; init; }

    /// <summary>IOPS per host alone, or in the smallest step.</summary>
    public required double AloneIops { get; init; }

    /// <summary>Loss of each host that was also measured alone.</summary>
    public required IReadOnlyList<ScalingLoss> Losses { get; init; }

    /// <summary>The result in one sentence.</summary>
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

    /// <summary>Returns one curve for each test that ran with different numbers of hosts; empty if there is none.</summary>
    /// <param name="groups">Groups of all sizes, in any order.</param>
    public static IReadOnlyList<ScalingCurve> Find(IEnumerable<FleetGroup> groups) =>
        [
            .. groups
                .Where(group => group.IOPS > 0 && !group.IsResumedAlone)
                .GroupBy(group => group.Test)
                .Where(test => test.Select(group => group.AskedHosts).Distinct().Count() > 1)
                .Select(test => CreateCurve(test.Key, [.. test])),
        ];

    /// <inheritdoc/>
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
        var isFlat = last.IOPS < LinearShare * GetExpectedIops(last.Group, alone, each);
        var knee = isFlat ? FindKnee(last.Group, alone, each, best) : (double?)null;
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

    private static double GetExpectedIops(FleetGroup group, Dictionary<string, double> alone, double each) =>
        group.Hosts.Sum(host => alone.GetValueOrDefault(host.Host, each));

    private static double FindKnee(FleetGroup group, Dictionary<string, double> alone, double each, double best) =>
        best / (GetExpectedIops(group, alone, each) / group.Hosts.Count);

    private static string Describe(string test, ScalingPoint last, double best, double? knee, IReadOnlyList<ScalingLoss> losses)
    {
        var worst = losses.MaxBy(loss => loss.LossPercent);
        var loss =
            losses.Count < 2 || worst is null
                ? ""
                : string.Create(CultureInfo.InvariantCulture, $", {worst.Host} loses most, {worst.LossPercent:0} %");
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{test}: {(knee is null ? last.IOPS : best):#,##0} IOPS at {last.Hosts} hosts, {(knee is { } hosts ? $"knee at {Math.Max(1, Math.Round(hosts)):0}" : "no knee: the sum still grows with each host")}{FleetMessages.DescribeSmallShares(last.Group)}{loss}."
        );
    }
}
