using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Reads output of SQLIO; another tool's is an error that names its cmdlet.</summary>
[Cmdlet(VerbsData.Import, "SqlioResult", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-SqlioResult")]
[OutputType(typeof(IoTestResult))]
public sealed class ImportSqlioResultCommand : ImportCmdlet
{
    private protected override ResultFormat? Expected => ResultFormat.Sqlio;
}
