using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class HostMessageWriter(PSCmdlet cmdlet)
{
    private readonly HashSet<int> _hostsWithProgress = [];

    public string Activity { get; set; } = "IoBench";

    /// <param name="number">Index of the host among all hosts, from 0.</param>
    public void WriteMessage(SessionHost host, int number, SessionMessage message)
    {
        switch (message.Kind)
        {
            case SessionMessageKind.Progress:
                WriteProgress(host, number, message);
                break;
            case SessionMessageKind.Verbose:
                WriteVerbose(host, message.Text);
                break;
            case SessionMessageKind.Note:
                WriteNote(host, message.Text);
                break;
            case SessionMessageKind.Warning:
                WriteWarning(host, message.Text);
                break;
            case SessionMessageKind.Error:
                WriteError(
                    host,
                    new IoBenchException(
                        message.ErrorId,
                        message.ErrorKind,
                        message.Text,
                        advice: message.Advice.Length > 0 ? (IoMessage)message.Advice : null
                    )
                );
                break;
        }
    }

    public void WriteVerbose(SessionHost host, string text) =>
        WriteUnlessStopped(() => cmdlet.WriteVerbose(SafeText.Escape($"{host.Name}: {text}")));

    public void WriteWarning(SessionHost host, string text) =>
        WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape($"{host.Name}: {text}")));

    public void WriteNote(SessionHost host, string text) => WriteUnlessStopped(() => cmdlet.WriteHostLine($"{host.Name}: {text}"));

    public void WriteError(SessionHost host, IoBenchException error) =>
        WriteUnlessStopped(() => cmdlet.WriteError(ErrorRecords.Create(error.WithSubject(host.Name, host.Name), host.Session)));

    public void WriteError(SessionHost host, ErrorRecord record) => WriteUnlessStopped(() => cmdlet.WriteError(record));

    public void ClearProgress()
    {
        foreach (
            var id in _hostsWithProgress
                .Select(number => CmdletOutput.FirstHostProgressId + number)
                .Append(CmdletOutput.AllHostsProgressId)
                .Where(_ => _hostsWithProgress.Count > 0)
        )
            WriteUnlessStopped(() =>
                cmdlet.WriteProgress(new ProgressRecord(id, Activity, " ") { RecordType = ProgressRecordType.Completed })
            );
        _hostsWithProgress.Clear();
    }

    private void WriteProgress(SessionHost host, int number, SessionMessage message)
    {
        _hostsWithProgress.Add(number);
        WriteUnlessStopped(() => cmdlet.WriteProgress(new ProgressRecord(CmdletOutput.AllHostsProgressId, Activity, " ")));
        WriteUnlessStopped(() =>
            cmdlet.WriteProgress(
                new ProgressRecord(CmdletOutput.FirstHostProgressId + number, SafeText.Escape(host.Name), SafeText.Escape(message.Text))
                {
                    ParentActivityId = CmdletOutput.AllHostsProgressId,
                    PercentComplete = message.Percent,
                    SecondsRemaining = message.SecondsLeft,
                }
            )
        );
    }

    private void WriteUnlessStopped(Action write) => cmdlet.WriteUnlessStopped(write);
}
