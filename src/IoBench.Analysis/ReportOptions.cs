using IoBench.Engine;

namespace IoBench.Analysis;

public sealed class ReportOptions
{
    /// <summary>Null = a title that fits the results.</summary>
    public string? Title { get; set; }

    /// <summary>Omits the Summary sheet, as in the workbook of SQLIOResult2Excel.ps1, which starts with Results.</summary>
    public bool NoSummary { get; set; }

    /// <summary>Creates the Results sheet of SQLIOResult2Excel.ps1 for results of any tool; SQLIO results always have it.</summary>
    public bool Classic { get; set; }

    /// <summary>Writes an email body of at most 10 KB instead of the whole HTML report.</summary>
    public bool Body { get; set; }

    /// <summary>Replaces an existing report of the same name.</summary>
    public bool Force { get; set; }

    /// <summary>Baseline results; null = none (several labels among the results are then compared with the first label).</summary>
    public IReadOnlyList<IoTestResult>? Baseline { get; set; }

    /// <summary>If a name is taken, all sheets of the report get the same number, as in <c>Results 2</c>.</summary>
    public IReadOnlyCollection<string> TakenSheetNames { get; set; } = [];

    /// <summary>Name of the rule set, which is shown with each verdict; null = the rule set for the kind of storage.</summary>
    public string? RuleSet { get; set; }

    /// <summary>Kind of storage, which selects the rule set if none is named; null = detected from the hosts of the results.</summary>
    public StorageClass? Storage { get; set; }

    /// <summary>Provisioned limits, for runs that show what limits the storage; null = not stated.</summary>
    public StorageSpecification? Bought { get; set; }

    /// <summary>Messages about I/O in ERRORLOG files, which get their own section; null = none.</summary>
    public ErrorLogResult? ErrorLog { get; set; }
}
