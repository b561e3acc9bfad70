namespace IoBench.Application;

internal static class ResultOptions
{
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
}
