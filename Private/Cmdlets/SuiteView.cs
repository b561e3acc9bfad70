using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>
/// A suite on a cmdlet's streams: progress, what is really done, results and failures. All calls come on the pipeline's thread. A stopped pipeline takes
/// nothing any more; the suite hears of it by its token and keeps what it has.
/// </summary>
internal sealed class SuiteView(Cmdlet cmdlet, string activity) : ISuiteObserver
{
    private bool _isShown;

    /// <summary>Takes each result; null = nobody does.</summary>
    public Action<IoTestResult>? Emit { get; init; }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public void OnTestEnded()
    {
        if (_isShown)
            Write(() =>
                cmdlet.WriteProgress(new ProgressRecord(ProgressIds.Run, activity, " ") { RecordType = ProgressRecordType.Completed })
            );
        _isShown = false;
    }

    /// <inheritdoc/>
    public void OnWarning(IoWarning warning) =>
        Write(() => cmdlet.WriteWarning(SafeText.Escape(warning.Text.Render(ModuleSpelling.Default))));

    /// <inheritdoc/>
    public void OnLog(string line) => Write(() => cmdlet.WriteVerbose(SafeText.Escape(line)));

    /// <inheritdoc/>
    public void OnResult(IoTestResult result) => Write(() => Emit?.Invoke(result));

    /// <inheritdoc/>
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
