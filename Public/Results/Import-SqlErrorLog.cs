using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Kind of the objects that Import-SqlErrorLog returns.</summary>
public enum ErrorLogOutput
{
    /// <summary>Each message about I/O.</summary>
    Event,

    /// <summary>One object per database file, the worst first.</summary>
    File,

    /// <summary>One object per database file and interval, in order of time.</summary>
    Interval,
}

/// <summary>Finds I/O problems in ERRORLOG files of SQL Server.</summary>
[Cmdlet(VerbsData.Import, "SqlErrorLog", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-SqlErrorLog")]
[OutputType(typeof(ErrorLogEvent), typeof(ErrorLogFileSummary), typeof(ErrorLogInterval))]
public sealed class ImportSqlErrorLogCommand : IoCmdlet
{
    private readonly List<string> _paths = [];
    private TimeSpan? _interval;
    private OutputFile? _report;

    /// <summary>ERRORLOG files, or folders with them.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path", ValueFromPipeline = true, ValueFromPipelineByPropertyName = true)]
    [SupportsWildcards]
    [Input(InputRule.PathText)]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Kind of the objects: each event, or a summary per file or per file and interval.</summary>
    [Parameter]
    public ErrorLogOutput As { get; set; }

    /// <summary>Length of the intervals of the timeline; default one hour.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public IoDuration Interval { get; set; }

    /// <summary>Excel workbook (.xlsx) or HTML report (.html) to create.</summary>
    [Parameter]
    public string? ReportPath { get; set; }

    /// <summary>Replaces an existing report.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Begin()
    {
        var values = ReadParameters(OptionTables.ErrorLog);
        _interval = ErrorLogImporter.GetInterval(values);
        _report = ReportFile.Reserve(values);
    }

    protected override void Process() =>
        _paths.AddRange(
            PathResolver.ResolvePaths(
                SessionState,
                Path,
                LiteralPath,
                allowMissing: false,
                (error, name) => WriteNonTerminatingError(error, name),
                path => RunCancellable(() => System.IO.Path.Exists(path))
            )
        );

    protected override void End()
    {
        var analyzer = new ErrorLogAnalyzer(_interval, keepsEvents: _report is not null);
        // Logs are read in order of time, so all of them must be known first.
        List<IoBenchException> errors = [];
        var logs = RunCancellable(() => ErrorLogImporter.FindLogs(_paths, errors.Add));
        WriteErrors(errors);
        foreach (var item in ReadAhead(ErrorLogImporter.ReadEvents(logs, analyzer, errors.Add, stop: StopToken)))
            if (As == ErrorLogOutput.Event)
                WriteObject(item);
        WriteErrors(errors);
        var result = analyzer.CreateResult();
        if (As == ErrorLogOutput.File)
            WriteObject(result.Files, enumerateCollection: true);
        else if (As == ErrorLogOutput.Interval)
            WriteObject(result.Timeline, enumerateCollection: true);
        foreach (var warning in result.Warnings)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
        if (result.Logs.Count == 0)
            return;
        this.WriteHostLine(result.Summary);
        foreach (var line in ErrorLogImporter.DescribeFindings(result))
            this.WriteHostLine(line);
        if (_report is not null)
        {
            ReportFile.Save(_report, result);
            this.WriteHostLine($"Report saved: {_report.Path}");
        }
    }

    private void WriteErrors(List<IoBenchException> errors)
    {
        foreach (var error in errors)
            WriteNonTerminatingError(error, error.Target);
        errors.Clear();
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _report?.Dispose();
        base.Dispose(disposing);
    }
}
