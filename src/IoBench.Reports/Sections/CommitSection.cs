using IoBench.Analysis;

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

    public static ReportSection Build(CommitResult result)
    {
        List<SectionBlock> blocks =
        [
            new TextBlock(result.Summary, CellStyle.Lead),
            TableBlock.FromRows(
                "CommitAdvice",
                [new("Finding", false, 90, 60), new("What to do", false, 90, 40)],
                [
                    .. result.Findings.Select(finding =>
                        (CellValue[])
                            [CellValue.Create(finding.What, CellStyle.Wrapped), CellValue.Create(finding.WhatToDo, CellStyle.Wrapped)]
                    ),
                ],
                isFilterable: false
            ),
            new TextBlock("Methods", CellStyle.Heading),
            TableBlock.FromItems("CommitMethods", result.Measurements, s_columns) with
            {
                WrapsHeader = true,
            },
            .. result.Omissions.Select(omission => new TextBlock(omission)),
            new TextBlock(
                FormattableString.Invariant(
                    $"IoBench measured each method and number of committers for {result.DurationSeconds:0.##} s in {result.Measurements.Max(item => item.RoundRates.Count)} rounds. The kernel counted the writes, flushes, and FUA writes at the device. These counts include other programs."
                ),
                CellStyle.Small
            ),
        ];
        return new("Commit", GetTitle(result), blocks);
    }

    public static string GetTitle(CommitResult result) => $"Commit methods of {result.Path}";

    private static CellValue CreateCount(double? count) =>
        count is { } value ? CellValue.Create(value, CellStyle.TwoDecimals) : CellValue.Create("not counted");
}
