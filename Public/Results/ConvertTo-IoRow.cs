using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Flat rows of results, for a database table or a CSV file: every row has the same columns.</summary>
[Cmdlet(VerbsData.ConvertTo, "IoRow", HelpUri = HelpPages.Root + "ConvertTo-IoRow")]
[OutputType(typeof(PSObject))]
public sealed class ConvertToIoRowCommand : IoCmdlet
{
    /// <summary>What Invoke-IoTest or Import-IoResult gave.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        foreach (var result in InputObject!.Where(result => result is not null))
        {
            var row = new PSObject();
            foreach (var column in ResultRow.Of(result))
                row.Properties.Add(
                    new PSNoteProperty(column.Key, column.Value is DateTimeOffset time ? SortableTime.Of(time) : column.Value),
                    preValidated: true
                );
            WriteObject(row);
        }
    }
}
