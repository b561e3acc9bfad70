using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>Options of tests that are run at once, whose lists are combinations: what holds a load back, what ends it, and the cache that it must outgrow.</summary>
public abstract class LoadOptionCmdlet : RunOptionCmdlet<string[], IoSize[], int[], IoAccessPattern[]>
{
    /// <summary>Closed loop: no more than this per target.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoRate MaxRate { get; set; }

    /// <summary>End a test whose latency stays above this; of a fleet all hosts end.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e6)]
    public double StopAboveMs { get; set; }

    /// <summary>To judge whether the file is large enough.</summary>
    [Parameter]
    public IoSize StorageCacheSize { get; set; }
}
