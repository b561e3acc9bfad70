using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Reads results of any tool. The content determines the format.</summary>
[Cmdlet(VerbsData.Import, "IoResult", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-IoResult")]
[OutputType(typeof(IoTestResult))]
public sealed class ImportIoResultCommand : ImportCmdlet
{
    /// <summary>Reads the results of the last run, which are always saved, so that Ctrl+C or a closed window loses none.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Last")]
    public SwitchParameter Last { get; set; }

    private protected override IEnumerable<string> GetFiles() => Last ? [RunJournal.LastFile] : base.GetFiles();
}
