using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Writes the progress, results, and failures of a suite to a cmdlet's streams. All calls come on the pipeline's thread. A stopped pipeline
/// accepts no more output; the suite then ends by its token and keeps its results.
/// </summary>
internal sealed class SuiteView(Cmdlet cmdlet, string activity) : ISuiteObserver
{
    private bool _isShown;

    public Action<IoTestResult>? Emit { get; init; }

    public void OnProgress(SuiteProgress progress)
    {
        _isShown = true;
        Write(() =>
            cmdlet.WriteProgress(
                new ProgressRecord(ProgressIds.Run, activity, SafeText.Escape(SuiteProgressText.Status(progress)))
                {
                    PercentComplete = (int)Math.Clamp(progress.Percent ?? -1, -1, 100),
                    SecondsRemaining = progress.Remaining is { } left ? (int)Math.Min(left.TotalSeconds, int.MaxValue) : -1,
                }
            )
        );
    }

    public void OnTestEnded()
    {
        if (_isShown)
            Write(() =>
                cmdlet.WriteProgress(new ProgressRecord(ProgressIds.Run, activity, " ") { RecordType = ProgressRecordType.Completed })
            );
        _isShown = false;
    }

    public void OnWarning(IoWarning warning) =>
        Write(() => cmdlet.WriteWarning(SafeText.Escape(warning.Text.Render(ModuleSpelling.Default))));

    public void OnLog(string line) => Write(() => cmdlet.WriteVerbose(SafeText.Escape(line)));

    public void OnResult(IoTestResult result) => Write(() => Emit?.Invoke(result));

    public void OnFailure(SuiteFailure failure) =>
        Write(() =>
            cmdlet.WriteError(
                ErrorRecords.From(
                    failure.Error,
                    failure.Result ?? (object)string.Join("; ", failure.Test.Targets.Select(target => target.Path))
                )
            )
        );

    private void Write(Action write) => cmdlet.UnlessStopped(write);
}
