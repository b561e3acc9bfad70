namespace IoBench.Application.Options;

/// <summary>Options of what reads files that are there already.</summary>
internal static class ImportOptionRows
{
    /// <summary>See <see cref="OptionTables.Import"/>.</summary>
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
            // What a file says is the label of whoever asks for none, and no choice.
            Name = "LabelFrom",
            Kind = OptionKind.OneOf([nameof(LabelSource.FileName), nameof(LabelSource.Folder)]),
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

    /// <summary>See <see cref="OptionTables.Conversion"/>. The program takes one text and splits it; PowerShell has lists, in which nothing need be split.</summary>
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
