using System.Collections;
using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class SessionSuiteTransport(PSCmdlet cmdlet, RemoteScriptRunner calls, SuiteSettings settings) : IHostTransport<SessionHost>
{
    private static readonly TimeSpan s_endTimeout = TimeSpan.FromSeconds(15);

    private readonly string _id = Guid.NewGuid().ToString("N");

    public void PrepareHosts(
        IReadOnlyList<IoTestSpecification> tests,
        IReadOnlyList<(SessionHost Host, IReadOnlyList<int> Tests)> shares,
        Action<SessionHost, int> ready
    )
    {
        var text = PSSerializer.Serialize(tests.ToArray(), 9);
        var numbers = shares.ToDictionary(share => share.Host, share => share.Tests.ToArray());
        calls.TestReadyHandler = ready;
        calls.InvokeAndDiscard(
            [.. numbers.Keys],
            SessionScripts.PrepareSuite,
            host => new Hashtable
            {
                ["Id"] = _id,
                ["Plan"] = text,
                ["Numbers"] = numbers[host],
                ["Permissions"] = RemotePermissions.ToHashtable(settings.Permissions),
                // A host cannot prompt, so -Confirm:$false on this computer applies to it.
                ["IsConfirmed"] = UserPrompts.IsConfirmed(cmdlet),
                ["Units"] = ThroughputDisplay.Units.ToString(),
            }
        );
    }

    public IEnumerable<(SessionHost Host, IoTestResult Result)> RunTest(
        int number,
        TimeSpan leftAfter,
        IReadOnlyList<(SessionHost Host, IReadOnlyList<double> Rates)> requests
    )
    {
        var rates = requests.ToDictionary(request => request.Host, request => request.Rates.ToArray());
        return calls
            .Invoke(
                [.. rates.Keys],
                SessionScripts.RunTest,
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

    public void EndSuite(IReadOnlyList<SessionHost> hosts, bool removeTestFiles)
    {
        // Also runs after Ctrl+C, so it does not use the cmdlet's token.
        var last = new RemoteScriptRunner(cmdlet, CancellationToken.None) { Silence = s_endTimeout };
        last.InvokeAndDiscard(hosts, SessionScripts.EndSuite, _ => new Hashtable { ["Id"] = _id, ["RemoveTestFiles"] = removeTestFiles });
    }
}
