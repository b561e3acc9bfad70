using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

internal static class ResultOptions
{
    private const string Table = "table";

    private static readonly IReadOnlyList<string> s_formats = [Table, .. ResultFormats.Writable.Select(format => format.OptionName!)];

    private static readonly OptionKind s_format = new("name", "NAME", typeof(string), (value, _) => ParseFormat(OptionKind.ToText(value)))
    {
        Allowed = s_formats,
    };

    /// <summary>In the module the report is a cmdlet of its own, Export-IoReport, and this option is its Path.</summary>
    private static readonly OptionRow s_report = new()
    {
        Name = "ReportPath",
        Kind = OptionKind.Path,
        Help = "Create a report: Excel workbook (.xlsx), HTML report (.html), or image (.svg). {date} in the name is the current date.",
        ProgramName = "--report",
        ValueName = "FILE",
        FirstPage = true,
    };

    /// <summary>Export-IoResult and Export-IoReport replace an existing file without Force.</summary>
    public static OptionRow Force { get; } =
        new()
        {
            Name = "Force",
            Kind = OptionKind.Flag,
            Help = "Replace existing output files of IoBench.",
        };

    public static IReadOnlyList<OptionRow> Output { get; } =
    [
        // Cmdlets return objects. Format of Export-IoResult is the format of its file, and "table" is not among them.
        new()
        {
            Name = "Format",
            Kind = s_format,
            Help = $"Format of standard output: {string.Join(", ", s_formats)}.",
            Default = Table,
            ProgramAliases = ["-f"],
            FirstPage = true,
        },
        // Cmdlets that run tests save JSON, because a run can be resumed only from JSON. Export-IoResult writes the other formats.
        new()
        {
            Name = "OutputPath",
            Kind = OptionKind.Path,
            Help =
                "Also save the results to FILE after each test (.json, .csv, or .xml; - for standard output). {date} in the name is the current date.",
            ProgramName = "--output",
            ValueName = "FILE",
            FirstPage = true,
        },
        s_report,
        Force,
    ];

    public static IReadOnlyList<OptionRow> ReportOutput { get; } = [s_report with { ProgramAliases = ["--output"] }, Force];

    public static IReadOnlyList<OptionRow> Metrics { get; } =
    [
        new()
        {
            Name = "MetricsPath",
            Kind = OptionKind.Path,
            Help =
                "Also write metrics for monitoring (OpenMetrics, for the textfile collector of the Prometheus node_exporter) to FILE.prom. Each run replaces the file.",
            ProgramName = "--metrics",
            ValueName = "FILE.prom",
            FirstPage = true,
        },
    ];

    public static IReadOnlyList<OptionRow> TestFileRemoval { get; } =
    [
        new()
        {
            Name = "Yes",
            Kind = OptionKind.Flag,
            Help = "Also remove files that are kept as evidence, without asking.",
            ProgramAliases = ["-y"],
            FirstPage = true,
        },
    ];

    private static string ParseFormat(string name) =>
        name.Equals(Table, StringComparison.OrdinalIgnoreCase) ? Table
        : ResultFormats.FindWritable(name) is { } format ? ResultFormats.GetDescriptor(format).OptionName!
        : throw IoBenchException.Usage("IoBench.InvalidName", $"'{name}' is not one of {string.Join(", ", s_formats)}.", name);

    public static IReadOnlyList<OptionRow> Comparison { get; } =
    [
        new()
        {
            Name = "By",
            Kind = OptionKind.Text,
            Help = "Property to compare by: label, file, path, computer, or another property of a result.",
            Default = "label if labels differ, otherwise file",
            ValueName = "NAME",
            FirstPage = true,
        },
        new()
        {
            Name = "Baseline",
            Kind = OptionKind.Text,
            Help =
                "Baseline: one of the compared values, or a file. With a file, the exit code is 3 if a test is worse, or if all are inconclusive.",
            ValueName = "NAME|FILE",
            FirstPage = true,
        },
        new()
        {
            Name = "Alpha",
            Kind = OptionKind.Number,
            Help = "Highest probability of a false alarm over all patterns.",
            Default = FormatNumber(new ComparisonOptions().Alpha),
            Min = 0.000001,
            Max = 0.5,
            FirstPage = true,
        },
        new()
        {
            Name = "MinChangePercent",
            Kind = OptionKind.Number,
            Help = "Smallest change in percent that counts as better or worse.",
            Default = FormatNumber(new ComparisonOptions().MinChangePercent),
            Aliases = ["LeastChangePercent"],
            ProgramAliases = ["--min-change"],
            Min = 0,
            Max = 1000,
            FirstPage = true,
        },
        new()
        {
            Name = "Role",
            Kind = OptionKind.Flag,
            Help = "Show what each file role loses when all file roles run concurrently.",
            FirstPage = true,
        },
        new()
        {
            Name = "OwnLoad",
            Kind = OptionKind.Flag,
            Help = "Compare the latency that SQL Server observed with the response time of the storage (results of a captured workload).",
            FirstPage = true,
        },
        new()
        {
            Name = "Repeat",
            Kind = OptionKind.Flag,
            Help = "Show median, spread, and 95% confidence interval of repeats or rounds.",
            FirstPage = true,
        },
    ];

