using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Keeps results in a folder for Get-IoHistory: each is added as it comes, so that an interrupted night loses none.</summary>
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
    private HistoryAdder? _adder;

    /// <summary>The folder that keeps the history; it is made when it is not there.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string Path { get; set; } = "";

    /// <summary>What Invoke-IoTest or Import-IoResult gave.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipeline = true, ParameterSetName = "InputObject")]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Files of results of any tool, and folders of them: what the history does not have is added.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "From")]
    [SupportsWildcards]
    public string[]? From { get; set; }

    /// <summary>The results as output, for a report beside the history.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <inheritdoc/>
    protected override void Begin()
    {
        _folder = InputPaths.Full(SessionState, Path);
        if (File.Exists(_folder))
            throw IoBenchException.Usage(
                "IoBench.HistoryFolder",
                $"{_folder} is a file.",
                Path,
                advice: "Name the folder that keeps the history."
            );
    }

    /// <inheritdoc/>
    protected override void Process()
    {
        if (From is not null)
        {
            Take();
            return;
        }
        var results = InputObject!.Where(result => result is not null).ToList();
        if (results.Count == 0)
            return;
        _isAllowed ??= ShouldProcess(_folder, "add results to the history");
        if (_isAllowed == true)
            Keep(results);
        if (PassThru)
            WriteObject(results, enumerateCollection: true);
    }

    /// <inheritdoc/>
    protected override void End()
    {
        if (_adder is { Known: > 0 and var known })
            WriteVerbose($"{Figures.Counted(known, "result")} {(known == 1 ? "was" : "were")} there already");
    }

    private void Keep(List<IoTestResult> results)
    {
        var isFirst = _adder is null;
        _adder ??= new HistoryAdder(_folder);
        _adder.Add(results);
        if (isFirst && _adder.Unread is { } error)
            WriteWarning($"what the history has cannot be read, so that a result may be in it twice: {error.Message}");
    }

    private void Take()
    {
        var files = InputPaths.Resolve(SessionState, From, null, allowMissing: false, (error, name) => WriteProblem(error, name)).ToList();
        if (files.Count == 0)
            return;
        var added = HistoryIntake.Add(_folder, files, ShouldProcess(_folder, "add results to the history"));
        foreach (var note in added.Notes)
            WriteWarning(note);
        foreach (var failure in added.Failures)
            WriteProblem(failure, _folder);
        WriteVerbose(added.ToString());
        if (PassThru)
            WriteObject(added.Added, enumerateCollection: true);
    }
}
