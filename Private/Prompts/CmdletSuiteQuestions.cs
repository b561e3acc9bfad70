using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>-Confirm:$false confirms that a volume of SQL Server can be slowed down. To overwrite a file or to read a database requires its
/// own switch or a Yes.</summary>
internal sealed class CmdletSuiteQuestions(PSCmdlet cmdlet, CancellationToken stopped) : ISuiteQuestions
{
    // Kept for all targets, because a cmdlet that receives targets one by one approves each separately.
    private TargetAnswer? _answerForAllVolumes;

    public TargetAnswer Ask(TargetQuestion question)
    {
        if (UserPrompts.IsWhatIf(cmdlet))
            return TargetAnswer.Nobody;
        var text = question.Text.Render(PowerShellSpelling.Default);
        if (question.Kind == TargetQuestionKind.Overwrite)
            return AskForFile(text, "Overwrite a file that IoBench did not create");
        if (question.Kind == TargetQuestionKind.ReadSqlServerFile)
            return AskForFile(text, "Read a SQL Server file");
        if (UserPrompts.IsConfirmed(cmdlet))
            return TargetAnswer.YesToAll;
        return _answerForAllVolumes ?? (UserPrompts.CanPrompt(cmdlet.Host) ? AskForVolume(text) : TargetAnswer.Nobody);
    }

    public T RunCancellable<T>(string path, Func<T> check)
    {
        var work = new CancellableCall<T>(check);
        return work.Wait(
            TimeSpan.Zero,
            path,
            warning => cmdlet.WriteWarning(SafeText.Escape(warning.RenderWithId(PowerShellSpelling.Default))),
            stopped
        )
            ? work.Result
            : throw new OperationCanceledException(stopped);
    }

    private TargetAnswer AskForVolume(string text)
    {
        var answer = UserPrompts.AskWithAllChoices(cmdlet.Host, text, "Test a volume that SQL Server uses");
        if (answer is TargetAnswer.YesToAll or TargetAnswer.NoToAll)
            _answerForAllVolumes = answer;
        return answer;
    }

    private TargetAnswer AskForFile(string text, string caption)
    {
        if (!UserPrompts.CanPrompt(cmdlet.Host))
            return TargetAnswer.Nobody;
        return UserPrompts.ConfirmDestructiveAction(cmdlet.Host, text, caption) ? TargetAnswer.Yes : TargetAnswer.No;
    }
}
