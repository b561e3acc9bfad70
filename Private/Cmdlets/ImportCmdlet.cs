using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>A cmdlet that reads results from files: each goes out as it is read, a file that cannot be read is one error beside the others.</summary>
public abstract class ImportCmdlet : IoCmdlet
{
    /// <summary>From so many files of one call on a progress bar is worth its flicker.</summary>
    private const int ManyFiles = 20;

    private static readonly string s_activity = "IoBench: reading results";

    private int _files;
    private ImportOptions? _options;

    /// <summary>Files, and folders of which the result files are read.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path", ValueFromPipeline = true, ValueFromPipelineByPropertyName = true)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Folders with their subfolders.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    public SwitchParameter Recurse { get; set; }

    /// <summary>The user's name for the results.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(LabelCompleter))]
    public string? Label { get; set; }

    /// <summary>Labels from the names of files or folders.</summary>
    [Parameter]
    [ValidateSet("FileName", "Folder")]
    public string? LabelFrom { get; set; }

    /// <summary>The tool whose output it must be; null = any.</summary>
    private protected virtual ResultFormat? Expected => null;

    /// <summary>The files and folders that are read.</summary>
    private protected virtual IEnumerable<string> Files() =>
        InputPaths.Resolve(
            SessionState,
            Path,
            LiteralPath,
            allowMissing: false,
            (error, name) => WriteProblem(error, name),
            path => Aside(() => System.IO.Path.Exists(path))
        );

    /// <inheritdoc/>
    protected override void Begin() => _options = ImportOptions.Create(GivenOptions.Read(this, OptionTables.Import), Expected);

    /// <inheritdoc/>
    protected override void Process()
    {
        // Names are resolved here, since a provider belongs to the pipeline's thread; files are read on another.
        var files = Files().ToList();
        foreach (var item in AsideReader.Read(ResultImport.Read(files, _options!), Stopped))
            Report(item);
    }

    /// <inheritdoc/>
    protected override void End()
    {
        if (_files > ManyFiles)
            WriteProgress(new ProgressRecord(ProgressIds.Import, s_activity, " ") { RecordType = ProgressRecordType.Completed });
    }

    private void Report(ImportItem item)
    {
        switch (item)
        {
            case ImportedResult found:
                WriteObject(found.Result);
                break;
            case ImportFailure failure:
                WriteProblem(failure.Error, failure.Path);
                break;
            case ImportNote note:
                WriteWarning(note.Text);
                break;
            case IncompleteResult cut:
                WriteWarning(cut.Reason);
                break;
            case ImportedFile file:
                WriteVerbose($"{file.Path}: {Figures.Counted(file.Count, "result")}");
                if (++_files > ManyFiles)
                    WriteProgress(new ProgressRecord(ProgressIds.Import, s_activity, SafeText.Escape($"{_files} files, {file.Path}")));
                break;
        }
    }
}
