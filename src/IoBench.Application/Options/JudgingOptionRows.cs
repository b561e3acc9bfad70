using IoBench.Analysis;

namespace IoBench.Application;

internal static class ResultOptions
{
    /// <summary>
    /// The CLI takes several rule sets as one text with commas. A file name can also contain commas, so the text is one value.
    /// Test-IoResult takes a list.
    /// </summary>
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
