using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>A stopped pipeline accepts no more output; the suite keeps its results. -Confirm:$false confirms that a volume of SQL Server
/// can be slowed down. To overwrite a file or to read a database requires its own switch or a Yes.</summary>
/// <param name="isQuiet">True to write no lines, and no errors of the integrity check.</param>
internal sealed class CmdletSuiteFront(PSCmdlet cmdlet, bool isQuiet, CancellationToken stopped) : ISuiteFront
{
    // Kept for all targets, because a cmdlet that receives targets one by one approves each separately.
    private TargetAnswer? _answerForAllVolumes;

    private bool _isProgressShown;

    /// <summary>Title of the progress.</summary>
    public string Activity { get; set; } = "IoBench";

    public Action<IoTestResult>? ResultHandler { get; set; }

    /// <summary>Asks before the tests of a group; null for a question that lists the tests.</summary>
    public Func<TargetGroup, bool>? ConfirmHandler { get; set; }

    public TargetAnswer Ask(TargetQuestionKind kind, string path, IoMessage text)
    {
        if (UserPrompts.IsWhatIf(cmdlet))
            return TargetAnswer.CannotAsk;
        var question = text.Render(PowerShellSpelling.Default);
        if (kind == TargetQuestionKind.Overwrite)
            return AskForFile(question, "Overwrite a file that IoBench did not create");
        if (kind == TargetQuestionKind.ReadSqlServerFile)
            return AskForFile(question, "Read a SQL Server file");
        if (UserPrompts.IsConfirmed(cmdlet))
            return TargetAnswer.YesToAll;
        return _answerForAllVolumes ?? (UserPrompts.CanPrompt(cmdlet.Host) ? AskForVolume(question) : TargetAnswer.CannotAsk);
    }

    public T RunCancellable<T>(string path, Func<T> check)
    {
        var work = new CancellableCall<T>(check);
        return work.Wait(TimeSpan.Zero, path, OnWarning, stopped) ? work.Result : throw new OperationCanceledException(stopped);
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
            return TargetAnswer.CannotAsk;
        return UserPrompts.ConfirmDestructiveAction(cmdlet.Host, text, caption) ? TargetAnswer.Yes : TargetAnswer.No;
    }

    public bool Confirm(TargetGroup group) =>
        ConfirmHandler?.Invoke(group)
        ?? cmdlet.ShouldProcess(SafeText.Escape(string.Join("; ", group.Paths)), SafeText.Escape(group.Action));

    public void OnRefused(string path, IoBenchException error) => cmdlet.WriteError(CmdletOutput.CreateErrorRecord(error, path));

    public void OnPrepared(IEnumerable<string> targets, IEnumerable<IoMessage> notices)
    {
        foreach (var line in isQuiet ? [] : targets)
            cmdlet.WriteHostLine(line);
        foreach (var notice in notices)
            cmdlet.WriteWarning(SafeText.Escape(notice.Render(PowerShellSpelling.Default)));
    }

    public void OnResumed(int total, int remaining)
    {
        if (!isQuiet)
            cmdlet.WriteHostLine(ResumePlan.DescribeProgress(total, remaining));
    }

    public void OnJournalProblem(IoWarning warning) =>
        WriteUnlessStopped(() => cmdlet.WriteVerbose(SafeText.Escape(warning.Text.Render(PowerShellSpelling.Default))));

    public void OnProgress(SuiteProgress progress)
    {
        _isProgressShown = true;
        WriteUnlessStopped(() =>
            cmdlet.WriteProgress(
                new ProgressRecord(CmdletOutput.RunProgressId, Activity, SafeText.Escape(SuiteMessages.FormatStatus(progress)))
                {
                    PercentComplete = (int)Math.Clamp(progress.Percent ?? -1, -1, 100),
                    SecondsRemaining = progress.Remaining is { } left ? (int)Math.Min(left.TotalSeconds, int.MaxValue) : -1,
                }
            )
        );
    }

    public void OnTestEnded()
    {
        if (_isProgressShown)
            WriteUnlessStopped(() =>
                cmdlet.WriteProgress(
                    new ProgressRecord(CmdletOutput.RunProgressId, Activity, " ") { RecordType = ProgressRecordType.Completed }
                )
            );
        _isProgressShown = false;
    }

    public void OnWarning(IoWarning warning) =>
        WriteUnlessStopped(() => cmdlet.WriteWarning(SafeText.Escape(warning.RenderWithId(PowerShellSpelling.Default))));

    public void OnLog(string line) => WriteUnlessStopped(() => cmdlet.WriteVerbose(SafeText.Escape(line)));

    public void OnResult(IoTestResult result) => WriteUnlessStopped(() => ResultHandler?.Invoke(result));

    public void OnFailure(SuiteFailure failure)
    {
        if (isQuiet && failure.Error.ErrorId == ErrorIds.IntegrityErrors)
            return;
        WriteUnlessStopped(() =>
            cmdlet.WriteError(
                CmdletOutput.CreateErrorRecord(
                    failure.Error,
                    failure.Result ?? (object)string.Join("; ", failure.Test.Targets.Select(target => target.Path))
                )
            )
        );
    }

    private void WriteUnlessStopped(Action write) => cmdlet.WriteUnlessStopped(write);
}
