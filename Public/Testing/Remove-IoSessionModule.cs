using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Removes the module that Invoke-IoTest -Session copied to hosts.</summary>
[Cmdlet(
    VerbsCommon.Remove,
    "IoSessionModule",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Remove-IoSessionModule"
)]
[OutputType(typeof(void))]
public sealed class RemoveIoSessionModuleCommand : IoCmdlet
{
    private readonly List<PSSession> _sessions = [];

    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    public PSSession[]? Session { get; set; }

    protected override void Process() => _sessions.AddRange(Session!);

    protected override void End()
    {
        var calls = new RemoteScriptRunner(this, StopToken)
        {
            AdviceOnLoss =
                "The copied module stays on this host, and the other hosts continue. Open a new session to the host, and run Remove-IoSessionModule again.",
        };
        var found = new Dictionary<SessionHost, List<string>>();
        foreach (var (host, folder) in calls.Invoke(SessionHost.FromSessions(_sessions), SessionScripts.FindCopies, _ => new Hashtable()))
        {
            if (!ShouldProcess($"{DeserializedObject.ToText(folder)} on {host.Name}", "remove the copied module"))
                continue;
            if (!found.TryGetValue(host, out var folders))
            {
                folders = [];
                found[host] = folders;
            }
            folders.Add(DeserializedObject.ToText(folder));
        }
        foreach (
            var (host, answer) in calls.Invoke(
                [.. found.Keys.Where(host => host.IsUsable)],
                SessionScripts.RemoveCopies,
                host => new Hashtable { ["Folders"] = found[host].ToArray() }
            )
        )
            WriteRemoval(host, (IDictionary)answer.BaseObject);
    }

    private void WriteRemoval(SessionHost host, IDictionary answer)
    {
        var folder = DeserializedObject.ToText(answer["Folder"]);
        switch (DeserializedObject.ToText(answer["Problem"]))
        {
            case "":
                this.WriteHostVerbose(host, $"removed {folder}");
                break;
            case "loaded":
                this.WriteHostError(
                    host,
                    IoBenchException.Refused(
                        "IoBench.ModuleInUse",
                        $"{folder} cannot be removed, because this session has loaded the module from this folder. Windows does not delete assemblies that are in use.",
                        folder,
                        advice: "Open a new session to the host, and remove the module there."
                    )
                );
                break;
            case var problem:
                this.WriteHostError(
                    host,
                    IoBenchException.Failure("IoBench.ModuleNotRemoved", $"{folder} could not be removed: {problem}", folder)
                );
                break;
        }
    }
}
