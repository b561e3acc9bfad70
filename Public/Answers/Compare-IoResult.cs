using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Compares results with a baseline: better, worse or noise.</summary>
[Cmdlet(VerbsData.Compare, "IoResult", DefaultParameterSetName = "Side", HelpUri = HelpPages.Root + "Compare-IoResult")]
[OutputType(typeof(ComparisonRow), ParameterSetName = ["Side"])]
[OutputType(typeof(RoleInterference), ParameterSetName = ["Role"])]
[OutputType(typeof(ObservedLatency), ParameterSetName = ["OwnLoad"])]
[OutputType(typeof(RepeatSummary), ParameterSetName = ["Repeat"])]
public sealed class CompareIoResultCommand : ResultCmdlet
{
    /// <summary>The results of all sides, or of the new one.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>The value of -By that is the baseline; or results, or the path of a file with them.</summary>
    [Parameter(Position = 0, ParameterSetName = "Side")]
    [ArgumentCompleter(typeof(BaselineCompleter))]
    public object[]? Baseline { get; set; }

    /// <summary>The property that makes a side; by default Label where labels differ, else SourceFile.</summary>
    [Parameter(ParameterSetName = "Side")]
    [ArgumentCompleter(typeof(SideCompleter))]
    public string? By { get; set; }

    /// <summary>Highest probability of any false alarm over all patterns.</summary>
    [Parameter(ParameterSetName = "Side")]
    [ValidateRange(0.000001, 0.5)]
    public double Alpha { get; set; } = 0.01;

    /// <summary>Smaller changes are noise, however certain.</summary>
    [Parameter(ParameterSetName = "Side")]
    [ValidateRange(0.0, 1000.0)]
    [Alias("LeastChangePercent")]
    public double MinChangePercent { get; set; } = 5;

    /// <summary>What each role loses to the others: the results of Invoke-IoTest -DataPath ... -LogPath ...</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Role")]
    public SwitchParameter Role { get; set; }

    /// <summary>The latency that SQL Server saw against what the storage gives at that rate: results of New-IoWorkload's tests.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "OwnLoad")]
    public SwitchParameter OwnLoad { get; set; }

    /// <summary>Equal runs with one another: median, spread, 95 % interval, and whether rounds became steady.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Repeat")]
    public SwitchParameter Repeat { get; set; }

    /// <inheritdoc/>
    protected override void Process() => Collect(InputObject);

    /// <inheritdoc/>
    protected override void End()
    {
        switch (ParameterSetName)
        {
            case "Role":
                WriteObject(RoleInterference.Of(Results), enumerateCollection: true);
                break;
            case "OwnLoad":
                WriteObject(ObservedLatency.Of(Results), enumerateCollection: true);
                break;
            case "Repeat":
                WriteObject(RepeatComparison.Summaries(Results), enumerateCollection: true);
                break;
            default:
                CompareSides();
                break;
        }
    }

    private void CompareSides()
    {
        var options = new ComparisonOptions(Alpha, MinChangePercent, Math.Max(new ComparisonOptions().MinSingleChangePercent, MinChangePercent));
        foreach (var comparison in Comparisons(options))
        {
            foreach (var warning in comparison.Warnings.Concat(comparison.ToolNotes).Concat(comparison.Unmatched))
                WriteWarning(warning);
            WriteObject(comparison.Rows, enumerateCollection: true);
        }
    }

    private IReadOnlyList<ComparisonResult> Comparisons(ComparisonOptions options)
    {
        if (Baseline is not { Length: > 0 })
            return ComparisonSide.Choose(Results, By, null).Compare(Results, null, options);
        var side = ComparisonSide.Choose(Results, By, Baseline is [var first] ? DeserializedObject.Unwrap(first) as string : null);
        // A value of the property before a file of that name.
        if (Baseline is [var only] && DeserializedObject.Unwrap(only) is string value && (side.Has(Results, value) || !File.Exists(InputPaths.Full(SessionState, value))))
            return side.Compare(Results, value, options);
        return [ResultComparer.Compare(Baselines.Read(SessionState, Baseline), Results, "baseline", null, options)];
    }
}
