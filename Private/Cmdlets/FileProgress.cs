using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class FileProgress(Cmdlet cmdlet, string path) : IDisposable
{
    private const string Activity = "IoBench: making a test file";

    private readonly FileRate _rate = new(path);
    private bool _isShown;

    /// <param name="written">Bytes written so far.</param>
    /// <param name="total">Size of the complete file, in bytes.</param>
    public void Show(long written, long total)
    {
        if (total <= 0 || !_rate.IsDue())
            return;
        _isShown = true;
        var (text, percent, seconds) = _rate.Of(written, total);
        cmdlet.WriteProgress(
            new ProgressRecord(ProgressIds.Run, Activity, SafeText.Escape(text)) { PercentComplete = percent, SecondsRemaining = seconds }
        );
    }

    public void Dispose()
    {
        // A stopped pipeline accepts no more records and removes the progress bar itself.
        if (_isShown && !cmdlet.Stopping)
            cmdlet.WriteProgress(new ProgressRecord(ProgressIds.Run, Activity, " ") { RecordType = ProgressRecordType.Completed });
    }
}
