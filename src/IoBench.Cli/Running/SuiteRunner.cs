using IoBench.Analysis;
using IoBench.Cli.Output;
using IoBench.Engine;

namespace IoBench.Cli.Running;

/// <summary>How a suite ended.</summary>
/// <param name="Results">What there is, the last one perhaps of a run cut short.</param>
/// <param name="Cancelled">Somebody ended it.</param>
/// <param name="Error">What ended it; null when nothing did.</param>
internal sealed record SuiteOutcome(IReadOnlyList<IoTestResult> Results, bool Cancelled, IoBenchException? Error);

/// <summary>Runs the tests of a plan one after the other and hands over each result as it comes.</summary>
internal sealed class SuiteRunner(CliConsole console, TestRunOptions options, ProgressLine progress)
{
    /// <summary>How often progress is looked at; also how soon Ctrl+C is heard.</summary>
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(200);

    /// <summary>Looks at each running test now and then, and once after its end; null = nobody does.</summary>
    public Action<IoTestSpecification, TestRun, RunProgress>? Watch { get; init; }

    /// <summary>Runs all; a test that fails or is cancelled is the last. What <paramref name="emit"/> throws ends the suite too.</summary>
    /// <param name="plan">The tests.</param>
    /// <param name="emit">Takes each result as it comes.</param>
    /// <param name="earlier">Results of an earlier part of the same plan.</param>
    public SuiteOutcome Run(IReadOnlyList<IoTestSpecification> plan, Action<IoTestResult> emit, IReadOnlyList<IoTestResult>? earlier = null)
    {
        var results = new List<IoTestResult>();
        var before = earlier is null ? [] : earlier.ToList();
        for (var i = 0; i < plan.Count; i++)
        {
            if (!SteadyStateRounds.IsWanted(plan[i], before.Concat(results)))
                continue;
            var name = plan[i].Workload ?? PatternText.Of(plan[i]);
            IoTestResult result;
            try
            {
                result = RunOne(plan[i], i + 1, plan.Count, name);
            }
            catch (IoBenchException error)
            {
                // Nothing was measured: a run cancelled while its file was made ends here too.
                return new SuiteOutcome(results, console.Cancelled.IsCancellationRequested, error);
            }
            finally
            {
                progress.Clear();
            }
            if (SteadyStateRounds.WarningOf(result, before.Concat(results)) is { } warning)
                result.Warnings.Add(warning);
            results.Add(result);
            emit(result);
            if (result.Status == IoResultStatus.Failed)
                return new SuiteOutcome(results, Cancelled: false, IoBenchException.Failure(result.ErrorId ?? "IoBench.RunFailed", result.ErrorMessage ?? "The test failed."));
            if (console.Cancelled.IsCancellationRequested)
                return new SuiteOutcome(results, Cancelled: true, null);
        }
        return new SuiteOutcome(results, Cancelled: false, null);
    }

    /// <summary>Runs one test to its end; it is cancelled when the console is.</summary>
    /// <exception cref="IoBenchException">Nothing was measured.</exception>
    internal IoTestResult RunOne(IoTestSpecification test, int number, int count, string name)
    {
        using var run = new TestRun(test, options);
        run.Start();
        var asked = false;
        while (!run.Wait(s_poll))
        {
            if (console.Cancelled.IsCancellationRequested && !asked)
            {
                asked = true;
                run.Cancel();
            }
            var now = run.GetProgress();
            Watch?.Invoke(test, run, now);
            progress.Show(number, count, name, test.RestBefore, now);
        }
        Watch?.Invoke(test, run, run.GetProgress());
        return run.GetResult();
    }
}
