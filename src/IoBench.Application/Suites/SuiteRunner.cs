using System.Collections.Concurrent;

namespace IoBench.Application.Suites;

/// <summary>How a suite ended.</summary>
/// <param name="Results">What there is, in the order it came; the last one perhaps of a run cut short.</param>
/// <param name="Failures">What failed.</param>
/// <param name="IsCancelled">Somebody ended it.</param>
/// <param name="IsSaved">Every sink has every result.</param>
public sealed record SuiteOutcome(IReadOnlyList<IoTestResult> Results, IReadOnlyList<SuiteFailure> Failures, bool IsCancelled, bool IsSaved)
{
    /// <summary>Whether a test missed its target rate where that is a failure.</summary>
    public bool IsRateMissed => Failures.Any(failure => failure.Error.ErrorId == WarningCodes.RateMissed);

    /// <summary>Tests that ran as specified.</summary>
    public int CompleteCount => Results.Count(result => result.Status == IoResultStatus.Complete);
}

/// <summary>
/// Runs tests one after the other on the calling thread, hands over each result as it comes, and ends when it is told to. What fails costs its own test; a
/// file that is refused for one test is refused for its like.
/// </summary>
public sealed class SuiteRunner(ISuiteObserver observer)
{
    /// <summary>How often progress is looked at.</summary>
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(100);

    /// <summary>Nothing but the measurement itself runs: no intermediate percentiles.</summary>
    public bool IsQuiet { get; init; }

    /// <summary>The first test that fails is the last, as the old tools have it.</summary>
    public bool StopsAtFailure { get; init; }

    /// <summary>A test that misses its target rate has failed.</summary>
    public bool RequiresRate { get; init; }

    /// <summary>Where results are kept.</summary>
    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    /// <summary>Looks at each running test now and then, and once after its end; null = nobody does.</summary>
    public Action<IoTestSpecification, TestRun, RunProgress>? Watch { get; init; }

    /// <summary>Runs the tests that were approved.</summary>
    /// <param name="approval">The tests, and what they may do.</param>
    /// <param name="earlier">Results of an earlier part of the same plan: rounds that were steady then are not run.</param>
    /// <param name="cancelled">Ends the suite: the running test gives the figures so far.</param>
    public SuiteOutcome Run(SuiteApproval approval, IReadOnlyList<IoTestResult> earlier, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(approval);
        return Run(approval.Tests, approval.OptionsFor, earlier, cancelled);
    }

    /// <summary>Runs tests.</summary>
    /// <param name="options">What each of them may do.</param>
    /// <param name="earlier">As above.</param>
    /// <param name="cancelled">As above.</param>
    public SuiteOutcome Run(
        IReadOnlyList<IoTestSpecification> tests,
        Func<IoTestSpecification, TestRunOptions> options,
        IReadOnlyList<IoTestResult> earlier,
        CancellationToken cancelled
    )
    {
        ArgumentNullException.ThrowIfNull(tests);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(earlier);
        var ledger = new SuiteLedger(Sinks, RequiresRate);
        var unusable = new HashSet<TargetUse>();
        for (var i = 0; i < tests.Count && !cancelled.IsCancellationRequested; i++)
        {
            var test = tests[i];
            var known = earlier.Concat(ledger.Results).ToList();
            if (test.Targets.Exists(target => unusable.Contains(TargetUse.Of(test, target))) || !SteadyStateRounds.IsWanted(test, known))
                continue;
            var place = new SuitePlace(i + 1, tests.Count, TestPlan.Estimate(tests.Skip(i + 1)).Total);
            var result = TryRun(test, options(test), place, known, failure => ledger.Fail(failure, Refuse), cancelled);
            if (result is not null)
                ledger.Take(test, result, known, observer.OnResult, observer.OnFailure);
            if (ledger.HasFailures && StopsAtFailure)
                break;
        }
        return ledger.Close(cancelled.IsCancellationRequested);

        void Refuse(SuiteFailure failure)
        {
            if (failure.Error.Kind is IoErrorKind.Refused or IoErrorKind.NotFound)
                failure.Test.Targets.ForEach(target => unusable.Add(TargetUse.Of(failure.Test, target)));
            observer.OnFailure(failure);
        }
    }

