using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Coordinates the hosts of a fleet: measures clocks, waits until all hosts are armed, sends synchronized starts, and detects lost hosts.
/// Connections, threads, and the
/// time are passed in, so that a test can simulate a thousand hosts and their failures.
/// </summary>
internal sealed class FleetConductor(FleetOptions options, Action<FleetHost, FleetOrder> send, IFleetObserver observer)
{
    private const long WaitWords = 10 * Clock.Second;
    private const long Beat = 10 * Clock.Second;
    private const double CalendarLimit = 1;

    private readonly Dictionary<string, FleetSeat> _seats = new(StringComparer.Ordinal);
    private readonly HashSet<int> _ended = [];
    private readonly FleetWarnings _warnings = new(observer);
    private int _test = 1;
    private long _firstArmed;
    private long _lastWords;
    private long _lastBeat;
    private bool _isStopped;

    /// <summary>
    /// Returns the monotonic clock and the calendar at the time of sending. The time of the last event would be too old after many other
    /// messages.
    /// </summary>
    public Func<(long Now, DateTimeOffset Time)> Moment { get; init; } = () => (Clock.Now, DateTimeOffset.Now);

    public IReadOnlyCollection<FleetSeat> Seats => _seats.Values;

    public bool IsDone => _seats.Values.All(seat => seat.IsOut);

    public bool IsOut(FleetHost host) => _seats[host.Name].IsOut;

    public void Add(FleetHost host, int tests) => _seats.Add(host.Name, new FleetSeat(host, tests));

    public void Connecting(FleetHost host, long now)
    {
        var seat = _seats[host.Name];
        (seat.Phase, seat.Heard) = (FleetPhase.Connecting, now);
    }

    /// <param name="now">Time at which the message arrived.</param>
    /// <param name="read">Reads the result that came with the message; null if there is none.</param>
    public void Heard(FleetHost host, FleetMessage message, long now, Func<IoTestResult>? read = null)
    {
        var seat = _seats[host.Name];
        // A host that was given up stays failed: it is already reported in the failures.
        if (seat.IsOut)
            return;
        seat.Heard = now;
        switch (message.State)
        {
            case FleetState.Hello:
                Greet(seat, message);
                break;
            case FleetState.Clock:
                Measure(seat, message, now);
                break;
            case FleetState.Preparing:
                seat.Percent = message.Percent;
                CheckFiles(seat, message.Files);
                break;
            case FleetState.Ready when message.Test is { } test:
                Arm(seat, test);
                break;
            case FleetState.Running:
                (seat.Iops, seat.MBps, seat.Percent) = (message.Iops, message.MBps, message.Percent);
                break;
            case FleetState.Warning:
                _warnings.Take(host, message);
                break;
            case FleetState.Done when message.Test is { } test && read is not null:
                Take(seat, test, read);
                break;
            case FleetState.Failed:
                Fail(seat, message);
                break;
            case FleetState.End:
                Leave(seat, FleetPhase.Ended, FleetErrors.NotRun, "its member ended without a result of this test.");
                break;
        }
        Step(now);
    }

    public void Closed(FleetHost host, string? reason, long now)
    {
        var seat = _seats[host.Name];
        if (seat.IsOut)
            return;
        if (seat.Phase == FleetPhase.Connecting)
            Lose(
                seat,
                FleetErrors.NotReached,
                $"it cannot be reached, or its member does not start{(reason is null ? "." : ": " + reason)}"
            );
        else
            Lose(seat, FleetErrors.HostLost, $"the line to it was closed{(reason is null ? "." : ": " + reason)}");
        Step(now);
    }

