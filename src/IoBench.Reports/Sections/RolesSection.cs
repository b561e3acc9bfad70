using IoBench.Analysis;

namespace IoBench.Reports;

internal static class RolesSection
{
    public static ReportSection? Build(IReadOnlyList<RoleInterference> roles)
    {
        if (roles.Count == 0)
            return null;
        // In a rate-limited mix, a lower rate is not a loss: such rows are in the sentences and the table, but not in the charts.
        var full = roles.Where(role => role.MixLoadPercent is null).ToList();
        var names = CreateNames(full);
        var blocks = new List<SectionBlock> { new TextBlock(DescribeMain(roles), CellStyle.Lead) };
        blocks.AddRange(
            roles.Select(role => role.Summary).Where(summary => summary != DescribeMain(roles)).Select(summary => new TextBlock(summary))
        );
        blocks.Add(CreateTable(roles));
        blocks.Add(
            new ChartsBlock([
                .. new[]
                {
                    CreateRemainingIopsChart(full, names),
                    CreateLatencyChart(full, names, "Average latency", r => r.AloneLatencyMs, r => r.TogetherLatencyMs),
                    CreateLatencyChart(full, names, "p99 latency", r => r.AloneP99Ms, r => r.TogetherP99Ms),
                }.OfType<ChartSpec>(),
            ])
            {
                ChartsPerLine = 3,
            }
        );
        blocks.Add(
            new TextBlock(
                "\"Alone\" means that only the test of this file role runs. \"Concurrent\" means that the tests of all other file roles run at the same time. The table shows whether the tests run at full speed, or at a percentage of the rate that each role reached alone. With a target rate, the latency is the response time. Differences below 15% between single runs are inconclusive, so repeat these runs.",
                CellStyle.Small
            )
        );
        return new("Roles", "File roles: alone and concurrent", blocks) { FitsOnePage = true };
    }

    /// <returns>Latency alone and together, else the remaining IOPS.</returns>
    public static ChartSpec? CreateMainChart(IReadOnlyList<RoleInterference> roles) =>
        roles.Where(role => role.MixLoadPercent is null).ToList() is not { Count: > 0 } full
            ? null
            : CreateLatencyChart(full, CreateNames(full), "Average latency", r => r.AloneLatencyMs, r => r.TogetherLatencyMs)
                ?? CreateRemainingIopsChart(full, CreateNames(full));

    public static string DescribeMain(IReadOnlyList<RoleInterference> roles) => FindMostAffected(roles).Summary;

    /// <summary>The log role, else the role with the highest increase in latency.</summary>
    public static RoleInterference FindMostAffected(IReadOnlyList<RoleInterference> roles) =>
        roles.FirstOrDefault(r => r is { Role: "log", MixLoadPercent: null })
        ?? roles.FirstOrDefault(r => r.Role == "log")
        ?? roles.MaxBy(r => r.LatencyFactor ?? 0)!;

    private static string[] CreateNames(IReadOnlyList<RoleInterference> roles)
    {
        var plain = roles.Select(r => $"{r.Role}: {r.Workload ?? r.IOPattern}").ToList();
        return [.. roles.Select((r, i) => plain.Count(name => name == plain[i]) > 1 ? Invariant($"{plain[i]} ({i + 1})") : plain[i])];
    }

    private static ChartSpec? CreateRemainingIopsChart(IReadOnlyList<RoleInterference> roles, string[] names) =>
        roles.All(r => r.LossPercent is null)
            ? null
            : new(ChartKind.Bars, "Concurrent IOPS of each role (% of its IOPS when it runs alone)", "Role", "Concurrent (% of alone)")
            {
                // Bars run from bottom to top; the first role must be on top.
                Categories = [.. names.Reverse()],
                Series = [new("Concurrent (% of alone)", [.. roles.Reverse().Select(r => 100 - r.LossPercent)], Palette.GetLineStyle(0))],
                ShowsValues = true,
                Height = ChartSpec.GetBarChartHeight(roles.Count, 1),
            };

    private static ChartSpec? CreateLatencyChart(
        IReadOnlyList<RoleInterference> roles,
        string[] names,
        string title,
        Func<RoleInterference, double?> alone,
        Func<RoleInterference, double?> together
    ) =>
        ChartSpec.CreateLatencyPairs(
            $"{title}, alone and concurrent",
            "Role",
            "alone",
            "concurrent",
            roles.Zip(names, (role, name) => (name, alone(role), together(role)))
        );

    private static TableBlock CreateTable(IReadOnlyList<RoleInterference> roles) =>
        TableBlock.FromItems<RoleInterference>(
            "Roles",
            roles,
            [
                (new("Role", false, 12, 9), role => CellValue.Create(role.Role, CellStyle.Strong)),
                (new("Concurrent at", false, 20, 12), role => CellValue.Create(role.Load)),
                (new("Workload", false, 24, 16), role => CellValue.Create(role.Workload)),
                (new("Pattern", false, 30), role => CellValue.Create(role.IOPattern)),
                (new("Path", false, 40), role => CellValue.Create(role.Path)),
                (new("IOPS alone"), role => CellValue.Create(role.AloneIops, CellStyle.Integer)),
                (new("IOPS concurrent"), role => CellValue.Create(role.TogetherIops, CellStyle.Integer)),
                (new("Change of IOPS"), role => CellValue.Create(-role.LossPercent / 100, GetChangeStyle(role))),
                (new("Average alone (ms)"), role => CellValue.Create(role.AloneLatencyMs, CellStyle.Milliseconds)),
                (new("Average concurrent (ms)"), role => CellValue.Create(role.TogetherLatencyMs, CellStyle.Milliseconds)),
                (new("Latency factor"), role => CellValue.Create(role.LatencyFactor, CellStyle.OneDecimal)),
                (new("p99 alone (ms)"), role => CellValue.Create(role.AloneP99Ms, CellStyle.Milliseconds)),
                (new("p99 concurrent (ms)"), role => CellValue.Create(role.TogetherP99Ms, CellStyle.Milliseconds)),
            ],
            keepsEmptyColumns: true
        ) with
        {
            WrapsHeader = true,
        };

    private static CellStyle GetChangeStyle(RoleInterference role) =>
        Math.Abs(role.LossPercent ?? 0) < new ComparisonOptions().MinSingleChangePercent ? CellStyle.Change
        : role.LossPercent > 0 ? CellStyle.ChangeWorse
        : CellStyle.ChangeBetter;
}
