using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Progress of a suite.</summary>
/// <param name="Number">Number of the running test, from 1.</param>
/// <param name="Count">Number of tests.</param>
/// <param name="Name">Workload of the test, or a description of its pattern.</param>
/// <param name="Test">The running test.</param>
/// <param name="Run">Progress of the test.</param>
/// <param name="LeftAfter">Estimated duration of the tests after it.</param>
public sealed record SuiteProgress(int Number, int Count, string Name, IoTestSpecification Test, RunProgress Run, TimeSpan LeftAfter)
{
    /// <summary>Time to the end of the suite; null if unknown.</summary>
    public TimeSpan? Remaining => Run.RemainingSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) + LeftAfter : null;

    /// <summary>Remaining idle time before the test; null if the test is not in its idle time.</summary>
    public TimeSpan? Rest =>
        Run is { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: null } && Test.RestBefore.TotalSeconds > Run.ElapsedSeconds
            ? Test.RestBefore - TimeSpan.FromSeconds(Run.ElapsedSeconds)
            : null;

    /// <summary>Progress of the test, or of the creation of its file, in percent; null if unknown.</summary>
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

/// <summary>Descriptions of the preparation of a file.</summary>
public static class SuiteProgressMessages
{
    /// <summary>Returns <c>making</c>, <c>proving</c>, or <c>preconditioning</c>.</summary>
    public static string DescribeStep(this PreparationStep step) => step.ToString().ToLowerInvariant();
}

/// <summary>Test that returned no result or a failed result, or a result that could not be saved.</summary>
/// <param name="Test">The test.</param>
/// <param name="Error">The error.</param>
/// <param name="Result">Available result; null if nothing was measured.</param>
public sealed record SuiteFailure(IoTestSpecification Test, IoBenchException Error, IoTestResult? Result);

/// <summary>Receives events of a suite. All calls come from the thread that runs the suite.</summary>
public interface ISuiteObserver
{
    /// <summary>Receives the progress, several times per second.</summary>
    void OnProgress(SuiteProgress progress);

    /// <summary>A test has ended, so the progress of <see cref="OnProgress"/> is no longer valid.</summary>
    void OnTestEnded();

    /// <summary>Receives a warning during a test, such as a pending I/O.</summary>
    void OnWarning(IoWarning warning);

    /// <summary>Receives a log line about the actual run: file, backend, flags.</summary>
    void OnLog(string line);

    /// <summary>Receives a result after it was saved.</summary>
    void OnResult(IoTestResult result);

    /// <summary>Receives a failure. The suite continues unless it is configured to stop.</summary>
    void OnFailure(SuiteFailure failure);
}

/// <summary>Destination of results, such as a file or the journal.</summary>
public interface IResultSink
{
    /// <summary>Adds a result.</summary>
    /// <exception cref="IoBenchException">The result could not be saved. It stays in memory and is saved with the next one.</exception>
    void Add(IoTestResult result) => AddAll([result]);

    /// <summary>Adds several results with one save.</summary>
    /// <exception cref="IoBenchException">As in <see cref="Add"/>.</exception>
    void AddAll(IReadOnlyList<IoTestResult> results);

    /// <summary>Tries again to save results that could not be saved.</summary>
    /// <exception cref="IoBenchException">The results still cannot be saved.</exception>
    void Flush();
}
