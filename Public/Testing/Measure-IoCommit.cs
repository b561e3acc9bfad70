using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Compares the ways in which SQL Server can write its log, and recommends the settings.</summary>
[Cmdlet(
    VerbsDiagnostic.Measure,
    "IoCommit",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Measure-IoCommit"
)]
[OutputType(typeof(CommitMeasurement), typeof(ReplicaMeasurement))]
public sealed class MeasureIoCommitCommand : TestCmdlet
{
    /// <summary>New file, file that IoBench created, or folder for a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string? Path { get; set; }

    /// <summary>Measured time of each method and number of committers; default 2 seconds, or 5 seconds with a replica.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public IoDuration Duration { get; set; }

    /// <summary>Numbers of threads that commit concurrently; default 1, 8, and 32.</summary>
    [Parameter]
    [ValidateRange(1, 256)]
    public int[]? Committers { get; set; }

    /// <summary>Sizes of a commit; default 4 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize[]? WriteSize { get; set; }

    /// <summary>Also measures writes that extend the file.</summary>
    [Parameter]
    public SwitchParameter Extending { get; set; }

    /// <summary>Also measures writes that are not aligned to the physical sector.</summary>
    [Parameter]
    public SwitchParameter Misaligned { get; set; }

    /// <summary>Host and port of an iobench replica, to predict the commits of a synchronous availability group.</summary>
    [Parameter]
    public string? Replica { get; set; }

    /// <summary>File with the secret of the replica; default: the environment variable IOBENCH_REPLICA_SECRET.</summary>
    [Parameter]
    public string? SecretFile { get; set; }

    /// <summary>Also measures while the replica writes to data pages.</summary>
    [Parameter]
    public SwitchParameter Redo { get; set; }

    /// <summary>Size of the file; default 256 MB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize FileSize { get; set; }

    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Creates a test file even if free space drops below 10% of its volume or 10 GB, whichever is smaller.</summary>
    [Parameter]
    public SwitchParameter FillVolume { get; set; }

    /// <summary>Excel workbook (.xlsx) or HTML report (.html) to create.</summary>
    [Parameter]
    public string? ReportPath { get; set; }

    /// <summary>Replaces an existing report.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Process()
    {
        if (ResolvePaths(null, [Path!]).FirstOrDefault() is not { } path)
            return;
        var values = ReadParameters(OptionTables.Commit);
        var plan = CommitPlan.Create(path, values);
        var approval = Approve([plan.Test], CommitPlan.CreateSettings(values));
        if (
            approval.Tests.Count == 0
            || !ShouldProcess(path, $"compare commit methods, {NumberFormat.Pluralize(plan.Cases.Count, "measurement")}")
        )
            return;
        using var output = ReportFile.Reserve(values, plan.Test);
        foreach (var line in plan.DescribeStart(approval.Targets[0].Target))
            this.WriteHostLine(line);
        CommitResult result;
        try
        {
            result = CommitRunner.Run(plan, approval.GetOptions(plan.Test), WriteStep, WriteCommitWarning, StopToken);
            if (output is not null)
                ReportFile.Save(output, result);
        }
        finally
        {
            CleanUpFiles(approval, RemoveTestFile);
        }
        // One kind of object, so that tables and CSV files have one set of columns. The property Result has the others.
        WriteObject(result.Replica is { } replica ? replica.Measurements : result.Measurements, enumerateCollection: true);
        foreach (var line in result.DescribeAdvice())
            this.WriteHostLine(line);
    }

    private void WriteCommitWarning(IoWarning warning)
    {
        if (!Stopping)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
    }

    private void WriteStep(string text, long done, long total)
    {
        if (!Stopping)
            WriteProgress(
                new ProgressRecord(CmdletOutput.RunProgressId, "IoBench: commit methods", SafeText.Escape(text))
                {
                    PercentComplete = total > 0 ? (int)(100 * done / total) : -1,
                }
            );
    }
}
