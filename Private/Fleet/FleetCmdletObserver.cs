using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class FleetCmdletObserver(Cmdlet cmdlet) : IFleetObserver
{
    private const string Activity = "IoBench: fleet";

    private readonly HashSet<string> _failed = [];

    public void OnWarning(IoWarning warning) => WriteWarning(warning.Text);

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) => WriteNote(FleetProgressMessages.DescribeWaiting(hosts, time));

    public void OnTestBegun(int test, IReadOnlyList<string> hosts) => WriteNote(FleetProgressMessages.DescribeTestStart(test, hosts.Count));

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_failed.Add(failure.ToString()))
            WriteError(CreateError(failure));
    }

    public void OnStatus(FleetStatus status) =>
        WriteProgress(
            new ProgressRecord(CmdletOutput.RunProgressId, Activity, SafeText.Escape(string.Join("; ", status.Lines.Take(2))))
            {
                CurrentOperation = SafeText.Escape(string.Join("; ", status.Lines.Skip(2))) is { Length: > 0 } rest ? rest : null,
            }
        );

    public void ClearProgress() =>
        WriteProgress(new ProgressRecord(CmdletOutput.RunProgressId, Activity, " ") { RecordType = ProgressRecordType.Completed });

    public static IoBenchException CreateError(FleetFailure failure) =>
        IoBenchException.Failure(failure.ErrorId, $"{failure.Host}: {failure.What}", failure.Host, advice: failure.Advice);

    public void WriteSummary(FleetResult result, string? require)
    {
        foreach (var group in result.Groups)
        {
            foreach (var warning in group.Warnings)
                WriteWarning($"{group.Test}: {warning.Words}");
            WriteNote(group.Summary);
        }
        foreach (var ramp in result.Ramps)
            WriteNote(ramp.Summary);
        foreach (var missed in require is null ? [] : FleetRequirement.DescribeFailures(FleetRequirement.Parse(require), result.Groups))
            WriteError(IoBenchException.Failure(FleetErrorIds.RequirementNotMet, $"{missed}."));
    }

    private void WriteWarning(IoMessage text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape(text.Render(PowerShellSpelling.Default))));

    private void WriteNote(string text) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteHostLine(text));

    private void WriteProgress(ProgressRecord record) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteProgress(record));

    private void WriteError(IoBenchException error) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteError(ErrorRecords.Create(error, error.Target)));
}
