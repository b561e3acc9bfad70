using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class FleetSection
{
    private const int Levels = 8,
        MaxTests = 40;

    private static (TableColumn, Func<FleetGroup, CellValue>)[] Groups =>
        [
            (new("Test", false, 40, 20), group => CellValue.Of(group.Test, CellStyle.Strong)),
            (new("Hosts"), group => CellValue.Of(group.Hosts.Count, CellStyle.Whole)),
            (
                new("Not complete"),
                group =>
                    CellValue.Of(
                        group.AskedHosts - group.Hosts.Count,
                        group.AskedHosts == group.Hosts.Count ? CellStyle.Whole : CellStyle.Bad
                    )
            ),
            (new("Sum of IOPS"), group => CellValue.Of(group.IOPS, CellStyle.Whole)),
            (new($"Sum of {Throughput.Unit}"), group => CellValue.Of(Throughput.In(group.MBps), CellStyle.Rate)),
            (new("Median of IOPS"), group => CellValue.Of(group.MedianIops, CellStyle.Whole)),
            (new("Lowest IOPS"), group => CellValue.Of(group.Slowest?.IOPS, CellStyle.Whole)),
            (new("Slowest host", false, 24), group => CellValue.Of(group.Slowest?.Host)),
            (new("Highest IOPS"), group => CellValue.Of(group.Fastest?.IOPS, CellStyle.Whole)),
            (new("Fastest host", false, 24), group => CellValue.Of(group.Fastest?.Host)),
            (new("Spread (% of median)"), group => CellValue.Of(group.SpreadPercent, CellStyle.OneDecimal)),
            (new("Average (ms)"), group => CellValue.Of(group.AverageLatencyMs, CellStyle.Milliseconds)),
            (new("p99 of all I/Os (ms)"), group => CellValue.Of(group.P99Ms, CellStyle.Milliseconds)),
            (new("Longest (ms)"), group => CellValue.Of(group.MaxLatencyMs, CellStyle.Milliseconds)),
            (new("Together (s)"), group => CellValue.Of(group.CommonSeconds, CellStyle.OneDecimal)),
            (
                new("Together (%)"),
                group =>
                    CellValue.Of(
                        Rounded(group.CommonPercent),
                        group.CommonPercent < FleetGroup.WarnBelowPercent ? CellStyle.Watch : CellStyle.OneDecimal
                    )
            ),
            (new("Group", false, 30), group => CellValue.Of(group.GroupId)),
        ];

    private static (TableColumn, Func<(FleetGroup Group, FleetHostFigure Host), CellValue>)[] Hosts =>
        [
            (new("Test", false, 40, 20), row => CellValue.Of(row.Group.Test)),
            (new("Host", false, 24, 12), row => CellValue.Of(row.Host.Host, CellStyle.Strong)),
            (new("Computer", false, 24), row => CellValue.Of(row.Host.Result.ComputerName)),
            (new("IOPS"), row => CellValue.Of(row.Host.IOPS, CellStyle.Whole)),
            (new(Throughput.Unit), row => CellValue.Of(Throughput.In(row.Host.MBps), CellStyle.Rate)),
            (
                new("Share (%)"),
                row => CellValue.Of(Rounded(row.Host.SharePercent), row.Host.IsOutlier ? CellStyle.Bad : CellStyle.OneDecimal)
            ),
            (new("Average (ms)"), row => CellValue.Of(ShownLatency.Of(row.Host.Result).AverageMs, CellStyle.Milliseconds)),
            (new("p99 (ms)"), row => CellValue.Of(ShownLatency.Of(row.Host.Result).P99Ms, CellStyle.Milliseconds)),
            (new("Longest (ms)"), row => CellValue.Of(ShownLatency.Of(row.Host.Result).MaxMs, CellStyle.Milliseconds)),
            (new("Start (s after the agreed moment)"), row => CellValue.Of(row.Host.Result.StartOffsetSeconds, CellStyle.ThreeDecimals)),
            (new("Group", false, 30), row => CellValue.Of(row.Group.GroupId)),
        ];

    public static Section? Build(IReadOnlyList<FleetGroup> groups, IReadOnlyList<FleetRamp> ramps)
    {
        if (groups.All(group => group.AskedHosts < 2))
            return null;
        var blocks = new List<Block>();
        blocks.AddRange(
            ramps
                .Select(ramp => ramp.Summary)
                .Concat(groups.Select(group => group.Summary))
                .Take(MaxTests)
                .Select((text, index) => new TextBlock(text, index == 0 ? CellStyle.Lead : CellStyle.Paragraph))
        );
        blocks.Add(ColumnSet.Table("Fleet", groups, Groups) with { WrapsHeader = true });
        blocks.AddRange(
            groups
                .SelectMany(group => group.Warnings.Select(warning => $"{group.Test}: {warning}"))
                .Distinct()
                .Select(text => new TextBlock(text, CellStyle.Small))
        );
        blocks.AddRange(ramps.Select(RampChart).OfType<ChartSpec>().Select(chart => new ChartsBlock([chart])));
        if (Map(groups) is { } map)
        {
            blocks.Add(
                new TextBlock(
                    "Hosts by tests: IOPS, the stronger the colour the nearer to the fastest host of that test",
                    CellStyle.Heading
                )
            );
            blocks.Add(map);
        }
        blocks.Add(new TextBlock("Each host", CellStyle.Heading));
        blocks.Add(
            ColumnSet.Table("FleetHosts", [.. groups.SelectMany(group => group.Hosts.Select(host => (group, host)))], Hosts) with
            {
                WrapsHeader = true,
            }
        );
        blocks.Add(
            new TextBlock(
                "Sums are of the time in which all hosts of a test measured, by their intervals; percentiles are of all I/Os of all hosts. Nothing is added up that did not run together for at least half of the time.",
                CellStyle.Small
            )
        );
        return new("Fleet", "Fleet: hosts that ran together", blocks);
    }

    /// <summary>Verdict styles have no number format, so the value itself is rounded.</summary>
    private static double? Rounded(double? percent) => percent is { } value ? Math.Round(value, 1) : null;

    /// <returns>Hosts by tests in colors; null for one host, or if no test has a sum.</returns>
    private static TableBlock? Map(IReadOnlyList<FleetGroup> groups)
    {
        var tests = groups.Where(group => group is { IOPS: not null, Hosts.Count: > 1 }).Take(MaxTests).ToList();
        var hosts = tests.SelectMany(group => group.Hosts.Select(host => host.Host)).Distinct().Order(NameOrder.Instance).ToList();
        if (hosts.Count < 2)
            return null;
        var names = tests
            .Select(
                (group, i) =>
                    tests.FindAll(other => other.Test == group.Test) is not { Count: > 1 } alike ? group.Test
                    // The tests of a ramp differ in the number of hosts.
                    : alike.DistinctBy(other => other.Hosts.Count).Count() == alike.Count
                        ? string.Create(CultureInfo.InvariantCulture, $"{group.Test}, {group.Hosts.Count} hosts")
                    : string.Create(CultureInfo.InvariantCulture, $"{group.Test} ({i + 1})")
            )
            .ToList();
        var columns = names.Select(name => new TableColumn(name, true, 24)).Prepend(new TableColumn("Host", false, 24, 12)).ToList();
        return new TableBlock(
            "FleetMap",
            columns,
            hosts.Count,
            (index, cells) =>
            {
                cells[0] = CellValue.Of(hosts[index], CellStyle.Strong);
                for (var i = 0; i < tests.Count; i++)
                {
                    var figure = tests[i].Hosts.FirstOrDefault(host => host.Host == hosts[index])?.IOPS;
                    cells[i + 1] = figure is null
                        ? CellValue.Empty
                        : CellValue.Of(
                            Math.Round(figure.Value),
                            CellStyle.HeatFigure1 + Math.Clamp((int)(figure.Value / tests[i].Fastest!.IOPS!.Value * Levels), 0, Levels - 1)
                        );
                }
            },
            IsFilterable: false
        )
        {
            WrapsHeader = true,
        };
    }

    private static ChartSpec? RampChart(FleetRamp ramp) =>
        ramp.Points.Count < 2
            ? null
            : new(ChartKind.Bars, $"{ramp.Test}: sum of I/Os per second by hosts", "Hosts", "I/Os per second")
            {
                // Bars run from bottom to top; the fewest hosts must be on top.
                Categories = [.. ramp.Points.Reverse().Select(point => point.Hosts.ToString(CultureInfo.InvariantCulture))],
                Series = [new("I/Os per second", [.. ramp.Points.Reverse().Select(point => (double?)point.IOPS)], Palette.Nth(0))],
                ShowValues = true,
                Height = LatencyPairChart.BarHeight(ramp.Points.Count, 1),
            };
}
