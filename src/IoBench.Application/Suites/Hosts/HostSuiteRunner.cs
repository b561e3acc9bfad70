using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs a plan on several hosts. Each test starts on all hosts when the last host has ended the previous one; start times are not
/// synchronized. A failure costs only its own host that test. Results of a lost host are kept.</summary>
public sealed class HostSuiteRunner<THost>(IHostTransport<THost> transport, IHostSuiteObserver<THost> observer)
    where THost : class, ISuiteComputer
{
    /// <summary>True to continue an earlier run, and to report for each host how much is complete.</summary>
    public bool IsResumed { get; init; }

    /// <summary>True if a test that does not reach its target rate fails.</summary>
    public bool RequiresRate { get; init; }

    /// <summary>True to remove the test files at the end, also after a cancellation.</summary>
    public bool RemovesTestFiles { get; init; }

    /// <summary>Kind of storage for the ratings; null for the kind that each host reports.</summary>
    public StorageClass? Storage { get; init; }

    /// <summary>Opens the sinks of the results. Called only if a test will run.</summary>
    public required Func<IReadOnlyList<IResultSink>> OpenSinks { get; init; }

    /// <param name="earlier">Results of an earlier part of the plan, of these and other hosts.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ResumeDiffers</c>: the earlier part had another duration.</exception>
    public SuiteOutcome Run(
        IReadOnlyList<IoTestSpecification> tests,
        IReadOnlyList<THost> hosts,
        IReadOnlyList<IoTestResult> earlier,
        CancellationToken cancelled
    )
    {
        ArgumentNullException.ThrowIfNull(tests);
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(earlier);
        var allProgress = HostProgress<THost>.CreateAll(tests, hosts, earlier);
        foreach (var progress in IsResumed ? allProgress : [])
            observer.OnNote(progress.Host, ResumePlan.DescribeProgress(tests.Count, progress.AssignedTests.Count));
        var working = allProgress.Where(progress => progress.AssignedTests.Count > 0).ToList();
        if (working.Count == 0)
            return new SuiteOutcome([], [], cancelled.IsCancellationRequested, IsSaved: true);
        var results = new SuiteResults(OpenSinks(), RequiresRate);
        try
        {
            transport.PrepareHosts(
                tests,
                working.ConvertAll(progress => (progress.Host, progress.AssignedTests)),
                (host, number) => FindProgress(working, host).ReadyTests.Add(number)
            );
            for (var number = 0; number < tests.Count && !cancelled.IsCancellationRequested; number++)
                RunTest(tests, number, working, results);
            var outcome = results.Complete(cancelled.IsCancellationRequested);
            if (!outcome.IsCancelled)
                working.ForEach(ReportSummary);
            return outcome;
        }
        finally
        {
            // After a cancellation, contact the hosts only if files must be removed.
            if (RemovesTestFiles || !cancelled.IsCancellationRequested)
                transport.EndSuite([.. working.Select(progress => progress.Host).Where(host => host.IsUsable)], RemovesTestFiles);
        }
    }

    private void RunTest(IReadOnlyList<IoTestSpecification> tests, int number, List<HostProgress<THost>> allProgress, SuiteResults results)
    {
        var test = tests[number];
        var requests = new List<(THost Host, IReadOnlyList<double> Rates)>();
        foreach (var progress in allProgress)
        {
            if (!progress.Host.IsUsable || !progress.ReadyTests.Contains(number) || !SteadyState.IsRoundNeeded(test, progress.KnownResults))
                continue;
            if (FindRates(test, progress, results) is { } rates)
                requests.Add((progress.Host, rates));
        }
        if (requests.Count == 0)
            return;
        foreach (var (host, result) in transport.RunTest(number, TestPlanEstimate.Create(tests.Skip(number + 1)).Total, requests))
        {
            var progress = FindProgress(allProgress, host);
            // All results of a host have the same name, so that a resumed run finds them.
            result.ComputerName = host.ComputerName;
            results.AddResult(
                test,
                result,
                progress.KnownResults,
                added =>
                {
                    progress.KnownResults.Add(added);
                    progress.NewResults.Add(added);
                    observer.OnResult(host, added);
                },
                failure => observer.OnFailure(host, failure)
            );
        }
    }

    private IReadOnlyList<double>? FindRates(IoTestSpecification test, HostProgress<THost> progress, SuiteResults results)
    {
        try
        {
            return RateLimitedMix.GetRates(test, progress.KnownResults);
        }
        catch (IoBenchException error)
        {
            results.AddFailure(new SuiteFailure(test, error, null), failure => observer.OnFailure(progress.Host, failure));
            return null;
        }
    }

    /// <summary>Summarizes each host separately, because results of two computers are not repeats.</summary>
    private void ReportSummary(HostProgress<THost> progress)
    {
        var notes = SuiteSummary.Create(progress.NewResults, Storage);
        foreach (var warning in notes.Warnings)
            observer.OnWarning(progress.Host, new IoWarning(warning.Warning.Code, warning.Text));
        foreach (var line in notes.Lines)
            observer.OnNote(progress.Host, line);
    }

    private static HostProgress<THost> FindProgress(List<HostProgress<THost>> allProgress, THost host) =>
        allProgress.First(progress => ReferenceEquals(progress.Host, host));
}
