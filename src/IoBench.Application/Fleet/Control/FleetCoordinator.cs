using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Coordinates the hosts of a fleet. Connections, threads, and time are passed in, so that a test can simulate a thousand
/// hosts.</summary>
internal sealed class FleetCoordinator(FleetOptions options, Action<FleetHost, ControllerCommand> send, IFleetObserver observer)
{
    private const long WaitingReportInterval = 10 * Clock.Second;
    private const long KeepAliveInterval = 10 * Clock.Second;
    private const double MaxClockDifferenceSeconds = 1;

    private readonly Dictionary<string, HostState> _hosts = new(StringComparer.Ordinal);
    private readonly HashSet<int> _ended = [];
    private readonly FleetWarningCollector _warnings = new(observer);
    private int _test = 1;
    private long _firstArmed;
    private long _lastWaitingReport;
    private long _lastKeepAlive;
    private bool _isStopped;

    /// <summary>Clock and calendar at the time of sending, because the time of the last event would be too old after many
    /// messages.</summary>
    public Func<(long Now, DateTimeOffset Time)> TimeSource { get; init; } = () => (Clock.Now, DateTimeOffset.Now);

    public IReadOnlyCollection<HostState> Hosts => _hosts.Values;

    public bool IsDone => _hosts.Values.All(seat => seat.IsFinished);

    public bool IsFinished(FleetHost host) => _hosts[host.Name].IsFinished;

    public void AddHost(FleetHost host, int tests) => _hosts.Add(host.Name, new HostState(host, tests));

    public void OnConnecting(FleetHost host, long now)
    {
        var seat = _hosts[host.Name];
        (seat.Phase, seat.LastMessageTime) = (FleetHostPhase.Connecting, now);
    }

    /// <param name="now">Time at which the message arrived.</param>
    /// <param name="read">Reads the result that came with the message; null if there is none.</param>
    public void OnMessage(FleetHost host, MemberMessage message, long now, Func<IoTestResult>? read = null)
    {
        var seat = _hosts[host.Name];
        // A host that was given up stays failed: it is already reported in the failures.
        if (seat.IsFinished)
            return;
        seat.LastMessageTime = now;
        switch (message.State)
        {
            case MemberMessageKind.Hello:
                AcceptHello(seat, message);
                break;
            case MemberMessageKind.Clock:
                AddClockAnswer(seat, message, now);
                break;
            case MemberMessageKind.Preparing:
                seat.Percent = message.Percent;
                CheckFiles(seat, message.Files);
                break;
            case MemberMessageKind.Ready when message.Test is { } test:
                OnReady(seat, test);
                break;
            case MemberMessageKind.Running:
                (seat.Iops, seat.MBps, seat.Percent) = (message.Iops, message.MBps, message.Percent);
                break;
            case MemberMessageKind.Warning:
                _warnings.AddWarning(host, message);
                break;
            case MemberMessageKind.Done when message.Test is { } test && read is not null:
                AddResult(seat, test, read);
                break;
            case MemberMessageKind.Failed:
                OnFailed(seat, message);
                break;
            case MemberMessageKind.End:
                EndHost(seat, FleetHostPhase.Ended, FleetErrorIds.NotRun, "its member ended without a result of this test.");
                break;
        }
        AdvanceTest(now);
    }

    public void OnClosed(FleetHost host, string? reason, long now)
    {
        var seat = _hosts[host.Name];
        if (seat.IsFinished)
            return;
        if (seat.Phase == FleetHostPhase.Connecting)
            FailHost(
                seat,
                FleetErrorIds.NotReached,
                $"it cannot be reached, or its member does not start{(reason is null ? "." : ": " + reason)}"
            );
        else
            FailHost(seat, FleetErrorIds.HostLost, $"the line to it was closed{(reason is null ? "." : ": " + reason)}");
        AdvanceTest(now);
    }

