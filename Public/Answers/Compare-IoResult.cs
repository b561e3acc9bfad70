using System.Management.Automation;

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
    public double Alpha { get; set; } = new ComparisonOptions().Alpha;

    /// <summary>Smaller changes are noise, however certain.</summary>
    [Parameter(ParameterSetName = "Side")]
    [ValidateRange(0.0, 1000.0)]
    [Alias("LeastChangePercent")]
    public double MinChangePercent { get; set; } = new ComparisonOptions().MinChangePercent;

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
        switch (Request().Answer(Results))
        {
            case ComparisonAnswer.Roles roles:
                WriteObject(roles.List, enumerateCollection: true);
                break;
            case ComparisonAnswer.OwnLoad loads:
                WriteObject(loads.List, enumerateCollection: true);
                break;
            case ComparisonAnswer.Repeats repeats:
                WriteObject(repeats.List, enumerateCollection: true);
                break;
            case ComparisonAnswer.Sides sides:
                Write(sides.Comparisons);
                break;
        }
    }

    private ComparisonRequest Request()
    {
        // A baseline may also be results, or several files, which no option's value is.
        var rows = OptionTables.Comparison.Where(row => row.Name != nameof(Baseline)).ToList();
        var name = Baseline is [var only] ? DeserializedObject.Unwrap(only) as string : null;
        var values = GivenOptions.Read(this, name is null ? rows : OptionTables.Comparison);
        return new ComparisonRequest(values, GivenOptions.Context(SessionState))
        {
            Earlier = name is null && Baseline is { Length: > 0 } ? () => Baselines.Read(SessionState, Baseline) : null,
        };
    }

    private void Write(IReadOnlyList<ComparisonResult> comparisons)
    {
        foreach (var comparison in comparisons)
        {
            foreach (var warning in comparison.Warnings.Concat(comparison.ToolNotes).Concat(comparison.Unmatched))
                WriteWarning(warning);
            WriteObject(comparison.Rows, enumerateCollection: true);
        }
    }
}
