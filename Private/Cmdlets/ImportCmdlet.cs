using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Writes each result as it is read. A file that cannot be read is a non-terminating error.</summary>
public abstract class ImportCmdlet : IoCmdlet
{
    /// <summary>With fewer files, a progress bar would only flicker.</summary>
    private const int ProgressBarThreshold = 20;

    /// <summary>Type name of the view with a column for the file, because a view cannot group by a property that most rows differ
    /// in.</summary>
    private static readonly string s_viewName = typeof(IoTestResult).FullName + "#Imported";

    private static readonly string s_activity = "IoBench: reading results";

    private int _fileCount;
    private ImportOptions? _options;

    /// <summary>Files, and folders of result files.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path", ValueFromPipeline = true, ValueFromPipelineByPropertyName = true)]
    [SupportsWildcards]
    [Input(InputRule.PathText)]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    public string[]? LiteralPath { get; set; }

    [Parameter(ParameterSetName = "Path")]
    [Parameter(ParameterSetName = "LiteralPath")]
    public SwitchParameter Recurse { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Label { get; set; }

    /// <summary>Source of the labels: the names of files or of folders.</summary>
    [Parameter]
    [ValidateSet("FileName", "Folder")]
    public string? LabelFrom { get; set; }

    /// <summary>Required format of the files; null for any.</summary>
    private protected virtual ResultFormat? ExpectedFormat => null;

    private protected virtual IEnumerable<string> GetFiles() =>
        PathResolver.ResolvePaths(
            SessionState,
            Path,
            LiteralPath,
            allowMissing: false,
            (error, name) => WriteNonTerminatingError(error, name),
            path => RunCancellable(() => System.IO.Path.Exists(path))
        );

    protected override void Begin() => _options = ImportOptions.Create(ReadParameters(OptionTables.Import), ExpectedFormat);

    protected override void Process()
    {
        // Paths are resolved on the pipeline's thread, to which providers belong. Files are read on another thread.
        var files = GetFiles().ToList();
        foreach (var item in ReadAhead(ResultImporter.Read(files, _options!)))
            WriteItem(item);
    }

    protected override void End()
    {
        if (_fileCount > ProgressBarThreshold)
            WriteProgress(new ProgressRecord(CmdletOutput.ImportProgressId, s_activity, " ") { RecordType = ProgressRecordType.Completed });
    }

    private void WriteItem(ImportItem item)
    {
        switch (item)
        {
            case ImportedResult found:
                var result = PSObject.AsPSObject(found.Result);
                result.TypeNames.Insert(0, s_viewName);
                WriteObject(result);
                break;
            case ImportFailure failure:
                WriteNonTerminatingError(failure.Error, failure.Path);
                break;
            case ImportNote note:
                WriteWarning(note.Text);
                break;
            case SkippedFile skipped:
                WriteVerbose($"{skipped.Path}: skipped: {skipped.Detail ?? skipped.Reason}");
                break;
            case ImportedFile file:
                WriteVerbose($"{file.Path}: {NumberFormat.Pluralize(file.Count, "result")}");
                if (++_fileCount > ProgressBarThreshold)
                    WriteProgress(
                        new ProgressRecord(CmdletOutput.ImportProgressId, s_activity, SafeText.Escape($"{_fileCount} files, {file.Path}"))
                    );
                break;
        }
    }
}
