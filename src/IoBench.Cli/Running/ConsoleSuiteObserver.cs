using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal sealed class ConsoleSuiteObserver(CliConsole console, ProgressLine progress) : ISuiteObserver, ISuiteQuestions
{
    public Action<IoTestResult>? ResultHandler { get; init; }

    public bool IsVerbose { get; init; }

    public bool IsQuiet { get; init; }

    public bool SkipsFailures { get; init; }

    public void OnProgress(SuiteProgress state) => progress.Show(SuiteProgressMessages.FormatLine(state));

    public void OnTestEnded() => progress.Clear();

    public void OnWarning(IoWarning warning)
    {
        if (IsQuiet)
            return;
        progress.Clear();
        console.Error.WriteLine($"Warning: {warning.RenderWithId(console.Spelling)}");
    }

    public void OnLog(string line)
    {
        if (!IsVerbose)
            return;
        progress.Clear();
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

    /// <summary>Asks before reading a SQL Server file. Writing to a file that IoBench did not create requires an option instead.</summary>
    public TargetAnswer Ask(TargetQuestion question)
    {
        if (question.Kind != TargetQuestionKind.ReadSqlServerFile || !console.CanAsk)
            return TargetAnswer.Nobody;
        var answer = console.AskUser($"{question.Text.Render(console.Spelling)} [y/N] ");
        return answer?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) == true ? TargetAnswer.Yes : TargetAnswer.No;
    }
}
