using System.Collections;
using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Imports the module on hosts. If a host does not have the module, it is copied through the session, over SSH or WinRM.</summary>
public sealed class RemoteModuleLoader(RemoteScriptRunner calls)
{
    private static readonly Version s_minimumVersion = new(7, 4);

    /// <summary>Loads the module on each host. Writes a non-terminating error for a host that cannot run it.</summary>
    public void LoadModule(IReadOnlyList<SessionHost> hosts)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        var archive = ModuleArchive.Create();
        List<SessionHost> missing = [];
        foreach (
            var (host, answer) in calls.Invoke(
                hosts,
                SessionScripts.FindModule,
                _ => new Hashtable
                {
                    ["Key"] = archive.Key,
                    ["Version"] = IoTestResult.OwnVersion,
                    ["Builds"] = new Hashtable((IDictionary)archive.Builds),
                }
            )
        )
            if (!RecordModuleState(host, (IDictionary)answer.BaseObject))
                missing.Add(host);
        if (missing.Count > 0)
        {
            missing.ForEach(host => calls.Cmdlet.WriteHostVerbose(host, $"copying the module to {host.Folder}"));
            calls.InvokeAndDiscard(
                missing,
                SessionScripts.UnpackModule,
                host => new Hashtable { ["Folder"] = host.Folder, ["Bytes"] = archive.Bytes }
            );
        }
        calls.InvokeAndDiscard(
            [.. hosts.Where(host => host.IsUsable)],
            SessionScripts.ImportModule,
            host => new Hashtable { ["Folder"] = host.Folder }
        );
    }

    /// <summary>Returns the reason why a host cannot run the module; null if it can.</summary>
    /// <param name="found">State of the session: PowerShell (its version) and HasOther (another build of the module is loaded).</param>
    public static IoBenchException? GetRefusal(string name, IDictionary found)
    {
        ArgumentNullException.ThrowIfNull(found);
        var version = DeserializedObject.ToText(found["PowerShell"]);
        if (!Version.TryParse(version.Split('-', '+')[0], out var number) || number < s_minimumVersion)
        {
            return IoBenchException.Usage(
                "IoBench.SessionTooOld",
                $"{name} runs PowerShell {version}, but IoBench requires PowerShell 7.4 or later.",
                advice: "Open the session with New-PSSession -HostName (SSH), or with -ConfigurationName PowerShell.7 if Enable-PSRemoting was run in pwsh on the host."
            );
        }
        return LanguagePrimitives.IsTrue(found["HasOther"])
            ? IoBenchException.Usage(
                "IoBench.SessionHasOther",
                $"This session on {name} has loaded another build of IoBench, and a session cannot replace a loaded module.",
                advice: "Open a new session."
            )
            : null;
    }

    /// <summary>Returns false if the module must be copied to the host.</summary>
    private bool RecordModuleState(SessionHost host, IDictionary found)
    {
        host.ComputerName = DeserializedObject.ToText(found["ComputerName"]);
        host.Folder = DeserializedObject.ToText(found["Folder"]);
        if (GetRefusal(host.Name, found) is { } refusal)
        {
            host.HasFailed = true;
            calls.Cmdlet.WriteRecord(CmdletOutput.CreateErrorRecord(refusal, host.Session));
            return true;
        }
        if (!LanguagePrimitives.IsTrue(found["IsThere"]))
            return false;
        calls.Cmdlet.WriteHostVerbose(host, $"the module is in {host.Folder}");
        return true;
    }
}
