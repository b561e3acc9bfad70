using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Shows a running fleet in one view, independent of its size.</summary>
[Cmdlet(VerbsCommon.Watch, "IoFleet", DefaultParameterSetName = "Group", HelpUri = HelpPages.Root + "Watch-IoFleet")]
[OutputType(typeof(FleetScene))]
public sealed class WatchIoFleetCommand : IoCmdlet
{
    private readonly List<string> _files = [];

    /// <summary>Group; default: the group that runs, or ran last, on this computer.</summary>
    [Parameter(Position = 0, ParameterSetName = "Group")]
    public string? Group { get; set; }

    /// <summary>Output of the members, one file per host.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true, ParameterSetName = "Path")]
    [Alias("FullName")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>Time between two updates; default 1 second.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration Every { get; set; } = new(TimeSpan.FromSeconds(1));

    /// <summary>Shows the current state once.</summary>
    [Parameter]
    public SwitchParameter Once { get; set; }

    protected override void Process()
    {
        if (Path is not null)
            _files.AddRange(InputPaths.Resolve(SessionState, Path, null, allowMissing: false, (error, name) => WriteProblem(error, name)));
    }

    protected override void End()
    {
        if (ParameterSetName == "Path" && _files.Count == 0)
            return;
        var last = FleetWatch.Follow(Look, Every.TimeSpan > TimeSpan.Zero ? Every.TimeSpan : TimeSpan.FromSeconds(1), Show, Stopped);
        Stopped.ThrowIfCancellationRequested();
        WriteObject(last);
    }

    private FleetSight Look()
    {
        var sight = ParameterSetName == "Path" ? FleetWatch.Look(_files) : FleetWatch.Look(string.IsNullOrEmpty(Group) ? null : Group);
        return Once ? sight with { IsAlive = false } : sight;
    }

    private void Show(FleetScene scene)
    {
        if (!Stopping && !Once)
            WriteProgress(FleetCmdletView.ProgressOf(scene));
    }
}
