using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Shows a running fleet in one view, independent of its size.</summary>
[Cmdlet(VerbsCommon.Watch, "IoFleet", DefaultParameterSetName = "Group", HelpUri = HelpPages.Root + "Watch-IoFleet")]
[OutputType(typeof(LiveView))]
public sealed class WatchIoFleetCommand : IoCmdlet
{
    private readonly List<string> _files = [];

    /// <summary>Group; default: the group that runs, or ran last, on this computer.</summary>
    [Parameter(Position = 0, ParameterSetName = "Group")]
    public string? Group { get; set; }

    [Parameter(Mandatory = true, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true, ParameterSetName = "Path")]
    [Alias("FullName")]
    [SupportsWildcards]
    [PathText]
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
            _files.AddRange(
                PathResolver.ResolvePaths(
                    SessionState,
                    Path,
                    null,
                    allowMissing: false,
                    (error, name) => WriteNonTerminatingError(error, name)
                )
            );
    }

    protected override void End()
    {
        if (ParameterSetName == "Path" && _files.Count == 0)
            return;
        var last = LiveViewReader.FollowFleet(
            ReadSnapshot,
            Every.TimeSpan > TimeSpan.Zero ? Every.TimeSpan : TimeSpan.FromSeconds(1),
            ShowLiveView,
            StopToken
        );
        StopToken.ThrowIfCancellationRequested();
        WriteObject(last);
    }

    private FleetSnapshot ReadSnapshot()
    {
        var snapshot =
            ParameterSetName == "Path"
                ? LiveViewReader.ReadSnapshot(_files)
                : LiveViewReader.ReadSnapshot(string.IsNullOrEmpty(Group) ? null : Group);
        return Once ? snapshot with { IsAlive = false } : snapshot;
    }

    private void ShowLiveView(LiveView view)
    {
        if (!Stopping && !Once)
            WriteProgress(FleetCmdletObserver.CreateProgressRecord(view));
    }
}
