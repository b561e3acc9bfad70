using System.Globalization;
using IoBench.Analysis;

namespace IoBench.Application;

internal static class ResultOptions
{
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
}
