using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Coordinates the hosts of a fleet. Connections, threads, and time are passed in, so that a test can simulate a thousand
/// hosts.</summary>
internal sealed class FleetCoordinator(FleetOptions options, Action<FleetHost, ControllerCommand> send, IFleetObserver observer)
{
    private const long WaitingReportInterval = 10 * Clock.Second;
    private const int MaxNamedHosts = 3;

    // Nanoseconds between the last host that is armed and the start.
    private const long MinLead = 300_000_000;
    private const double MaxClockDifferenceSeconds = 1;

    private readonly Dictionary<string, HostState> _hosts = new(StringComparer.Ordinal);
    private readonly HashSet<int> _ended = [];
    private readonly FleetWarningCollector _warnings = new(observer, isByCode: options.IsSynchronized);
    private int _test = 1;
    private long _firstArmed;
    private long _lastWaitingReport;
    private bool _isStopped;

    /// <summary>Clock and calendar at the time of sending, because the time of the last event would be too old after many
    /// messages.</summary>
    public Func<(long Now, DateTimeOffset Time)> TimeSource { get; init; } = () => (Clock.Now, DateTimeOffset.Now);

    public IReadOnlyCollection<HostState> Hosts => _hosts.Values;

    public bool IsDone => _hosts.Values.All(state => state.IsFinished);

    public bool IsFinished(FleetHost host) => _hosts[host.Name].IsFinished;

    /// <param name="completedTests">Numbers of the tests that the host does not run, starting at 1.</param>
    public void AddHost(FleetHost host, int tests, IReadOnlyList<int>? completedTests = null)
    {
        var state = new HostState(host, tests);
        state.CompletedTests.UnionWith(completedTests ?? []);
        _hosts.Add(host.Name, state);
    }

    public void OnConnecting(FleetHost host, long now)
    {
        var state = _hosts[host.Name];
        state.Phase = FleetHostPhase.Connecting;
        state.LastMessageTime = now;
    }

    /// <param name="now">Time at which the message arrived.</param>
    /// <param name="read">Reads the result that came with the message; null if there is none.</param>
    public void OnMessage(FleetHost host, MemberMessage message, long now, Func<IoTestResult>? read = null)
    {
        var state = _hosts[host.Name];
        // A lost host stays failed, because its failures are already reported.
        if (state.IsFinished)
            return;
        state.LastMessageTime = now;
        switch (message.State)
        {
            case MemberMessageKind.Hello:
                AcceptHello(state, message);
                break;
            case MemberMessageKind.Clock:
                AddClockAnswer(state, message, now);
                break;
            case MemberMessageKind.Preparing:
                CheckFiles(state, message.Files);
                break;
            case MemberMessageKind.Ready when message.Test is { } test:
                OnReady(state, test);
                break;
            case MemberMessageKind.Running:
                state.Iops = message.Iops;
                state.MBps = message.MBps;
                break;
            case MemberMessageKind.Warning:
                _warnings.AddWarning(host, message);
                break;
            case MemberMessageKind.Done when message.Test is { } test && read is not null:
                AddResult(state, test, read);
                break;
            case MemberMessageKind.Unneeded when message.Test is { } test:
                state.CompletedTests.Add(test);
                break;
            case MemberMessageKind.Note or MemberMessageKind.Log:
                observer.OnNote(host, message);
                break;
            case MemberMessageKind.Failed:
                OnFailed(state, message);
                break;
            case MemberMessageKind.End:
                EndHost(
                    state,
                    FleetHostPhase.Ended,
                    IoBenchException.Failure(FleetErrorIds.NotRun, "IoBench ended on this host without a result for this test.")
                );
                break;
        }
        AdvanceTest(now);
    }

    public void OnClosed(FleetHost host, string? reason, long now)
    {
        var state = _hosts[host.Name];
        if (state.IsFinished)
            return;
        var end = reason is null ? "." : ": " + reason;
        if (state.Phase == FleetHostPhase.Connecting)
            FailHost(state, FleetErrorIds.NotReached, $"this host cannot be reached, or IoBench does not start on it{end}");
        else
            FailHost(state, FleetErrorIds.HostLost, $"the connection was closed{end}");
        AdvanceTest(now);
    }

