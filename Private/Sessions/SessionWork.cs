using System.Collections;
using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class SessionWork(PSCmdlet cmdlet, SessionCalls calls, SuiteSettings settings) : IHostTransport<SessionHost>
{
    private static readonly TimeSpan s_patienceAtEnd = TimeSpan.FromSeconds(15);

    private readonly string _id = Guid.NewGuid().ToString("N");

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
                // A host cannot prompt, so -Confirm:$false on this computer applies to it.
                ["IsConfirmed"] = UserPrompts.IsConfirmed(cmdlet),
                ["Units"] = Throughput.Units.ToString(),
            }
        );
    }

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

    public void End(IReadOnlyList<SessionHost> hosts, bool removeTestFiles)
    {
        // Also runs after Ctrl+C, so it does not use the cmdlet's token.
        var last = new SessionCalls(cmdlet, CancellationToken.None) { Silence = s_patienceAtEnd };
        last.Do(hosts, SessionScripts.End, _ => new Hashtable { ["Id"] = _id, ["RemoveTestFiles"] = removeTestFiles });
    }
}
