using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>A plan from the check of its targets to its saved results. A front end only asks and shows.</summary>
public sealed class Suite : IDisposable
{
    private readonly SuiteSettings _settings;
    private readonly ISuiteFront _front;
    private readonly Lazy<SuiteRunner> _runner;
    private SuiteApproval? _approval;
    private bool _isOpeningAbandoned;

    private Suite(SuiteSettings settings, OutputRequest request, ISuiteFront front, bool isQuiet)
    {
        _settings = settings;
        _front = front;
        Outputs = new RunOutputs(request);
        // The outputs are open when the first test runs.
        _runner = new(() =>
            new SuiteRunner(front)
            {
                IsQuiet = isQuiet,
                RequiresRate = settings.RequireRate,
                Sinks = Outputs.GetSinks(front),
            }
        );
    }

    public RunOutputs Outputs { get; }

    /// <summary>True if the run to resume already has all results.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Tests that will run: not refused, not declined, and not completed by the run to resume.</summary>
    public IReadOnlyList<IoTestSpecification> Tests => _approval?.Tests ?? [];

    public IReadOnlyList<ApprovedTarget> Targets => _approval?.Targets ?? [];

    /// <summary>Opens the run to resume, checks all targets, asks the user, and reserves the outputs. Nothing runs, and no target changes.
    /// If no test remains, no new file remains.</summary>
    /// <param name="maxRuns">For a search, the maximum number of runs of the test; null if each test runs once.</param>
    /// <param name="isQuiet">True to calculate no intermediate percentiles during the measurement.</param>
    /// <exception cref="IoBenchException">An output was refused, or a target if the front end needs all of them.</exception>
    public static Suite Prepare(
        IReadOnlyList<IoTestSpecification> plan,
        SuiteSettings settings,
        OutputRequest request,
        ISuiteFront front,
        int? maxRuns = null,
        bool isQuiet = false
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(front);
        var suite = new Suite(settings, request, front, isQuiet);
        try
        {
            suite.PrepareTests(plan, request, maxRuns);
            return suite;
        }
        catch
        {
            suite.Dispose();
            throw;
        }
    }

    /// <summary>Runs the tests one after the other on the calling thread.</summary>
    /// <param name="cancelled">Cancels the suite. The running test returns its values so far.</param>
    public SuiteOutcome Run(CancellationToken cancelled) => _runner.Value.Run(_approval!, Outputs.EarlierResults, cancelled);

    /// <summary>Runs and saves one test of a search.</summary>
    /// <exception cref="IoBenchException">Nothing was measured.</exception>
    public IoTestResult RunTest(IoTestSpecification test, TestPosition place, CancellationToken cancelled)
    {
        var result = _runner.Value.RunTest(test, _approval!.GetOptions(test), place, cancelled);
        _runner.Value.SaveResult(result);
        return result;
    }

    /// <summary>Tries again to save results that could not be saved.</summary>
    public void SaveUnsavedResults() => IResultSink.FlushAll(_runner.Value.Sinks);

    /// <summary>Removes the test files if this was requested. Otherwise, lists those that stay for the next run.</summary>
    public IReadOnlyList<CleanupResult> CleanUp() => SuiteTestFiles.CleanUp(Targets, _settings.RemoveTestFile);

    /// <summary>Releases the names of the outputs.</summary>
    public void Dispose()
    {
        // An abandoned call still uses the outputs, and closing a file that does not respond would hang too.
        if (!_isOpeningAbandoned)
            Outputs.Dispose();
    }

    private void PrepareTests(IReadOnlyList<IoTestSpecification> plan, OutputRequest request, int? maxRuns)
    {
        var tests = plan;
        try
        {
            _front.RunCancellable(
                request.DescribePaths(),
                () =>
                {
                    Outputs.OpenEarlierRun(plan, _front.OnJournalProblem);
                    if (_front.NeedsAllTargets)
                        Outputs.Reserve(plan);
                    return true;
                }
            );
        }
        catch (OperationCanceledException)
        {
            _isOpeningAbandoned = true;
            throw;
        }
        catch (IoBenchException error) when (_front.NeedsAllTargets && error.Kind == IoErrorKind.Refused)
        {
            // Report the refused targets together with the refused output.
            var targets = string.Join(" or ", plan.SelectMany(test => test.Targets).Select(target => target.Path).Distinct());
            var approval = _front.RunCancellable(targets, () => SuiteApproval.Create(plan, _settings, front: null));
            throw IoBenchException.Combine([error, .. approval.Refusals.Select(refusal => refusal.Error)]);
        }
        if (_settings.Resume)
        {
            tests = ResumePlan.GetRemainingTests(plan, Outputs.EarlierResults, Environment.MachineName);
            _front.OnResumed(plan.Count, tests.Count);
            IsComplete = tests.Count == 0;
            if (IsComplete)
                return;
        }
        _approval = SuiteApproval.Create(tests, _settings, _front);
        foreach (var group in _approval.Groups.Where(group => !_front.Confirm(group)).ToList())
            _approval.ExcludeGroup(group);
        if (Tests.Count == 0)
            return;
        if (!_front.NeedsAllTargets)
            Outputs.Reserve(Tests);
        Outputs.OpenJournal(_front.OnJournalProblem);
        var longest = maxRuns is { } runs
            ? TestPlanEstimate.Create(Enumerable.Repeat(Tests[0], runs), Targets.Sum(target => target.BytesToMake))
            : null;
        _front.OnPrepared(
            SuiteMessages.DescribeTargets(_approval, longest),
            SuiteMessages.DescribeNotices(_approval, _settings.HasExplicitFileSize)
        );
    }
}
