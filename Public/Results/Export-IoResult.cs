using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Writes results to a file, in IoBench's formats or in the formats of other tools.</summary>
[Cmdlet(
    VerbsData.Export,
    "IoResult",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Export-IoResult"
)]
[OutputType(typeof(FileInfo))]
public sealed class ExportIoResultCommand : ResultCmdlet
{
    private string _file = "";
    private ResultOutputFile? _output;

    /// <summary>Path of the file; <c>{date}</c> becomes the current date.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    [Alias("FilePath")]
    public string Path { get; set; } = "";

    [Parameter(Mandatory = true, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Format of the file; the default depends on the extension: .json, .csv, or .xml (DiskSpd).</summary>
    [Parameter]
    public ResultFormat Format { get; set; }

    /// <summary>Appends to an existing file; JSON and CSV only.</summary>
    [Parameter]
    public SwitchParameter Append { get; set; }

    [Parameter]
    [Alias("NoOverwrite")]
    public SwitchParameter NoClobber { get; set; }

    /// <summary>Replaces an existing file of results, which is the default without -NoClobber.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    [Parameter]
    public SwitchParameter PassThru { get; set; }

    protected override void Begin()
    {
        _file = PathResolver.ResolveOutputPath(SessionState, Path);
        if (!IsBound(nameof(Format)))
            Format =
                ResultFormats.FindByExtension(_file)
                ?? throw IoBenchException.Usage(
                    "IoBench.UnknownFormat",
                    $"The file name {Path} does not have the extension of a known format.",
                    Path,
                    advice: $"Specify -Format with one of {string.Join(", ", ResultFormats.Writable.Select(format => format.WrittenAs))}."
                );
        // Appending keeps the content of the file.
        PathResolver.CheckNoClobber(_file, NoClobber && !Append);
        if (UserPrompts.IsWhatIf(this))
            return;
        _output = Append ? ResultOutputFile.Append(_file, Format) : ResultOutputFile.Create(_file, Format, replace: !NoClobber);
    }

    protected override void Process() => AddResults(InputObject);

    protected override void End()
    {
        if (Results.Count == 0)
            throw IoBenchException.Usage(
                ErrorIds.NoResults,
                "The pipeline contains no results to write.",
                advice: "Check what Import-IoResult or Invoke-IoTest returned."
            );
        if (
            !ShouldProcess(_file, $"{(Append ? "add" : "write")} {NumberFormat.Pluralize(Results.Count, "result")} as {Format}")
            || _output is null
        )
            return;
        _output.AddAll(Results);
        if (_output.Output.TakeNotice() is { } notice)
            WriteWarning(notice);
        if (PassThru)
            WriteFileInfo(_output.Output.Path);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _output?.Dispose();
        base.Dispose(disposing);
    }
}
