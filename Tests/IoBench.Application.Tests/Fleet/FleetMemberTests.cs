using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class FleetMemberTests
{
    internal static IoTestSpecification Null(int outstanding, double seconds = 0.2) =>
        new()
        {
            Targets = [new IoTargetSpecification("null")],
            Backend = NullBackend.Name,
            OutstandingIO = outstanding,
            ThreadCount = 2,
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.Zero,
            NullDevice = new NullDeviceModel(1, 1),
        };

    private static FleetMemberRequest Request(params IoTestSpecification[] tests) =>
        new()
        {
            Tests = tests,
            Group = "g",
            Member = "sql1",
        };

    [Fact]
    public async Task A_member_arms_waits_for_its_moment_and_says_each_state()
    {
        using var line = new MemberLine();
        using var member = new FleetMember(Request(Null(1), Null(2)), line.Orders, line.Print);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        Assert.Equal(2, line.Take(FleetState.Hello).Count);
        for (var test = 1; test <= 2; test++)
        {
            var ready = line.Take(FleetState.Ready);
            Assert.Equal((test, "sql1", "g"), (ready.Test!.Value, ready.Member, ready.Group));
            line.Send(new FleetOrder { Order = FleetOrderKind.Clock, Number = 7 });
            var clock = line.Take(FleetState.Clock);
            Assert.Equal(7, clock.Number);
            line.Send(
                new FleetOrder
                {
                    Order = FleetOrderKind.Go,
                    Test = test,
                    At = clock.Clock + 300_000_000,
                    Hosts = ["sql1", "sql2"],
                }
            );
            var result = JsonResultText.Result(line.Take(FleetState.Done).Result!.Value);
            Assert.Equal(
                (IoResultStatus.Complete, $"g/{test}", "sql1", 2),
                (result.Status, result.GroupId, result.Member, result.GroupHosts)
            );
            Assert.Equal(["sql1", "sql2"], result.GroupMembers);
            // A member never starts before its start time. The delay after that depends on the computer.
            Assert.True(result.StartOffsetSeconds >= 0);
            Assert.Equal(test, result.OutstandingIO);
        }
        Assert.Equal(2, line.Take(FleetState.End).Count);
        Assert.True(await run);
    }

    [Fact]
    public async Task A_member_whose_line_is_closed_ends()
    {
        using var line = new MemberLine();
        using var member = new FleetMember(Request(Null(1), Null(1, 3600)), line.Orders, line.Print);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.Go(line.Take(FleetState.Ready));
        line.Take(FleetState.Done);
        line.Go(line.Take(FleetState.Ready));
        line.Take(FleetState.Running);
        line.Close();
        Assert.Equal(IoResultStatus.Cancelled, JsonResultText.Result(line.Take(FleetState.Done).Result!.Value).Status);
        line.Take(FleetState.End);
        Assert.False(await run);
    }

    [Fact]
    public async Task A_member_ends_when_its_controller_is_silent_though_the_line_is_open()
    {
        using var line = new MemberLine();
        using var member = new FleetMember(
            Request(Null(1, 3600)) with
            {
                LineSilence = TimeSpan.FromMilliseconds(1),
            },
            line.Orders,
            line.Print
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.Take(FleetState.Ready);
        line.Take(FleetState.End);
        Assert.False(await run);
    }

    [Fact]
    public async Task A_member_whose_line_is_closed_while_it_is_armed_runs_nothing()
    {
        using var line = new MemberLine();
        using var member = new FleetMember(Request(Null(1, 3600), Null(2)), line.Orders, line.Print);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.Take(FleetState.Ready);
        line.Close();
        Assert.False(await run);
        var said = line.Rest();
        // Each test is listed exactly once, as a result without values or as a failure.
        Assert.Equal(
            [1, 2],
            said.Where(message => message.State is FleetState.Done or FleetState.Failed).Select(message => message.Test!.Value).Order()
        );
        Assert.DoesNotContain(said, message => message.State == FleetState.Running);
    }

    [Fact]
    public async Task A_test_that_the_group_leaves_out_is_a_failure_and_the_next_one_runs()
    {
        using var line = new MemberLine();
        using var member = new FleetMember(Request(Null(1), Null(2)), line.Orders, line.Print);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.Send(
            new FleetOrder
            {
                Order = FleetOrderKind.Skip,
                Test = line.Take(FleetState.Ready).Test,
                Text = "too few hosts.",
            }
        );
        var failed = line.Take(FleetState.Failed);
        Assert.Equal((1, FleetErrors.Skipped, "too few hosts."), (failed.Test!.Value, failed.ErrorId, failed.Text));
        line.Go(line.Take(FleetState.Ready));
        Assert.Equal(2, line.Take(FleetState.Done).Test);
        Assert.False(await run);
    }

    [Fact]
    public void A_member_that_starts_at_a_time_needs_nobody()
    {
        using var line = new MemberLine();
        var request = Request(Null(1)) with { StartAt = DateTimeOffset.Now.AddSeconds(2), Hosts = 3 };
        using var member = new FleetMember(request, null, line.Print);
        Assert.True(member.Run(CancellationToken.None));
        var result = JsonResultText.Result(line.Take(FleetState.Done).Result!.Value);
        Assert.Equal((3, IoResultStatus.Complete), (result.GroupHosts, result.Status));
        Assert.True(result.StartTime >= request.StartAt!.Value.AddMilliseconds(-20), $"{result.StartTime:O} {request.StartAt:O}");
    }

    [Fact]
    public void A_member_that_is_armed_too_late_says_so_and_measures_nothing()
    {
        using var line = new MemberLine();
        using var member = new FleetMember(Request(Null(1)) with { StartAt = DateTimeOffset.Now.AddSeconds(-5) }, null, line.Print);
        Assert.False(member.Run(CancellationToken.None));
        Assert.Equal(FleetErrors.StartMissed, line.Take(FleetState.Failed).ErrorId);
    }

    [Fact]
    public void Fixed_times_leave_room_for_each_test_and_have_an_end()
    {
        var request = Request(Null(1, 30), Null(2, 60), Null(3, 5)) with
        {
            StartAt = new DateTimeOffset(2026, 12, 1, 2, 0, 0, TimeSpan.Zero),
        };
        request.Tests[2].RestBefore = TimeSpan.FromSeconds(20);
        Assert.Equal([0, 40, 130], Enumerable.Range(0, 3).Select(test => (request.StartOf(test) - request.StartAt!.Value).TotalSeconds));
        Assert.Equal(135 + 120, (request.HardEnd - request.StartAt!.Value).TotalSeconds);
    }

    [Fact]
    public async Task A_file_that_is_refused_fails_its_tests_and_others_run()
    {
        using var folder = new SuiteFolder();
        var refused = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(folder.Foreign("others.dat"))],
            WritePercent = 100,
            Duration = TimeSpan.FromSeconds(1),
        };
        using var line = new MemberLine();
        using var member = new FleetMember(Request(refused, Null(1)), line.Orders, line.Print);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        var failed = line.Take(FleetState.Failed);
        Assert.Equal((1, "IoBench.ForeignFile"), (failed.Test!.Value, failed.ErrorId));
        line.Go(line.Take(FleetState.Ready));
        Assert.Equal(2, line.Take(FleetState.Done).Test);
        Assert.False(await run);
    }

    [Fact]
    public void Lines_that_are_none_are_passed_over()
    {
        Assert.Null(FleetLines.ReadMessage("Welcome to sql1!"));
        Assert.Null(FleetLines.ReadMessage("""{"state":"Done","test":1,"resu"""));
        Assert.Null(FleetLines.ReadOrder(""));
        var order = new FleetOrder
        {
            Order = FleetOrderKind.Go,
            Test = 3,
            At = 12,
            Hosts = ["a", "b"],
        };
        Assert.Equal(FleetLines.Write(order), FleetLines.Write(FleetLines.ReadOrder(FleetLines.Write(order))!));
    }

    [Fact]
    public void A_plan_is_a_line_and_comes_back()
    {
        IoTestSpecification[] tests = [Null(1), Null(4)];
        var line = JsonResultText.Plan(tests);
        Assert.DoesNotContain('\n', line);
        Assert.Equal(tests.Select(ResumePlan.KeyOf), JsonResultText.ReadPlan(line, "line").Select(ResumePlan.KeyOf));
        Assert.Equal(ErrorIds.InvalidJson, Assert.Throws<IoBenchException>(() => JsonResultText.ReadPlan("[]", "plan.json")).ErrorId);
        Assert.Equal(ErrorIds.InvalidJson, Assert.Throws<IoBenchException>(() => JsonResultText.ReadPlan("[1", "plan.json")).ErrorId);
    }

    [Theory]
    [InlineData("02:00", "2026-11-23T02:00:00+01:00")]
    [InlineData("23:30:15", "2026-11-22T23:30:15+01:00")]
    [InlineData("+90s", "2026-11-22T22:01:30+01:00")]
    [InlineData("2026-12-01T02:00:00Z", "2026-12-01T02:00:00Z")]
    public void Times_are_as_people_write_them(string text, string expected) =>
        Assert.Equal(
            DateTimeOffset.Parse(expected, System.Globalization.CultureInfo.InvariantCulture),
            FleetTime.Parse(text, new DateTimeOffset(2026, 11, 22, 22, 0, 0, TimeSpan.FromHours(1)))
        );

    [Theory]
    [InlineData("soon")]
    [InlineData("2020-01-01T00:00:00Z")]
    [InlineData("+x")]
    public void Other_times_are_refused(string text) => Assert.Throws<IoBenchException>(() => FleetTime.Parse(text, DateTimeOffset.Now));
}
