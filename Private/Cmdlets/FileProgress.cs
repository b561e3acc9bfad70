using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>The progress bar of a test file that is made.</summary>
internal sealed class FileProgress(Cmdlet cmdlet, string path) : IDisposable
{
    private const string Activity = "IoBench: making a test file";

    private readonly FileRate _rate = new(path);
    private bool _isShown;

    /// <summary>Shows how far it is.</summary>
    /// <param name="written">Bytes that are there.</param>
    /// <param name="total">Bytes it will have.</param>
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

    /// <summary>Takes the bar away.</summary>
    public void Dispose()
    {
        // A stopped pipeline takes no more records, and its bar away itself.
        if (_isShown && !cmdlet.Stopping)
            cmdlet.WriteProgress(new ProgressRecord(ProgressIds.Run, Activity, " ") { RecordType = ProgressRecordType.Completed });
    }
}
