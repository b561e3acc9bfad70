using System.Text;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

internal sealed record PlayedHost
{
    /// <summary>Seconds from the start to the hello message.</summary>
    public double Greets { get; init; } = 0.5;

    /// <summary>Seconds until the host is ready, for each test.</summary>
    public double Arms { get; init; } = 0.2;

    /// <summary>One-way delay of a message, in seconds.</summary>
    public double Delay { get; init; } = 0.005;

    /// <summary>Maximum additional random delay of a message, in seconds.</summary>
    public double Jitter { get; init; }

    /// <summary>
    /// Time, in seconds, and number of clock questions after that time during which a question waits for up to 0.5 s on the busy host. Its
    /// answers do not wait.
    /// </summary>
    public (double Until, int Orders) Busy { get; init; }

    /// <summary>Seconds that the calendar clock is ahead.</summary>
    public double Calendar { get; init; }

    /// <summary>Nanoseconds that the monotonic clock is ahead.</summary>
    public long Clock { get; init; }

    /// <summary>Fault as <c>test:fault</c>, such as <c>2:cut</c>; empty for none.</summary>
    public string Fault { get; init; } = "";

    /// <summary>Every message is sent twice.</summary>
    public bool Doubles { get; init; }

    /// <summary>Probability that a keep-alive or progress message is lost.</summary>
    public double Loss { get; init; }
}

/// <summary>
/// Simulates a fleet on its own clock: delayed messages, silent hosts, closed connections, duplicate messages, and different clocks. The
/// times of the commands are exact, and a thousand hosts take only the time of the computation.
/// </summary>
internal sealed class PlayedFleet : IFleetObserver
{
    private const double Seconds = 10;

    private readonly PriorityQueue<Action, (long At, long Number)> _queue = new();
    private readonly Dictionary<string, (FleetHost Host, PlayedHost Play, int Tests)> _hosts = [];
    private readonly HashSet<string> _alive = [];
    private readonly Dictionary<string, long> _comes = [];
    private readonly Dictionary<string, int> _asked = [];
    private readonly Random _random = new(11);
    private readonly FleetConductor _conductor;
    private readonly FleetRecord _record;
    private readonly DateTimeOffset _epoch = new(2026, 11, 22, 20, 0, 0, TimeSpan.Zero);
    private long _number;

    public PlayedFleet(FleetOptions? options = null)
    {
        Options = options ?? new FleetOptions { Group = "g", Version = "1" };
        _record = new FleetRecord(Options.Group, this, [], Spool, false);
        _conductor = new FleetConductor(Options, (host, order) => Order(host, order), _record)
        {
            Moment = () => (Now, _epoch.AddTicks(Now / 100)),
        };
    }

    public FleetSpool Spool { get; } = FleetSpool.Begin("g", null);
    public FleetOptions Options { get; }
    public long Now { get; private set; } = 1;
    public List<IoWarning> Warnings { get; } = [];
    public List<string> Waits { get; } = [];
    public List<FleetOrder> Orders { get; } = [];

    /// <summary>Start of each test of a host on the reference clock, in seconds.</summary>
    public Dictionary<(string Host, int Test), double> Begun { get; } = [];

    public void Add(string name, PlayedHost play, int tests = 1)
    {
        var host = new FleetHost { Name = name };
        _hosts[name] = (host, play, tests);
        _conductor.Add(host, tests);
    }

