using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Checks whether SQL Server can use the storage, and whether this computer can measure it.</summary>
[Cmdlet(
    VerbsDiagnostic.Test,
    "IoHost",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Test-IoHost"
)]
[OutputType(typeof(HostCheck))]
public sealed class TestIoHostCommand : IoCmdlet
{
    /// <summary>Folders for the test file; default: the temporary folder.</summary>
    [Parameter(Position = 0)]
    [Alias("PSPath", "FullName")]
    public string[]? Path { get; set; }

    /// <summary>Also saves the report as JSON, without names of hosts, users, or paths.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>File (.prom) for metrics of the checks. Each call replaces it.</summary>
    [Parameter]
    public string? MetricsPath { get; set; }

    /// <summary>Replaces an existing output file.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void End()
    {
        var folders = HostCheckRunner.ChooseFolders(
            (Path ?? []).Where(path => !string.IsNullOrWhiteSpace(path)).Select(path => PathResolver.GetFullPath(SessionState, path))
        );
        var values = ReadParameters(OptionTables.Check);
        if (
            !ShouldProcess(
                string.Join(", ", folders),
                $"create a test file of {IoSize.Format(HostCheckRunner.FileSize)}, test with it, and remove it"
            )
        )
            return;
        using var output = HostCheckReport.ClaimOutput(values);
        using var metrics = MetricsFile.Reserve(values.GetText(new OptionName("MetricsPath")));
        WriteVerbose(HostCheckRunner.GetHeading(folders));
        var report = HostCheckRunner.Run(folders, WriteObject, StopToken);
        output?.Save(stream => HostCheckReport.Write(stream, report));
        metrics?.WriteChecks(report);
        WriteVerbose(report.Summary);
    }
}
