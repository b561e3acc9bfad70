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
        Help = "Report: an Excel workbook (.xlsx), a page (.html) or one picture (.svg, .png). {date} in the name is today.",
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
            Help = "Replace existing results, reports, and images that IoBench can read or has written.",
        };

    public static IReadOnlyList<OptionRow> Output { get; } =
    [
        // Cmdlets return objects. Format of Export-IoResult is the format of its file, and "table" is not among them.
        new()
        {
            Name = "Format",
            Kind = s_format,
            Help = $"On standard output: {string.Join(", ", s_formats)}.",
            Default = Table,
            ProgramAliases = ["-f"],
            FirstPage = true,
        },
        // Cmdlets that run tests save JSON, because a run can be resumed only from JSON. Export-IoResult writes the other formats.
        new()
        {
            Name = "OutputPath",
            Kind = OptionKind.Path,
            Help = "Results into a file too, saved after each test: .json, .csv, .xml; - is standard output. {date} in the name is today.",
            ProgramName = "--output",
            ValueName = "FILE",
            FirstPage = true,
        },
        s_report,
        Force,
    ];

    public static IReadOnlyList<OptionRow> ReportOutput { get; } = [s_report with { ProgramAliases = ["--output", "-o"] }, Force];

    public static IReadOnlyList<OptionRow> TestFileRemoval { get; } =
    [
        new()
        {
            Name = "Yes",
            Kind = OptionKind.Flag,
            Help = "Also remove a file that is kept as evidence of damage, without a question.",
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
            Help = "What makes a side: label, file, path, computer, or another property of a result.",
            Default = "label where labels differ, else file",
            ValueName = "NAME",
            FirstPage = true,
        },
        new()
        {
            Name = "Baseline",
            Kind = OptionKind.Text,
            Help =
                "The side the others are compared with, or else a file of earlier results; with a file, exit code 3 when something is worse.",
            ValueName = "NAME|FILE",
            FirstPage = true,
        },
        new()
        {
            Name = "Alpha",
            Kind = OptionKind.Number,
            Help = "Highest probability of any false alarm over all patterns.",
            Default = FormatNumber(new ComparisonOptions().Alpha),
            Min = 0.000001,
            Max = 0.5,
            FirstPage = true,
        },
        new()
        {
            Name = "MinChangePercent",
            Kind = OptionKind.Number,
            Help = "Smaller changes are noise, however certain.",
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
            Help = "Instead of sides: what each role loses when all run at once (results of data, log and other paths together).",
            FirstPage = true,
        },
        new()
        {
            Name = "OwnLoad",
            Kind = OptionKind.Flag,
            Help = "Instead of sides: what SQL Server saw against what the storage gives (results of a server's own load).",
            FirstPage = true,
        },
        new()
        {
            Name = "Repeat",
            Kind = OptionKind.Flag,
            Help = "Instead of sides: median, spread and 95 % interval of equal runs (results of repeats, or of rounds to a steady state).",
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

    public static IReadOnlyList<OptionRow> Import { get; } =
    [
        new()
        {
            Name = "Recurse",
            Kind = OptionKind.Flag,
            Help = "Folders with their subfolders.",
            ProgramAliases = ["-r"],
            FirstPage = true,
        },
        new()
        {
            Name = "Label",
            Kind = OptionKind.Text,
            Help = "Your name for the results.",
            KeepsCommas = true,
            FirstPage = true,
        },
        new()
        {
            // Content is not offered: it is the default.
            Name = "LabelFrom",
            Kind = OptionKind.ForNames([nameof(LabelSource.FileName), nameof(LabelSource.Folder)]),
            FirstPage = true,
            Help = "A result's label: filename (the name of its file) or folder (the name of its folder).",
        },
        new()
        {
            Name = "Last",
            Kind = OptionKind.Flag,
            Help = "The results of the last run, which are kept automatically.",
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
            Help = "What the batch files are called with: their %1, %2 and so on, separated by blanks.",
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
            Help = $"The rules: {string.Join(", ", RuleSets.All.Select(set => set.Name))}, or a JSON file; several with commas.",
            Default = "that of the kind of storage",
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
            Help = "Rules to keep, a rule set's name or a JSON file; exit code 3 when one is missed.",
            Default = null,
        },
        new()
        {
            Name = "Baseline",
            Kind = OptionKind.Path,
            Help = "Earlier results; exit code 3 when the new ones are worse.",
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
            Help = "Figures to reach, such as \"sum iops > 300000\" or \"p99 < 5\"; exit code 3 when one is missed.",
            KeepsCommas = true,
            FirstPage = true,
        },
    ];
}