    public FleetOutcome Play()
    {
        foreach (var (host, play, _) in _hosts.Values)
        {
            _conductor.Connecting(host, Now);
            if (play.Fault == "0:closed")
                At(0.3, () => _conductor.Closed(host, "Connection refused", Now));
            else if (play.Fault != "0:silent")
                At(
                    play.Greets,
                    () =>
                        Say(
                            host.Name,
                            new FleetMessage
                            {
                                State = FleetState.Hello,
                                Computer = host.Name,
                                Machine = host.Name,
                                Version = play.Fault == "0:version" ? "0.1" : "1",
                                Clock = ClockOf(host.Name),
                                Time = TimeOf(host.Name),
                            },
                            () => Live(host.Name)
                        )
                );
        }
        for (var looks = 0; !_conductor.IsDone; looks++)
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
            _conductor.Tick(Now);
        }
        return _record.End(false);
    }

    public void OnWarning(IoWarning warning) => Warnings.Add(warning);

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) => Waits.Add($"{string.Join(", ", hosts)} {time.TotalSeconds:0}");

    private void Live(string name)
    {
        _alive.Add(name);
        Beat(name);
        Arm(name, 1);
    }

    private void Beat(string name)
    {
        if (!_alive.Contains(name))
            return;
        Say(name, new FleetMessage { State = FleetState.Alive });
        At(5, () => Beat(name));
    }

    private void Arm(string name, int test)
    {
        var (_, play, tests) = _hosts[name];
        if (test > tests)
        {
            _alive.Remove(name);
            Say(name, new FleetMessage { State = FleetState.End });
            return;
        }
        if (IsFault(name, test, "silent-before"))
        {
            _alive.Remove(name);
            return;
        }
        At(IsFault(name, test, "late") ? 300 : play.Arms, () => Say(name, new FleetMessage { State = FleetState.Ready, Test = test }));
    }

    private void Order(FleetHost host, FleetOrder order)
    {
        Orders.Add(order);
        var (_, play, _) = _hosts[host.Name];
        At(
            DelayOf(play) + WaitOf(host.Name, play, order),
            () =>
            {
                if (order.Order == FleetOrderKind.Clock)
                    Say(
                        host.Name,
                        new FleetMessage
                        {
                            State = FleetState.Clock,
                            Number = order.Number,
                            Clock = ClockOf(host.Name),
                            Time = TimeOf(host.Name),
                        }
                    );
                else if (order.Order == FleetOrderKind.Skip)
                    Say(
                        host.Name,
                        new FleetMessage
                        {
                            State = FleetState.Failed,
                            Test = order.Test,
                            ErrorId = FleetErrors.Skipped,
                            Text = order.Text,
                        },
                        () => Arm(host.Name, order.Test!.Value + 1)
                    );
                else if (order.Order == FleetOrderKind.Go)
                    Run(host.Name, order);
            }
        );
    }

    private void Run(string name, FleetOrder order)
    {
        var (host, play, _) = _hosts[name];
        var test = order.Test!.Value;
        var begin = Math.Max(Now, order.At!.Value - play.Clock);
        Begun[(name, test)] = begin / 1e9;
        if (IsFault(name, test, "hangs") || IsFault(name, test, "cut"))
            _alive.Remove(name);
        if (IsFault(name, test, "hangs"))
            return;
        if (IsFault(name, test, "cut"))
        {
            AtMoment(begin + Nanoseconds(Seconds / 2), () => _conductor.Closed(host, null, Now));
            return;
        }
        for (var second = 1.0; second < Seconds; second++)
            AtMoment(
                begin + Nanoseconds(second),
                () =>
                    Say(
                        name,
                        new FleetMessage
                        {
                            State = FleetState.Running,
                            Test = test,
                            Iops = 1000,
                        }
                    )
            );
        AtMoment(
            begin + Nanoseconds(Seconds),
            () =>
            {
                if (IsFault(name, test, "fails"))
                    Say(
                        name,
                        new FleetMessage
                        {
                            State = FleetState.Failed,
                            Test = test,
                            ErrorId = "IoBench.IoFailed",
                            Text = "the disk is gone.",
                        },
                        () => Arm(name, test + 1)
                    );
                else
                    Say(
                        name,
                        new FleetMessage
                        {
                            State = FleetState.Done,
                            Test = test,
                            Result = ResultOf(name, (begin - (order.At.Value - play.Clock)) / 1e9, test),
                        },
                        () => Arm(name, test + 1)
                    );
            }
        );
    }

    private JsonElement ResultOf(string name, double offset, int test) =>
        JsonResultText.Element(
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
                StartTime = TimeOf(name),
                Specification = new IoTestSpecification { WarmUp = TimeSpan.Zero },
            }
        );

    private void Say(string name, FleetMessage message, Action? then = null)
    {
        var (host, play, _) = _hosts[name];
        var isNews = message.State is FleetState.Alive or FleetState.Running;
        for (var i = 0; i < (play.Doubles ? 2 : 1); i++)
            if (!isNews || _random.NextDouble() >= play.Loss)
            {
                // A connection keeps the order of messages.
                var comes = _comes[name] = Math.Max(_comes.GetValueOrDefault(name), Now + Nanoseconds(DelayOf(play)));
                AtMoment(comes, () => Hear(host, message));
            }
        then?.Invoke();
    }

    private void Hear(FleetHost host, FleetMessage message)
    {
        var line = Encoding.UTF8.GetBytes(FleetLines.Write(message));
        var (heard, result) = FleetLines.Split(line)!.Value;
        var place = result is { } range ? Spool.Add(line, range) : null;
        _conductor.Heard(host, heard, Now, place is null ? null : () => Spool.Take(place));
    }

    private bool IsFault(string name, int test, string what) => _hosts[name].Play.Fault == $"{test}:{what}";

    private double WaitOf(string name, PlayedHost play, FleetOrder order)
    {
        if (order.Order != FleetOrderKind.Clock)
            return 0;
        var isBusy = Now < Nanoseconds(play.Busy.Until) || (_asked[name] = _asked.GetValueOrDefault(name) + 1) <= play.Busy.Orders;
        return isBusy ? 0.1 + 0.4 * _random.NextDouble() : 0;
    }

    private double DelayOf(PlayedHost play) => play.Delay + play.Jitter * _random.NextDouble();

    private long ClockOf(string name) => Now + _hosts[name].Play.Clock;

    private DateTimeOffset TimeOf(string name) => _epoch.AddTicks(Now / 100).AddSeconds(_hosts[name].Play.Calendar);

    private void At(double seconds, Action happens) => AtMoment(Now + Nanoseconds(seconds), happens);

    private void AtMoment(long moment, Action happens) => _queue.Enqueue(happens, (moment, _number++));

    private static long Nanoseconds(double seconds) => (long)(seconds * 1e9);
}
