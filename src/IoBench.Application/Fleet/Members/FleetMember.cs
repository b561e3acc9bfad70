using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>
/// A host's part in a fleet: arms each test, waits for its start, and prints one line of JSON for each change of state. It works without a
/// controller once the start time
/// is known. If commands come from a reader, the member ends when the reader ends.
/// </summary>
/// <param name="request">Tests and start time.</param>
/// <param name="orders">Source of commands; null if there is none.</param>
/// <param name="print">Prints a line, without a line break. If it throws, the member ends, because its output is lost.</param>
public sealed class FleetMember(FleetMemberRequest request, TextReader? orders, Action<string> print) : IDisposable
{
    private static readonly TimeSpan s_alive = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly FleetOrderBook _orders = new();
    private readonly HashSet<int> _reported = [];
    private long _heard = Clock.Now;
    private int _failed;
    private int _current;

    /// <summary>Targets of the tests, known after approval. The caller may remove their files at the end.</summary>
    public IReadOnlyList<ApprovedTarget> Targets { get; private set; } = [];

    /// <summary>Runs the tests.</summary>
    /// <param name="cancelled">Ends the run early.</param>
    /// <returns>Whether every test has a complete result.</returns>
    public bool Run(CancellationToken cancelled)
    {
        using var registration = cancelled.Register(_stop.Cancel);
        Say(
            new FleetMessage
            {
                State = FleetState.Hello,
                Computer = Environment.MachineName,
                Machine = MachineId.Current,
                Version = IoTestResult.OwnVersion,
                Count = request.Tests.Count,
                Clock = Clock.Now,
                Time = DateTimeOffset.Now,
            }
        );
        using var alive = new Timer(_ => Beat(), null, s_alive, s_alive);
        if (orders is not null)
            new Thread(Listen) { IsBackground = true, Name = "IoBench orders" }.Start();
        else if (request.StartAt is not null)
            _stop.CancelAfter(Wait(request.HardEnd));
        try
        {
            FleetRehearsal.Run(request, _stop.Token);
            RunTests();
        }
        catch (IoBenchException error)
        {
            Fail(null, error);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The loop below reports tests that did not run.
        }
        for (var number = 1; number <= request.Tests.Count; number++)
            if (!_reported.Contains(number))
                Fail(
                    number,
                    IoBenchException.Failure(
                        FleetErrors.NotRun,
                        _stop.IsCancellationRequested ? "stopped before this test." : "not run, because of what failed before."
                    )
                );
        Say(new FleetMessage { State = FleetState.End, Count = request.Tests.Count - _failed });
        return _failed == 0;
    }

    /// <inheritdoc/>
    public void Dispose() => _orders.Dispose();

    private void RunTests()
    {
        var approval = SuiteApproval.Create(request.Tests, request.Settings, new Questions(request.IsConfirmed));
        Targets = approval.Targets;
        foreach (var refused in request.Tests.Except(approval.Tests))
            Fail(
                NumberOf(refused),
                (
                    approval.Refusals.FirstOrDefault(refusal => refused.Targets.Exists(target => refusal.Path == target.Path))
                    ?? approval.Refusals[0]
                ).Error
            );
        if (approval.Tests.Count == 0)
            return;
        Say(
            new FleetMessage
            {
                State = FleetState.Preparing,
                Percent = 0,
                BytesToMake = approval.Targets.Sum(target => target.BytesToMake),
                Files = [.. approval.Targets.Where(target => !target.IsImagined).Select(target => target.Target.Path)],
            }
        );
        var rhythm = new FleetRhythm();
        var made = SuiteFiles.Make(
            approval,
            (path, done, total) =>
            {
                if (rhythm.IsDue())
                    Say(
                        new FleetMessage
                        {
                            State = FleetState.Preparing,
                            Path = path,
                            Percent = 100.0 * done / Math.Max(1, total),
                        }
                    );
            },
            (path, error) =>
            {
                foreach (var test in approval.Tests.Where(test => test.Targets.Exists(target => target.Path == path)))
                    Fail(NumberOf(test), error);
            },
            _stop.Token
        );
        new SuiteRunner(new Observer(this)).Run(made, Options, [], _stop.Token);

        TestRunOptions Options(IoTestSpecification test)
        {
            var number = _current = NumberOf(test);
            var options = approval.OptionsFor(test);
            options.StartGate = token => Arm(number, token);
            return options;
        }
    }

