using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Writes results as an Excel workbook, a page or a picture, without Excel.</summary>
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
    private readonly List<IoTestResult> _compared = [];
    private string _file = "";
    private ReportOutput? _output;
    private List<IoTestResult>? _baseline;
    private StorageSpecification? _bought;

    /// <summary>The file, .xlsx, .html, .svg or .png; <c>{date}</c> in its name becomes today's date.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Alias("FilePath")]
    public string Path { get; set; } = "";

    /// <summary>What Invoke-IoTest or Import-IoResult gave.</summary>
    [Parameter(ValueFromPipeline = true)]
    [AllowNull]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>What Compare-IoResult puts out, through the pipeline: its results, and the baseline with them.</summary>
    [Parameter(ValueFromPipeline = true, DontShow = true)]
    [AllowNull]
    public ComparisonRow[]? ComparisonObject { get; set; }

    /// <summary>By default one that fits the results.</summary>
    [Parameter]
    public string? Title { get; set; }

    /// <summary>Earlier results, or the path of a file with them.</summary>
    [Parameter]
    public object[]? Baseline { get; set; }

    /// <summary>Without the Summary.</summary>
    [Parameter]
    public SwitchParameter NoSummary { get; set; }

    /// <summary>The nine columns and three charts of SQLIOResult2Excel.ps1, whatever tool measured.</summary>
    [Parameter]
    public SwitchParameter Classic { get; set; }

    /// <summary>The kind of storage that judges; by default what the host says of the disk, else flash.</summary>
    [Parameter]
    public StorageClass? Storage { get; set; }

    /// <summary>Units in which throughput is shown: MiB/s, or MB/s of 10^6 bytes.</summary>
    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>What was bought, where the results show what limits the storage: an offer such as azure:P30, figures as text, or a hashtable of them.</summary>
    [Parameter]
    [Alias("StorageSpecification")]
    [ArgumentCompleter(typeof(StorageFigureCompleter))]
    public BoughtStorage? Specification { get; set; }

    /// <summary>Open the report in the program that is registered for it.</summary>
    [Parameter(ParameterSetName = "Path")]
    public SwitchParameter Show { get; set; }

    /// <summary>Refuse to replace a file.</summary>
    [Parameter(ParameterSetName = "Path")]
    [Alias("NoOverwrite")]
    public SwitchParameter NoClobber { get; set; }

    /// <summary>Replace a file that is write-protected too.</summary>
    [Parameter(ParameterSetName = "Path")]
    public SwitchParameter Force { get; set; }

    /// <summary>The file, or the package, as output.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>An open package of ImportExcel, to which sheets and charts are added.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Package")]
    public object? ExcelPackage { get; set; }

    /// <inheritdoc/>
    protected override void Begin()
    {
        // The results may be those of a run that takes hours: what is wrong is said before it.
        _bought = Specification?.Read();
        if (IsPackage)
        {
            ExcelPackage = DeserializedObject.Unwrap(ExcelPackage);
            if (ExcelPackage?.GetType().FullName != "OfficeOpenXml.ExcelPackage")
                Fail(
                    IoBenchException.Usage(
                        "IoBench.NotAnExcelPackage",
                        "This is not an open package of ImportExcel.",
                        advice: "Get one with Open-ExcelPackage or Export-Excel -PassThru."
                    ),
                    ExcelPackage
                );
        }
        else
        {
            _file = OutputPaths.Resolve(SessionState, Path);
            Report.CheckName(_file);
            new OutputRules(NoClobber, Force).Check(_file);
        }
        if (Baseline is { Length: > 0 })
            _baseline = Baselines.Read(SessionState, Baseline);
        if (IsPackage || UserPrompts.IsWhatIf(this))
            return;
        new OutputRules(NoClobber, Force).Unprotect(_file);
        _output = ReportOutput.Claim(_file, replace: !NoClobber);
    }

    /// <inheritdoc/>
    protected override void Process()
    {
        Collect(InputObject);
        foreach (var row in (ComparisonObject ?? []).Where(row => row is not null))
        {
            Results.AddRange(row.Results);
            _compared.AddRange(row.BaselineResults);
        }
    }

    /// <inheritdoc/>
    protected override void End()
    {
        if (Results.Count == 0)
            throw IoBenchException.Usage(
                ErrorIds.NoResults,
                "There are no results to report: nothing came through the pipeline.",
                advice: "Check what Import-IoResult or Invoke-IoTest returned."
            );
        Throughput.Units = Units;
        var options = new ReportOptions
        {
            NoSummary = NoSummary,
            Classic = Classic,
            Baseline = _baseline ?? (_compared.Count > 0 ? [.. _compared.Distinct()] : null),
            Storage = Storage,
            Bought = _bought,
        };
        if (!string.IsNullOrEmpty(Title))
            options.Title = Title;
        if (IsPackage)
            AddToPackage(options);
        else
            WriteReport(options);
    }

    private bool IsPackage => ParameterSetName == "Package";

    private string What => $"write a report of {Figures.Counted(Results.Count, "result")}";

    private void AddToPackage(ReportOptions options)
    {
        if (!ShouldProcess(ReportSheets.NameOf(ExcelPackage!) ?? "the open package", What))
            return;
        ReportSheets.Add(ExcelPackage!, Results, options);
        if (PassThru)
            WriteObject(ExcelPackage);
    }

    private void WriteReport(ReportOptions options)
    {
        if (!ShouldProcess(_file, What) || _output is null)
            return;
        _output.Write(Results, options);
        if (_output.Output.TakeNotice() is { } notice)
            WriteWarning(notice);
        var written = _output.Output.Path;
        if (Show)
            Open(written);
        if (PassThru)
            WriteFile(written);
    }

    private void Open(string written)
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
            // The report is there all the same.
            WriteWarning(
                SafeText.Escape(
                    $"{written} is written, and no program here could open it: {error.Message.ReplaceLineEndings(" ").TrimEnd('.')}. Open it on a computer that has one."
                )
            );
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _output?.Dispose();
        base.Dispose(disposing);
    }
}
