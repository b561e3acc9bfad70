using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class FileCreationProgressBar(Cmdlet cmdlet, string path) : IDisposable
{
    private const string Activity = "IoBench: making a test file";

    private readonly FileCreationProgress _progress = new(path);
    private bool _isShown;

    /// <param name="written">Bytes written so far.</param>
    /// <param name="total">Size of the complete file, in bytes.</param>
    public void ShowProgress(long written, long total)
    {
        if (total <= 0 || !_progress.IsDue())
            return;
        _isShown = true;
        var (text, percent, seconds) = _progress.GetStatus(written, total);
        cmdlet.WriteProgress(
            new ProgressRecord(CmdletOutput.RunProgressId, Activity, SafeText.Escape(text))
            {
                PercentComplete = percent,
                SecondsRemaining = seconds,
            }
        );
    }

    public void Dispose()
    {
        // A stopped pipeline accepts no more records and removes the progress bar itself.
        if (_isShown && !cmdlet.Stopping)
            cmdlet.WriteProgress(
                new ProgressRecord(CmdletOutput.RunProgressId, Activity, " ") { RecordType = ProgressRecordType.Completed }
            );
    }
}
