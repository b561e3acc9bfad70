namespace IoBench.Application.Options;

/// <summary>Options that name what results must keep.</summary>
internal static class JudgingOptionRows
{
    /// <summary>See <see cref="OptionTables.Rules"/>. The program takes several sets in one text with commas, which a file's name may have too; Test-IoResult takes a list.</summary>
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

    /// <summary>See <see cref="OptionTables.Expectations"/>. Of the module a run has neither: its results go to Test-IoResult and Compare-IoResult.</summary>
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

    /// <summary>See <see cref="OptionTables.FleetJudging"/>. These are figures of all hosts together, and no rule sets.</summary>
    public static IReadOnlyList<OptionRow> Fleet { get; } =
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
