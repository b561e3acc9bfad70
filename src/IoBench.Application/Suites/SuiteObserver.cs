namespace IoBench.Application.Suites;

/// <summary>Where a suite is, as data; each front shows it its own way.</summary>
/// <param name="Number">The test that is running, from 1.</param>
/// <param name="Count">Tests of the suite.</param>
/// <param name="Name">The test's workload, else its pattern in words.</param>
/// <param name="Run">What it does now.</param>
/// <param name="LeftAfter">Time that the tests behind it take.</param>
public sealed record SuiteProgress(int Number, int Count, string Name, IoTestSpecification Test, RunProgress Run, TimeSpan LeftAfter)
{
    /// <summary>Time left to the end of the suite; null when it cannot be known.</summary>
    public TimeSpan? Remaining => Run.RemainingSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) + LeftAfter : null;

    /// <summary>The storage rests before the test: so long yet; null when it does not.</summary>
    public TimeSpan? Rest =>
        Run is { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: null } && Test.RestBefore.TotalSeconds > Run.ElapsedSeconds
            ? Test.RestBefore - TimeSpan.FromSeconds(Run.ElapsedSeconds)
            : null;

    /// <summary>How far the test, or the making of its file, is in percent; null when it cannot be known.</summary>
    public double? Percent
    {
        get
        {
            if (Run is { Phase: RunPhase.Preparing, PrepareTotalBytes: > 0 })
                return 100.0 * Run.PreparedBytes / Run.PrepareTotalBytes;
            var total = (Test.WarmUp + Test.Duration + Test.CoolDown).TotalSeconds;
            return
                Run.Phase is RunPhase.WarmUp or RunPhase.Measuring or RunPhase.CoolDown or RunPhase.Draining
                && Run.RemainingSeconds is { } left
                && total > 0
                ? Math.Clamp(100 - 100 * left / total, 0, 100)
                : null;
        }
    }
}

/// <summary>Words for what is done to a file before it is tested.</summary>
public static class PreparationWords
{
    /// <summary><c>making</c>, <c>proving</c>, <c>preconditioning</c>.</summary>
    public static string Words(this PreparationStep step) => step.ToString().ToLowerInvariant();
}

/// <summary>A test that gave no result or a failed one, or a result that could not be saved.</summary>
/// <param name="Error">What happened.</param>
/// <param name="Result">What there is of it; null when nothing was measured.</param>
public sealed record SuiteFailure(IoTestSpecification Test, IoBenchException Error, IoTestResult? Result);

/// <summary>Whoever shows a suite. All calls come on the thread that runs the suite.</summary>
public interface ISuiteObserver
{
    /// <summary>What is going on, several times per second.</summary>
    void OnProgress(SuiteProgress progress);

    /// <summary>A test is over: what <see cref="OnProgress"/> shows is out of date.</summary>
    void OnTestEnded();

    /// <summary>Something to beware of now, while a test runs: an I/O that hangs.</summary>
    void OnWarning(IoWarning warning);

    /// <summary>What is really done (file, backend, flags), a line each.</summary>
    void OnLog(string line);

    /// <summary>A result, as soon as it is there and saved.</summary>
    void OnResult(IoTestResult result);

    /// <summary>Something failed; the suite goes on unless it says otherwise.</summary>
    void OnFailure(SuiteFailure failure);
}

/// <summary>Keeps results as they come.</summary>
public interface IResultSink
{
    /// <summary>Keeps a result.</summary>
    /// <exception cref="IoBenchException">It could not be saved; the result is kept in memory and saved with the next one.</exception>
    void Add(IoTestResult result) => AddAll([result]);

    /// <summary>Keeps results that came together: what is saved as a whole is saved once.</summary>
    /// <exception cref="IoBenchException">As <see cref="Add"/>.</exception>
    void AddAll(IReadOnlyList<IoTestResult> results);

    /// <summary>Tries once more what could not be saved.</summary>
    /// <exception cref="IoBenchException">It still cannot be.</exception>
    void Flush();
}