    private static string FormatNumber(double value) => value.ToString(CultureInfo.InvariantCulture);

    public static IReadOnlyList<OptionRow> HistoryImport { get; } =
    [
        new()
        {
            Name = "From",
            Kind = OptionKind.Path,
            Help = "Add the new results of these files and folders to the history.",
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
                $"{string.Join(',', HistoryTrend.DefaultMetricNames)}; for open loops, {HistoryTrend.OpenLoopLatency} instead of {HistoryTrend.DefaultMetricNames[^1]}",
        },
        new()
        {
            Name = "Workload",
            Kind = OptionKind.Text,
            Help = "Only these workloads, with wildcards * ? [a-c].",
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
            FirstPage = true,
        },
        new()
        {
            Name = "ComputerName",
            Kind = OptionKind.Text,
            Help = "Only these computers, with wildcards * ? [a-c].",
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
            Help = "Only runs since this date, such as 2026-01-31.",
            FirstPage = true,
        },
    ];

    public static IReadOnlyList<OptionRow> Import { get; } =
    [
        new()
        {
            Name = "Recurse",
            Kind = OptionKind.Flag,
            Help = "Include subfolders.",
            ProgramAliases = ["-r"],
            FirstPage = true,
        },
        new()
        {
            Name = "Label",
            Kind = OptionKind.Text,
            Help = "Label of the results.",
            KeepsCommas = true,
            FirstPage = true,
        },
        new()
        {
            // Content is not offered: it is the default.
            Name = "LabelFrom",
            Kind = OptionKind.ForNames([nameof(LabelSource.FileName), nameof(LabelSource.Folder)]),
            FirstPage = true,
            Help = "Label of imported results: filename or folder.",
        },
        new()
        {
            Name = "Last",
            Kind = OptionKind.Flag,
            Help = "Results of the last run, from the journal.",
            FirstPage = true,
        },
    ];

    /// <summary>In the CLI the arguments are one text, which is split. PowerShell passes them as a list.</summary>
    public static IReadOnlyList<OptionRow> Conversion { get; } =
    [
        new()
        {
            Name = "ArgumentList",
            Kind = OptionKind.Text,
            Help = "Arguments of the batch files (%1, %2, and so on), separated by spaces.",
            ProgramName = "--arguments",
            KeepsCommas = true,
            FirstPage = true,
        },
    ];

    /// <summary>The CLI takes rule sets as one text with commas. A file name can also contain commas, so the text is one value.</summary>
    public static IReadOnlyList<OptionRow> Rules { get; } =
    [
        new()
        {
            Name = "RuleSet",
            Kind = OptionKind.Text,
            Help = $"Rule sets: {string.Join(", ", RuleSets.All.Select(set => set.Name))}, or a JSON file. Separate several with commas.",
            Default = "the rule set of the storage type",
            ProgramName = "--require",
            ValueName = "NAME|FILE",
            KeepsCommas = true,
            FirstPage = true,
        },
    ];

    /// <summary>For the CLI only: in the module, results go to Test-IoResult and Compare-IoResult instead.</summary>
    public static IReadOnlyList<OptionRow> Expectations { get; } =
    [
        Rules[0] with
        {
            Help = "Rule sets that the results must meet, by name or JSON file. The exit code is 3 if a rule fails.",
            Default = null,
        },
        new()
        {
            Name = "Baseline",
            Kind = OptionKind.Path,
            Help = "Baseline results. The exit code is 3 if a test is worse.",
            ValueName = "FILE",
            FirstPage = true,
        },
    ];

    public static IReadOnlyList<OptionRow> FleetRequirements { get; } =
    [
        new()
        {
            Name = "Require",
            Kind = OptionKind.Text,
            Help = "Requirements, such as \"sum iops > 300000\" or \"p99 < 5\". The exit code is 3 if a requirement is not met.",
            KeepsCommas = true,
            FirstPage = true,
        },
    ];
}
