using System.Collections.ObjectModel;
using System.Management.Automation;
using System.Management.Automation.Host;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

public static class UserPrompts
{
    /// <summary>Hosts of jobs and of runspaces in other programs, which cannot prompt.</summary>
    private static readonly string[] s_nonInteractiveHosts = ["Default Host", "ServerRemoteHost", "PSHostDefault"];

    /// <summary>In a job, in an agent, or with redirected input, a prompt would end with an unclear error.</summary>
    public static bool CanPrompt(PSHost host)
    {
        ArgumentNullException.ThrowIfNull(host);
        if (host.Name == "ConsoleHost")
        {
            return Environment.UserInteractive
                && !Console.IsInputRedirected
                && !Environment
                    .GetCommandLineArgs()
                    .Any(a =>
                        a.StartsWith("-noni", StringComparison.OrdinalIgnoreCase)
                        || a.StartsWith("/noni", StringComparison.OrdinalIgnoreCase)
                    );
        }
        return host.UI?.RawUI is not null && !s_nonInteractiveHosts.Contains(host.Name);
    }

    /// <exception cref="IoBenchException"><c>IoBench.FileExists</c>: the host cannot prompt.</exception>
    internal static bool ConfirmReplace(PSHost host, string path, bool force)
    {
        if (force || !File.Exists(path))
            return true;
        if (!CanPrompt(host))
            throw IoBenchException.Refused(
                ErrorIds.FileExists,
                $"{path} exists.",
                path,
                advice: $"Add {OptionNames.Force} to replace it, or choose another name."
            );
        return ConfirmDestructiveAction(host, $"{path} exists. Replace the file?", "Replace a file");
    }

    /// <summary>Asks before data is lost; the default answer is No.</summary>
    public static bool ConfirmDestructiveAction(PSHost host, string question, string caption)
    {
        ArgumentNullException.ThrowIfNull(host);
        var choices = new Collection<ChoiceDescription>
        {
            new("&Yes", "Continue. The existing contents are lost."),
            new("&No", "Do not change the file."),
        };
        return host.UI.PromptForChoice(caption, SafeText.EscapeLines(question), choices, defaultChoice: 1) == 0;
    }

    /// <summary>Asks a question that can recur for several targets; the default answer is No.</summary>
    public static TargetAnswer AskWithAllChoices(PSHost host, string question, string caption)
    {
        ArgumentNullException.ThrowIfNull(host);
        (ChoiceDescription Choice, TargetAnswer Answer)[] answers =
        [
            (new("&Yes", "Continue with this file."), TargetAnswer.Yes),
            (new("Yes to &All", "Continue with this file and all others."), TargetAnswer.YesToAll),
            (new("&No", "Skip this file."), TargetAnswer.No),
            (new("No to A&ll", "Skip this file and all others."), TargetAnswer.NoToAll),
        ];
        var choices = new Collection<ChoiceDescription>([.. answers.Select(answer => answer.Choice)]);
        return answers[host.UI.PromptForChoice(caption, SafeText.EscapeLines(question), choices, defaultChoice: 2)].Answer;
    }

    internal static bool IsWhatIf(PSCmdlet cmdlet) =>
        cmdlet.MyInvocation.BoundParameters.TryGetValue("WhatIf", out var value)
            ? (SwitchParameter)value
            : LanguagePrimitives.IsTrue(cmdlet.SessionState.PSVariable.GetValue("WhatIfPreference"));

    /// <summary>True with -Confirm:$false, or if the session's preference disables confirmation.</summary>
    internal static bool IsConfirmed(PSCmdlet cmdlet) =>
        cmdlet.MyInvocation.BoundParameters.TryGetValue("Confirm", out var value)
            ? !(SwitchParameter)value
            : string.Equals(
                cmdlet.SessionState.PSVariable.GetValue("ConfirmPreference")?.ToString(),
                "None",
                StringComparison.OrdinalIgnoreCase
            );
}
