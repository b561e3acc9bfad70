using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Reads DiskSpd output. Output of another tool is an error that names the cmdlet for it.</summary>
[Cmdlet(VerbsData.Import, "DiskSpdResult", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-DiskSpdResult")]
[OutputType(typeof(IoTestResult))]
public sealed class ImportDiskSpdResultCommand : ImportCmdlet
{
    private protected override ResultFormat? ExpectedFormat => ResultFormat.DiskSpd;
}
