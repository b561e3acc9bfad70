using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>Options of whole suites, on this computer or on many: rounds, rests, and what is known of files and caches.</summary>
public abstract class SuiteOptionCmdlet : LoadOptionCmdlet
{
    /// <summary>Run all tests this many times, round by round.</summary>
    [Parameter]
    [ValidateRange(1, 10000)]
    public virtual int Repeat { get; set; } = 1;

    /// <summary>Rest between tests.</summary>
    [Parameter]
    [Alias("Idle")]
    public IoDuration IdleSeconds { get; set; }

    /// <summary>Write each file so many times over before it is tested, such as 2x.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Precondition { get; set; }
}
