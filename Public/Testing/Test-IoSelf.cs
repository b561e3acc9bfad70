using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Checks what this computer, its operating system, and this build can do.</summary>
[Cmdlet(
    VerbsDiagnostic.Test,
    "IoSelf",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Test-IoSelf"
)]
[OutputType(typeof(SelfTestCheck))]
public sealed class TestIoSelfCommand : IoCmdlet
{
    /// <summary>Folder for the test file; default: the temporary folder.</summary>
    [Parameter(Position = 0)]
    [Alias("PSPath", "FullName")]
    public string? Path { get; set; }

    /// <summary>Also saves the report as JSON, without names of hosts, users, or paths.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>Replaces an existing output file.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void End()
    {
        var folder = string.IsNullOrWhiteSpace(Path) ? null : PathResolver.GetFullPath(SessionState, Path);
        var request = SelfTestRequest.Create(folder, CmdletParameterReader.ReadOptions(this, OptionTables.SelfTest));
        if (
            !ShouldProcess(
                request.FolderInUse,
                $"create a test file of {new IoSize(SelfTestRunner.FileSize).ToDisplayString()}, test with it, and remove it"
            )
        )
            return;
        using var output = SelfTestReport.ClaimOutput(request);
        WriteVerbose(SelfTestRunner.GetHeading(request));
        var report = SelfTestRunner.Run(request, WriteObject, StopToken);
        output?.Save(stream => SelfTestReport.Write(stream, report));
        WriteVerbose(report.Summary);
    }
}
