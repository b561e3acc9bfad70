using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Compares results with a baseline.</summary>
[Cmdlet(VerbsData.Compare, "IoResult", DefaultParameterSetName = "Side", HelpUri = HelpPages.Root + "Compare-IoResult")]
[OutputType(typeof(ComparisonRow), ParameterSetName = ["Side", "Path"])]
[OutputType(typeof(RoleInterference), ParameterSetName = ["Role"])]
[OutputType(typeof(ObservedLatencyComparison), ParameterSetName = ["CapturedWorkload"])]
[OutputType(typeof(RepeatSummary), ParameterSetName = ["Repeat"])]
public sealed class CompareIoResultCommand : ResultCmdlet
{
    /// <summary>Results to compare: current results, or current and baseline results together.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = "Side")]
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = "Role")]
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = "CapturedWorkload")]
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = "Repeat")]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Value of the property in -By that identifies the baseline; or baseline results, or the path of a file with them.</summary>
    [Parameter(Position = 0, ParameterSetName = "Side")]
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public object[]? Baseline { get; set; }

    /// <summary>Files with the current results, after the file of the baseline: Compare-IoResult before.json after.json</summary>
    [Parameter(Mandatory = true, Position = 1, ParameterSetName = "Path")]
    public string[]? Path { get; set; }

    /// <summary>Property that separates baseline and current results; default Label if labels differ, otherwise SourceFile.</summary>
    [Parameter(ParameterSetName = "Side")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? By { get; set; }

    /// <summary>Highest probability of a false alarm over all patterns together.</summary>
    [Parameter(ParameterSetName = "Side")]
    [Parameter(ParameterSetName = "Path")]
    [ValidateRange(0.000001, 0.5)]
    public double Alpha { get; set; } = new ComparisonOptions().Alpha;

    /// <summary>Smallest change in percent that counts as a change, even if smaller changes are statistically significant.</summary>
    [Parameter(ParameterSetName = "Side")]
    [Parameter(ParameterSetName = "Path")]
    [ValidateRange(0.0, 1000.0)]
    [Alias("LeastChangePercent")]
    public double MinChangePercent { get; set; } = new ComparisonOptions().MinChangePercent;

    /// <summary>Shows the contention between file roles: results of Invoke-IoTest -DataPath ... -LogPath ...</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Role")]
    public SwitchParameter Role { get; set; }

    /// <summary>Compares the latency that SQL Server observed with the storage's, for results of the tests of New-IoWorkload.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "CapturedWorkload")]
    [Alias("OwnLoad")]
    public SwitchParameter CapturedWorkload { get; set; }

    /// <summary>Summarizes repeated runs: median, spread, 95% confidence interval, and whether the rounds became steady.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Repeat")]
    public SwitchParameter Repeat { get; set; }

    protected override void Process() => AddResults(InputObject);

    protected override void End()
    {
        if (Path is not null)
            Results.AddRange(ReadBaseline(Path));
        var answer = CreateRequest().Compare(Results);
        if (answer.Comparisons is { } comparisons)
            WriteComparisons(comparisons);
        else
            WriteObject(answer.Roles ?? answer.ObservedLatencies ?? (object?)answer.Repeats, enumerateCollection: true);
        foreach (var problem in IntegrityResult.FindProblems([.. answer.Earlier ?? [], .. Results]))
            WriteWarning(problem.Summary);
    }

    private ComparisonRequest CreateRequest()
    {
        // A baseline can also be results or several files, which cannot be the value of an option.
        var rows = OptionTables.Comparison.Where(row => row.Name != nameof(Baseline)).ToList();
        var name = Path is null && Baseline is [var only] ? DeserializedObject.Unwrap(only) as string : null;
        var values = ReadParameters(name is null ? rows : OptionTables.Comparison);
        return new ComparisonRequest(values, PathResolver.CreatePathResolver(SessionState))
        {
            Earlier = name is null && Baseline is { Length: > 0 } ? () => ReadBaseline(Baseline) : null,
        };
    }

    private void WriteComparisons(IReadOnlyList<ComparisonResult> comparisons)
    {
        foreach (var comparison in comparisons)
        {
            foreach (var warning in comparison.Warnings.Concat(comparison.ToolNotes).Concat(comparison.Unmatched))
                WriteWarning(warning);
            WriteObject(comparison.Rows, enumerateCollection: true);
        }
    }
}
