using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Converts results to flat rows for a database table or a CSV file. All rows have the same columns.</summary>
[Cmdlet(VerbsData.ConvertTo, "IoRow", HelpUri = HelpPages.Root + "ConvertTo-IoRow")]
[OutputType(typeof(PSObject))]
public sealed class ConvertToIoRowCommand : IoCmdlet
{
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Puts an apostrophe before text that a spreadsheet program would take for a formula, as Export-IoResult does.</summary>
    [Parameter]
    public SwitchParameter ForSpreadsheet { get; set; }

    protected override void Process()
    {
        foreach (var result in InputObject!.Where(result => result is not null))
        {
            // PowerShell converts each hashtable whose keys are properties.
            if (result is { Path: null, IOPattern: null, Workload: null, Label: null })
                throw IoBenchException.Usage(
                    "IoBench.NotAResult",
                    $"The object has neither a path nor an I/O pattern, so it is not a test result.",
                    advice: "Pass what Invoke-IoTest or Import-IoResult returns."
                );
            var row = new PSObject();
            foreach (var column in ResultRow.GetValues(result, ForSpreadsheet))
                row.Properties.Add(
                    new PSNoteProperty(
                        column.Key,
                        column.Value is DateTimeOffset time ? TableValueConverter.CreateSortableTime(time) : column.Value
                    ),
                    preValidated: true
                );
            WriteObject(row);
        }
    }
}
