using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Reads output of DiskSpd; another tool's is an error that names its cmdlet.</summary>
[Cmdlet(VerbsData.Import, "DiskSpdResult", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-DiskSpdResult")]
[OutputType(typeof(IoTestResult))]
public sealed class ImportDiskSpdResultCommand : ImportCmdlet
{
    private protected override ResultFormat? Expected => ResultFormat.DiskSpd;
}
