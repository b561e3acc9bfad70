using System.Collections;
using System.Globalization;
using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Loads this build of the module on hosts, and copies it to hosts that do not have it. The copy uses PowerShell remoting only, so it works
/// over any transport of the session (SSH, WinRM).
/// </summary>
/// <param name="calls">Runs scripts on the hosts.</param>
public sealed class SessionConnection(SessionCalls calls)
{
    private static readonly Version s_least = new(7, 4);

    /// <summary>Loads the module on the hosts. A host that cannot run it is a non-terminating error.</summary>
    public void Open(IReadOnlyList<SessionHost> hosts)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        var archive = ModuleArchive.Create();
        calls.View.Activity = "IoBench: looking for the module";
        List<SessionHost> missing = [];
        foreach (
            var (host, answer) in calls.Invoke(
                hosts,
                SessionScripts.Look,
                _ => new Hashtable
                {
                    ["Key"] = archive.Key,
                    ["Version"] = ModuleArchive.Version,
                    ["Builds"] = new Hashtable((IDictionary)archive.Builds),
                }
            )
        )
            if (!Take(host, (IDictionary)answer.BaseObject))
                missing.Add(host);
        if (missing.Count > 0)
        {
            missing.ForEach(host => calls.View.Verbose(host, $"copying the module to {host.Folder}"));
            calls.View.Activity = "IoBench: copying the module";
            calls.Do(missing, SessionScripts.Unpack, host => new Hashtable { ["Folder"] = host.Folder, ["Bytes"] = archive.Bytes });
        }
        calls.Do([.. hosts.Where(host => host.IsUsable)], SessionScripts.Import, host => new Hashtable { ["Folder"] = host.Folder });
    }

    /// <summary>Returns the reason why a host cannot run the module; null if it can.</summary>
    /// <param name="name">Name of the host.</param>
    /// <param name="found">State of the session: PowerShell (its version) and HasOther (another build of the module is loaded).</param>
    public static IoBenchException? Refusal(string name, IDictionary found)
    {
        ArgumentNullException.ThrowIfNull(found);
        var version = Text(found["PowerShell"]);
        if (!Version.TryParse(version.Split('-', '+')[0], out var number) || number < s_least)
        {
            return IoBenchException.Usage(
                "IoBench.SessionTooOld",
                $"{name} runs PowerShell {version}, and IoBench needs 7.4.",
                advice: "Open the session with New-PSSession -HostName (SSH), or with -ConfigurationName PowerShell.7 where Enable-PSRemoting was run in pwsh."
            );
        }
        return LanguagePrimitives.IsTrue(found["HasOther"])
            ? IoBenchException.Usage(
                "IoBench.SessionHasOther",
                $"{name} has another build of IoBench loaded in this session, and a process cannot change it.",
                advice: "Open a new session."
            )
            : null;
    }

    /// <summary>Returns false if the module must be copied to the host.</summary>
    private bool Take(SessionHost host, IDictionary found)
    {
        host.ComputerName = Text(found["ComputerName"]);
        host.Folder = Text(found["Folder"]);
        if (Refusal(host.Name, found) is { } refusal)
        {
            host.HasFailed = true;
            calls.View.Fail(host, ErrorRecords.From(refusal, host.Session));
            return true;
        }
        if (!LanguagePrimitives.IsTrue(found["IsThere"]))
            return false;
        calls.View.Verbose(host, $"the module is in {host.Folder}");
        return true;
    }

    private static string Text(object? value) => Convert.ToString(DeserializedObject.Unwrap(value), CultureInfo.InvariantCulture) ?? "";
}
