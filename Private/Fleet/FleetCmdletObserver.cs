using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class FleetCmdletObserver(Cmdlet cmdlet, string activity = "IoBench: fleet") : IFleetObserver
{
    private readonly HashSet<string> _failed = [];

    public void OnWarning(IoWarning warning) => WriteWarning(warning.Text);

    public void OnProgress(string line) => WriteNote(line);

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_failed.Add(failure.ToString()))
            WriteError(CreateError(failure));
    }

    public void OnStatus(IReadOnlyList<string> lines) =>
        WriteProgress(
            new ProgressRecord(CmdletOutput.RunProgressId, activity, SafeText.Escape(string.Join("; ", lines.Take(2))))
            {
                CurrentOperation = SafeText.Escape(string.Join("; ", lines.Skip(2))) is { Length: > 0 } rest ? rest : null,
            }
        );

    public void ClearProgress() =>
        WriteProgress(new ProgressRecord(CmdletOutput.RunProgressId, activity, " ") { RecordType = ProgressRecordType.Completed });

    public static IoBenchException CreateError(FleetFailure failure) =>
        IoBenchException.Failure(failure.ErrorId, $"{failure.Host}: {failure.What}", failure.Host, advice: failure.Advice);

    /// <summary>Writes the warnings, notes, and errors about the groups and ramps, and then the groups and ramps.</summary>
    public void WriteResult(FleetResult result, string? require)
    {
        foreach (var group in result.Groups)
        {
            foreach (var warning in group.Warnings)
                WriteWarning($"{group.Test}: {warning.Text}");
            WriteNote(group.Summary);
        }
        foreach (var ramp in result.Ramps)
            WriteNote(ramp.Summary);
        foreach (var missed in require is null ? [] : FleetRequirement.DescribeFailures(FleetRequirement.Parse(require), result.Groups))
            WriteError(IoBenchException.Failure(FleetErrorIds.RequirementNotMet, $"{missed}."));
        cmdlet.WriteObject(result.Groups, enumerateCollection: true);
        cmdlet.WriteObject(result.Ramps, enumerateCollection: true);
    }

    private void WriteWarning(IoMessage text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape(text.Render(PowerShellSpelling.Default))));

    private void WriteNote(string text) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteHostLine(text));

    private void WriteProgress(ProgressRecord record) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteProgress(record));

    private void WriteError(IoBenchException error) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteError(CmdletOutput.CreateErrorRecord(error, error.Target)));
}