    /// <summary>Fails silent hosts and reports hosts that others wait for. Call it several times per second.</summary>
    public void Tick(long now)
    {
        _warnings.FlushIfDue(now, _hosts.Count);
        if (now - _lastKeepAlive >= KeepAliveInterval)
        {
            _lastKeepAlive = now;
            foreach (var seat in _hosts.Values.Where(seat => !seat.IsFinished && seat.Phase > FleetHostPhase.Connecting))
                send(seat.Host, new ControllerCommand { Order = ControllerCommandKind.Alive });
        }
        foreach (
            var seat in _hosts
                .Values.Where(seat =>
                    !seat.IsFinished
                    && seat.Phase != FleetHostPhase.Waiting
                    && now - seat.LastMessageTime > Clock.ToNanoseconds(options.HostTimeout)
                )
                .ToList()
        )
            FailHost(
                seat,
                seat.Phase == FleetHostPhase.Connecting ? FleetErrorIds.NotReached : FleetErrorIds.HostLost,
                $"nothing was heard from it for {FormatSeconds(now - seat.LastMessageTime)} s."
            );
        AdvanceTest(now);
        ReportLateHosts(now);
    }

    public void FlushWarnings() => _warnings.Flush(_hosts.Count);

    public void StopHosts(IoMessage reason)
    {
        if (_isStopped)
            return;
        _isStopped = true;
        observer.OnWarning(new IoWarning(WarningCodes.FleetStopped, reason));
        foreach (var seat in _hosts.Values.Where(seat => !seat.IsFinished))
        {
            if (seat.Phase == FleetHostPhase.Waiting)
                EndHost(seat, FleetHostPhase.Failed, FleetErrorIds.NotRun, "stopped before it was reached.");
            else
                send(seat.Host, new ControllerCommand { Order = ControllerCommandKind.Stop });
        }
    }

    public void AbandonHosts(long now)
    {
        foreach (var seat in _hosts.Values.Where(seat => !seat.IsFinished).ToList())
            FailHost(seat, FleetErrorIds.HostLost, "it did not end when it was stopped.");
        AdvanceTest(now);
    }

    private void AcceptHello(HostState seat, MemberMessage hello)
    {
        (seat.Computer, seat.Machine) = (hello.Computer, hello.Machine);
        if (options.Version is { } version && hello.Version != version)
        {
            FailHost(
                seat,
                FleetErrorIds.OtherVersion,
                $"it has IoBench {hello.Version ?? "of an unknown version"}, the controller {version}.",
                advice: "Use the same on all."
            );
            return;
        }
        var namesakes = _hosts
            .Values.Where(other => other != seat && other.Computer == seat.Computer && other.Computer is not null && !other.IsFinished)
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
        seat.Phase = FleetHostPhase.Preparing;
        SendClockQuestion(seat);
    }

    /// <summary>Two hosts on the same machine must not test the same file, because each would measure the effect of the other.</summary>
    private void CheckFiles(HostState seat, IReadOnlyList<string>? files)
    {
        if (files is null)
            return;
        seat.Files = files;
        var other = _hosts.Values.FirstOrDefault(other =>
            other != seat
            && !other.IsFinished
            && other.Machine is not null
            && other.Machine == seat.Machine
            && other.Computer == seat.Computer
            && other.Files.Intersect(files).Any()
        );
        if (other is not null)
            FailHost(
                seat,
                FleetErrorIds.SameFile,
                $"{seat.Files.Intersect(other.Files).First()} is tested by {other.Host} too, on the same machine.",
                advice: "Give each its own path."
            );
    }

    private void AddClockAnswer(HostState seat, MemberMessage answer, long now)
    {
        if (!seat.ClockOffset.AddAnswer(answer, now))
            return;
        // On a slow connection, the offset is known only to half of the round trip.
        if (seat.ClockOffset.Answers >= ClockOffset.MinAnswers && !seat.IsCalendarChecked && seat.ClockOffset.CalendarOffset is { } ahead)
        {
            seat.IsCalendarChecked = true;
            if (Math.Abs(ahead.TotalSeconds) > MaxClockDifferenceSeconds + seat.ClockOffset.RoundTrip / 2e9)
                observer.OnWarning(
                    new IoWarning(
                        WarningCodes.FleetClock,
                        $"{seat.Host}: its clock is {Math.Abs(ahead.TotalSeconds):#,##0.0} s {(ahead > TimeSpan.Zero ? "ahead" : "behind")}. Times of its results are put right."
                    )
                );
        }
        if (seat.LastClockTest == _test ? !seat.ClockOffset.IsSettled : seat.ClockOffset.Answers < ClockOffset.MinAnswers)
            SendClockQuestion(seat);
    }

