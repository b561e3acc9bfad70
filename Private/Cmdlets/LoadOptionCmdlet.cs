using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Options of tests that run immediately: rate limit, stop condition, and storage cache. Lists of values are combined.</summary>
public abstract class LoadOptionCmdlet : RunOptionCmdlet<string[], IoSize[], int[], IoAccessPattern[]>
{
    /// <summary>Closed loop: maximum rate per target.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoRate MaxRate { get; set; }

    /// <summary>Ends a test whose latency stays above this value, such as 50ms. In a fleet, all hosts end the test.</summary>
    [Parameter]
    [Input(InputRule.Milliseconds)]
    [ValidateRange(0.001, 1e6)]
    public double StopAboveMs { get; set; }

    /// <summary>Size of the storage cache. IoBench uses it to check that the test file is large enough.</summary>
    [Parameter]
    public IoSize StorageCacheSize { get; set; }
}
