using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>All calls come on the pipeline's thread. A stopped pipeline accepts no more output; the suite keeps its results.</summary>
internal sealed class CmdletSuiteObserver(Cmdlet cmdlet, string activity) : ISuiteObserver
{
    private bool _isProgressShown;

    public Action<IoTestResult>? ResultHandler { get; init; }

    /// <summary>Whether the cmdlet returns the outcome of the integrity check as a Boolean.</summary>
    public bool HidesIntegrityErrors { get; init; }

    public void OnProgress(SuiteProgress progress)
    {
        _isProgressShown = true;
        WriteUnlessStopped(() =>
            cmdlet.WriteProgress(
                new ProgressRecord(CmdletOutput.RunProgressId, activity, SafeText.Escape(SuiteProgressMessages.FormatStatus(progress)))
                {
                    PercentComplete = (int)Math.Clamp(progress.Percent ?? -1, -1, 100),
                    SecondsRemaining = progress.Remaining is { } left ? (int)Math.Min(left.TotalSeconds, int.MaxValue) : -1,
                }
            )
        );
    }

    public void OnTestEnded()
    {
        if (_isProgressShown)
            WriteUnlessStopped(() =>
                cmdlet.WriteProgress(
                    new ProgressRecord(CmdletOutput.RunProgressId, activity, " ") { RecordType = ProgressRecordType.Completed }
                )
            );
        _isProgressShown = false;
    }

    public void OnWarning(IoWarning warning) =>
        WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape(warning.RenderWithId(PowerShellSpelling.Default))));

    public void OnLog(string line) => WriteUnlessStopped(() => cmdlet.WriteVerbose(SafeText.Escape(line)));

    public void OnResult(IoTestResult result) => WriteUnlessStopped(() => ResultHandler?.Invoke(result));

    public void OnFailure(SuiteFailure failure)
    {
        if (HidesIntegrityErrors && failure.Error.ErrorId == ErrorIds.IntegrityErrors)
            return;
        WriteUnlessStopped(() =>
            cmdlet.WriteError(
                ErrorRecords.Create(
                    failure.Error,
                    failure.Result ?? (object)string.Join("; ", failure.Test.Targets.Select(target => target.Path))
                )
            )
        );
    }

    private void WriteUnlessStopped(Action write) => cmdlet.WriteUnlessStopped(write);
}
