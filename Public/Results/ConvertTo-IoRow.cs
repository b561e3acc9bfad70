using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Converts results or verdicts to flat rows for a database table or a CSV file. All rows of a kind have the same
/// columns.</summary>
[Cmdlet(VerbsData.ConvertTo, "IoRow", DefaultParameterSetName = "Result", HelpUri = HelpPages.Root + "ConvertTo-IoRow")]
[OutputType(typeof(PSObject))]
public sealed class ConvertToIoRowCommand : IoCmdlet
{
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = "Result")]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Verdicts of Test-IoResult, for a table of their own.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = "Verdict")]
    [AllowEmptyCollection]
    public RuleVerdict[]? VerdictObject { get; set; }

    /// <summary>Puts an apostrophe before text that a spreadsheet program would take for a formula, as Export-IoResult does.</summary>
    [Parameter]
    public SwitchParameter ForSpreadsheet { get; set; }

    protected override void Process()
    {
        foreach (var verdict in (VerdictObject ?? []).Where(verdict => verdict is not null))
            WriteObject(CreateRow(GetValues(verdict)));
        foreach (var result in (InputObject ?? []).Where(result => result is not null))
        {
            // PowerShell converts each hashtable whose keys are properties.
            if (result is { Path: null, IOPattern: null, Workload: null, Label: null })
                throw IoBenchException.Usage(
                    "IoBench.NotAResult",
                    $"The object has neither a path nor an I/O pattern, so it is not a test result.",
                    advice: "Pass the objects that Invoke-IoTest or Import-IoResult returns."
                );
            WriteObject(CreateRow(CsvResultWriter.GetRowValues(result, ForSpreadsheet)));
        }
    }

    private static PSObject CreateRow(IEnumerable<KeyValuePair<string, object?>> values)
    {
        var row = new PSObject();
        foreach (var (name, value) in values)
            row.Properties.Add(
                new PSNoteProperty(name, value is DateTimeOffset time ? DeserializedObject.CreateSortableTime(time) : value),
                preValidated: true
            );
        return row;
    }

    /// <summary>Returns the columns of the table IoBenchVerdict in docs/examples/history-table.sql.</summary>
    private IEnumerable<KeyValuePair<string, object?>> GetValues(RuleVerdict verdict)
    {
        (string Name, object? Value)[] columns =
        [
            (nameof(verdict.RunId), verdict.RunId),
            (nameof(verdict.ComputerName), verdict.ComputerName),
            (nameof(verdict.StartTime), verdict.StartTime),
            (nameof(verdict.Path), verdict.Path),
            (nameof(verdict.Label), verdict.Label),
            (nameof(verdict.Workload), verdict.Workload),
            (nameof(verdict.IOPattern), verdict.IOPattern),
            (nameof(verdict.Repeat), verdict.Repeat),
            (nameof(verdict.RuleSet), verdict.RuleSet),
            (nameof(verdict.Rule), verdict.Rule),
            (nameof(verdict.Metric), verdict.Metric),
            (nameof(verdict.Measured), verdict.Measured),
            (nameof(verdict.Limit), verdict.Limit),
            (nameof(verdict.Unit), verdict.Unit),
            (nameof(verdict.Outcome), verdict.Outcome.ToString()),
            (nameof(verdict.Severity), verdict.Severity.ToString()),
            (nameof(verdict.Reason), verdict.Reason),
            (nameof(verdict.IsIoBenchLimit), verdict.IsIoBenchLimit),
        ];
        return columns.Select(column =>
            KeyValuePair.Create(
                column.Name,
                ForSpreadsheet && column.Value is string text ? CsvResultWriter.GuardFormula(text) : column.Value
            )
        );
    }
}
