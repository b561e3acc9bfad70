namespace IoBench.Cli.Running;

/// <summary>A suite on the console: the live line, rows as they come, what is done and what fails, and the questions somebody may answer.</summary>
internal sealed class ConsoleSuite(CliConsole console, ProgressLine progress) : ISuiteObserver, ISuiteQuestions
{
    /// <summary>Takes each result; null = nobody does.</summary>
    public Action<IoTestResult>? Emit { get; init; }

    /// <summary>Say what is really done.</summary>
    public bool Verbose { get; init; }

    /// <summary>Only errors on standard error.</summary>
    public bool IsQuiet { get; init; }

    /// <summary>Whoever asked for the suite reports the failures.</summary>
    public bool LeavesFailures { get; init; }

    public void OnProgress(SuiteProgress state) => progress.Show(SuiteProgressText.Line(state));

    public void OnTestEnded() => progress.Clear();

    public void OnWarning(IoWarning warning)
    {
        if (IsQuiet)
            return;
        progress.Clear();
        console.Error.WriteLine($"Warning: {warning.Text.Render(console.Spelling)}");
    }

    public void OnLog(string line)
    {
        if (!Verbose)
            return;
        progress.Clear();
        console.Error.WriteLine(line);
    }

    public void OnResult(IoTestResult result) => Emit?.Invoke(result);

    public void OnFailure(SuiteFailure failure)
    {
        // What hung when the run was cancelled is reported with that.
        if (!LeavesFailures && failure.Result?.Status != IoResultStatus.Cancelled)
            App.WriteError(console, failure.Error.Text);
    }

    public T Look<T>(string path, Func<T> look) => FileLook.Take(console, path, look, OnWarning);

    /// <summary>Reading a file of SQL Server is asked; to write over others' files the program wants --force.</summary>
    public TargetAnswer Ask(TargetQuestion question)
    {
        if (question.Kind != TargetQuestionKind.ReadSqlServerFile || !console.CanAsk)
            return TargetAnswer.Nobody;
        var answer = console.Ask($"{question.Text.Render(console.Spelling)} [y/N] ");
        return answer?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) == true ? TargetAnswer.Yes : TargetAnswer.No;
    }
}
