using System.Collections;
using System.Management.Automation;

namespace IoBench.PowerShell.Sessions;

/// <summary>Carries a suite to the hosts of sessions as scripts, and what comes back as objects; what hosts say meanwhile is shown.</summary>
/// <param name="cmdlet">Whose call it is.</param>
/// <param name="calls">Runs scripts on the hosts.</param>
/// <param name="settings">What the call allows.</param>
internal sealed class SessionWork(PSCmdlet cmdlet, SessionCalls calls, SuiteSettings settings) : IHostTransport<SessionHost>
{
    /// <summary>At the end a host that does not answer is not waited for.</summary>
    private static readonly TimeSpan s_patienceAtEnd = TimeSpan.FromSeconds(15);

    private readonly string _id = Guid.NewGuid().ToString("N");

    /// <inheritdoc/>
    public void Prepare(
        IReadOnlyList<IoTestSpecification> tests,
        IReadOnlyList<HostShare<SessionHost>> shares,
        Action<SessionHost, int> ready
    )
    {
        var text = PSSerializer.Serialize(tests.ToArray(), 9);
        var numbers = shares.ToDictionary(share => share.Host, share => share.Tests.ToArray());
        calls.ReadyOf = ready;
        calls.Do(
            [.. numbers.Keys],
            SessionScripts.Prepare,
            host => new Hashtable
            {
                ["Id"] = _id,
                ["Plan"] = text,
                ["Numbers"] = numbers[host],
                ["Force"] = settings.Force,
                ["EraseDevices"] = settings.EraseDevices.ToArray(),
                // A host cannot ask: what -Confirm:$false answers here it answers there.
                ["IsConfirmed"] = UserPrompts.IsConfirmed(cmdlet),
                ["Units"] = Throughput.Units.ToString(),
            }
        );
    }

    /// <inheritdoc/>
    public IEnumerable<(SessionHost Host, IoTestResult Result)> Run(
        int number,
        TimeSpan leftAfter,
        IReadOnlyList<HostOrder<SessionHost>> orders
    )
    {
        var rates = orders.ToDictionary(order => order.Host, order => order.Rates.ToArray());
        return calls
            .Invoke(
                [.. rates.Keys],
                SessionScripts.Run,
                host => new Hashtable
                {
                    ["Id"] = _id,
                    ["Number"] = number,
                    ["SecondsAfter"] = leftAfter.TotalSeconds,
                    ["Rates"] = rates[host],
                }
            )
            .Select(pair => (pair.Key, DeserializedObject.ToResult(pair.Value)));
    }

    /// <inheritdoc/>
    public void End(IReadOnlyList<SessionHost> hosts, bool removeTestFiles)
    {
        // After Ctrl+C too.
        var last = new SessionCalls(cmdlet, CancellationToken.None) { Silence = s_patienceAtEnd };
        last.Do(hosts, SessionScripts.End, _ => new Hashtable { ["Id"] = _id, ["RemoveTestFiles"] = removeTestFiles });
    }
}
