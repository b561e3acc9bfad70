using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <param name="Results">The results so far; the last one can be of a run that was cut short.</param>
/// <param name="Error">The error that ended the tests, or the call that hung at cancellation; null for none.</param>
internal sealed record DropInOutcome(IReadOnlyList<IoTestResult> Results, bool IsCanceled, IoBenchException? Error);

/// <summary>Runs tests as the old tools do: without checks beforehand, and the first failure ends the run.</summary>
internal sealed class DropInRunner(CliConsole console, TestRunOptions options, ProgressLine progress)
{
    public Action<IoTestSpecification, TestRun, RunProgress>? ProgressHandler { get; init; }

    public DropInOutcome RunTests(IReadOnlyList<IoTestSpecification> plan, Action<IoTestResult> emit)
    {
        console.RequireOutput();
        var suite = new ConsoleSuiteObserver(console, progress)
        {
            ResultHandler = emit,
            SkipsFailures = true,
            IsQuiet = true,
        };
        var outcome = new SuiteRunner(suite)
        {
            Watch = ProgressHandler,
            StopsAtFailure = true,
            IsQuiet = options.Quiet,
        }.Run(plan, _ => options, [], console.CancellationToken);
        return new DropInOutcome(outcome.Results, outcome.IsCancelled, outcome.Failures.Count > 0 ? outcome.Failures[0].Error : null);
    }
}
