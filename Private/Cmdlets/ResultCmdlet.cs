namespace IoBench.PowerShell.Cmdlets;

/// <summary>A cmdlet that needs all results of the pipeline before it can answer.</summary>
public abstract class ResultCmdlet : IoCmdlet
{
    /// <summary>The results of the pipeline so far.</summary>
    private protected List<IoTestResult> Results { get; } = [];

    /// <summary>Collects results; null among them is passed over.</summary>
    private protected void Collect(IoTestResult[]? results)
    {
        if (results is not null)
            Results.AddRange(results.Where(result => result is not null));
    }
}