    /// <summary>
    /// Fails hosts that have been silent for too long and reports hosts that others wait for. Call it several times per second.
    /// </summary>
    public void Tick(long now)
    {
        _warnings.Tick(now, _seats.Count);
        if (now - _lastBeat >= Beat)
        {
            _lastBeat = now;
            foreach (var seat in _seats.Values.Where(seat => !seat.IsOut && seat.Phase > FleetPhase.Connecting))
                send(seat.Host, new FleetOrder { Order = FleetOrderKind.Alive });
        }
        foreach (
            var seat in _seats
                .Values.Where(seat =>
                    !seat.IsOut && seat.Phase != FleetPhase.Waiting && now - seat.Heard > Clock.Nanoseconds(options.HostTimeout)
                )
                .ToList()
        )
            Lose(
                seat,
                seat.Phase == FleetPhase.Connecting ? FleetErrors.NotReached : FleetErrors.HostLost,
                $"nothing was heard from it for {Seconds(now - seat.Heard)} s."
            );
        Step(now);
        SayWhoIsLate(now);
    }

    public void SayWarnings() => _warnings.Flush(_seats.Count);

    public void Stop(IoText reason)
    {
        if (_isStopped)
            return;
        _isStopped = true;
        observer.OnWarning(new IoWarning(WarningCodes.FleetStopped, reason));
        foreach (var seat in _seats.Values.Where(seat => !seat.IsOut))
        {
            if (seat.Phase == FleetPhase.Waiting)
                Leave(seat, FleetPhase.Failed, FleetErrors.NotRun, "stopped before it was reached.");
            else
                send(seat.Host, new FleetOrder { Order = FleetOrderKind.Stop });
        }
    }

    public void GiveUp(long now)
    {
        foreach (var seat in _seats.Values.Where(seat => !seat.IsOut).ToList())
            Lose(seat, FleetErrors.HostLost, "it did not end when it was stopped.");
        Step(now);
    }

    private void Greet(FleetSeat seat, FleetMessage hello)
    {
        (seat.Computer, seat.Machine) = (hello.Computer, hello.Machine);
        if (options.Version is { } version && hello.Version != version)
        {
            Lose(
                seat,
                FleetErrors.OtherVersion,
                $"it has IoBench {hello.Version ?? "of an unknown version"}, the controller {version}.",
                advice: "Use the same on all."
            );
            return;
        }
        var namesakes = _seats
            .Values.Where(other => other != seat && other.Computer == seat.Computer && other.Computer is not null && !other.IsOut)
            .ToList();
        if (namesakes.Find(other => other.Machine is not null && other.Machine == seat.Machine) is { } same)
            observer.OnWarning(
                new IoWarning(
                    WarningCodes.FleetSameMachine,
                    $"{seat.Host} and {same.Host} are the same machine: their figures do not add up to those of two machines."
                )
            );
        else if (namesakes.Count > 0)
            observer.OnWarning(
                new IoWarning(
                    WarningCodes.FleetSameName,
                    $"{seat.Host} and {namesakes[0].Host} are two machines with the same name, {seat.Computer}: the names in the inventory distinguish them."
                )
            );
        seat.Phase = FleetPhase.Preparing;
        AskClock(seat);
    }

    /// <summary>Two hosts on the same machine must not test the same file, because each would measure the effect of the other.</summary>
    private void CheckFiles(FleetSeat seat, IReadOnlyList<string>? files)
    {
        if (files is null)
            return;
        seat.Files = files;
        var other = _seats.Values.FirstOrDefault(other =>
            other != seat
            && !other.IsOut
            && other.Machine is not null
            && other.Machine == seat.Machine
            && other.Computer == seat.Computer
            && other.Files.Intersect(files).Any()
        );
        if (other is not null)
            Lose(
                seat,
                FleetErrors.SameFile,
                $"{seat.Files.Intersect(other.Files).First()} is tested by {other.Host} too, on the same machine.",
                advice: "Give each its own path."
            );
    }

    private void Measure(FleetSeat seat, FleetMessage answer, long now)
    {
        if (!seat.Offset.Take(answer, now))
            return;
        // On a slow connection, the offset is known only to half of the round trip.
        if (seat.Offset.Answers >= ClockOffset.MinAnswers && !seat.IsClockJudged && seat.Offset.Calendar is { } ahead)
        {
            seat.IsClockJudged = true;
            if (Math.Abs(ahead.TotalSeconds) > CalendarLimit + seat.Offset.RoundTrip / 2e9)
                observer.OnWarning(
                    new IoWarning(
                        WarningCodes.FleetClock,
                        $"{seat.Host}: its clock is {Math.Abs(ahead.TotalSeconds):#,##0.0} s {(ahead > TimeSpan.Zero ? "ahead" : "behind")}. Times of its results are put right."
                    )
                );
        }
        if (seat.AskedFor == _test ? !seat.Offset.IsSettled : seat.Offset.Answers < ClockOffset.MinAnswers)
            AskClock(seat);
    }

