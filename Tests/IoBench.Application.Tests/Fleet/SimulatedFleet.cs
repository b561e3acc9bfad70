using System.Text;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

internal sealed record SimulatedHost
{
    /// <summary>Seconds from the start to the hello message.</summary>
    public double HelloSeconds { get; init; } = 0.5;

    /// <summary>Seconds until the host is ready, for each test.</summary>
    public double ReadySeconds { get; init; } = 0.2;

    /// <summary>One-way delay of a message, in seconds.</summary>
    public double DelaySeconds { get; init; } = 0.005;

    /// <summary>Maximum additional random delay of a message, in seconds.</summary>
    public double JitterSeconds { get; init; }

    /// <summary>
    /// Time, in seconds, and number of clock questions after that time during which a question waits for up to 0.5 s on the busy host. Its
    /// answers do not wait.
    /// </summary>
    public (double Until, int Orders) Busy { get; init; }

    /// <summary>Seconds that the calendar clock is ahead.</summary>
    public double CalendarOffsetSeconds { get; init; }

    /// <summary>Nanoseconds that the monotonic clock is ahead.</summary>
    public long ClockOffsetNanoseconds { get; init; }

    /// <summary>Fault as <c>test:fault</c>, such as <c>2:cut</c>; empty for none.</summary>
    public string Fault { get; init; } = "";

    /// <summary>Every message is sent twice.</summary>
    public bool SendsTwice { get; init; }

    /// <summary>Probability that a keep-alive or progress message is lost.</summary>
    public double LossProbability { get; init; }
}

/// <summary>
/// Simulates a fleet on its own clock: delayed messages, silent hosts, closed connections, duplicate messages, and different clocks. The
/// times of the commands are exact, and a thousand hosts take only the time of the computation.
/// </summary>
internal sealed class SimulatedFleet : IFleetObserver
{
    private const double Seconds = 10;

    private readonly PriorityQueue<Action, (long At, long Number)> _queue = new();
    private readonly Dictionary<string, (FleetHost Host, SimulatedHost Play, int Tests)> _hosts = [];
    private readonly HashSet<string> _alive = [];
    private readonly Dictionary<string, long> _lastArrivals = [];
    private readonly Dictionary<string, int> _clockQuestionCounts = [];
    private readonly Random _random = new(11);
    private readonly FleetCoordinator _coordinator;
    private readonly FleetResultRecorder _recorder;
    private readonly DateTimeOffset _epoch = new(2026, 11, 22, 20, 0, 0, TimeSpan.Zero);
    private long _number;

    public SimulatedFleet(FleetOptions? options = null)
    {
        Options = options ?? new FleetOptions { Group = "g", Version = "1" };
        _recorder = new FleetResultRecorder(Options.Group, this, [], Spool, false);
        _coordinator = new FleetCoordinator(Options, (host, order) => ReceiveCommand(host, order), _recorder)
        {
            TimeSource = () => (Now, _epoch.AddTicks(Now / 100)),
        };
    }

    public ResultSpool Spool { get; } = ResultSpool.Create("g", null);
    public FleetOptions Options { get; }
    public long Now { get; private set; } = 1;
    public List<IoWarning> Warnings { get; } = [];
    public List<string> Waits { get; } = [];
    public List<ControllerCommand> Orders { get; } = [];

    /// <summary>Start of each test of a host on the reference clock, in seconds.</summary>
    public Dictionary<(string Host, int Test), double> StartTimes { get; } = [];

    public void AddHost(string name, SimulatedHost play, int tests = 1)
    {
        var host = new FleetHost { Name = name };
        _hosts[name] = (host, play, tests);
        _coordinator.AddHost(host, tests);
    }

