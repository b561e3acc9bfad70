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

    /// <summary>
    /// In Export-IoResult and Export-IoReport, Force has a smaller meaning, as in Export-Csv: they replace an existing file unless
    /// NoClobber is specified, and Force also replaces a
    /// read-only file.
    /// </summary>
    public static OptionRow Force { get; } =
        new()
        {
            Name = "Force",
            Kind = OptionKind.Flag,
            Help = "Replace files that exist; use a test file that IoBench did not make.",
            SetRequest = (request, on) => request.Suite.Force = (bool)on[0],
        };

    public static IReadOnlyList<OptionRow> Output { get; } =
    [
        // Cmdlets return objects. Format of Export-IoResult is the format of its file, by default from the extension, and "table" is not
        // among them.
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
            Name = "Force",
            Kind = OptionKind.Flag,
            Help = "Also a file that IoBench did not make.",
            FirstPage = true,
        },
    ];

    private static string ParseFormat(string name) =>
        name.Equals(Table, StringComparison.OrdinalIgnoreCase) ? Table
        : ResultFormats.FindWritable(name) is { } format ? ResultFormats.GetDescriptor(format).OptionName!
        : throw IoBenchException.Usage("IoBench.InvalidName", $"'{name}' is not one of {string.Join(", ", s_formats)}.", name);
}