    private void AskClock(FleetSeat seat)
    {
        var (now, time) = Moment();
        send(seat.Host, seat.Offset.Ask(now, time));
    }

    private void Arm(FleetSeat seat, int test)
    {
        if (seat.Gone.Contains(test))
            return;
        if (seat.Has(test))
        {
            // The others started without this host. It continues with the next test.
            send(
                seat.Host,
                new FleetOrder
                {
                    Order = FleetOrderKind.Skip,
                    Test = test,
                    Text = seat.Failures.GetValueOrDefault(test)?.Text,
                }
            );
            return;
        }
        (seat.Phase, seat.Test, seat.Iops, seat.MBps) = (FleetPhase.Armed, test, null, null);
        if (test < _test || _ended.Contains(test))
            Skip(seat, test, FleetErrors.StartMissed, "it was armed when the others had begun.");
    }

    private void Take(FleetSeat seat, int test, Func<IoTestResult> read)
    {
        if (seat.Has(test))
            return;
        try
        {
            var result = read();
            (result.Member, result.GroupId) = (seat.Host.Name, FleetIds.OfTest(options.Group, test));
            if (seat.Offset.Calendar is { } ahead)
            {
                result.Host["Clock"] = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Math.Round(ahead.TotalSeconds, 3) + 0.0:+0.000;-0.000} s beside the controller's, known to {seat.Offset.RoundTrip / 2e6:0.0} ms"
                );
                result.StartTime -= ahead;
            }
            foreach (var (name, value) in seat.Host.Tags)
                result.Host["Tag " + name] = value;
            if (options.Mark is { } mark)
                result.Host[FleetMerge.AloneMark] = mark;
            seat.Results.Add(test);
            var ended = result is { Status: IoResultStatus.Cancelled, Specification.StopAboveMs: { } above } ? above : (double?)null;
            observer.OnResult(seat.Host, result);
            if (options.StopsTogether && !_isStopped && ended is { } limit)
                Stop($"{seat.Host} ended its test because its latency was above {limit} ms: all hosts end.");
        }
        catch (IoBenchException error)
        {
            AddFailure(seat, test, error.ErrorId, error.What, error.Advice);
        }
        seat.Phase = FleetPhase.Preparing;
    }

    private void Fail(FleetSeat seat, FleetMessage message)
    {
        var (id, what, advice) = (message.ErrorId ?? ErrorIds.TestFailed, message.Words() ?? "it failed.", message.AdviceWords());
        if (message.Test is not { } test)
            Lose(seat, id, what, advice);
        else if (!seat.Has(test))
            AddFailure(seat, test, id, what, advice);
    }

    private void AddFailure(FleetSeat seat, int test, string id, IoText what, IoText? advice = null)
    {
        var failure = new FleetFailure(seat.Host.Name, FleetIds.OfTest(options.Group, test), id, what, advice);
        seat.Failures[test] = failure;
        observer.OnFailure(failure);
        if (!seat.IsOut)
            seat.Phase = FleetPhase.Preparing;
    }

    private void Skip(FleetSeat seat, int test, string id, IoText what)
    {
        send(
            seat.Host,
            new FleetOrder
            {
                Order = FleetOrderKind.Skip,
                Test = test,
                Text = what.ToString(),
            }
        );
        AddFailure(seat, test, id, what);
    }

    private void Lose(FleetSeat seat, string id, IoText what, IoText? advice = null) => Leave(seat, FleetPhase.Failed, id, what, advice);

    private void Leave(FleetSeat seat, FleetPhase phase, string id, IoText what, IoText? advice = null)
    {
        seat.Phase = phase;
        for (var test = 1; test <= seat.Tests; test++)
            if (!seat.Has(test))
                AddFailure(seat, test, id, what, advice);
        observer.OnLeft(seat.Host, phase);
    }

    private void Step(long now)
    {
        while (true)
        {
            if (_seats.Values.Where(seat => seat.Tests >= _test).All(seat => seat.Has(_test)) && _ended.Add(_test))
            {
                observer.OnTestEnded(_test);
                if (_seats.Values.Any(seat => seat.Tests > _test))
                {
                    (_test, _firstArmed) = (_test + 1, 0);
                    continue;
                }
            }
            if (_isStopped || _ended.Contains(_test) || _seats.Values.Any(seat => seat.Gone.Contains(_test)))
                return;
            if (!TryBegin(now))
                return;
        }
    }

    /// <summary>Starts the test if all expected hosts are armed or the time is up. Returns true if the caller has to check again.</summary>
    private bool TryBegin(long now)
    {
        var expected = _seats.Values.Where(seat => seat.IsExpected(_test)).ToList();
        var armed = expected.Where(seat => seat.Phase == FleetPhase.Armed && seat.Test == _test).ToList();
        if (expected.Count == 0)
            return false;
        if (options.MinHosts is { } min && expected.Count < min)
        {
            foreach (var seat in expected.Where(seat => seat.Phase == FleetPhase.Armed).ToList())
                Skip(seat, _test, FleetErrors.NoQuorum, $"{expected.Count} of at least {min} hosts could run.");
            return _seats.Values.Where(seat => seat.Tests >= _test).All(seat => seat.Has(_test));
        }
        if (armed.Count > 0 && _firstArmed == 0)
            _firstArmed = now;
        var isLate = armed.Count >= options.MinHosts && now - _firstArmed > Clock.Nanoseconds(options.HostTimeout);
        if (armed.Count < expected.Count && !isLate || armed.Count == 0)
            return false;
        // Measure clocks only now: while other hosts prepare, answers of hosts that share a resource with them are slow, and a slow answer
        // makes the offset inexact.
        foreach (var seat in armed.Where(seat => seat.AskedFor != _test))
        {
            seat.AskedFor = _test;
            seat.Offset.Restart();
            AskClock(seat);
        }
        if (!armed.TrueForAll(seat => seat.Offset.IsSettled))
            return false;
        Begin(armed);
        foreach (var seat in expected.Except(armed).ToList())
            AddFailure(
                seat,
                _test,
                FleetErrors.StartMissed,
                $"it was not armed {Seconds(now - _firstArmed)} s after the first host: {Figures.Counted(armed.Count, "host")} began without it."
            );
        return false;
    }

    private void Begin(List<FleetSeat> armed)
    {
        var start = Moment().Now + Math.Max(Clock.Nanoseconds(options.Lead), 3 * armed.Max(seat => seat.Offset.RoundTrip));
        string[] names = [.. armed.Select(seat => seat.Host.Name).Order(NameOrder.Instance)];
        foreach (var seat in armed)
        {
            seat.Gone.Add(_test);
            seat.Phase = FleetPhase.Running;
            send(
                seat.Host,
                new FleetOrder
                {
                    Order = FleetOrderKind.Go,
                    Test = _test,
                    At = start + seat.Offset.Nanoseconds,
                    Hosts = names,
                }
            );
        }
        observer.OnTestBegun(_test, names);
    }

    private void SayWhoIsLate(long now)
    {
        var late = _seats.Values.Where(seat => seat.IsExpected(_test) && !(seat.Phase == FleetPhase.Armed && seat.Test == _test)).ToList();
        if (
            _firstArmed == 0
            || late.Count == 0
            || _seats.Values.Any(seat => seat.Gone.Contains(_test))
            || now - Math.Max(_firstArmed, _lastWords) < WaitWords
        )
            return;
        _lastWords = now;
        observer.OnWaiting([.. late.Select(seat => seat.Host)], TimeSpan.FromTicks((now - _firstArmed) / 100));
    }

    private static string Seconds(long nanoseconds) => (nanoseconds / Clock.Second).ToString(CultureInfo.InvariantCulture);
}
