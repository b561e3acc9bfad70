using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <param name="Results">Results in the order of arrival. The last one can be that of a canceled run.</param>
/// <param name="IsSaved">True if every sink has saved every result.</param>
public sealed record SuiteOutcome(IReadOnlyList<IoTestResult> Results, IReadOnlyList<SuiteFailure> Failures, bool IsCancelled, bool IsSaved)
{
    /// <summary>True if a test did not reach its target rate, and that is a failure.</summary>
    public bool IsRateMissed => Failures.Any(failure => failure.Error.ErrorId == WarningCodes.RateMissed);

    /// <summary>Number of tests that ran as specified.</summary>
    public int CompleteCount => Results.Count(result => result.Status == IoResultStatus.Complete);
}

/// <summary>Runs tests one after the other on the calling thread. A failure costs only its own test. If a file is refused for one test,
/// other tests that use it in the same way are skipped.</summary>
public sealed class SuiteRunner(ISuiteFront front)
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(100);

    /// <summary>True to calculate no intermediate percentiles during the measurement.</summary>
    public bool IsQuiet { get; init; }

    /// <summary>True to stop after the first failed test, as the old tools do.</summary>
    public bool StopsAtFailure { get; init; }

    /// <summary>True if a test that does not reach its target rate fails.</summary>
    public bool RequiresRate { get; init; }

    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    /// <summary>Called periodically during each test, and once after its end; null for no callback.</summary>
    public Action<IoTestSpecification, TestRun, RunProgress>? Watch { get; init; }

    /// <param name="earlier">Results of an earlier part of the plan. Rounds that were already steady are not run.</param>
    /// <param name="cancelled">Cancels the suite. The running test returns its values so far.</param>
    public SuiteOutcome Run(SuiteApproval approval, IReadOnlyList<IoTestResult> earlier, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(approval);
        return Run(approval.Tests, approval.GetOptions, earlier, cancelled);
    }

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
        var results = new SuiteResults(Sinks, RequiresRate);
        var unusable = new HashSet<(string Path, bool Writes)>();
        for (var i = 0; i < tests.Count && !cancelled.IsCancellationRequested; i++)
        {
            var test = tests[i];
            var known = earlier.Concat(results.Results).ToList();
            if (
                test.Targets.Exists(target => unusable.Contains(SuiteApproval.GetAccess(test, target)))
                || !SteadyState.IsRoundNeeded(test, known)
            )
                continue;
            var place = new TestPosition(i + 1, tests.Count, TestPlanEstimate.Create(tests.Skip(i + 1)).Total);
            var result = TryRunTest(test, options(test), place, known, failure => results.AddFailure(failure, Refuse), cancelled);
            if (result is not null)
            {
                if (SteadyState.CreateWarning(result, known) is { } warning)
                    result.AddWarning(new IoWarning(WarningCodes.NeverSteady, warning));
                results.AddResult(test, result, front.OnResult, front.OnFailure);
            }
            if (results.HasFailures && StopsAtFailure)
                break;
        }
        return results.Complete(cancelled.IsCancellationRequested);

        void Refuse(SuiteFailure failure)
        {
            if (failure.Error.Kind is IoErrorKind.Refused or IoErrorKind.NotFound)
                failure.Test.Targets.ForEach(target => unusable.Add(SuiteApproval.GetAccess(failure.Test, target)));
            front.OnFailure(failure);
        }
    }

    /// <summary>Runs one test to its end, after its preconditioning.</summary>
    /// <param name="options">Options of the test. Its log is replaced: lines go to the front.</param>
    /// <exception cref="IoBenchException">Nothing was measured.</exception>
    public IoTestResult RunTest(IoTestSpecification test, TestRunOptions options, TestPosition place, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(place);
        // Preconditioning does not wait for the synchronized start.
        var gate = options.StartGate;
        options.StartGate = null;
        var overwritten = Preconditioning
            .CreateRuns(test)
            .SelectMany(writing => RunPreconditioning(writing, options, place, cancelled))
            .ToList();
        options.StartGate = gate;
        var result = RunWithProgress(test, options, place, cancelled);
        foreach (var warning in overwritten.Where(warning => !result.Warnings.Contains(warning.ToString())))
            result.AddWarning(warning);
        return result;
    }

    /// <returns>Warnings about overwritten targets. The results of preconditioning are not saved.</returns>
    private IEnumerable<IoWarning> RunPreconditioning(
        IoTestSpecification writing,
        TestRunOptions options,
        TestPosition place,
        CancellationToken cancelled
    )
    {
        if (cancelled.IsCancellationRequested)
            return [];
        var result = RunWithProgress(writing, options, place with { Name = "preconditioning" }, cancelled);
        if (result.ErrorId is not null)
            throw SuiteFailure.CreateError(result, "preconditioning");
        front.OnLog(
            $"preconditioned {result.Path}: {IoSize.Format(result.ByteCount ?? 0)} written in {TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(result.DurationSeconds ?? 0))}"
        );
        return result.GetWarnings().Where(warning => warning.Code == WarningCodes.TargetOverwritten);
    }

    private IoTestResult RunWithProgress(IoTestSpecification test, TestRunOptions options, TestPosition place, CancellationToken cancelled)
    {
        // The run logs on its own thread. The front end receives the lines on this one.
        var lines = new ConcurrentQueue<string>();
        options.Log = lines.Enqueue;
        options.Quiet |= IsQuiet;
        var name = place.Name ?? test.Workload ?? PatternText.Describe(test);
        WarmUpJit();
        // Disposing the run ends it, so that no worker continues if the front end throws.
        using var run = new TestRun(test, options);
        using var registration = cancelled.Register(run.Cancel);
        var hangs = new HangMonitor();
        var calls = new HangMonitor();
        run.Start();
        try
        {
            while (!run.Wait(s_poll))
            {
                TakeLines();
                var now = run.GetProgress();
                Watch?.Invoke(test, run, now);
                ReportHangs(now);
                front.OnProgress(new SuiteProgress(place.Number, place.Count, name, test, now, place.LeftAfter));
            }
            TakeLines();
            Watch?.Invoke(test, run, run.GetProgress());
            // I/Os that were pending until the end have completed, unless the run was canceled.
            if (!cancelled.IsCancellationRequested)
                ReportHangs(run.GetProgress());
        }
        finally
        {
            front.OnTestEnded();
        }
        return run.GetResult();

        void TakeLines()
        {
            while (lines.TryDequeue(out var line))
                front.OnLog(line);
        }

        void ReportHangs(RunProgress now)
        {
            foreach (var warning in new[] { calls.Update(now.Call), hangs.Update(now.Waiting) }.OfType<IoWarning>())
                front.OnWarning(warning);
        }
    }

    private IoTestResult? TryRunTest(
        IoTestSpecification test,
        TestRunOptions options,
        TestPosition place,
        IEnumerable<IoTestResult> known,
        Action<SuiteFailure> fail,
        CancellationToken cancelled
    )
    {
        try
        {
            RoleTestPlan.SetRates(test, known);
            return RunTest(test, options, place, cancelled);
        }
        catch (IoBenchException error)
        {
            fail(new SuiteFailure(test, error, null));
        }
        catch (UnauthorizedAccessException error)
        {
            fail(new SuiteFailure(test, IoBenchException.Failure(ErrorIds.AccessDenied, error.Message, null, error), null));
        }
        // If the working folder is missing, every following test would fail too, so this error is not caught.
        catch (IOException error) when (error is not FileNotFoundException { FileName: null })
        {
            fail(new SuiteFailure(test, IoBenchException.Failure("IoBench.InputOutputFailed", error.Message, null, error), null));
        }
        return null;
    }

    internal void SaveResult(IoTestResult result) =>
        IResultSink.AddToAll(Sinks, [result], error => front.OnFailure(new SuiteFailure(result.Specification!, error, result)));

    private const long JitTestLead = 30_000_000;

    private static readonly TimeSpan s_jitTestDuration = TimeSpan.FromMilliseconds(60);

    private static readonly Lazy<bool> s_warmUp = new(() => RunModeledTest(targetIops: null, isGated: false));

    /// <summary>Runs a modeled test before the first test. Otherwise, the JIT compiler would compile thousands of methods at the end of the
    /// first run and delay a cancellation (see docs/concepts/performance.md). Does nothing if code is compiled ahead of time.</summary>
    private static void WarmUpJit()
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            _ = s_warmUp.Value;
    }

    /// <summary>Also compiles the code of a synchronized start, which would otherwise be delayed on all hosts.</summary>
    /// <param name="hasTargetRate">True for a test with a target rate, because such tests take another code path.</param>
    internal static void WarmUpJitForStart(bool hasTargetRate)
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            RunModeledTest(hasTargetRate ? 500 : null, isGated: true);
    }

    private static bool RunModeledTest(double? targetIops, bool isGated)
    {
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = BackendCatalog.Null,
            NullDevice = new NullDeviceModel(Servers: 1, MeanMs: 1),
            ThreadCount = 1,
            OutstandingIO = 2,
            WritePercent = 30,
            WarmUp = TimeSpan.Zero,
            TimelineInterval = TimeSpan.FromMilliseconds(10),
            TargetIops = targetIops,
        };
        using var run = new TestRun(test, new TestRunOptions { Quiet = true, StartGate = isGated ? _ => Clock.Now + JitTestLead : null });
        run.Start();
        // End the run as Ctrl+C does, so that the methods of a cancellation are compiled too.
        _ = run.Wait(s_jitTestDuration);
        run.Cancel();
        while (!run.Wait(TimeSpan.FromSeconds(1))) { }
        var result = run.GetResult();
        result.Integrity = new IoIntegrity { FirstPass = new IoIntegrityPass(), FinalPass = new IoIntegrityPass() };
        ResultWriter.Write(TextWriter.Null, [result], ResultFormat.Json);
        return true;
    }
}

/// <param name="Number">Number of the test, from 1.</param>
/// <param name="Name">Name in the progress; null for the workload or the pattern.</param>
public sealed record TestPosition(int Number, int Count, TimeSpan LeftAfter = default, string? Name = null);
