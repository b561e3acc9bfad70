using System.Management.Automation;
using System.Management.Automation.Host;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Measures how long the storage is unavailable while a path, a controller, or a node is disconnected.</summary>
[Cmdlet(
    VerbsCommon.Watch,
    "IoFailover",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Low,
    HelpUri = HelpPages.Root + "Watch-IoFailover"
)]
[OutputType(typeof(DrillResult))]
public sealed class WatchIoFailoverCommand : TestCmdlet
{
    private const string Activity = "IoBench: failover drill";

    /// <summary>New file, file that IoBench created, or folder for a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0)]
    public string? Path { get; set; }

    /// <summary>Longest outage or I/O that is allowed; default 15 seconds, after which SQL Server reports error 833.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration Limit { get; set; }

    /// <summary>Duration of the load; default 5 minutes.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public IoDuration Duration { get; set; }

    /// <summary>Runs the load until a key is pressed.</summary>
    [Parameter]
    public SwitchParameter UntilKey { get; set; }

    /// <summary>Target rate in IOPS, at even intervals regardless of the storage; default 200.</summary>
    [Parameter]
    public double TargetIops { get; set; }

    /// <summary>Write percentage; default 50.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public int WritePercent { get; set; }

    /// <summary>Block size; default 8 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize BlockSize { get; set; }

    /// <summary>Size of the file; default 256 MB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoSize FileSize { get; set; }

    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    protected override void Process()
    {
        if (ResolvePaths(null, [Path!]).FirstOrDefault() is not { } path)
            return;
        var values = ReadParameters(OptionTables.Drill);
        var plan = DrillPlan.Create(path, values);
        plan.CheckKeyboard(!UntilKey || HasKeyboard());
        var approval = Approve([plan.Test], new SuiteSettings { OwnFilesOnly = true });
        if (
            approval.Tests.Count == 0
            || !ShouldProcess(
                path,
                FormattableString.Invariant($"{plan.Test.TargetIops} IOPS until you end the drill, at most {plan.Test.Duration}")
            )
        )
            return;
        var result = DrillRunner.Run(
            plan,
            approval.GetOptions(plan.Test),
            WriteDrillProgress,
            WriteEvent,
            UntilKey ? IsKeyPressed : null,
            cancelled: default,
            abandoned: StopToken
        );
        CleanUpFiles(approval, RemoveTestFile);
        WriteObject(result);
        if (result.FileChange is { } change)
            WriteNonTerminatingError(IoBenchException.Failure("IoBench.FileGone", change, result.Path), result.Path);
    }

    private bool HasKeyboard()
    {
        try
        {
            _ = Host.UI?.RawUI?.KeyAvailable;
            return Host.UI?.RawUI is not null;
        }
        catch (Exception e) when (e is HostException or NotImplementedException or InvalidOperationException)
        {
            // Hosts without a keyboard throw different exceptions. -UntilKey is then refused.
            return false;
        }
    }

    private bool IsKeyPressed()
    {
        if (!Host.UI.RawUI.KeyAvailable)
            return false;
        Host.UI.RawUI.FlushInputBuffer();
        return true;
    }

    private void WriteDrillProgress(string text, double? remaining)
    {
        if (!Stopping)
            WriteProgress(
                new ProgressRecord(CmdletOutput.RunProgressId, Activity, SafeText.Escape(text))
                {
                    SecondsRemaining = remaining is { } left ? (int)Math.Max(0, left) : -1,
                }
            );
    }

    private void WriteEvent(DrillEvent happened)
    {
        if (Stopping)
            return;
        var text = happened.Words.Render(PowerShellSpelling.Default);
        if (happened.Event is DrillEventKind.Begin or DrillEventKind.Live)
            WriteVerbose(text);
        else if (happened.Event == DrillEventKind.End)
            WriteProgress(new ProgressRecord(CmdletOutput.RunProgressId, Activity, " ") { RecordType = ProgressRecordType.Completed });
        else
            WriteWarning(text);
    }
}
