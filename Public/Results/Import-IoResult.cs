using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Reads results of any tool; the format is recognised by the content.</summary>
[Cmdlet(VerbsData.Import, "IoResult", DefaultParameterSetName = "Path", HelpUri = HelpPages.Root + "Import-IoResult")]
[OutputType(typeof(IoTestResult))]
public sealed class ImportIoResultCommand : ImportCmdlet
{
    /// <summary>The results of the last run, which are kept without being asked for: after Ctrl+C or a closed window nothing is lost.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Last")]
    public SwitchParameter Last { get; set; }

    /// <inheritdoc/>
    private protected override IEnumerable<string> Files() => Last ? [RunJournal.LastFile] : base.Files();
}
