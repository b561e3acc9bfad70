using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed record FleetStreams(
    Action<IoText> Warn,
    Action<string> Note,
    Action<ProgressRecord> Progress,
    Action<IoBenchException> Fail
);

internal sealed class FleetCmdletView(FleetStreams streams) : IFleetObserver
{
    private const string Activity = "IoBench: fleet";

    private readonly HashSet<string> _failed = [];

    public void OnWarning(IoWarning warning) => streams.Warn(warning.Text);

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) => streams.Note(FleetText.Waiting(hosts, time));

    public void OnTestBegun(int test, IReadOnlyList<string> hosts) => streams.Note(FleetText.Begun(test, hosts.Count));

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_failed.Add(failure.ToString()))
            streams.Fail(ErrorOf(failure));
    }

    public void OnStatus(FleetStatus status) => streams.Progress(ProgressOf(FleetScene.Of("", status, DateTimeOffset.Now)));

    public void End() => streams.Progress(new ProgressRecord(ProgressIds.Run, Activity, " ") { RecordType = ProgressRecordType.Completed });

    public static IoBenchException ErrorOf(FleetFailure failure) =>
        IoBenchException.Failure(failure.ErrorId, $"{failure.Host}: {failure.What}", failure.Host, advice: failure.Advice);

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
