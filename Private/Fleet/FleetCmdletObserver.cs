using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed record FleetStreams(
    Action<IoMessage> Warn,
    Action<string> Note,
    Action<ProgressRecord> Progress,
    Action<IoBenchException> Fail
);

internal sealed class FleetCmdletObserver(FleetStreams streams) : IFleetObserver
{
    private const string Activity = "IoBench: fleet";

    private readonly HashSet<string> _failed = [];

    public void OnWarning(IoWarning warning) => streams.Warn(warning.Text);

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) =>
        streams.Note(FleetProgressMessages.DescribeWaiting(hosts, time));

    public void OnTestBegun(int test, IReadOnlyList<string> hosts) =>
        streams.Note(FleetProgressMessages.DescribeTestStart(test, hosts.Count));

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_failed.Add(failure.ToString()))
            streams.Fail(CreateError(failure));
    }

    public void OnStatus(FleetStatus status) => streams.Progress(CreateProgressRecord(LiveView.FromStatus("", status, DateTimeOffset.Now)));

    public void ClearProgress() =>
        streams.Progress(new ProgressRecord(CmdletOutput.RunProgressId, Activity, " ") { RecordType = ProgressRecordType.Completed });

    public static IoBenchException CreateError(FleetFailure failure) =>
        IoBenchException.Failure(failure.ErrorId, $"{failure.Host}: {failure.What}", failure.Host, advice: failure.Advice);

    public static ProgressRecord CreateProgressRecord(LiveView scene) =>
        new(
            CmdletOutput.RunProgressId,
            scene.Group.Length == 0 ? Activity : $"{Activity} {scene.Group}",
            SafeText.Escape(string.Join("; ", scene.Lines.Take(2)))
        )
        {
            CurrentOperation = SafeText.Escape(string.Join("; ", scene.Lines.Skip(2))) is { Length: > 0 } rest ? rest : null,
        };

    public static void WriteSummary(FleetResult answer, string? require, FleetStreams streams)
    {
        foreach (var group in answer.Groups)
        {
            foreach (var warning in group.Warnings)
                streams.Warn($"{group.Test}: {warning.Words}");
            streams.Note(group.Summary);
        }
        foreach (var ramp in answer.Ramps)
            streams.Note(ramp.Summary);
        foreach (var missed in require is null ? [] : FleetRequirement.DescribeFailures(FleetRequirement.Parse(require), answer.Groups))
            streams.Fail(IoBenchException.Failure(FleetErrorIds.RequirementNotMet, $"{missed}."));
    }
}
