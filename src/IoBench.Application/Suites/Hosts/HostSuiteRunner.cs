using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs a plan on several hosts. Each test starts on all hosts when the last host has ended the previous one; start times are not
/// synchronized. A failure costs only its own host that test. Results of a lost host are kept.</summary>
public sealed class HostSuiteRunner<THost>(IHostTransport<THost> transport, IHostSuiteObserver<THost> observer)
    where THost : class, ISuiteHost
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
        var seats = HostProgress<THost>.CreateAll(tests, hosts, earlier);
        foreach (var seat in IsResumed ? seats : [])
            observer.OnNote(seat.Host, ResumePlan.DescribeProgress(tests.Count, seat.AssignedTests.Tests.Count));
        var working = seats.Where(seat => seat.AssignedTests.Tests.Count > 0).ToList();
        if (working.Count == 0)
            return new SuiteOutcome([], [], cancelled.IsCancellationRequested, IsSaved: true);
        var ledger = new SuiteResults(OpenSinks(), RequiresRate);
        try
        {
            transport.PrepareHosts(
                tests,
                working.ConvertAll(seat => seat.AssignedTests),
                (host, number) => FindProgress(working, host).ReadyTests.Add(number)
            );
            for (var number = 0; number < tests.Count && !cancelled.IsCancellationRequested; number++)
                RunTest(tests, number, working, ledger);
            var outcome = ledger.Complete(cancelled.IsCancellationRequested);
            if (!outcome.IsCancelled)
                working.ForEach(ReportSummary);
            return outcome;
        }
        finally
        {
            // After a cancellation, contact the hosts only if files must be removed.
            if (RemovesTestFiles || !cancelled.IsCancellationRequested)
                transport.EndSuite([.. working.Select(seat => seat.Host).Where(host => host.IsUsable)], RemovesTestFiles);
        }
    }

    private void RunTest(IReadOnlyList<IoTestSpecification> tests, int number, List<HostProgress<THost>> seats, SuiteResults ledger)
    {
        var test = tests[number];
        var orders = seats
            .Where(seat => seat.Host.IsUsable && seat.ReadyTests.Contains(number) && SteadyState.IsRoundNeeded(test, seat.KnownResults))
            .Select(seat => CreateRunRequest(test, seat, ledger))
            .OfType<HostRunRequest<THost>>()
            .ToList();
        if (orders.Count == 0)
            return;
        foreach (var (host, result) in transport.RunTest(number, TestPlan.Estimate(tests.Skip(number + 1)).Total, orders))
        {
            var seat = FindProgress(seats, host);
            // All results of a host have the same name, so that a resumed run finds them.
            result.ComputerName = host.ComputerName;
            ledger.AddResult(
                test,
                result,
                seat.KnownResults,
                taken =>
                {
                    seat.KnownResults.Add(taken);
                    seat.NewResults.Add(taken);
                    observer.OnResult(host, taken);
                },
                failure => observer.OnFailure(host, failure)
            );
        }
    }

    private HostRunRequest<THost>? CreateRunRequest(IoTestSpecification test, HostProgress<THost> seat, SuiteResults ledger)
    {
        try
        {
            return new HostRunRequest<THost>(seat.Host, RateLimitedMix.GetRates(test, seat.KnownResults));
        }
        catch (IoBenchException error)
        {
            ledger.AddFailure(new SuiteFailure(test, error, null), failure => observer.OnFailure(seat.Host, failure));
            return null;
        }
    }

    /// <summary>Summarizes each host separately, because results of two computers are not repeats.</summary>
    private void ReportSummary(HostProgress<THost> seat)
    {
        var notes = SuiteSummary.Create(seat.NewResults, Storage);
        foreach (var warning in notes.Warnings)
            observer.OnWarning(seat.Host, new IoWarning(warning.Warning.Code, warning.Text));
        foreach (var line in notes.Lines)
            observer.OnNote(seat.Host, line);
    }

    private static HostProgress<THost> FindProgress(List<HostProgress<THost>> seats, THost host) =>
        seats.First(seat => ReferenceEquals(seat.Host, host));
}
