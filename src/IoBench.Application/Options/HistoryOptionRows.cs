using IoBench.Analysis;

namespace IoBench.Application;

internal static class ResultOptions
{
    public static IReadOnlyList<OptionRow> HistoryImport { get; } =
    [
        new()
        {
            Name = "From",
            Kind = OptionKind.Path,
            Help = "Adds what is new in these files and folders of results to the folder first, each result once.",
            Count = OptionValueCount.Whole,
            ProgramName = "--add",
            ValueName = "RESULTS",
            FirstPage = true,
        },
    ];

    public static IReadOnlyList<OptionRow> History { get; } =
    [
        new()
        {
            Name = "Metric",
            Kind = OptionKind.Text,
            Help = $"{string.Join(", ", HistoryTrend.MetricNames)}.",
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
            FirstPage = true,
            Default =
                $"{string.Join(',', HistoryTrend.DefaultMetricNames)}; of open loops {HistoryTrend.OpenLoopLatency} in place of {HistoryTrend.DefaultMetricNames[^1]}",
        },
        new()
        {
            Name = "Workload",
            Kind = OptionKind.Text,
            Help = "Only these workloads; * ? and [a-c] stand for characters.",
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
            FirstPage = true,
        },
        new()
        {
            Name = "ComputerName",
            Kind = OptionKind.Text,
            Help = "Only these computers; * ? and [a-c] stand for characters.",
            Count = OptionValueCount.Whole,
            ProgramName = "--computer",
            ProgramAliases = ["--computer-name"],
            ValueName = "NAME",
            FirstPage = true,
        },
        new()
        {
            Name = "Since",
            Kind = OptionKind.Day,
            Help = "Only runs from that day on: 2026-01-31.",
            FirstPage = true,
        },
    ];
}
