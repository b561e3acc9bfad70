using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Finds the layer that adds the latency: host, file system, volume, or device.</summary>
[Cmdlet(
    VerbsCommon.Find,
    "IoLatency",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Find-IoLatency"
)]
[OutputType(typeof(LatencyLayer), typeof(ToggleDifference))]
public sealed class FindIoLatencyCommand : TestCmdlet
{
    /// <summary>New file, file that IoBench created, or folder for a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string? Path { get; set; }

    /// <summary>Measured time of the reads and of the writes; default 5 seconds.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public IoDuration Duration { get; set; }

    /// <summary>Size of the file; default 256 MB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize FileSize { get; set; }

    /// <summary>Also reads the device of the file system directly. Never writes to it.</summary>
    [Parameter]
    public SwitchParameter RawRead { get; set; }

    /// <summary>Compares two states: command A turns a feature on, and command B turns it off. A always runs last.</summary>
    [Parameter]
    [ValidateCount(2, 2)]
    public string[]? ToggleCommand { get; set; }

    /// <summary>Excel workbook (.xlsx) or HTML report (.html) to create.</summary>
    [Parameter]
    public string? ReportPath { get; set; }

    /// <summary>Omits names of hosts, users, and paths.</summary>
    [Parameter]
    public SwitchParameter Anonymous { get; set; }

    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Creates a test file even if free space drops below 10% of its volume or 10 GB, whichever is smaller.</summary>
    [Parameter]
    public SwitchParameter FillVolume { get; set; }

    /// <summary>Replaces an existing report.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Process()
    {
        if (ResolvePaths(null, [Path!]).FirstOrDefault() is not { } path)
            return;
        var values = ReadParameters(OptionTables.LatencySource);
        var plan = LatencySourcePlan.Create(path, values);
        var tests = plan.Tests.Select(item => item.Test).ToList();
        var approval = Approve(tests, LatencySourcePlan.CreateSettings(values));
        if (approval.Tests.Count < tests.Count || !ShouldProcess(path, "find the source of the latency"))
            return;
        using var output = ReportFile.Reserve(values, plan.Tests[0].Test);
        foreach (var line in plan.DescribeStart(approval.Targets[0].Target))
            this.WriteHostLine(line);
        Front.Activity = "IoBench: source of the latency";
        try
        {
            if (plan.IsComparison)
                Compare(plan, approval);
            else
                FindSource(plan, approval, output);
        }
        finally
        {
            CleanUpFiles(approval, RemoveTestFile);
        }
    }

    private void FindSource(LatencySourcePlan plan, SuiteApproval approval, OutputFile? output)
    {
        var result = new LatencySourceRunner(plan, approval, Front).Run(StopToken);
        if (output is not null)
            ReportFile.Save(output, result);
        WriteObject(result.Layers, enumerateCollection: true);
        foreach (var line in result.DescribeFindings())
            this.WriteHostLine(line);
    }

    private void Compare(LatencySourcePlan plan, SuiteApproval approval)
    {
        var result = new ToggleRunner(plan, approval, Front).Run(StopToken);
        WriteObject(result.Differences, enumerateCollection: true);
        foreach (var line in result.DescribeFindings())
            this.WriteHostLine(line);
    }
}