    /// <summary>
    /// Reports that a test is armed, waits for its start, and returns the start time on the monotonic clock; null if the wait was canceled.
    /// </summary>
    private long? Arm(int number, CancellationToken cancelled)
    {
        Say(
            new FleetMessage
            {
                State = FleetState.Ready,
                Test = number,
                Clock = Clock.Now,
                Name = NameOf(number),
            }
        );
        if (request.StartAt is not null)
        {
            var left = request.StartOf(number - 1) - DateTimeOffset.Now;
            return left >= TimeSpan.Zero
                ? Clock.Now + left.Ticks * 100
                : throw IoBenchException.Failure(
                    FleetErrors.StartMissed,
                    $"the start was missed by {-left.TotalSeconds:0.0} s: the test was armed only then.",
                    advice: "Start later, or make the test files beforehand."
                );
        }
        return _orders.Wait(number, cancelled);
    }

    private void Listen()
    {
        try
        {
            while (orders!.ReadLine() is { } line)
            {
                if (FleetLines.ReadOrder(line) is not { } order)
                    continue;
                Volatile.Write(ref _heard, Clock.Now);
                if (order.Order == FleetOrderKind.Clock)
                    Say(
                        new FleetMessage
                        {
                            State = FleetState.Clock,
                            Number = order.Number,
                            Clock = Clock.Now,
                            Time = DateTimeOffset.Now,
                        }
                    );
                else if (order.Order == FleetOrderKind.Stop)
                    break;
                else if (order.Order != FleetOrderKind.Alive)
                    _orders.Take(order);
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Treat a broken connection as closed.
        }
        _stop.Cancel();
    }

    private void Beat()
    {
        // A connection that was cut closes at neither end. Check this before sending, because a write can block forever if the other end
        // does not read.
        if (orders is not null && Clock.Now - Volatile.Read(ref _heard) > Clock.Nanoseconds(request.LineSilence))
            _stop.Cancel();
        Say(new FleetMessage { State = FleetState.Alive });
    }

    private void Say(FleetMessage message)
    {
        lock (_gate)
        {
            try
            {
                print(FleetLines.Write(message with { Member = request.Member, Group = request.Group }));
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or IoBenchException)
            {
                // Without its output, the member is useless to the controller.
                _stop.Cancel();
            }
        }
    }

    private void Fail(int? number, IoBenchException error)
    {
        if (number is { } test && !_reported.Add(test))
            return;
        _failed++;
        Say(FleetMessage.Of(error, number));
    }

    private void Take(IoTestResult result, int number)
    {
        (result.GroupId, result.Member) = (FleetIds.OfTest(request.Group, number), request.Member);
        result.GroupMembers = [.. _orders.HostsOf(number)];
        result.GroupHosts = result.GroupMembers.Count > 0 ? result.GroupMembers.Count : request.Hosts;
        if (_reported.Add(number) && result.Status != IoResultStatus.Complete)
            _failed++;
        Say(
            new FleetMessage
            {
                State = FleetState.Done,
                Test = number,
                Name = NameOf(number),
                Result = JsonResultText.Element(result),
            }
        );
    }

    private int NumberOf(IoTestSpecification test) => request.Tests.ToList().IndexOf(test) + 1;

    private string NameOf(int number) => request.Tests[number - 1].Workload ?? PatternText.Of(request.Tests[number - 1]);

    private static TimeSpan Wait(DateTimeOffset until) => until - DateTimeOffset.Now is { Ticks: > 0 } wait ? wait : TimeSpan.Zero;

    /// <summary>
    /// Answers questions with the confirmation for the whole group, because there is no user at this host. Overwriting files is never
    /// confirmed.
    /// </summary>
    private sealed class Questions(bool isConfirmed) : ISuiteQuestions
    {
        public TargetAnswer Ask(TargetQuestion question) =>
            isConfirmed && question.Kind != TargetQuestionKind.Overwrite ? TargetAnswer.YesToAll : TargetAnswer.Nobody;
    }

    private sealed class Observer(FleetMember member) : ISuiteObserver
    {
        private readonly FleetRhythm _rhythm = new();

        public void OnProgress(SuiteProgress progress)
        {
            if (progress.Run.Phase is RunPhase.Waiting or RunPhase.Preparing or RunPhase.Done || !_rhythm.IsDue())
                return;
            member.Say(
                new FleetMessage
                {
                    State = FleetState.Running,
                    Test = member._current,
                    Percent = progress.Percent,
                    Iops = progress.Run.CurrentIops,
                    MBps = progress.Run.CurrentMBps,
                }
            );
        }

        public void OnTestEnded() { }

        public void OnWarning(IoWarning warning) => member.Say(FleetMessage.Of(warning));

        public void OnLog(string line) { }

        public void OnResult(IoTestResult result) => member.Take(result, member._current);

        public void OnFailure(SuiteFailure failure)
        {
            if (failure.Result is null)
                member.Fail(member.NumberOf(failure.Test), failure.Error);
        }
    }
}
