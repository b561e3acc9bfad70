using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class FleetSection
{
    private const int HeatLevels = 8,
        MaxTests = 40;

    private static (TableColumn, Func<FleetGroup, CellValue>)[] GroupColumns =>
        [
            (new("Test", false, 40, 20), group => CellValue.Create(group.Test, CellStyle.Strong)),
            (new("Hosts"), group => CellValue.Create(group.Hosts.Count, CellStyle.Integer)),
            (
                new("Not complete"),
                group =>
                    CellValue.Create(
                        group.AskedHosts - group.Hosts.Count,
                        group.AskedHosts == group.Hosts.Count ? CellStyle.Integer : CellStyle.Fail
                    )
            ),
            (new("Sum of IOPS"), group => CellValue.Create(group.IOPS, CellStyle.Integer)),
            (new($"Sum of {ThroughputDisplay.Unit}"), group => CellValue.Create(ThroughputDisplay.ToUnit(group.MBps), CellStyle.Rate)),
            (new("Median of IOPS"), group => CellValue.Create(group.MedianIops, CellStyle.Integer)),
            (new("Lowest IOPS"), group => CellValue.Create(group.Slowest?.IOPS, CellStyle.Integer)),
            (new("Slowest host", false, 24), group => CellValue.Create(group.Slowest?.Host)),
            (new("Highest IOPS"), group => CellValue.Create(group.Fastest?.IOPS, CellStyle.Integer)),
            (new("Fastest host", false, 24), group => CellValue.Create(group.Fastest?.Host)),
            (new("Spread (% of median)"), group => CellValue.Create(group.SpreadPercent, CellStyle.OneDecimal)),
            (new("Average (ms)"), group => CellValue.Create(group.AverageLatencyMs, CellStyle.Milliseconds)),
            (new("p99 of all I/Os (ms)"), group => CellValue.Create(group.P99Ms, CellStyle.Milliseconds)),
            (new("Longest (ms)"), group => CellValue.Create(group.MaxLatencyMs, CellStyle.Milliseconds)),
            (new("Concurrent (s)"), group => CellValue.Create(group.CommonSeconds, CellStyle.OneDecimal)),
            (
                new("Concurrent (%)"),
                group =>
                    CellValue.Create(
                        RoundPercent(group.CommonPercent),
                        group.CommonPercent < FleetGroup.WarnBelowPercent ? CellStyle.Warning : CellStyle.OneDecimal
                    )
            ),
            (new("Group", false, 30), group => CellValue.Create(group.GroupId)),
        ];

    private static (TableColumn, Func<(FleetGroup Group, FleetHostResult Host), CellValue>)[] HostColumns =>
        [
            (new("Test", false, 40, 20), row => CellValue.Create(row.Group.Test)),
            (new("Host", false, 24, 12), row => CellValue.Create(row.Host.Host, CellStyle.Strong)),
            (new("Computer", false, 24), row => CellValue.Create(row.Host.Result.ComputerName)),
            (new("IOPS"), row => CellValue.Create(row.Host.IOPS, CellStyle.Integer)),
            (new(ThroughputDisplay.Unit), row => CellValue.Create(ThroughputDisplay.ToUnit(row.Host.MBps), CellStyle.Rate)),
            (
                new("Share (%)"),
                row => CellValue.Create(RoundPercent(row.Host.SharePercent), row.Host.IsOutlier ? CellStyle.Fail : CellStyle.OneDecimal)
            ),
            (new("Average (ms)"), row => CellValue.Create(DisplayLatency.FromResult(row.Host.Result).AverageMs, CellStyle.Milliseconds)),
            (new("p99 (ms)"), row => CellValue.Create(DisplayLatency.FromResult(row.Host.Result).P99Ms, CellStyle.Milliseconds)),
            (new("Longest (ms)"), row => CellValue.Create(DisplayLatency.FromResult(row.Host.Result).MaxMs, CellStyle.Milliseconds)),
            (
                new("Start (s after the planned start)"),
                row => CellValue.Create(row.Host.Result.StartOffsetSeconds, CellStyle.ThreeDecimals)
            ),
            (new("Group", false, 30), row => CellValue.Create(row.Group.GroupId)),
        ];

    public static ReportSection? Build(IReadOnlyList<FleetGroup> groups, IReadOnlyList<ScalingCurve> ramps)
    {
        if (groups.All(group => group.AskedHosts < 2))
            return null;
        var blocks = new List<SectionBlock>();
        blocks.AddRange(
            ramps
                .Select(ramp => ramp.Summary)
                .Concat(groups.Select(group => group.Summary))
                .Take(MaxTests)
                .Select((text, index) => new TextBlock(text, index == 0 ? CellStyle.Lead : CellStyle.Paragraph))
        );
        blocks.Add(TableBlock.FromItems("Fleet", groups, GroupColumns) with { WrapsHeader = true });
        blocks.AddRange(
            groups
                .SelectMany(group => group.Warnings.Select(warning => $"{group.Test}: {warning}"))
                .Distinct()
                .Select(text => new TextBlock(text, CellStyle.Small))
        );
        blocks.AddRange(ramps.Select(CreateScalingChart).OfType<ChartSpec>().Select(chart => new ChartsBlock([chart])));
        if (CreateMap(groups) is { } map)
        {
            blocks.Add(
                new TextBlock(
                    "IOPS by host and test. A stronger color means a value closer to the fastest host of the test.",
                    CellStyle.Heading
                )
            );
            blocks.Add(map);
        }
        blocks.Add(new TextBlock("Each host", CellStyle.Heading));
        blocks.Add(
            TableBlock.FromItems("FleetHosts", [.. groups.SelectMany(group => group.Hosts.Select(host => (group, host)))], HostColumns) with
            {
                WrapsHeader = true,
            }
        );
        blocks.Add(
            new TextBlock(
                "Sums include only the intervals in which all hosts ran the test. Percentiles include all I/Os of all hosts. If hosts ran concurrently for less than half of the time, IoBench does not add their results.",
                CellStyle.Small
            )
        );
        return new("Fleet", "Fleet: hosts that ran concurrently", blocks);
    }

    /// <summary>Verdict styles have no number format, so the value itself is rounded.</summary>
    private static double? RoundPercent(double? percent) => percent is { } value ? Math.Round(value, 1) : null;

    /// <returns>Hosts by tests in colors; null for one host, or if no test has a sum.</returns>
    private static TableBlock? CreateMap(IReadOnlyList<FleetGroup> groups)
    {
        var tests = groups.Where(group => group is { IOPS: not null, Hosts.Count: > 1 }).Take(MaxTests).ToList();
        var hosts = tests
            .SelectMany(group => group.Hosts.Select(host => host.Host))
            .Distinct()
            .Order(NaturalNameComparer.Instance)
            .ToList();
        if (hosts.Count < 2)
            return null;
        var names = tests
            .Select(
                (group, i) =>
                    tests.FindAll(other => other.Test == group.Test) is not { Count: > 1 } alike ? group.Test
                    // The tests of a ramp differ in the number of hosts.
                    : alike.DistinctBy(other => other.Hosts.Count).Count() == alike.Count
                        ? Invariant($"{group.Test}, {group.Hosts.Count} hosts")
                    : Invariant($"{group.Test} ({i + 1})")
            )
            .ToList();
        var columns = names.Select(name => new TableColumn(name, true, 24)).Prepend(new TableColumn("Host", false, 24, 12)).ToList();
        return new TableBlock(
            "FleetMap",
            columns,
            hosts.Count,
            (index, cells) =>
            {
                cells[0] = CellValue.Create(hosts[index], CellStyle.Strong);
                for (var i = 0; i < tests.Count; i++)
                {
                    var figure = tests[i].Hosts.FirstOrDefault(host => host.Host == hosts[index])?.IOPS;
                    cells[i + 1] = figure is null
                        ? CellValue.Empty
                        : CellValue.Create(
                            Math.Round(figure.Value),
                            CellStyle.HeatFigure1
                                + Math.Clamp((int)(figure.Value / tests[i].Fastest!.IOPS!.Value * HeatLevels), 0, HeatLevels - 1)
                        );
                }
            },
            IsFilterable: false
        )
        {
            WrapsHeader = true,
        };
    }

    private static ChartSpec? CreateScalingChart(ScalingCurve ramp) =>
        ramp.Points.Count < 2
            ? null
            : new(ChartKind.Bars, $"{ramp.Test}: sum of IOPS by number of hosts", "Hosts", "I/Os per second")
            {
                // Bars run from bottom to top; the fewest hosts must be on top.
                Categories = [.. ramp.Points.Reverse().Select(point => point.Hosts.ToString(CultureInfo.InvariantCulture))],
                Series = [new("I/Os per second", [.. ramp.Points.Reverse().Select(point => (double?)point.IOPS)], Palette.GetLineStyle(0))],
                ShowsValues = true,
                Height = ChartSpec.GetBarChartHeight(ramp.Points.Count, 1),
            };
}
