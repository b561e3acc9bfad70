namespace IoBench.Cli.DropIn;

/// <summary>How the tests of an old tool's command line ended.</summary>
/// <param name="Results">What there is, the last one perhaps of a run cut short.</param>
/// <param name="Cancelled">Somebody ended it.</param>
/// <param name="Error">What ended it, or what hung when it was cancelled; null when nothing did.</param>
internal sealed record DropInOutcome(IReadOnlyList<IoTestResult> Results, bool Cancelled, IoBenchException? Error);

/// <summary>Runs the tests of an old tool's command line as that tool does: nothing is checked beforehand, and the first that fails is the last.</summary>
internal sealed class DropInRunner(CliConsole console, TestRunOptions options, ProgressLine progress)
{
    /// <summary>Looks at each running test now and then, and once after its end; null = nobody does.</summary>
    public Action<IoTestSpecification, TestRun, RunProgress>? Watch { get; init; }

    /// <summary>Runs all; what <paramref name="emit"/> throws ends the suite too.</summary>
    public DropInOutcome Run(IReadOnlyList<IoTestSpecification> plan, Action<IoTestResult> emit)
    {
        console.TestsBegin();
        var suite = new ConsoleSuite(console, progress)
        {
            Emit = emit,
            LeavesFailures = true,
            IsQuiet = true,
        };
        var outcome = new SuiteRunner(suite)
        {
            Watch = Watch,
            StopsAtFailure = true,
            IsQuiet = options.Quiet,
        }.Run(plan, _ => options, [], console.Cancelled);
        return new DropInOutcome(outcome.Results, outcome.IsCancelled, outcome.Failures.Count > 0 ? outcome.Failures[0].Error : null);
    }
}
