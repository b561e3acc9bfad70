using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class CommitSection
{
    private static readonly (TableColumn, Func<CommitMeasurement, CellValue>)[] s_columns =
    [
        (new("Method", false, 26, 22), item => CellValue.Create(item.MethodName, CellStyle.Strong)),
        (new("Write", false, 32, 22), item => CellValue.Create(item.WriteDescription)),
        (new("Committers"), item => CellValue.Create(item.Committers, CellStyle.Integer)),
        (new("Commits/s"), item => CellValue.Create(item.CommitsPerSecond, CellStyle.Integer)),
        (new("Lowest round (commits/s)"), item => CellValue.Create(item.RoundRates.Min(), CellStyle.Integer)),
        (new("Highest round (commits/s)"), item => CellValue.Create(item.RoundRates.Max(), CellStyle.Integer)),
        (new("Average (ms)"), item => CellValue.Create(item.AverageMs, CellStyle.Milliseconds)),
        (new("p50 (ms)"), item => CellValue.Create(item.P50Ms, CellStyle.Milliseconds)),
        (new("p99 (ms)"), item => CellValue.Create(item.P99Ms, CellStyle.Milliseconds)),
        (new("p99.9 (ms)"), item => CellValue.Create(item.P999Ms, CellStyle.Milliseconds)),
        (new("Maximum (ms)"), item => CellValue.Create(item.MaxMs, CellStyle.Milliseconds)),
        (new("Writes per commit", MinWidth: 12), item => CreateCount(item.WritesPerCommit)),
        (new("Flushes per commit", MinWidth: 12), item => CreateCount(item.FlushesPerCommit)),
        (new("FUA writes per commit", MinWidth: 12), item => CreateCount(item.FuaWritesPerCommit)),
    ];

    private static readonly (TableColumn, Func<ReplicaMeasurement, CellValue>)[] s_replicaColumns =
    [
        (new("Method", false, 26, 22), item => CellValue.Create(item.MethodName, CellStyle.Strong)),
        (new("Write", false, 32, 22), item => CellValue.Create(item.WriteDescription)),
        (new("Committers"), item => CellValue.Create(item.Committers, CellStyle.Integer)),
        (new("Commits/s"), item => CellValue.Create(item.CommitsPerSecond, CellStyle.Integer)),
        (new("Lowest round (commits/s)"), item => CellValue.Create(item.RoundRates.Min(), CellStyle.Integer)),
        (new("Highest round (commits/s)"), item => CellValue.Create(item.RoundRates.Max(), CellStyle.Integer)),
        (new("Commit average (ms)"), item => CellValue.Create(item.AverageMs, CellStyle.Milliseconds)),
        (new("Commit p50 (ms)"), item => CellValue.Create(item.P50Ms, CellStyle.Milliseconds)),
        (new("Commit p99 (ms)"), item => CellValue.Create(item.P99Ms, CellStyle.Milliseconds)),
        (new("Commit maximum (ms)"), item => CellValue.Create(item.MaxMs, CellStyle.Milliseconds)),
        .. Enum.GetValues<CommitPart>().SelectMany(CreatePartColumns),
        (
            new("Longest part at p99", false, 18, 14),
            item => CellValue.Create(item.LongestPart is { } part ? ReplicaMeasurement.GetName(part) : "inconclusive")
        ),
    ];

    public static ReportSection Build(CommitResult result)
    {
        List<SectionBlock> blocks =
        [
            new TextBlock(result.Summary, CellStyle.Lead),
            TableBlock.FromFindings("CommitAdvice", result.Findings),
            new TextBlock("Methods", CellStyle.Heading),
            TableBlock.FromItems("CommitMethods", result.Measurements, s_columns) with
            {
                WrapsHeader = true,
            },
            .. result.Replica is { } replica ? BuildReplica(replica) : [],
            .. result.Omissions.Select(omission => new TextBlock(omission)),
            new TextBlock(
                Invariant(
                    $"IoBench measured each combination of method and number of committers for {result.DurationSeconds:0.##} s in total, divided into {result.Measurements.Max(item => item.RoundRates.Count)} rounds. The kernel counted the writes, flushes, and FUA writes at the device. These counts include the I/O of other programs."
                ),
                CellStyle.Small
            ),
        ];
        return new("Commit", GetTitle(result), blocks);
    }

    private static IEnumerable<SectionBlock> BuildReplica(ReplicaResult replica)
    {
        yield return new TextBlock($"Synchronous replica {replica.Address}", CellStyle.Heading);
        yield return new TextBlock(
            $"{string.Join(", ", new[] { replica.Replica.Host, replica.Replica.Path, replica.Replica.FileSystem, replica.Replica.Device }.OfType<string>())}. "
                + "A commit takes as long as the slower of two paths: the local disk, or the network plus the remote disk."
        );
        yield return TableBlock.FromItems("CommitReplica", replica.Measurements, s_replicaColumns) with
        {
            WrapsHeader = true,
        };
        yield return new TextBlock(replica.Limitations, CellStyle.Small);
    }

    private static IEnumerable<(TableColumn, Func<ReplicaMeasurement, CellValue>)> CreatePartColumns(CommitPart part)
    {
        var name = ReplicaMeasurement.GetName(part);
        name = char.ToUpperInvariant(name[0]) + name[1..];
        yield return (new($"{name} average (ms)"), item => CellValue.Create(item.GetLatencies(part).AverageMs, CellStyle.Milliseconds));
        yield return (new($"{name} p50 (ms)"), item => CellValue.Create(item.GetLatencies(part).P50Ms, CellStyle.Milliseconds));
        yield return (new($"{name} p99 (ms)"), item => CellValue.Create(item.GetLatencies(part).P99Ms, CellStyle.Milliseconds));
        yield return (new($"{name} longest at p99 (%)"), item => CellValue.Create(item.GetLongestPercent(part), CellStyle.Integer));
    }

    public static string GetTitle(CommitResult result) => $"Commit methods tested on {result.Path}";

    private static CellValue CreateCount(double? count) =>
        count is { } value ? CellValue.Create(value, CellStyle.TwoDecimals) : CellValue.Create("not counted");
}
