using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Options of whole suites, on this computer or on several hosts: rounds, idle time, and preconditioning.</summary>
public abstract class SuiteOptionCmdlet : LoadOptionCmdlet
{
    /// <summary>Number of times that all tests run, round by round.</summary>
    [Parameter]
    [ValidateRange(1, 10000)]
    public virtual int Repeat { get; set; } = 1;

    /// <summary>Idle time between tests.</summary>
    [Parameter]
    [Alias("Idle")]
    public IoDuration IdleSeconds { get; set; }

    /// <summary>Number of times that each file is overwritten before its test, such as 2x.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Precondition { get; set; }
}
