using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>
/// Runs a plan on several hosts. First every host creates its files. Then each test starts on all hosts when the last host has ended the
/// previous test; start times are not
/// synchronized. A failure costs only its own host that test. Results of a lost host are kept.
/// </summary>
/// <typeparam name="THost">Type of the hosts.</typeparam>
/// <param name="transport">Runs the work on the hosts.</param>
/// <param name="observer">Receives results and warnings.</param>
public sealed class HostSuite<THost>(IHostTransport<THost> transport, IHostObserver<THost> observer)
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

    /// <summary>Runs the tests that the hosts have not completed.</summary>
    /// <param name="tests">The plan.</param>
    /// <param name="hosts">The hosts.</param>
    /// <param name="earlier">Results of an earlier part of the plan, of these and other hosts.</param>
    /// <param name="cancelled">Ends the suite.</param>
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
        var seats = HostSeat<THost>.Of(tests, hosts, earlier);
        foreach (var seat in IsResumed ? seats : [])
            observer.OnNote(seat.Host, ResumePlan.Words(tests.Count, seat.Share.Tests.Count));
        var working = seats.Where(seat => seat.Share.Tests.Count > 0).ToList();
        if (working.Count == 0)
            return new SuiteOutcome([], [], cancelled.IsCancellationRequested, IsSaved: true);
        var ledger = new SuiteLedger(OpenSinks(), RequiresRate);
        try
        {
            transport.Prepare(tests, working.ConvertAll(seat => seat.Share), (host, number) => SeatOf(working, host).Ready.Add(number));
            for (var number = 0; number < tests.Count && !cancelled.IsCancellationRequested; number++)
                RunOne(tests, number, working, ledger);
            var outcome = ledger.Close(cancelled.IsCancellationRequested);
            if (!outcome.IsCancelled)
                working.ForEach(Conclude);
            return outcome;
        }
        finally
        {
            // After a cancellation, contact the hosts only if files must be removed.
            if (RemovesTestFiles || !cancelled.IsCancellationRequested)
                transport.End([.. working.Select(seat => seat.Host).Where(host => host.IsUsable)], RemovesTestFiles);
        }
    }

    private void RunOne(IReadOnlyList<IoTestSpecification> tests, int number, List<HostSeat<THost>> seats, SuiteLedger ledger)
    {
        var test = tests[number];
        var orders = seats
            .Where(seat => seat.Host.IsUsable && seat.Ready.Contains(number) && SteadyStateRounds.IsWanted(test, seat.Known))
            .Select(seat => OrderOf(test, seat, ledger))
            .OfType<HostOrder<THost>>()
            .ToList();
        if (orders.Count == 0)
            return;
        foreach (var (host, result) in transport.Run(number, TestPlan.Estimate(tests.Skip(number + 1)).Total, orders))
        {
            var seat = SeatOf(seats, host);
            // All results of a host have the same name, so that a resumed run finds them.
            result.ComputerName = host.ComputerName;
            ledger.Take(
                test,
                result,
                seat.Known,
                taken =>
                {
                    seat.Known.Add(taken);
                    seat.Measured.Add(taken);
                    observer.OnResult(host, taken);
                },
                failure => observer.OnFailure(host, failure)
            );
        }
    }

    private HostOrder<THost>? OrderOf(IoTestSpecification test, HostSeat<THost> seat, SuiteLedger ledger)
    {
        try
        {
            return new HostOrder<THost>(seat.Host, PacedMix.RatesOf(test, seat.Known));
        }
        catch (IoBenchException error)
        {
            ledger.Fail(new SuiteFailure(test, error, null), failure => observer.OnFailure(seat.Host, failure));
            return null;
        }
    }

    /// <summary>Summarizes each host separately, because results of two computers are not repeats.</summary>
    private void Conclude(HostSeat<THost> seat)
    {
        var notes = SuiteNotes.Of(seat.Measured, Storage);
        foreach (var warning in notes.Warnings)
            observer.OnWarning(seat.Host, new IoWarning(warning.Warning.Code, warning.Text));
        foreach (var line in notes.Lines)
            observer.OnNote(seat.Host, line);
    }

    private static HostSeat<THost> SeatOf(List<HostSeat<THost>> seats, THost host) => seats.First(seat => ReferenceEquals(seat.Host, host));
}
