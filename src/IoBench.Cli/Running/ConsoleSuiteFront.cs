using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <param name="isQuiet">True to show neither progress nor warnings.</param>
internal sealed class ConsoleSuiteFront(CliConsole console, bool isQuiet) : ISuiteFront
{
    public ProgressLine Progress { get; init; } = new(console.Error, console.IsErrorTerminal && !isQuiet);

    public Action<IoTestResult>? ResultHandler { get; init; }

    public bool IsVerbose { get; init; }

    public bool SkipsFailures { get; init; }

    public bool NeedsAllTargets => true;

    /// <summary>Writes the targets and the estimate, and announces large files and preconditioning, also if the console is quiet.</summary>
    public void OnPrepared(IEnumerable<string> targets, IEnumerable<IoMessage> notices)
    {
        if (!isQuiet)
        {
            console.Error.WriteLine();
            foreach (var line in targets)
                console.Error.WriteLine(line);
            console.Error.WriteLine();
        }
        foreach (var notice in notices)
            console.Error.WriteLine(notice.Render(console.Spelling));
    }

    public void OnResumed(int total, int remaining)
    {
        if (!isQuiet && remaining > 0)
            console.Error.WriteLine(ResumePlan.DescribeProgress(total, remaining));
    }

    public void OnJournalProblem(IoWarning warning)
    {
        if (IsVerbose || (!isQuiet && warning.Code == WarningCodes.JournalMoved))
            console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
    }

    public void OnProgress(SuiteProgress state) => Progress.Show(SuiteMessages.FormatLine(state));

    public void OnTestEnded() => Progress.Clear();

    public void OnWarning(IoWarning warning)
    {
        if (isQuiet)
            return;
        Progress.Clear();
        console.Error.WriteLine($"Warning: {warning.RenderWithId(console.Spelling)}");
    }

    public void OnLog(string line)
    {
        if (!IsVerbose)
            return;
        Progress.Clear();
        console.Error.WriteLine(line);
    }

    public void OnResult(IoTestResult result) => ResultHandler?.Invoke(result);

    public void OnFailure(SuiteFailure failure)
    {
        // The call that hung at cancellation is reported together with the cancellation.
        if (!SkipsFailures && failure.Result?.Status != IoResultStatus.Cancelled)
            App.WriteError(console, failure.Error);
    }

    public T RunCancellable<T>(string path, Func<T> check) => CancellableFileCall.Run(console, path, check, OnWarning);

    public void RunToCompletion(string path, Action save) => CancellableFileCall.RunToCompletion(console, path, save);

    /// <summary>Asks before reading a SQL Server file. Writing to a file that IoBench did not create requires an option instead.</summary>
    public TargetAnswer Ask(TargetQuestionKind kind, string path, IoMessage text)
    {
        if (kind != TargetQuestionKind.ReadSqlServerFile || !console.CanAsk)
            return TargetAnswer.CannotAsk;
        var answer = console.AskUser($"{text.Render(console.Spelling)} [y/N] ");
        return answer?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) == true ? TargetAnswer.Yes : TargetAnswer.No;
    }
}