    private void SendClockQuestion(HostState seat)
    {
        var (now, time) = TimeSource();
        send(seat.Host, seat.ClockOffset.CreateQuestion(now, time));
    }

    private void OnReady(HostState seat, int test)
    {
        if (seat.StartedTests.Contains(test))
            return;
        if (seat.HasFinished(test))
        {
            // The others started without this host. It continues with the next test.
            send(
                seat.Host,
                new ControllerCommand
                {
                    Order = ControllerCommandKind.Skip,
                    Test = test,
                    Text = seat.Failures.GetValueOrDefault(test)?.Text,
                }
            );
            return;
        }
        (seat.Phase, seat.CurrentTest, seat.Iops, seat.MBps) = (FleetHostPhase.Armed, test, null, null);
        if (test < _test || _ended.Contains(test))
            SkipTest(seat, test, FleetErrorIds.StartMissed, "it was armed when the others had begun.");
    }

    private void AddResult(HostState seat, int test, Func<IoTestResult> read)
    {
        if (seat.HasFinished(test))
            return;
        try
        {
            var result = read();
            (result.Member, result.GroupId) = (seat.Host.Name, GroupId.ForTest(options.Group, test));
            if (seat.ClockOffset.CalendarOffset is { } ahead)
            {
                result.Host["Clock"] = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Math.Round(ahead.TotalSeconds, 3) + 0.0:+0.000;-0.000} s beside the controller's, known to {seat.ClockOffset.RoundTrip / 2e6:0.0} ms"
                );
                result.StartTime -= ahead;
            }
            foreach (var (name, value) in seat.Host.Tags)
                result.Host["Tag " + name] = value;
            if (options.Mark is { } mark)
                result.Host[FleetMerge.ResumedAloneFact] = mark;
            seat.CompletedTests.Add(test);
            var ended = result is { Status: IoResultStatus.Cancelled, Specification.StopAboveMs: { } above } ? above : (double?)null;
            observer.OnResult(seat.Host, result);
            if (options.StopsTogether && !_isStopped && ended is { } limit)
                StopHosts($"{seat.Host} ended its test because its latency was above {limit} ms: all hosts end.");
        }
        catch (IoBenchException error)
        {
            AddFailure(seat, test, error.ErrorId, error.What, error.Advice);
        }
        seat.Phase = FleetHostPhase.Preparing;
    }

    private void OnFailed(HostState seat, MemberMessage message)
    {
        var (id, what, advice) = (message.ErrorId ?? ErrorIds.TestFailed, message.GetText() ?? "it failed.", message.GetAdvice());
        if (message.Test is not { } test)
            FailHost(seat, id, what, advice);
        else if (!seat.HasFinished(test))
            AddFailure(seat, test, id, what, advice);
    }

    private void AddFailure(HostState seat, int test, string id, IoMessage what, IoMessage? advice = null)
    {
        var failure = new FleetFailure(seat.Host.Name, GroupId.ForTest(options.Group, test), id, what, advice);
        seat.Failures[test] = failure;
        observer.OnFailure(failure);
        if (!seat.IsFinished)
            seat.Phase = FleetHostPhase.Preparing;
    }

    private void SkipTest(HostState seat, int test, string id, IoMessage what)
    {
        send(
            seat.Host,
            new ControllerCommand
            {
                Order = ControllerCommandKind.Skip,
                Test = test,
                Text = what.ToString(),
            }
        );
        AddFailure(seat, test, id, what);
    }

    private void FailHost(HostState seat, string id, IoMessage what, IoMessage? advice = null) =>
        EndHost(seat, FleetHostPhase.Failed, id, what, advice);

    private void EndHost(HostState seat, FleetHostPhase phase, string id, IoMessage what, IoMessage? advice = null)
    {
        seat.Phase = phase;
        for (var test = 1; test <= seat.TestCount; test++)
            if (!seat.HasFinished(test))
                AddFailure(seat, test, id, what, advice);
        observer.OnLeft(seat.Host, phase);
    }

    private void AdvanceTest(long now)
    {
        while (true)
        {
            if (_hosts.Values.Where(seat => seat.TestCount >= _test).All(seat => seat.HasFinished(_test)) && _ended.Add(_test))
            {
                observer.OnTestEnded(_test);
                if (_hosts.Values.Any(seat => seat.TestCount > _test))
                {
                    (_test, _firstArmed) = (_test + 1, 0);
                    continue;
                }
            }
            if (_isStopped || _ended.Contains(_test) || _hosts.Values.Any(seat => seat.StartedTests.Contains(_test)))
                return;
            if (!TryStartTest(now))
                return;
        }
    }

    /// <returns>True if the caller has to check again.</returns>
    private bool TryStartTest(long now)
    {
        var expected = _hosts.Values.Where(seat => seat.IsExpected(_test)).ToList();
        var armed = expected.Where(seat => seat.Phase == FleetHostPhase.Armed && seat.CurrentTest == _test).ToList();
        if (expected.Count == 0)
            return false;
        if (options.MinHosts is { } min && expected.Count < min)
        {
            foreach (var seat in expected.Where(seat => seat.Phase == FleetHostPhase.Armed).ToList())
                SkipTest(seat, _test, FleetErrorIds.NoQuorum, $"{expected.Count} of at least {min} hosts could run.");
            return _hosts.Values.Where(seat => seat.TestCount >= _test).All(seat => seat.HasFinished(_test));
        }
        if (armed.Count > 0 && _firstArmed == 0)
            _firstArmed = now;
        var isLate = armed.Count >= options.MinHosts && now - _firstArmed > Clock.ToNanoseconds(options.HostTimeout);
        if (armed.Count < expected.Count && !isLate || armed.Count == 0)
            return false;
        // Measure only now: while other hosts prepare, slow answers of shared resources make the offset inexact.
        foreach (var seat in armed.Where(seat => seat.LastClockTest != _test))
        {
            seat.LastClockTest = _test;
            seat.ClockOffset.StartRound();
            SendClockQuestion(seat);
        }
        if (!armed.TrueForAll(seat => seat.ClockOffset.IsSettled))
            return false;
        StartTest(armed);
        foreach (var seat in expected.Except(armed).ToList())
            AddFailure(
                seat,
                _test,
                FleetErrorIds.StartMissed,
                $"it was not armed {FormatSeconds(now - _firstArmed)} s after the first host: {NumberFormat.Pluralize(armed.Count, "host")} began without it."
            );
        return false;
    }

    private void StartTest(List<HostState> armed)
    {
        var start = TimeSource().Now + Math.Max(Clock.ToNanoseconds(options.Lead), 3 * armed.Max(seat => seat.ClockOffset.RoundTrip));
        string[] names = [.. armed.Select(seat => seat.Host.Name).Order(NaturalNameComparer.Instance)];
        foreach (var seat in armed)
        {
            seat.StartedTests.Add(_test);
            seat.Phase = FleetHostPhase.Running;
            send(
                seat.Host,
                new ControllerCommand
                {
                    Order = ControllerCommandKind.Go,
                    Test = _test,
                    At = start + seat.ClockOffset.Nanoseconds,
                    Hosts = names,
                }
            );
        }
        observer.OnTestBegun(_test, names);
    }

    private void ReportLateHosts(long now)
    {
        var late = _hosts
            .Values.Where(seat => seat.IsExpected(_test) && !(seat.Phase == FleetHostPhase.Armed && seat.CurrentTest == _test))
            .ToList();
        if (
            _firstArmed == 0
            || late.Count == 0
            || _hosts.Values.Any(seat => seat.StartedTests.Contains(_test))
            || now - Math.Max(_firstArmed, _lastWaitingReport) < WaitingReportInterval
        )
            return;
        _lastWaitingReport = now;
        observer.OnWaiting([.. late.Select(seat => seat.Host)], TimeSpan.FromTicks((now - _firstArmed) / 100));
    }

    private static string FormatSeconds(long nanoseconds) => (nanoseconds / Clock.Second).ToString(CultureInfo.InvariantCulture);
}
