using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <summary>Finds cloud disks and virtual machines that can handle the peak load of a server.</summary>
[Cmdlet(VerbsCommon.Find, "IoStorage", HelpUri = HelpPages.Root + "Find-IoStorage")]
[OutputType(typeof(StorageChoice))]
public sealed class FindIoStorageCommand : IoCmdlet
{
    private FileStatsInput? _input;
    private OutputFile? _report;

    /// <summary>Two or more snapshots, earliest first: CSV files, tables, or rows of queries or of Get-DbaIoLatency.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [ValidateNotNull]
    public object[] FromFileStats { get; set; } = [];

    /// <summary>Cloud: azure or aws for virtual machines, or azure-mi for SQL Managed Instance; default all.</summary>
    [Parameter]
    [ValidateSet("azure", "aws", "azure-mi")]
    public string? Cloud { get; set; }

    /// <summary>Percentage by which each limit must exceed the peak load; default 30.</summary>
    [Parameter]
    [ValidateRange(0, 400)]
    public double Headroom { get; set; }

    /// <summary>CSV file with your prices.</summary>
    [Parameter]
    public string? PricesPath { get; set; }

    /// <summary>Also returns what does not fit, with the reason.</summary>
    [Parameter]
    public SwitchParameter All { get; set; }

    /// <summary>Excel workbook (.xlsx) or HTML report (.html) to create.</summary>
    [Parameter]
    public string? ReportPath { get; set; }

    /// <summary>Replaces an existing report.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Process()
    {
        _input ??= new FileStatsInput(SessionState);
        foreach (var item in FromFileStats)
            _input.Add(item);
    }

    protected override void End()
    {
        // The snapshots are objects here, and files of the program.
        var values = ReadParameters([.. OptionTables.Advice.Where(row => row.Name != nameof(FromFileStats))]);
        _report = ReportFile.Reserve(values);
        var advice = SnapshotAnalysis.Advise(values, _input?.GetSnapshots() ?? []);
        foreach (var warning in advice.Warnings)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
        if (_report is not null)
            ReportFile.Save(_report, advice);
        this.WriteHostLine(advice.Summary);
        this.WriteHostLine(advice.LoadSummary);
        WriteObject(advice.Plans.Where(plan => plan.Fits).SelectMany(plan => plan.Choices), enumerateCollection: true);
        if (All)
            WriteObject(advice.Plans.SelectMany(plan => plan.Rejected), enumerateCollection: true);
        foreach (var line in advice.DescribeNotes())
            this.WriteHostLine(line);
        foreach (var (heading, command) in advice.DescribeCommands())
            this.WriteHostLine($"{heading} {command}");
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _report?.Dispose();
        base.Dispose(disposing);
    }
}
