using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Base class of the cmdlets that need all results of the pipeline.</summary>
public abstract class ResultCmdlet : IoCmdlet
{
    private protected List<IoTestResult> Results { get; } = [];

    private protected void AddResults(IoTestResult[]? results)
    {
        if (results is not null)
            Results.AddRange(results.Where(result => result is not null));
    }
}
