using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <param name="isQuiet">True to show neither progress nor warnings.</param>
internal sealed class ConsoleSuiteObserver(CliConsole console, bool isQuiet) : ISuiteObserver, ISuiteQuestions
{
    public ProgressLine Progress { get; init; } = new(console.Error, console.IsErrorTerminal && !isQuiet);

    public Action<IoTestResult>? ResultHandler { get; init; }

    public bool IsVerbose { get; init; }

    public bool SkipsFailures { get; init; }

    /// <summary>Checks all targets before the first test. Asks the user about targets that need a confirmation.</summary>
    /// <exception cref="IoBenchException">At least one target was refused; the error has all reasons.</exception>
    public SuiteApproval Approve(IReadOnlyList<IoTestSpecification> plan, SuiteSettings settings)
    {
        var approval = SuiteApproval.Create(plan, settings, this, needsAll: true);
        approval.ThrowIfRefused();
        return approval;
    }

    /// <summary>Writes the targets and the estimate, and announces large files and preconditioning, also if the console is quiet.</summary>
    /// <param name="estimate">Maximum duration of a search; null for the duration of the tests.</param>
    public void WriteHeader(SuiteApproval approval, bool isSizeSpecified, TestPlanEstimate? estimate = null)
    {
        if (!isQuiet)
        {
            console.Error.WriteLine();
            foreach (var line in SuiteMessages.DescribeTargets(approval, estimate))
                console.Error.WriteLine(line);
            console.Error.WriteLine();
        }
        foreach (var notice in SuiteMessages.DescribeNotices(approval, isSizeSpecified))
            console.Error.WriteLine(notice.Render(console.Spelling));
    }

    public void OnProgress(SuiteProgress state) => Progress.Show(SuiteProgressMessages.FormatLine(state));

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

    /// <summary>Asks before reading a SQL Server file. Writing to a file that IoBench did not create requires an option instead.</summary>
    public TargetAnswer Ask(TargetQuestion question)
    {
        if (question.Kind != TargetQuestionKind.ReadSqlServerFile || !console.CanAsk)
            return TargetAnswer.Nobody;
        var answer = console.AskUser($"{question.Text.Render(console.Spelling)} [y/N] ");
        return answer?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) == true ? TargetAnswer.Yes : TargetAnswer.No;
    }
}
