using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetConductorTests
{
    private static void Once(FleetOutcome outcome, IEnumerable<string> hosts, int tests)
    {
        var said = outcome
            .Results.Select(result => (result.Member!, result.GroupId!))
            .Concat(outcome.Failures.Select(failure => (failure.Host, failure.GroupId!)))
            .ToList();
        Assert.Equal(
            hosts.SelectMany(host => Enumerable.Range(1, tests).Select(test => (host, FleetIds.OfTest("g", test)))).Order(),
            said.Order()
        );
    }

    /// <summary>The rule by which iobench exits with 0 or 1.</summary>
    private static bool IsEnough(FleetOutcome outcome, int? minHosts) =>
        new FleetAnswer(outcome.Results, outcome.Failures, outcome.Groups, [], outcome.IsCancelled, outcome.IsSaved).IsEnough(minHosts);

    [Fact]
    public void All_begin_at_one_moment_whatever_their_clocks_say()
    {
        var fleet = new PlayedFleet();
        fleet.Add("sql1", new() { Calendar = 600, Clock = 77_000_000_000_000 });
        fleet.Add(
            "sql2",
            new()
            {
                Calendar = -600,
                Clock = -5,
                Delay = 0.1,
                Jitter = 0.02,
                Greets = 3,
            }
        );
        fleet.Add("sql3", new() { Arms = 20 });
        var outcome = fleet.Play();
        Assert.True(IsEnough(outcome, null));
        var begun = fleet.Begun.Values.ToList();
        // A clock answer determines the offset to half of the difference between the delays in both directions.
        Assert.InRange(begun.Max() - begun.Min(), 0, 0.02);
        var group = Assert.Single(outcome.Groups);
        Assert.Equal(3000, group.IOPS!.Value, 1e-6);
        Assert.Contains(
            fleet.Warnings,
            warning =>
                warning.Code == WarningCodes.FleetClock
                && warning.ToString().StartsWith("sql1: its clock is 600", StringComparison.Ordinal)
                && warning.ToString().Contains("ahead")
        );
        Assert.Contains(
            fleet.Warnings,
            warning =>
                warning.Code == WarningCodes.FleetClock
                && warning.ToString().StartsWith("sql2: its clock is 600", StringComparison.Ordinal)
                && warning.ToString().Contains("behind")
        );
        // The times of the results are those of the controller.
        Assert.True(
            outcome.Results.Max(result => result.StartTime) - outcome.Results.Min(result => result.StartTime) < TimeSpan.FromSeconds(1)
        );
        Assert.Contains(fleet.Waits, text => text.StartsWith("sql3 1", StringComparison.Ordinal));
        Assert.Contains(fleet.Orders, order => order.Order == FleetOrderKind.Alive);
    }

    [Theory]
    // The other hosts are busy while the third gets ready, so clock answers of that time do not count.
    [InlineData(19, 0)]
    // The first answers are slow even when all hosts are ready, so the coordinator sends more questions.
    [InlineData(0, 5)]
    public void A_machine_that_is_busy_for_a_while_does_not_begin_at_another_moment(double until, int orders)
    {
        var fleet = new PlayedFleet();
        fleet.Add("sql1", new() { Clock = 5_000_000_000, Busy = (until, orders) });
        fleet.Add("sql2", new() { Busy = (until, orders) });
        fleet.Add("sql3", new() { Arms = 20 });
        Assert.True(IsEnough(fleet.Play(), null));
        Assert.InRange(fleet.Begun.Values.Max() - fleet.Begun.Values.Min(), 0, 0.001);
    }

    [Fact]
    public void A_long_way_is_not_asked_more_often_than_it_takes_to_know_it()
    {
        var fleet = new PlayedFleet();
        fleet.Add("sql1", new() { Delay = 0.08, Jitter = 0.001 });
        Assert.True(IsEnough(fleet.Play(), null));
        // Three questions after the hello message and three when the host is ready. The last answer after the hello message can still be in
        // transit then, and counts for both.
        Assert.InRange(fleet.Orders.Count(order => order.Order == FleetOrderKind.Clock), 5, 6);
    }

    [Theory]
    [InlineData("0:closed", FleetErrors.NotReached, 0)]
    [InlineData("0:silent", FleetErrors.NotReached, 0)]
    [InlineData("0:version", FleetErrors.OtherVersion, 0)]
    [InlineData("1:silent-before", FleetErrors.HostLost, 0)]
    [InlineData("2:hangs", FleetErrors.HostLost, 1)]
    [InlineData("2:cut", FleetErrors.HostLost, 1)]
    [InlineData("2:fails", "IoBench.IoFailed", 2)]
    public void A_fault_of_one_host_costs_its_own_tests_and_no_other(string fault, string error, int results)
    {
        var fleet = new PlayedFleet();
        string[] hosts = ["sql1", "sql2", "sql3", "sql4"];
        foreach (var host in hosts)
            fleet.Add(host, new() { Fault = host == "sql3" ? fault : "" }, tests: 3);
        var outcome = fleet.Play();
        Once(outcome, hosts, 3);
        Assert.Equal(9, outcome.Results.Count(result => result.Member != "sql3"));
        Assert.Equal(results, outcome.Results.Count(result => result.Member == "sql3"));
        Assert.All(outcome.Failures, failure => Assert.Equal(error, failure.ErrorId));
        Assert.Equal(3, outcome.Groups.Count);
        Assert.All(outcome.Groups, group => Assert.Equal(4, group.Hosts.Count + group.Failures.Count));
        Assert.All(
            outcome.Results,
            result => Assert.Equal(outcome.Groups.Single(group => group.GroupId == result.GroupId).Hosts.Count, result.GroupMembers.Count)
        );
        Assert.False(IsEnough(outcome, null));
        Assert.True(IsEnough(outcome, 3));
        Assert.False(IsEnough(outcome, 4));
    }

    [Fact]
    public void Lines_that_come_twice_late_or_not_at_all_count_each_host_once()
    {
        var fleet = new PlayedFleet();
        var hosts = Enumerable.Range(1, 30).Select(n => $"sql{n}").ToList();
        foreach (var host in hosts)
            fleet.Add(
                host,
                new()
                {
                    Doubles = true,
                    Loss = 0.3,
                    Delay = 0.05,
                    Jitter = 0.3,
                },
                tests: 2
            );
        var outcome = fleet.Play();
        Once(outcome, hosts, 2);
        Assert.True(IsEnough(outcome, null));
    }

    [Fact]
    public void With_a_quorum_late_hosts_are_left_behind_for_that_test()
    {
        var fleet = new PlayedFleet(
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
            fleet.Add(host, new() { Fault = host == "sql2" ? "1:late" : "" }, tests: 2);
        var outcome = fleet.Play();
        Once(outcome, hosts, 2);
        Assert.Equal(["sql1", "sql3"], outcome.Groups[0].Hosts.Select(host => host.Host));
        Assert.Equal(FleetErrors.StartMissed, outcome.Groups[0].Failures.Single().ErrorId);
    }

    [Fact]
    public void Without_a_quorum_nothing_begins()
    {
        var fleet = new PlayedFleet(
            new FleetOptions
            {
                Group = "g",
                Version = "1",
                MinHosts = 3,
            }
        );
        string[] hosts = ["sql1", "sql2", "sql3"];
        foreach (var host in hosts)
            fleet.Add(host, new() { Fault = host == "sql2" ? "0:closed" : "" }, tests: 2);
        var outcome = fleet.Play();
        Once(outcome, hosts, 2);
        Assert.Empty(outcome.Results);
        Assert.Empty(fleet.Begun);
        Assert.Contains(outcome.Failures, failure => failure.ErrorId == FleetErrors.NoQuorum);
    }

    [Fact]
    public void A_thousand_hosts_with_every_fault_are_each_there_once()
    {
        var fleet = new PlayedFleet();
        string[] faults = ["", "", "", "0:closed", "0:silent", "1:cut", "2:hangs", "2:fails", "1:silent-before", "3:cut"];
        var hosts = Enumerable.Range(1, 1000).Select(n => $"sql{n}").ToList();
        foreach (var (host, i) in hosts.Select((host, i) => (host, i)))
            fleet.Add(
                host,
                new()
                {
                    Fault = faults[i % faults.Length],
                    Delay = 0.002 * (i % 50),
                    Jitter = 0.05,
                    Calendar =
                        i % 7 == 0 ? 600
                        : i % 11 == 0 ? -600
                        : 0,
                    Clock = 1_000_000_007L * i,
                    Doubles = i % 3 == 0,
                    Loss = 0.1,
                    Greets = 0.01 * i,
                },
                tests: 3
            );
        var outcome = fleet.Play();
        Once(outcome, hosts, 3);
        Assert.Equal(3, outcome.Groups.Count);
        Assert.All(outcome.Groups, group => Assert.Equal(1000, group.Hosts.Count + group.Failures.Count));
        Assert.All(outcome.Groups, group => Assert.True(group.CommonPercent > 95, $"{group.CommonPercent}"));
    }

    [Fact]
    public void Two_names_for_one_machine_are_told()
    {
        var said = new List<IoWarning>();
        var conductor = new FleetConductor(new FleetOptions { Group = "g", Version = "1" }, (_, _) => { }, new Ears(said));
        FleetHost[] hosts = [new() { Name = "a" }, new() { Name = "b" }, new() { Name = "c" }];
        foreach (var host in hosts)
        {
            conductor.Add(host, 1);
            conductor.Connecting(host, 1);
        }
        foreach (var (host, machine) in hosts.Zip(["m1", "m1", "m2"]))
            conductor.Heard(
                host,
                new FleetMessage
                {
                    State = FleetState.Hello,
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
                && warning.ToString().StartsWith("b and a are the same machine", StringComparison.Ordinal)
        );
        Assert.Contains(
            said,
            warning => warning.Code == WarningCodes.FleetSameName && warning.ToString().Contains("two machines with the same name, SQL1")
        );
    }

    [Fact]
    public void A_host_that_ends_for_its_latency_ends_all()
    {
        var orders = new List<(string Host, FleetOrder Order)>();
        var conductor = new FleetConductor(
            new FleetOptions { Group = "g", Version = "1" },
            (host, order) => orders.Add((host.Name, order)),
            new Ears([])
        );
        FleetHost[] hosts = [new() { Name = "a" }, new() { Name = "b" }];
        foreach (var host in hosts)
        {
            conductor.Add(host, 1);
            conductor.Connecting(host, 1);
            conductor.Heard(
                host,
                new FleetMessage
                {
                    State = FleetState.Hello,
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
        conductor.Heard(hosts[0], new FleetMessage { State = FleetState.Done, Test = 1 }, 3, () => result);
        Assert.Contains(orders, order => order is { Host: "b", Order.Order: FleetOrderKind.Stop });
    }

    [Fact]
    public void A_result_that_cannot_be_read_is_a_failure_once()
    {
        var record = new FleetRecord("g", new Ears([]), [], FleetSpool.Begin("g", null), false);
        var conductor = new FleetConductor(new FleetOptions { Group = "g", Version = "1" }, (_, _) => { }, record);
        var host = new FleetHost { Name = "sql1" };
        conductor.Add(host, 1);
        conductor.Connecting(host, 1);
        conductor.Heard(
            host,
            new FleetMessage
            {
                State = FleetState.Hello,
                Version = "1",
                Computer = "sql1",
            },
            2
        );
        for (var i = 0; i < 2; i++)
            conductor.Heard(
                host,
                new FleetMessage { State = FleetState.Done, Test = 1 },
                3,
                () => throw IoBenchException.InvalidData(ErrorIds.InvalidJson, $"This is not a result.")
            );
        var outcome = record.End(false);
        Assert.Equal((ErrorIds.InvalidJson, "g/1"), (outcome.Failures.Single().ErrorId, outcome.Failures.Single().GroupId));
        Assert.Empty(outcome.Results);
    }

    private sealed class Ears(List<IoWarning> said) : IFleetObserver
    {
        public void OnWarning(IoWarning warning) => said.Add(warning);
    }
}
