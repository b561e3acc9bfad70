namespace IoBench.Application.Options;

/// <summary>Options that say where results go.</summary>
internal static class OutputOptionRows
{
    /// <summary>What is no format of a file: a table for people.</summary>
    private const string Table = "table";

    private static readonly IReadOnlyList<string> s_formats = [Table, .. ResultFormats.Writable.Select(format => format.OptionName!)];

    private static readonly OptionKind s_format = new("name", "NAME", typeof(string), (value, _) => ReadFormat(OptionKind.ToText(value)))
    {
        Allowed = s_formats,
    };

    /// <summary>The report. Of the module it is a cmdlet of its own, Export-IoReport, and there its Path.</summary>
    private static readonly OptionRow s_report = new()
    {
        Name = "ReportPath",
        Kind = OptionKind.Path,
        Help = "Report: an Excel workbook (.xlsx), a page (.html) or one picture (.svg, .png). {date} in the name is today.",
        ProgramName = "--report",
        ValueName = "FILE",
        FirstPage = true,
    };

    /// <summary>
    /// What may be used and replaced. Export-IoResult and Export-IoReport mean less by it: as Export-Csv does, they replace a file unless NoClobber is given, and by force
    /// one that is write-protected too.
    /// </summary>
    public static OptionRow Force { get; } =
        new()
        {
            Name = "Force",
            Kind = OptionKind.Flag,
            Help = "Replace files that exist; use a test file that IoBench did not make.",
            SetRequest = (request, on) => request.Suite.Force = (bool)on[0],
        };

    /// <summary>See <see cref="OptionTables.Output"/>.</summary>
    public static IReadOnlyList<OptionRow> Output { get; } =
    [
        // Cmdlets put out objects. The Format of Export-IoResult is that of its file, by default as the name ends; a table is none.
        new()
        {
            Name = "Format",
            Kind = s_format,
            Help = $"On standard output: {string.Join(", ", s_formats)}.",
            Default = Table,
            ProgramAliases = ["-f"],
            FirstPage = true,
        },
        // Cmdlets that run tests keep JSON there, the format that a run is continued from; Export-IoResult writes the others.
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

    /// <summary>See <see cref="OptionTables.ReportOutput"/>.</summary>
    public static IReadOnlyList<OptionRow> ReportOutput { get; } = [s_report with { ProgramAliases = ["--output", "-o"] }, Force];

    /// <summary>See <see cref="OptionTables.Removal"/>.</summary>
    public static IReadOnlyList<OptionRow> Removal { get; } =
    [
        new()
        {
            Name = "Force",
            Kind = OptionKind.Flag,
            Help = "Also a file that IoBench did not make.",
            FirstPage = true,
        },
    ];

    private static string ReadFormat(string name) =>
        name.Equals(Table, StringComparison.OrdinalIgnoreCase) ? Table
        : ResultFormats.FindWritable(name) is { } format ? ResultFormats.Of(format).OptionName!
        : throw IoBenchException.Usage("IoBench.InvalidName", $"'{name}' is not one of {string.Join(", ", s_formats)}.", name);
}
