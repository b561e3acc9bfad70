using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.PowerShell;

/// <summary>Writes results as an Excel workbook, an HTML report, or an image, without Excel.</summary>
[Cmdlet(
    VerbsData.Export,
    "IoReport",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Export-IoReport"
)]
[OutputType(typeof(FileInfo))]
public sealed class ExportIoReportCommand : ResultCmdlet
{
    private readonly List<IoTestResult> _comparisonBaseline = [];
    private string _file = "";
    private OutputFile? _output;
    private List<IoTestResult>? _baseline;
    private StorageSpecification? _specification;

    /// <summary>Path of the report (.xlsx, .html, or .svg); <c>{date}</c> becomes the current date.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Alias("FilePath")]
    public string Path { get; set; } = "";

    [Parameter(ValueFromPipeline = true)]
    [AllowNull]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Output of Compare-IoResult through the pipeline; it includes the results and the baseline.</summary>
    [Parameter(ValueFromPipeline = true, DontShow = true)]
    [AllowNull]
    public ComparisonRow[]? ComparisonObject { get; set; }

    /// <summary>Title of the report; the default depends on the results.</summary>
    [Parameter]
    public string? Title { get; set; }

    /// <summary>Baseline results, or the path of a file with them.</summary>
    [Parameter]
    public object[]? Baseline { get; set; }

    /// <summary>Omits the summary.</summary>
    [Parameter]
    public SwitchParameter NoSummary { get; set; }

    /// <summary>Writes the nine columns and three charts of SQLIOResult2Excel.ps1, for results of any tool.</summary>
    [Parameter]
    public SwitchParameter Classic { get; set; }

    /// <summary>Writes only an email body of about 20 lines (HTML, at most 10 KB) instead of the whole report.</summary>
    [Parameter(ParameterSetName = "Path")]
    public SwitchParameter Body { get; set; }

    /// <summary>Kind of storage, which selects the rule set; default: the kind that the host reports, otherwise flash.</summary>
    [Parameter]
    public StorageClass? Storage { get; set; }

