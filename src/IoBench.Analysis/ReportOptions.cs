namespace IoBench.Analysis;

/// <summary>What a report shall say and how it is written.</summary>
public sealed class ReportOptions
{
    /// <summary>Title of the report; null = one that fits the results, for SQLIO's of one file the classic <c>SQLIO Test Results from FILE</c>.</summary>
    public string? Title { get; set; }

    /// <summary>Leave the Summary out: the classic book begins with Results.</summary>
    public bool NoSummary { get; set; }

    /// <summary>The Results sheet of SQLIOResult2Excel.ps1, nine columns and its three charts, for results of any tool; SQLIO's have it always.</summary>
    public bool Classic { get; set; }

    /// <summary>Replace a report of the same name.</summary>
    public bool Force { get; set; }

    /// <summary>Earlier results to compare with; null = none (several labels among the results are then compared with the first).</summary>
    public IReadOnlyList<IoTestResult>? Baseline { get; set; }

    /// <summary>Names that sheets of the workbook must not have, because they are added to a workbook that has such: all sheets of the report then take the same number, as in <c>Results 2</c>.</summary>
    public IReadOnlyCollection<string> TakenSheetNames { get; set; } = [];

    /// <summary>Name of the rule set that judges; it is named beside each verdict. Null = that of the kind of storage.</summary>
    public string? RuleSet { get; set; }

    /// <summary>The kind of storage, which decides where no rule set is named; null = what the results' hosts say.</summary>
    public StorageClass? Storage { get; set; }

    /// <summary>What was bought, for runs that show what limits the storage; null = not stated.</summary>
    public StorageSpecification? Bought { get; set; }
}
