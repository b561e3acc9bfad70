using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class SessionView(PSCmdlet cmdlet)
{
    private readonly HashSet<int> _shown = [];

    public string Activity { get; set; } = "IoBench";

    /// <param name="number">Index of the host among all hosts, from 0.</param>
    public void Show(SessionHost host, int number, SessionMessage message)
    {
        switch (message.Kind)
        {
            case SessionMessageKind.Progress:
                ShowProgress(host, number, message);
                break;
            case SessionMessageKind.Verbose:
                Verbose(host, message.Text);
                break;
            case SessionMessageKind.Note:
                Note(host, message.Text);
                break;
            case SessionMessageKind.Warning:
                Warn(host, message.Text);
                break;
            case SessionMessageKind.Error:
                Fail(
                    host,
                    new IoBenchException(
                        message.ErrorId,
                        message.ErrorKind,
                        message.Text,
                        advice: message.Advice.Length > 0 ? (IoText)message.Advice : null
                    )
                );
                break;
        }
    }

    public void Verbose(SessionHost host, string text) => Write(() => cmdlet.WriteVerbose(SafeText.Escape($"{host.Name}: {text}")));

    public void Warn(SessionHost host, string text) => Write(() => cmdlet.WriteWarning(SafeText.Escape($"{host.Name}: {text}")));

    public void Note(SessionHost host, string text) =>
        Write(() => cmdlet.WriteInformation(SafeText.Escape($"{host.Name}: {text}"), ["IoBench"]));

    public void Fail(SessionHost host, IoBenchException error) =>
        Write(() => cmdlet.WriteError(ErrorRecords.From(error.About(host.Name, host.Name), host.Session)));

    public void Fail(SessionHost host, ErrorRecord record) => Write(() => cmdlet.WriteError(record));

    public void Clear()
    {
        foreach (var id in _shown.Select(number => ProgressIds.Host + number).Append(ProgressIds.Hosts).Where(_ => _shown.Count > 0))
            Write(() => cmdlet.WriteProgress(new ProgressRecord(id, Activity, " ") { RecordType = ProgressRecordType.Completed }));
        _shown.Clear();
    }

    private void ShowProgress(SessionHost host, int number, SessionMessage message)
    {
        _shown.Add(number);
        Write(() => cmdlet.WriteProgress(new ProgressRecord(ProgressIds.Hosts, Activity, " ")));
        Write(() =>
            cmdlet.WriteProgress(
                new ProgressRecord(ProgressIds.Host + number, host.Name, SafeText.Escape(message.Text))
                {
                    ParentActivityId = ProgressIds.Hosts,
                    PercentComplete = message.Percent,
                    SecondsRemaining = message.SecondsLeft,
                }
            )
        );
    }

    private void Write(Action write) => cmdlet.UnlessStopped(write);
}