    /// <summary>Runs one test to its end, after the writing that it shall begin with.</summary>
    /// <param name="options">What it may do; its log is taken over by the observer.</param>
    /// <param name="place">Where it stands among others.</param>
    /// <param name="cancelled">Ends it.</param>
    /// <exception cref="IoBenchException">Nothing was measured.</exception>
    public IoTestResult RunOne(IoTestSpecification test, TestRunOptions options, SuitePlace place, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(place);
        // What is written before a test waits for nobody.
        var gate = options.StartGate;
        options.StartGate = null;
        foreach (var writing in Preconditioning.RunsOf(test))
            Precondition(writing, options, place, cancelled);
        options.StartGate = gate;
        return RunWatched(test, options, place, cancelled);
    }

    private void Precondition(IoTestSpecification writing, TestRunOptions options, SuitePlace place, CancellationToken cancelled)
    {
        if (cancelled.IsCancellationRequested)
            return;
        var result = RunWatched(writing, options, place with { Name = "preconditioning" }, cancelled);
        if (result.ErrorId is not null)
            throw ResultFailure.OfTest(result, "preconditioning");
        observer.OnLog(
            $"preconditioned {result.Path}: {new IoSize(result.ByteCount ?? 0).ToDisplayString()} written in {TestPlanEstimate.Words(TimeSpan.FromSeconds(result.DurationSeconds ?? 0))}"
        );
    }

    private IoTestResult RunWatched(IoTestSpecification test, TestRunOptions options, SuitePlace place, CancellationToken cancelled)
    {
        // Lines come from the run's own thread; the observer hears them on this one.
        var lines = new ConcurrentQueue<string>();
        options.Log = lines.Enqueue;
        options.Quiet |= IsQuiet;
        var name = place.Name ?? test.Workload ?? PatternText.Of(test);
        Rehearsal.Once();
        // Disposing of a run ends it: no worker is left behind whatever the observer throws.
        using var run = new TestRun(test, options);
        using var registration = cancelled.Register(run.Cancel);
        var (hangs, calls) = (new HangWatch(), new HangWatch());
        run.Start();
        try
        {
            while (!run.Wait(s_poll))
            {
                TakeLines();
                var now = run.GetProgress();
                Watch?.Invoke(test, run, now);
                TellHangs(now);
                observer.OnProgress(new SuiteProgress(place.Number, place.Count, name, test, now, place.LeftAfter));
            }
            TakeLines();
            Watch?.Invoke(test, run, run.GetProgress());
            // What hung to the end is back; not when the run was given up.
            if (!cancelled.IsCancellationRequested)
                TellHangs(run.GetProgress());
        }
        finally
        {
            observer.OnTestEnded();
        }
        var result = run.GetResult();
        options.AddWritten(test);
        return result;

        void TakeLines()
        {
            while (lines.TryDequeue(out var line))
                observer.OnLog(line);
        }

        void TellHangs(RunProgress now)
        {
            foreach (var warning in new[] { calls.Look(now.Call), hangs.Look(now.Waiting) }.OfType<IoWarning>())
                observer.OnWarning(warning);
        }
    }

    private IoTestResult? TryRun(
        IoTestSpecification test,
        TestRunOptions options,
        SuitePlace place,
        IEnumerable<IoTestResult> known,
        Action<SuiteFailure> fail,
        CancellationToken cancelled
    )
    {
        try
        {
            PacedMix.SetRates(test, known);
            return RunOne(test, options, place, cancelled);
        }
        catch (IoBenchException error)
        {
            fail(new SuiteFailure(test, error, null));
        }
        catch (UnauthorizedAccessException error)
        {
            fail(new SuiteFailure(test, IoBenchException.Failure(ErrorIds.AccessDenied, error.Message, null, error), null));
        }
        // A working folder that is gone is nothing that the next test could do better.
        catch (IOException error) when (error is not FileNotFoundException { FileName: null })
        {
            fail(new SuiteFailure(test, IoBenchException.Failure("IoBench.InputOutputFailed", error.Message, null, error), null));
        }
        return null;
    }

    /// <summary>Keeps a result of <see cref="RunOne"/>.</summary>
    internal void Save(IoTestResult result) => Sinks.Save(result.Specification!, result, observer.OnFailure);
}

/// <summary>Where a test stands among others.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Count">Tests at most.</param>
/// <param name="LeftAfter">Time that the tests behind it take.</param>
/// <param name="Name">What it is called while it runs; null = its workload or pattern.</param>
public sealed record SuitePlace(int Number, int Count, TimeSpan LeftAfter = default, string? Name = null);