    public FleetResult RunFleet()
    {
        foreach (var (host, play, _) in _hosts.Values)
        {
            _coordinator.OnConnecting(host, Now);
            if (play.Fault == "0:closed")
                ScheduleAfter(0.3, () => _coordinator.OnClosed(host, "Connection refused", Now));
            else if (play.Fault != "0:silent")
                ScheduleAfter(
                    play.HelloSeconds,
                    () =>
                        SendMessage(
                            host.Name,
                            new MemberMessage
                            {
                                State = MemberMessageKind.Hello,
                                Computer = host.Name,
                                Machine = host.Name,
                                Version = play.Fault == "0:version" ? "0.1" : "1",
                                Clock = GetClock(host.Name),
                                Time = GetTime(host.Name),
                            },
                            () => SetAlive(host.Name)
                        )
                );
        }
        for (var looks = 0; !_coordinator.IsDone; looks++)
        {
            Assert.True(looks < 2_000_000, "The fleet never ends.");
            var next = Now + 100_000_000;
            while (_queue.TryPeek(out var happens, out var when) && when.At <= next)
            {
                _queue.Dequeue();
                Now = Math.Max(Now, when.At);
                happens();
            }
            Now = next;
            _coordinator.Tick(Now);
            if (looks % 100 == 0)
                _coordinator.SendKeepAlives();
        }
        return _recorder.Finish(false);
    }

    public void OnWarning(IoWarning warning) => Warnings.Add(warning);

    public void OnProgress(string line)
    {
        if (line.StartsWith("waiting for ", StringComparison.Ordinal))
            Waits.Add(line);
    }

    private void SetAlive(string name)
    {
        _alive.Add(name);
        SendKeepAlive(name);
        PrepareTest(name, 1);
    }

    private void SendKeepAlive(string name)
    {
        if (!_alive.Contains(name))
            return;
        SendMessage(name, new MemberMessage { State = MemberMessageKind.Alive });
        ScheduleAfter(5, () => SendKeepAlive(name));
    }

    private void PrepareTest(string name, int test)
    {
        var (_, play, tests) = _hosts[name];
        if (test > tests)
        {
            _alive.Remove(name);
            SendMessage(name, new MemberMessage { State = MemberMessageKind.End });
            return;
        }
        if (IsFault(name, test, "silent-before"))
        {
            _alive.Remove(name);
            return;
        }
        ScheduleAfter(
            IsFault(name, test, "late") ? 300 : play.ReadySeconds,
            () => SendMessage(name, new MemberMessage { State = MemberMessageKind.Ready, Test = test })
        );
    }

    private void ReceiveCommand(FleetHost host, ControllerCommand order)
    {
        Orders.Add(order);
        var (_, play, _) = _hosts[host.Name];
        ScheduleAfter(
            GetDelay(play) + GetBusyWait(host.Name, play, order),
            () =>
            {
                if (order.Order == ControllerCommandKind.Clock)
                    SendMessage(
                        host.Name,
                        new MemberMessage
                        {
                            State = MemberMessageKind.Clock,
                            Number = order.Number,
                            Clock = GetClock(host.Name),
                            Time = GetTime(host.Name),
                        }
                    );
                else if (order.Order == ControllerCommandKind.Skip)
                    SendMessage(
                        host.Name,
                        new MemberMessage
                        {
                            State = MemberMessageKind.Failed,
                            Test = order.Test,
                            ErrorId = FleetErrorIds.Skipped,
                            Text = order.Text,
                        },
                        () => PrepareTest(host.Name, order.Test!.Value + 1)
                    );
                else if (order.Order == ControllerCommandKind.Go)
                    RunTest(host.Name, order);
            }
        );
    }

