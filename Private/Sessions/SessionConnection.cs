using System.Collections;
using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell.Sessions;

/// <summary>
/// Hosts with this very build of the module loaded: it is copied where it is not installed. It goes through PowerShell remoting alone: whatever opened the session
/// (SSH, WinRM) carries the module too.
/// </summary>
/// <param name="calls">Runs scripts on the hosts.</param>
public sealed class SessionConnection(SessionCalls calls)
{
    private static readonly Version s_least = new(7, 4);

    /// <summary>Loads the module on the hosts; one that cannot run it is an error.</summary>
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

    /// <summary>Why a host cannot run the module; null when it can.</summary>
    /// <param name="name">The host.</param>
    /// <param name="found">What it answered: PowerShell (its version) and HasOther.</param>
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

    /// <summary>Notes what a host answered; false when the module must be copied to it.</summary>
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