    /// <summary>Units of throughput: MiB/s, or MB/s of 10^6 bytes.</summary>
    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>Provisioned limits: a SKU such as azure:P30, limits as text, or a hashtable.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Alias("Specification", "StorageSpecification")]
    public ProvisionedStorage? Provisioned { get; set; }

    /// <summary>ERRORLOG files of SQL Server, or a folder with them, for a section with the messages about I/O.</summary>
    [Parameter]
    public string[]? ErrorLogPath { get; set; }

    /// <summary>Opens the report in the application that is registered for it.</summary>
    [Parameter(ParameterSetName = "Path")]
    public SwitchParameter Show { get; set; }

    /// <summary>Refuses to replace an existing file.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Alias("NoOverwrite")]
    public SwitchParameter NoClobber { get; set; }

    /// <summary>Replaces an existing report, which is the default without -NoClobber.</summary>
    [Parameter(ParameterSetName = "Path")]
    public SwitchParameter Force { get; set; }

    /// <summary>Writes the file or the package to the pipeline.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Open package of ImportExcel to which the sheets and charts are added.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Package")]
    public object? ExcelPackage { get; set; }

    protected override void Begin()
    {
        // Checked first, because the results can come from a run that takes hours.
        _specification = Provisioned?.ToSpecification();
        if (IsPackage)
        {
            ExcelPackage = DeserializedObject.Unwrap(ExcelPackage);
            if (ExcelPackage?.GetType().FullName != "OfficeOpenXml.ExcelPackage")
                ThrowTerminating(
                    IoBenchException.Usage(
                        "IoBench.NotAnExcelPackage",
                        "The object is not an open Excel package from ImportExcel.",
                        advice: "Specify the object that Open-ExcelPackage or Export-Excel -PassThru returns."
                    ),
                    ExcelPackage
                );
        }
        else
        {
            _file = PathResolver.ResolveOutputPath(SessionState, Path);
            Report.CheckName(_file);
            if (Body)
                Report.CheckBody(_file);
            PathResolver.CheckNoClobber(_file, NoClobber);
        }
        if (Baseline is { Length: > 0 })
            _baseline = ReadBaseline(Baseline);
        if (IsPackage || UserPrompts.IsWhatIf(this))
            return;
        _output = ReportFile.Reserve(_file, replace: !NoClobber);
    }

    protected override void Process()
    {
        AddResults(InputObject);
        foreach (var row in (ComparisonObject ?? []).Where(row => row is not null))
        {
            Results.AddRange(row.Results);
            _comparisonBaseline.AddRange(row.BaselineResults);
        }
    }

    protected override void End()
    {
        if (Results.Count == 0)
            throw IoBenchException.Usage(
                ErrorIds.NoResults,
                "The pipeline contains no results to report.",
                advice: "Check what Import-IoResult or Invoke-IoTest returned."
            );
        ThroughputDisplay.Units = Units;
        var options = new ReportOptions
        {
            NoSummary = NoSummary,
            Classic = Classic,
            Body = Body,
            Baseline = _baseline ?? (_comparisonBaseline.Count > 0 ? [.. _comparisonBaseline.Distinct()] : null),
            Storage = Storage,
            Bought = _specification,
            ErrorLog = ReadErrorLogs(),
        };
        if (!string.IsNullOrEmpty(Title))
            options.Title = Title;
        if (IsPackage)
            AddToPackage(options);
        else
            WriteReport(options);
    }

    private ErrorLogResult? ReadErrorLogs()
    {
        if (ErrorLogPath is not { Length: > 0 })
            return null;
        var paths = ErrorLogPath.Select(path => PathResolver.GetFullPath(SessionState, path)).ToList();
        List<IoBenchException> errors = [];
        var result = RunCancellable(() => ErrorLogImporter.Analyze(paths, errors.Add, StopToken));
        foreach (var error in errors)
            WriteNonTerminatingError(error, error.Target);
        foreach (var warning in result.Warnings)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
        return result.Logs.Count > 0 ? result : null;
    }

    private bool IsPackage => ParameterSetName == "Package";

    private string ActionDescription => $"write a report of {NumberFormat.Pluralize(Results.Count, "result")}";

    private void AddToPackage(ReportOptions options)
    {
        if (!ShouldProcess(GetFileName(ExcelPackage!) ?? "the open package", ActionDescription))
            return;
        AddReport(ExcelPackage!, Results, options);
        if (PassThru)
            WriteObject(ExcelPackage);
    }

    private void WriteReport(ReportOptions options)
    {
        if (!ShouldProcess(_file, ActionDescription) || _output is null)
            return;
        ReportFile.Write(_output, Results, options);
        if (_output.TakeNotice() is { } notice)
            WriteWarning(notice);
        var written = _output.Path;
        this.WriteHostLine($"Report saved: {written} ({NumberFormat.Pluralize(Results.Count, "result")})");
        if (Show)
            OpenReport(written);
        if (PassThru)
            WriteFileInfo(written);
    }

    private void OpenReport(string written)
    {
        try
        {
            InvokeProvider.Item.Invoke(WildcardPattern.Escape(written));
        }
        catch (Exception error)
            when (error
                    is System.ComponentModel.Win32Exception
                        or InvalidOperationException
                        or NotSupportedException
                        or RuntimeException
                        and not PipelineStoppedException
            )
        {
            // The report is complete even if it cannot be opened.
            var reason = error.Message.ReplaceLineEndings(" ").TrimEnd('.');
            WriteWarning(SafeText.Escape($"{written} was saved, but no program on this computer can open it: {reason}."));
        }
    }

    /// <summary>Returns null if the package has no file.</summary>
    private static string? GetFileName(object package) => ((dynamic)package).File?.FullName;

    /// <summary>Copies the sheets from a temporary workbook. The package's type is the caller's: IoBench does not load
    /// ImportExcel.</summary>
    private static void AddReport(object package, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var temporary = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"iobench-{Guid.NewGuid():N}.xlsx");
        var workbook = ((dynamic)package).Workbook;
        List<string> sheets = [];
        var tables = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var sheet in workbook.Worksheets)
        {
            sheets.Add((string)sheet.Name);
            foreach (var table in sheet.Tables)
                tables.Add((string)table.Name);
        }
        // Charts refer to the sheet of their data by name, so the names must be final before the workbook is written.
        options.TakenSheetNames = sheets;
        IDisposable? report = null;
        try
        {
            ReportFile.Write(temporary, results, options);
            report = (IDisposable)Activator.CreateInstance(package.GetType(), new FileInfo(temporary))!;
            foreach (var sheet in ((dynamic)report).Workbook.Worksheets)
                CopySheet(sheet, workbook, tables);
        }
        finally
        {
            report?.Dispose();
            File.Delete(temporary);
        }
    }

    private static void CopySheet(dynamic sheet, dynamic workbook, HashSet<string> tables)
    {
        var added = workbook.Worksheets.Add((string)sheet.Name, sheet);
        // EPPlus copies neither the hidden state of a sheet nor the names of its tables, and it gives the first table of each sheet the
        // same name.
        added.Hidden = sheet.Hidden;
        foreach (var table in added.Tables)
        {
            var original = GetTableName(sheet, (string)table.Address.Address);
            var name = original;
            for (var number = 2; !tables.Add(name); number++)
                name = $"{original}_{number}";
            table.Name = name;
        }
    }

    private static string GetTableName(dynamic sheet, string address)
    {
        foreach (var table in sheet.Tables)
            if ((string)table.Address.Address == address)
                return (string)table.Name;
        throw new InvalidOperationException($"No table at {address}.");
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _output?.Dispose();
        base.Dispose(disposing);
    }
}