    /// <summary>Sends a keep-alive to each member, because a member ends after a long time without a command. Any thread may call this
    /// method after all hosts were added.</summary>
    public void SendKeepAlives()
    {
        foreach (var state in _hosts.Values.Where(state => !state.IsFinished && state.Phase > FleetHostPhase.Connecting))
            send(state.Host, new ControllerCommand { Order = ControllerCommandKind.Alive });
    }

    /// <summary>Fails silent hosts and reports hosts that others wait for. Call it several times per second.</summary>
    public void Tick(long now)
    {
        _warnings.FlushIfDue(now, _hosts.Count);
        foreach (
            var state in _hosts
                .Values.Where(state =>
                    !state.IsFinished
                    && state.Phase != FleetHostPhase.Waiting
                    && now - state.LastMessageTime > Clock.ToNanoseconds(options.HostTimeout)
                )
                .ToList()
        )
            FailHost(
                state,
                state.Phase == FleetHostPhase.Connecting ? FleetErrorIds.NotReached : FleetErrorIds.HostLost,
                $"it did not respond for {FormatSeconds(now - state.LastMessageTime)} s."
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
        // Send first, because the observer can block.
        foreach (var state in _hosts.Values.Where(state => !state.IsFinished && state.Phase != FleetHostPhase.Waiting))
            send(state.Host, new ControllerCommand { Order = ControllerCommandKind.Stop });
        observer.OnWarning(new IoWarning(WarningCodes.FleetStopped, reason));
        foreach (var state in _hosts.Values.Where(state => state.Phase == FleetHostPhase.Waiting))
            FailHost(state, FleetErrorIds.NotRun, "the fleet was stopped before it reached this host.");
    }

    public void AbandonHosts(long now)
    {
        foreach (var state in _hosts.Values.Where(state => !state.IsFinished).ToList())
            FailHost(state, FleetErrorIds.HostLost, "it did not end after the fleet was stopped.");
        AdvanceTest(now);
    }

    private void AcceptHello(HostState state, MemberMessage hello)
    {
        state.Computer = hello.Computer;
        state.Machine = hello.Machine;
        if (options.Version is { } version && hello.Version != version)
        {
            FailHost(
                state,
                FleetErrorIds.OtherVersion,
                $"it has IoBench {hello.Version ?? "of an unknown version"}, but the controller has {version}.",
                advice: "Use the same version on all hosts."
            );
            return;
        }
        state.Phase = FleetHostPhase.Preparing;
        if (!options.IsSynchronized)
            return;
        var sameNameHosts = _hosts
            .Values.Where(other => other != state && other.Computer == state.Computer && other.Computer is not null && !other.IsFinished)
            .ToList();
        if (sameNameHosts.Find(other => other.Machine is not null && other.Machine == state.Machine) is { } same)
            observer.OnWarning(
                new IoWarning(
                    WarningCodes.FleetSameMachine,
                    $"{state.Host} and {same.Host} are the same computer, so the fleet summary counts this computer twice."
                )
            );
        else if (sameNameHosts.Count > 0)
            observer.OnWarning(
                new IoWarning(
                    WarningCodes.FleetSameName,
                    $"{state.Host} and {sameNameHosts[0].Host} are two computers with the same name, {state.Computer}. IoBench uses their names in the inventory to distinguish them."
                )
            );
        SendClockQuestion(state);
    }

    /// <summary>Two hosts must not test the same file, because each would measure the effect of the other.</summary>
    private void CheckFiles(HostState state, IReadOnlyList<MemberFile>? files)
    {
        if (files is null)
            return;
        state.Files = files;
        foreach (var other in _hosts.Values.Where(other => other != state && !other.IsFinished))
        foreach (var file in files)
            if (other.Files.FirstOrDefault(file.IsSameFile) is { } same)
            {
                var name = same.Path == file.Path ? "" : $" (as {same.Path})";
                FailHost(
                    state,
                    FleetErrorIds.SameFile,
                    $"{other.Host} also tests {file.Path}{name}, and both hosts are the same computer.",
                    advice: "Use a separate path for each host."
                );
                return;
            }
    }

    private void AddClockAnswer(HostState state, MemberMessage answer, long now)
    {
        if (!state.ClockOffset.AddAnswer(answer, now))
            return;
        // On a slow connection, the offset is known only to half of the round trip.
        if (
            state.ClockOffset.Answers >= ClockOffset.MinAnswers
            && !state.IsCalendarChecked
            && state.ClockOffset.CalendarOffset is { } ahead
        )
        {
            state.IsCalendarChecked = true;
            if (Math.Abs(ahead.TotalSeconds) > MaxClockDifferenceSeconds + state.ClockOffset.RoundTrip / 2e9)
                observer.OnWarning(
                    new IoWarning(
                        WarningCodes.FleetClock,
                        $"The clock of {state.Host} is {Math.Abs(ahead.TotalSeconds):#,##0.0} s {(ahead > TimeSpan.Zero ? "ahead of" : "behind")} the clock of the controller. IoBench corrects the times in the results of this host."
                    )
                );
        }
        if (state.LastClockTest == _test ? !state.ClockOffset.IsSettled : state.ClockOffset.Answers < ClockOffset.MinAnswers)
            SendClockQuestion(state);
    }

    private void SendClockQuestion(HostState state)
    {
        var (now, time) = TimeSource();
        send(state.Host, state.ClockOffset.CreateQuestion(now, time));
    }

    private void OnReady(HostState state, int test)
    {
        if (state.StartedTests.Contains(test))
            return;
        if (state.HasFinished(test))
        {
            // The others started without this host. It continues with the next test.
            SendSkip(state, test, state.Failures.GetValueOrDefault(test)?.Text);
            return;
        }
        state.Phase = FleetHostPhase.Armed;
        state.CurrentTest = test;
        state.Iops = null;
        state.MBps = null;
        if (test < _test || _ended.Contains(test))
            SkipTest(state, test, FleetErrorIds.StartMissed, "it was not ready before the other hosts started.");
    }

    private void AddResult(HostState state, int test, Func<IoTestResult> read)
    {
        if (state.HasFinished(test))
            return;
        try
        {
            var result = read();
            result.Member = state.Host.Name;
            result.GroupId = FleetPlan.GetGroupId(options.Group, test);
            if (state.ClockOffset.CalendarOffset is { } ahead)
            {
                result.Host["Clock"] = string.Create(
                    CultureInfo.InvariantCulture,
                    $"{Math.Round(ahead.TotalSeconds, 3) + 0.0:+0.000;-0.000} s compared with the controller, accurate to {state.ClockOffset.RoundTrip / 2e6:0.0} ms"
                );
                result.StartTime -= ahead;
            }
            foreach (var (name, value) in state.Host.Tags)
                result.Host["Tag " + name] = value;
            if (options.Mark is { } mark)
                result.Host[FleetMerge.ResumedAloneFact] = mark;
            state.CompletedTests.Add(test);
            var ended = result is { Status: IoResultStatus.Cancelled, Specification.StopAboveMs: { } above } ? above : (double?)null;
            observer.OnResult(state.Host, result);
            if (options.IsSynchronized && !_isStopped && ended is { } limit)
                StopHosts(
                    $"{state.Host} ended its test because its latency was above {limit} ms. All other hosts now also end their tests."
                );
        }
        catch (IoBenchException error)
        {
            AddFailure(state, test, error);
        }
        state.Phase = FleetHostPhase.Preparing;
    }

    private void OnFailed(HostState state, MemberMessage message)
    {
        if (message.Test is not { } test)
            EndHost(state, FleetHostPhase.Failed, message.GetError());
        else if (!state.HasFinished(test))
            AddFailure(state, test, message.GetError());
    }

    private void AddFailure(HostState state, int test, IoBenchException reason)
    {
        var failure = new FleetFailure(state.Host.Name, FleetPlan.GetGroupId(options.Group, test), reason);
        state.Failures[test] = failure;
        observer.OnFailure(failure);
        if (!state.IsFinished)
            state.Phase = FleetHostPhase.Preparing;
    }

    private void SkipTest(HostState state, int test, string id, IoMessage what)
    {
        SendSkip(state, test, what.ToString());
        AddFailure(state, test, IoBenchException.Failure(id, what));
    }

    private void SendSkip(HostState state, int test, string? reason) =>
        send(
            state.Host,
            new ControllerCommand
            {
                Order = ControllerCommandKind.Skip,
                Test = test,
                Text = reason,
            }
        );

    private void FailHost(HostState state, string id, IoMessage what, IoMessage? advice = null) =>
        EndHost(state, FleetHostPhase.Failed, IoBenchException.Failure(id, what, advice: advice));

    private void EndHost(HostState state, FleetHostPhase phase, IoBenchException reason)
    {
        state.Phase = phase;
        for (var test = 1; test <= state.TestCount; test++)
            if (!state.HasFinished(test))
                AddFailure(state, test, reason);
    }

    private void AdvanceTest(long now)
    {
        while (true)
        {
            if (_hosts.Values.Where(state => state.TestCount >= _test).All(state => state.HasFinished(_test)) && _ended.Add(_test))
            {
                observer.OnTestEnded(_test);
                if (_hosts.Values.Any(state => state.TestCount > _test))
                {
                    _test = _test + 1;
                    _firstArmed = 0;
                    continue;
                }
            }
            if (_isStopped || _ended.Contains(_test) || _hosts.Values.Any(state => state.StartedTests.Contains(_test)))
                return;
            if (!TryStartTest(now))
                return;
        }
    }

    /// <returns>True if the caller has to check again.</returns>
    private bool TryStartTest(long now)
    {
        var expected = _hosts.Values.Where(state => state.IsExpected(_test)).ToList();
        var armed = expected.Where(state => state.Phase == FleetHostPhase.Armed && state.CurrentTest == _test).ToList();
        if (expected.Count == 0)
            return false;
        if (options.MinHosts is { } min && expected.Count < min)
        {
            foreach (var state in expected.Where(state => state.Phase == FleetHostPhase.Armed).ToList())
                SkipTest(
                    state,
                    _test,
                    FleetErrorIds.NoQuorum,
                    $"the test requires at least {min} hosts, but only {expected.Count} could run it."
                );
            return _hosts.Values.Where(state => state.TestCount >= _test).All(state => state.HasFinished(_test));
        }
        if (armed.Count > 0 && _firstArmed == 0)
            _firstArmed = now;
        var isLate = armed.Count >= options.MinHosts && now - _firstArmed > Clock.ToNanoseconds(options.HostTimeout);
        if (armed.Count < expected.Count && !isLate || armed.Count == 0)
            return false;
        // Measure the offset when all hosts are armed. While other hosts prepare, answers can be slow, and the offset is less exact.
        foreach (var state in armed.Where(state => options.IsSynchronized && state.LastClockTest != _test))
        {
            state.LastClockTest = _test;
            state.ClockOffset.StartRound();
            SendClockQuestion(state);
        }
        if (options.IsSynchronized && !armed.TrueForAll(state => state.ClockOffset.IsSettled))
            return false;
        StartTest(armed);
        foreach (var state in expected.Except(armed).ToList())
            AddFailure(
                state,
                _test,
                IoBenchException.Failure(
                    FleetErrorIds.StartMissed,
                    $"it was still not ready {FormatSeconds(now - _firstArmed)} s after the first host was ready. {NumberFormat.Pluralize(armed.Count, "host")} started without it."
                )
            );
        return false;
    }

    private void StartTest(List<HostState> armed)
    {
        long? start = options.IsSynchronized
            ? TimeSource().Now + Math.Max(MinLead, 3 * armed.Max(state => state.ClockOffset.RoundTrip))
            : null;
        string[] names = [.. armed.Select(state => state.Host.Name).Order(NaturalNameComparer.Instance)];
        foreach (var state in armed)
        {
            state.StartedTests.Add(_test);
            state.Phase = FleetHostPhase.Running;
            send(
                state.Host,
                new ControllerCommand
                {
                    Order = ControllerCommandKind.Go,
                    Test = _test,
                    At = start + state.ClockOffset.Nanoseconds,
                    Hosts = names,
                }
            );
        }
        observer.OnProgress($"test {NumberFormat.Integer(_test)} begins on {NumberFormat.Pluralize(names.Length, "host")}");
    }

    private void ReportLateHosts(long now)
    {
        var late = _hosts
            .Values.Where(state => state.IsExpected(_test) && !(state.Phase == FleetHostPhase.Armed && state.CurrentTest == _test))
            .ToList();
        if (
            _firstArmed == 0
            || late.Count == 0
            || _hosts.Values.Any(state => state.StartedTests.Contains(_test))
            || now - Math.Max(_firstArmed, _lastWaitingReport) < WaitingReportInterval
        )
            return;
        _lastWaitingReport = now;
        observer.OnProgress(
            $"waiting for {NumberFormat.List(late.ConvertAll(state => state.Host), MaxNamedHosts)}, {Math.Round((now - _firstArmed) / 1e9).ToString(CultureInfo.InvariantCulture)} s"
        );
    }

    private static string FormatSeconds(long nanoseconds) => (nanoseconds / Clock.Second).ToString(CultureInfo.InvariantCulture);
}