    private void RunTest(string name, ControllerCommand order)
    {
        var (host, play, _) = _hosts[name];
        var test = order.Test!.Value;
        var begin = Math.Max(Now, order.At!.Value - play.ClockOffsetNanoseconds);
        StartTimes[(name, test)] = begin / 1e9;
        if (IsFault(name, test, "hangs") || IsFault(name, test, "cut"))
            _alive.Remove(name);
        if (IsFault(name, test, "hangs"))
            return;
        if (IsFault(name, test, "cut"))
        {
            ScheduleAt(begin + ToNanoseconds(Seconds / 2), () => _coordinator.OnClosed(host, null, Now));
            return;
        }
        for (var second = 1.0; second < Seconds; second++)
            ScheduleAt(
                begin + ToNanoseconds(second),
                () =>
                    SendMessage(
                        name,
                        new MemberMessage
                        {
                            State = MemberMessageKind.Running,
                            Test = test,
                            Iops = 1000,
                        }
                    )
            );
        ScheduleAt(
            begin + ToNanoseconds(Seconds),
            () =>
            {
                if (IsFault(name, test, "fails"))
                    SendMessage(
                        name,
                        new MemberMessage
                        {
                            State = MemberMessageKind.Failed,
                            Test = test,
                            ErrorId = "IoBench.IoFailed",
                            Text = "the disk is gone.",
                        },
                        () => PrepareTest(name, test + 1)
                    );
                else
                    SendMessage(
                        name,
                        new MemberMessage
                        {
                            State = MemberMessageKind.Done,
                            Test = test,
                            Result = CreateResult(name, (begin - (order.At.Value - play.ClockOffsetNanoseconds)) / 1e9, test),
                        },
                        () => PrepareTest(name, test + 1)
                    );
            }
        );
    }

    private JsonElement CreateResult(string name, double offset, int test) =>
        JsonResultSerializer.SerializeToElement(
            new IoTestResult
            {
                Source = IoTestResult.OwnSource,
                Status = IoResultStatus.Complete,
                Member = name,
                GroupId = "whatever",
                StartOffsetSeconds = offset,
                DurationSeconds = Seconds,
                IOPS = 1000 * test,
                BandwidthMBps = 8 * test,
                IOCount = 10_000 * test,
                Workload = "oltp",
                StartTime = GetTime(name),
                Specification = new IoTestSpecification { WarmUp = TimeSpan.Zero },
            }
        );

    private void SendMessage(string name, MemberMessage message, Action? then = null)
    {
        var (host, play, _) = _hosts[name];
        var isNews = message.State is MemberMessageKind.Alive or MemberMessageKind.Running;
        for (var i = 0; i < (play.SendsTwice ? 2 : 1); i++)
            if (!isNews || _random.NextDouble() >= play.LossProbability)
            {
                // A connection keeps the order of messages.
                var comes = _lastArrivals[name] = Math.Max(_lastArrivals.GetValueOrDefault(name), Now + ToNanoseconds(GetDelay(play)));
                ScheduleAt(comes, () => ReceiveMessage(host, message));
            }
        then?.Invoke();
    }

    private void ReceiveMessage(FleetHost host, MemberMessage message)
    {
        var line = Encoding.UTF8.GetBytes(FleetMessageSerializer.Serialize(message));
        var (heard, result) = FleetMessageSerializer.SplitResult(line)!.Value;
        _coordinator.OnMessage(host, heard, Now, result is { } range ? Spool.Add(line, range) : null);
    }

    private bool IsFault(string name, int test, string what) => _hosts[name].Play.Fault == $"{test}:{what}";

    private double GetBusyWait(string name, SimulatedHost play, ControllerCommand order)
    {
        if (order.Order != ControllerCommandKind.Clock)
            return 0;
        var isBusy =
            Now < ToNanoseconds(play.Busy.Until)
            || (_clockQuestionCounts[name] = _clockQuestionCounts.GetValueOrDefault(name) + 1) <= play.Busy.Orders;
        return isBusy ? 0.1 + 0.4 * _random.NextDouble() : 0;
    }

    private double GetDelay(SimulatedHost play) => play.DelaySeconds + play.JitterSeconds * _random.NextDouble();

    private long GetClock(string name) => Now + _hosts[name].Play.ClockOffsetNanoseconds;

    private DateTimeOffset GetTime(string name) => _epoch.AddTicks(Now / 100).AddSeconds(_hosts[name].Play.CalendarOffsetSeconds);

    private void ScheduleAfter(double seconds, Action happens) => ScheduleAt(Now + ToNanoseconds(seconds), happens);

    private void ScheduleAt(long moment, Action happens) => _queue.Enqueue(happens, (moment, _number++));

    private static long ToNanoseconds(double seconds) => (long)(seconds * 1e9);
}
