using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Reads SQLIO output. Output of another tool is an error that names the cmdlet for it.</summary>
[Cmdlet(VerbsData.Import, "SqlioResult", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-SqlioResult")]
[OutputType(typeof(IoTestResult))]
public sealed class ImportSqlioResultCommand : ImportCmdlet
{
    private protected override ResultFormat? ExpectedFormat => ResultFormat.Sqlio;
}
