using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Writes messages that begin with the name of their host.</summary>
internal sealed class HostMessageWriter(PSCmdlet cmdlet)
{
    public void WriteVerbose(SessionHost host, string text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteVerbose(SafeText.Escape($"{host.Name}: {text}")));

    public void WriteWarning(SessionHost host, string text) =>
        cmdlet.WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape($"{host.Name}: {text}")));

    public void WriteNote(SessionHost host, string text) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteHostLine($"{host.Name}: {text}"));

    public void WriteError(SessionHost host, IoBenchException error) =>
        WriteError(ErrorRecords.Create(error.WithSubject(host.Name, host.Name), host.Session));

    public void WriteError(ErrorRecord record) => cmdlet.WriteUnlessStopped(() => cmdlet.WriteError(record));

    public void WriteHostLost(SessionHost host, string reason, string advice)
    {
        var lost = IoBenchException.Failure(
            FleetErrorIds.HostLost,
            $"{host.Name} was lost: {reason.Trim().TrimEnd('.')}.",
            host.Name,
            advice: advice
        );
        WriteError(ErrorRecords.Create(lost, host.Session, ErrorCategory.ConnectionError));
    }
}
