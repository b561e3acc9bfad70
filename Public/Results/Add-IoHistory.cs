using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Adds results to a history folder. Each is saved as it arrives, so that an interrupted run loses none.</summary>
[Cmdlet(
    VerbsCommon.Add,
    "IoHistory",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Low,
    DefaultParameterSetName = "InputObject",
    HelpUri = HelpPages.Root + "Add-IoHistory"
)]
[OutputType(typeof(IoTestResult))]
public sealed class AddIoHistoryCommand : IoCmdlet
{
    private string _folder = "";
    private bool? _isAllowed;
    private HistoryWriter? _writer;

    /// <summary>Folder of the history; it is created if it does not exist.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string Path { get; set; } = "";

    [Parameter(Mandatory = true, Position = 1, ValueFromPipeline = true, ParameterSetName = "InputObject")]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Result files of any tool, and folders of them. Results that the history does not contain are added.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "From")]
    [SupportsWildcards]
    public string[]? From { get; set; }

    /// <summary>Writes the results to the pipeline, such as for a report.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    protected override void Begin()
    {
        _folder = PathResolver.GetFullPath(SessionState, Path);
        if (File.Exists(_folder))
            throw IoBenchException.Usage(
                "IoBench.HistoryFolder",
                $"{_folder} is a file.",
                Path,
                advice: "Specify the folder of the history."
            );
    }

    protected override void Process()
    {
        if (From is not null)
        {
            ImportFiles();
            return;
        }
        var results = InputObject!.Where(result => result is not null).ToList();
        if (results.Count == 0)
            return;
        _isAllowed ??= ShouldProcess(_folder, "add results to the history");
        if (_isAllowed == true)
            AddResults(results);
        if (PassThru)
            WriteObject(results, enumerateCollection: true);
    }

    protected override void End()
    {
        var known = _writer?.Known ?? 0;
        if (known > 0)
            WriteVerbose($"{NumberFormat.Pluralize(known, "result")} {(known == 1 ? "was" : "were")} already in the history");
    }

    private void AddResults(List<IoTestResult> results)
    {
        var isFirst = _writer is null;
        _writer ??= new HistoryWriter(_folder);
        _writer.Add(results);
        if (isFirst && _writer.Unread is { } error)
            WriteWarning($"IoBench cannot read the history, so the history can contain a result twice: {error.Message}");
    }

    private void ImportFiles()
    {
        var files = PathResolver
            .ResolvePaths(SessionState, From, null, allowMissing: false, (error, name) => WriteNonTerminatingError(error, name))
            .ToList();
        if (files.Count == 0)
            return;
        var added = HistoryWriter.ImportResults(_folder, files, ShouldProcess(_folder, "add results to the history"));
        foreach (var note in added.Notes)
            WriteWarning(note);
        foreach (var failure in added.Failures)
            WriteNonTerminatingError(failure, _folder);
        WriteVerbose(added.ToString());
        if (PassThru)
            WriteObject(added.Added, enumerateCollection: true);
    }
}
