using System.Management.Automation;

namespace IoBench.PowerShell.Fleet;

/// <summary>What a cmdlet shows of a fleet, and how.</summary>
/// <param name="Warn">Takes a warning.</param>
/// <param name="Note">Takes what happens, for who wants to read it.</param>
/// <param name="Progress">Takes the state of all hosts.</param>
/// <param name="Fail">Takes an error.</param>
internal sealed record FleetStreams(
    Action<IoText> Warn,
    Action<string> Note,
    Action<ProgressRecord> Progress,
    Action<IoBenchException> Fail
);

/// <summary>A fleet on the streams of a cmdlet: one progress bar for all hosts, whatever their number.</summary>
internal sealed class FleetCmdletView(FleetStreams streams) : IFleetObserver
{
    private const string Activity = "IoBench: fleet";

    private readonly HashSet<string> _failed = [];

    public void OnWarning(IoWarning warning) => streams.Warn(warning.Text);

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) => streams.Note(FleetText.Waiting(hosts, time));

    public void OnTestBegun(int test, IReadOnlyList<string> hosts) => streams.Note(FleetText.Begun(test, hosts.Count));

    public void OnFailure(FleetFailure failure)
    {
        // A host that is lost fails all of its tests for one reason.
        if (_failed.Add(failure.ToString()))
            streams.Fail(ErrorOf(failure));
    }

    public void OnStatus(FleetStatus status) => streams.Progress(ProgressOf(FleetScene.Of("", status, DateTimeOffset.Now)));

    /// <summary>Takes the bar away.</summary>
    public void End() => streams.Progress(new ProgressRecord(ProgressIds.Run, Activity, " ") { RecordType = ProgressRecordType.Completed });

    /// <summary>The error of a host that gives no result.</summary>
    public static IoBenchException ErrorOf(FleetFailure failure) =>
        IoBenchException.Failure(failure.ErrorId, $"{failure.Host}: {failure.What}", failure.Host, advice: failure.Advice);

    /// <summary>A scene as a progress bar.</summary>
    public static ProgressRecord ProgressOf(FleetScene scene) =>
        new(
            ProgressIds.Run,
            scene.Group.Length == 0 ? Activity : $"{Activity} {scene.Group}",
            SafeText.Escape(string.Join("; ", scene.Lines.Take(2)))
        )
        {
            CurrentOperation = SafeText.Escape(string.Join("; ", scene.Lines.Skip(2))) is { Length: > 0 } rest ? rest : null,
        };
}
