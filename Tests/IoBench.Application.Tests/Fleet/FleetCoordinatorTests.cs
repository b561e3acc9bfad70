using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetCoordinatorTests
{
    private static void AssertEachHostOnce(FleetResult outcome, IEnumerable<string> hosts, int tests)
    {
        var said = outcome
            .Results.Select(result => (result.Member!, result.GroupId!))
            .Concat(outcome.Failures.Select(failure => (failure.Host, failure.GroupId!)))
            .ToList();
        Assert.Equal(
            hosts.SelectMany(host => Enumerable.Range(1, tests).Select(test => (host, FleetPlan.GetGroupId("g", test)))).Order(),
            said.Order()
        );
    }

    /// <summary>The rule by which iobench exits with 0 or 1.</summary>
    private static bool IsSufficient(FleetResult outcome, int? minHosts) => outcome.IsSufficient(minHosts);

    [Fact]
    public void Hosts_start_at_the_same_time_despite_different_clocks()
    {
        var fleet = new SimulatedFleet();
        fleet.AddHost("sql1", new() { CalendarOffsetSeconds = 600, ClockOffsetNanoseconds = 77_000_000_000_000 });
        fleet.AddHost(
            "sql2",
            new()
            {
                CalendarOffsetSeconds = -600,
                ClockOffsetNanoseconds = -5,
                DelaySeconds = 0.1,
                JitterSeconds = 0.02,
                HelloSeconds = 3,
            }
        );
        fleet.AddHost("sql3", new() { ReadySeconds = 20 });
        var outcome = fleet.RunFleet();
        Assert.True(IsSufficient(outcome, null));
        var begun = fleet.StartTimes.Values.ToList();
        // A clock answer determines the offset to half of the difference between the delays in both directions.
        Assert.InRange(begun.Max() - begun.Min(), 0, 0.02);
        var group = Assert.Single(outcome.Groups);
        Assert.Equal(3000, group.IOPS!.Value, 1e-6);
        Assert.Contains(
            fleet.Warnings,
            warning =>
                warning.Code == WarningCodes.FleetClock
                && warning.ToString().StartsWith("The clock of sql1 is 600", StringComparison.Ordinal)
                && warning.ToString().Contains("ahead")
        );
        Assert.Contains(
            fleet.Warnings,
            warning =>
                warning.Code == WarningCodes.FleetClock
                && warning.ToString().StartsWith("The clock of sql2 is 600", StringComparison.Ordinal)
                && warning.ToString().Contains("behind")
        );
        // The times of the results are those of the controller.
        Assert.True(
            outcome.Results.Max(result => result.StartTime) - outcome.Results.Min(result => result.StartTime) < TimeSpan.FromSeconds(1)
        );
        Assert.Contains(fleet.Waits, text => text.StartsWith("waiting for sql3, 1", StringComparison.Ordinal));
        Assert.Contains(fleet.Orders, order => order.Order == ControllerCommandKind.Alive);
    }

    [Theory]
    // The other hosts are busy while the third gets ready, so clock answers of that time do not count.
    [InlineData(19, 0)]
    // The first answers are slow even when all hosts are ready, so the coordinator sends more questions.
    [InlineData(0, 5)]
    public void Temporarily_busy_host_starts_at_the_same_time(double until, int orders)
    {
        var fleet = new SimulatedFleet();
        fleet.AddHost("sql1", new() { ClockOffsetNanoseconds = 5_000_000_000, Busy = (until, orders) });
        fleet.AddHost("sql2", new() { Busy = (until, orders) });
        fleet.AddHost("sql3", new() { ReadySeconds = 20 });
        Assert.True(IsSufficient(fleet.RunFleet(), null));
        Assert.InRange(fleet.StartTimes.Values.Max() - fleet.StartTimes.Values.Min(), 0, 0.001);
    }

    [Fact]
    public void Slow_connection_gets_no_more_clock_questions_than_necessary()
    {
        var fleet = new SimulatedFleet();
        fleet.AddHost("sql1", new() { DelaySeconds = 0.08, JitterSeconds = 0.001 });
        Assert.True(IsSufficient(fleet.RunFleet(), null));
        // Three questions after the hello message and three when the host is ready. The last answer after the hello message can still be in
        // transit then, and counts for both.
        Assert.InRange(fleet.Orders.Count(order => order.Order == ControllerCommandKind.Clock), 5, 6);
    }

    [Theory]
    [InlineData("0:closed", FleetErrorIds.NotReached, 0)]
    [InlineData("0:silent", FleetErrorIds.NotReached, 0)]
    [InlineData("0:version", FleetErrorIds.OtherVersion, 0)]
    [InlineData("1:silent-before", FleetErrorIds.HostLost, 0)]
    [InlineData("2:hangs", FleetErrorIds.HostLost, 1)]
    [InlineData("2:cut", FleetErrorIds.HostLost, 1)]
    [InlineData("2:fails", "IoBench.IoFailed", 2)]
    public void Fault_of_one_host_affects_only_its_own_tests(string fault, string error, int results)
    {
        var fleet = new SimulatedFleet();
        string[] hosts = ["sql1", "sql2", "sql3", "sql4"];
        foreach (var host in hosts)
            fleet.AddHost(host, new() { Fault = host == "sql3" ? fault : "" }, tests: 3);
        var outcome = fleet.RunFleet();
        AssertEachHostOnce(outcome, hosts, 3);
        Assert.Equal(9, outcome.Results.Count(result => result.Member != "sql3"));
        Assert.Equal(results, outcome.Results.Count(result => result.Member == "sql3"));
        Assert.All(outcome.Failures, failure => Assert.Equal(error, failure.ErrorId));
        Assert.Equal(3, outcome.Groups.Count);
        Assert.All(outcome.Groups, group => Assert.Equal(4, group.Hosts.Count + group.Failures.Count));
        Assert.All(
            outcome.Results,
            result => Assert.Equal(outcome.Groups.Single(group => group.GroupId == result.GroupId).Hosts.Count, result.GroupMembers.Count)
        );
        Assert.False(IsSufficient(outcome, null));
        Assert.True(IsSufficient(outcome, 3));
        Assert.False(IsSufficient(outcome, 4));
    }

    [Fact]
    public void Duplicate_late_or_lost_messages_count_each_host_once()
    {
        var fleet = new SimulatedFleet();
        var hosts = Enumerable.Range(1, 30).Select(n => $"sql{n}").ToList();
        foreach (var host in hosts)
            fleet.AddHost(
                host,
                new()
                {
                    SendsTwice = true,
                    LossProbability = 0.3,
                    DelaySeconds = 0.05,
                    JitterSeconds = 0.3,
                },
                tests: 2
            );
        var outcome = fleet.RunFleet();
        AssertEachHostOnce(outcome, hosts, 2);
        Assert.True(IsSufficient(outcome, null));
    }

    [Fact]
    public void Late_hosts_skip_the_test_if_a_quorum_is_ready()
    {
        var fleet = new SimulatedFleet(
            new FleetOptions
            {
                Group = "g",
                Version = "1",
                MinHosts = 2,
                HostTimeout = TimeSpan.FromSeconds(30),
            }
        );
        string[] hosts = ["sql1", "sql2", "sql3"];
        foreach (var host in hosts)
            fleet.AddHost(host, new() { Fault = host == "sql2" ? "1:late" : "" }, tests: 2);
        var outcome = fleet.RunFleet();
        AssertEachHostOnce(outcome, hosts, 2);
        Assert.Equal(["sql1", "sql3"], outcome.Groups[0].Hosts.Select(host => host.Host));
        Assert.Equal(FleetErrorIds.StartMissed, outcome.Groups[0].Failures.Single().ErrorId);
    }

    [Fact]
    public void No_test_starts_without_a_quorum()
    {
        var fleet = new SimulatedFleet(
            new FleetOptions
            {
                Group = "g",
                Version = "1",
                MinHosts = 3,
            }
        );
        string[] hosts = ["sql1", "sql2", "sql3"];
        foreach (var host in hosts)
            fleet.AddHost(host, new() { Fault = host == "sql2" ? "0:closed" : "" }, tests: 2);
        var outcome = fleet.RunFleet();
        AssertEachHostOnce(outcome, hosts, 2);
        Assert.Empty(outcome.Results);
        Assert.Empty(fleet.StartTimes);
        Assert.Contains(outcome.Failures, failure => failure.ErrorId == FleetErrorIds.NoQuorum);
    }

    [Fact]
    public void Each_of_a_thousand_faulty_hosts_is_reported_once()
    {
        var fleet = new SimulatedFleet();
        string[] faults = ["", "", "", "0:closed", "0:silent", "1:cut", "2:hangs", "2:fails", "1:silent-before", "3:cut"];
        var hosts = Enumerable.Range(1, 1000).Select(n => $"sql{n}").ToList();
        foreach (var (host, i) in hosts.Select((host, i) => (host, i)))
            fleet.AddHost(
                host,
                new()
                {
                    Fault = faults[i % faults.Length],
                    DelaySeconds = 0.002 * (i % 50),
                    JitterSeconds = 0.05,
                    CalendarOffsetSeconds =
                        i % 7 == 0 ? 600
                        : i % 11 == 0 ? -600
                        : 0,
                    ClockOffsetNanoseconds = 1_000_000_007L * i,
                    SendsTwice = i % 3 == 0,
                    LossProbability = 0.1,
                    HelloSeconds = 0.01 * i,
                },
                tests: 3
            );
        var outcome = fleet.RunFleet();
        AssertEachHostOnce(outcome, hosts, 3);
        Assert.Equal(3, outcome.Groups.Count);
        Assert.All(outcome.Groups, group => Assert.Equal(1000, group.Hosts.Count + group.Failures.Count));
        Assert.All(outcome.Groups, group => Assert.True(group.CommonPercent > 95, $"{group.CommonPercent}"));
    }

    [Fact]
    public void Two_names_for_one_machine_have_a_warning()
    {
        var said = new List<IoWarning>();
        var conductor = new FleetCoordinator(new FleetOptions { Group = "g", Version = "1" }, (_, _) => { }, new WarningRecorder(said));
        FleetHost[] hosts = [new() { Name = "a" }, new() { Name = "b" }, new() { Name = "c" }];
        foreach (var host in hosts)
        {
            conductor.AddHost(host, 1);
            conductor.OnConnecting(host, 1);
        }
        foreach (var (host, machine) in hosts.Zip(["m1", "m1", "m2"]))
            conductor.OnMessage(
                host,
                new MemberMessage
                {
                    State = MemberMessageKind.Hello,
                    Version = "1",
                    Computer = "SQL1",
                    Machine = machine,
                },
                2
            );
        Assert.Contains(
            said,
            warning =>
                warning.Code == WarningCodes.FleetSameMachine
                && warning.ToString().StartsWith("b and a are the same computer", StringComparison.Ordinal)
        );
        Assert.Contains(
            said,
            warning => warning.Code == WarningCodes.FleetSameName && warning.ToString().Contains("two computers with the same name, SQL1")
        );
    }

    [Theory]
    [InlineData("boot1:8:11", "boot1:8:11", true)]
    [InlineData("boot1:8:11", "boot2:8:11", false)]
    public void Second_host_with_the_same_file_by_another_path_is_refused(string first, string second, bool isRefused)
    {
        var record = new FleetResultRecorder("g", new WarningRecorder([]), [], ResultSpool.Create("g", null), false);
        var conductor = new FleetCoordinator(new FleetOptions { Group = "g", Version = "1" }, (_, _) => { }, record);
        FleetHost[] hosts = [new() { Name = "a" }, new() { Name = "b" }];
        foreach (var host in hosts)
        {
            conductor.AddHost(host, 1);
            conductor.OnConnecting(host, 1);
            // Containers of one machine have names and machine ids of their own.
            conductor.OnMessage(
                host,
                new MemberMessage
                {
                    State = MemberMessageKind.Hello,
                    Version = "1",
                    Computer = host.Name,
                    Machine = host.Name,
                },
                2
            );
        }
        foreach (var (host, path, key) in new[] { (hosts[0], "/d/t.dat", first), (hosts[1], "/link/t.dat", second) })
            conductor.OnMessage(
                host,
                new MemberMessage { State = MemberMessageKind.Preparing, Files = [new MemberFile(path, ["x:" + path, key])] },
                3
            );
        var failures = record.Finish(false).Failures;
        if (isRefused)
            Assert.Equal(
                "a also tests /link/t.dat (as /d/t.dat), and both hosts are the same computer. Use a separate path for each host.",
                Assert.Single(failures, failure => failure.ErrorId == FleetErrorIds.SameFile).Text
            );
        else
            Assert.DoesNotContain(failures, failure => failure.ErrorId == FleetErrorIds.SameFile);
    }

    [Fact]
    public void Host_stopped_by_its_latency_limit_stops_all_hosts()
    {
        var orders = new List<(string Host, ControllerCommand Order)>();
        var conductor = new FleetCoordinator(
            new FleetOptions { Group = "g", Version = "1" },
            (host, order) => orders.Add((host.Name, order)),
            new WarningRecorder([])
        );
        FleetHost[] hosts = [new() { Name = "a" }, new() { Name = "b" }];
        foreach (var host in hosts)
        {
            conductor.AddHost(host, 1);
            conductor.OnConnecting(host, 1);
            conductor.OnMessage(
                host,
                new MemberMessage
                {
                    State = MemberMessageKind.Hello,
                    Version = "1",
                    Computer = host.Name,
                },
                2
            );
        }
        var result = new IoTestResult
        {
            Status = IoResultStatus.Cancelled,
            Specification = new IoTestSpecification { StopAboveMs = 20 },
        };
        conductor.OnMessage(hosts[0], new MemberMessage { State = MemberMessageKind.Done, Test = 1 }, 3, () => result);
        Assert.Contains(orders, order => order is { Host: "b", Order.Order: ControllerCommandKind.Stop });
    }

    [Fact]
    public void Unreadable_result_is_one_failure()
    {
        var record = new FleetResultRecorder("g", new WarningRecorder([]), [], ResultSpool.Create("g", null), false);
        var conductor = new FleetCoordinator(new FleetOptions { Group = "g", Version = "1" }, (_, _) => { }, record);
        var host = new FleetHost { Name = "sql1" };
        conductor.AddHost(host, 1);
        conductor.OnConnecting(host, 1);
        conductor.OnMessage(
            host,
            new MemberMessage
            {
                State = MemberMessageKind.Hello,
                Version = "1",
                Computer = "sql1",
            },
            2
        );
        for (var i = 0; i < 2; i++)
            conductor.OnMessage(
                host,
                new MemberMessage { State = MemberMessageKind.Done, Test = 1 },
                3,
                () => throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"This is not a result.")
            );
        var outcome = record.Finish(false);
        Assert.Equal((ErrorIds.InvalidJson, "g/1"), (outcome.Failures.Single().ErrorId, outcome.Failures.Single().GroupId));
        Assert.Empty(outcome.Results);
    }

    [Fact]
    public void Test_without_synchronization_starts_when_all_hosts_are_ready()
    {
        var orders = new List<(string Host, ControllerCommand Order)>();
        var said = new List<IoWarning>();
        var conductor = new FleetCoordinator(
            new FleetOptions
            {
                Group = "g",
                Version = "1",
                IsSynchronized = false,
            },
            (host, order) => orders.Add((host.Name, order)),
            new WarningRecorder(said)
        );
        FleetHost[] hosts = [new() { Name = "a" }, new() { Name = "b" }];
        // The second host has completed the first test in an earlier run.
        conductor.AddHost(hosts[0], 3);
        conductor.AddHost(hosts[1], 3, [1]);
        foreach (var host in hosts)
        {
            conductor.OnConnecting(host, 1);
            Receive(
                host,
                new MemberMessage
                {
                    State = MemberMessageKind.Hello,
                    Version = "1",
                    Computer = "SQL1",
                    Machine = "m1",
                }
            );
        }
        Receive(hosts[1], new MemberMessage { State = MemberMessageKind.Ready, Test = 2 });
        Receive(hosts[0], new MemberMessage { State = MemberMessageKind.Ready, Test = 1 });
        Receive(hosts[0], new MemberMessage { State = MemberMessageKind.Done, Test = 1 });
        Receive(hosts[0], new MemberMessage { State = MemberMessageKind.Ready, Test = 2 });
        foreach (var host in hosts)
            Receive(host, new MemberMessage { State = MemberMessageKind.Done, Test = 2 });
        Receive(hosts[1], new MemberMessage { State = MemberMessageKind.Unneeded, Test = 3 });
        Receive(hosts[0], new MemberMessage { State = MemberMessageKind.Ready, Test = 3 });
        Assert.Equal([("a", 1), ("a", 2), ("b", 2), ("a", 3)], orders.Select(order => (order.Host, order.Order.Test!.Value)));
        Assert.All(orders, order => Assert.Equal((ControllerCommandKind.Go, null), (order.Order.Order, order.Order.At)));
        Assert.Empty(said);

        void Receive(FleetHost host, MemberMessage message) =>
            conductor.OnMessage(host, message, 2, () => new IoTestResult { Status = IoResultStatus.Complete });
    }

    private sealed class WarningRecorder(List<IoWarning> said) : IFleetObserver
    {
        public void OnWarning(IoWarning warning) => said.Add(warning);
    }
}
