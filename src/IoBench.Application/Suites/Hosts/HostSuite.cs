namespace IoBench.Application.Suites.Hosts;

/// <summary>
/// Runs a plan on several hosts. Every host first makes its files; each test then goes to all of them at once, when the last has ended the test before: nobody agrees
/// on a moment. What fails costs its own host that test; what a lost host has measured is kept.
/// </summary>
/// <param name="transport">The way to the hosts.</param>
/// <param name="observer">Shows what comes of it.</param>
public sealed class HostSuite<THost>(IHostTransport<THost> transport, IHostObserver<THost> observer)
    where THost : class, ISuiteHost
{
    /// <summary>The run goes on with an earlier part: it is said of each host how much that was.</summary>
    public bool IsResumed { get; init; }

    /// <summary>A test that misses its target rate has failed.</summary>
    public bool RequiresRate { get; init; }

    /// <summary>Test files are removed at the end, also when somebody ends the suite.</summary>
    public bool RemovesTestFiles { get; init; }

    /// <summary>The kind of storage by which results are judged; null = as each host says.</summary>
    public StorageClass? Storage { get; init; }

    /// <summary>Opens the places where results are kept: called once it is known that something will run.</summary>
    public required Func<IReadOnlyList<IResultSink>> OpenSinks { get; init; }

    /// <summary>Runs what the hosts have not done.</summary>
    /// <param name="tests">The plan.</param>
    /// <param name="earlier">Results of an earlier part of the same plan, of these hosts and others.</param>
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
            // Files that stay need no word to hosts that somebody has no patience with.
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
            // One name for all of a host's results, by which an interrupted run finds them again.
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

    /// <summary>What a host needs for a test; null where a paced mix has no rates to be a share of, which is a failure of that host.</summary>
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

    /// <summary>What a host's results come to. Hosts are never judged together: two computers are no repeats of each other.</summary>
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
