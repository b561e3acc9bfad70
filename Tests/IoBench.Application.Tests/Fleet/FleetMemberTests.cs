using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class FleetMemberTests
{
    internal static IoTestSpecification CreateNullTest(int outstanding, double seconds = 0.2) =>
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

    private static FleetMemberRequest CreateRequest(params IoTestSpecification[] tests) =>
        new()
        {
            Tests = tests,
            Group = "g",
            Member = "sql1",
        };

    [Fact]
    public async Task Member_waits_for_its_start_time_and_reports_each_state()
    {
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(CreateRequest(CreateNullTest(1), CreateNullTest(2)), line.ReadCommand, line.AddLine);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        Assert.Equal(2, line.WaitForMessage(MemberMessageKind.Hello).Count);
        for (var test = 1; test <= 2; test++)
        {
            var ready = line.WaitForMessage(MemberMessageKind.Ready);
            Assert.Equal((test, "sql1", "g"), (ready.Test!.Value, ready.Member, ready.Group));
            line.SendCommand(new ControllerCommand { Order = ControllerCommandKind.Clock, Number = 7 });
            var clock = line.WaitForMessage(MemberMessageKind.Clock);
            Assert.Equal(7, clock.Number);
            line.SendCommand(
                new ControllerCommand
                {
                    Order = ControllerCommandKind.Go,
                    Test = test,
                    At = clock.Clock + 300_000_000,
                    Hosts = ["sql1", "sql2"],
                }
            );
            var result = JsonResultSerializer.DeserializeResult(line.WaitForMessage(MemberMessageKind.Done).Result!.Value);
            Assert.Equal(
                (IoResultStatus.Complete, $"g/{test}", "sql1", 2),
                (result.Status, result.GroupId, result.Member, result.GroupHosts)
            );
            Assert.Equal(["sql1", "sql2"], result.GroupMembers);
            // A member never starts before its start time. The delay after that depends on the computer.
            Assert.True(result.StartOffsetSeconds >= 0);
            Assert.Equal(test, result.OutstandingIO);
        }
        Assert.Equal(2, line.WaitForMessage(MemberMessageKind.End).Count);
        Assert.True(await run);
    }

    [Fact]
    public async Task Member_ends_when_its_connection_is_closed()
    {
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(CreateRequest(CreateNullTest(1), CreateNullTest(1, 3600)), line.ReadCommand, line.AddLine);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        line.WaitForMessage(MemberMessageKind.Done);
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        line.WaitForMessage(MemberMessageKind.Running);
        line.CloseInput();
        Assert.Equal(
            IoResultStatus.Cancelled,
            JsonResultSerializer.DeserializeResult(line.WaitForMessage(MemberMessageKind.Done).Result!.Value).Status
        );
        line.WaitForMessage(MemberMessageKind.End);
        Assert.False(await run);
    }

    [Fact]
    public async Task Member_ends_when_its_controller_is_silent()
    {
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateNullTest(1, 3600)) with
            {
                ControllerTimeout = TimeSpan.FromMilliseconds(1),
            },
            line.ReadCommand,
            line.AddLine
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.WaitForMessage(MemberMessageKind.Ready);
        line.WaitForMessage(MemberMessageKind.End);
        Assert.False(await run);
    }

    [Fact]
    public async Task Member_runs_no_test_if_the_connection_closes_while_ready()
    {
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(CreateRequest(CreateNullTest(1, 3600), CreateNullTest(2)), line.ReadCommand, line.AddLine);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.WaitForMessage(MemberMessageKind.Ready);
        line.CloseInput();
        Assert.False(await run);
        var said = line.TakeRemaining();
        // Each test is listed exactly once, as a result without values or as a failure.
        Assert.Equal(
            [1, 2],
            said.Where(message => message.State is MemberMessageKind.Done or MemberMessageKind.Failed)
                .Select(message => message.Test!.Value)
                .Order()
        );
        Assert.DoesNotContain(said, message => message.State == MemberMessageKind.Running);
    }

    [Fact]
    public async Task Skipped_test_is_a_failure_and_the_next_test_runs()
    {
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(CreateRequest(CreateNullTest(1), CreateNullTest(2)), line.ReadCommand, line.AddLine);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.SendCommand(
            new ControllerCommand
            {
                Order = ControllerCommandKind.Skip,
                Test = line.WaitForMessage(MemberMessageKind.Ready).Test,
                Text = "too few hosts.",
            }
        );
        var failed = line.WaitForMessage(MemberMessageKind.Failed);
        Assert.Equal((1, FleetErrorIds.Skipped, "too few hosts."), (failed.Test!.Value, failed.ErrorId, failed.Text));
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        Assert.Equal(2, line.WaitForMessage(MemberMessageKind.Done).Test);
        Assert.False(await run);
    }

    [LinuxFact]
    public async Task Test_left_out_because_of_a_refused_file_is_reported_before_the_next_test_is_ready()
    {
        using var folder = new TemporaryFleetFolder();
        var file = folder.GetPath("t.dat");
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(file)],
            FileSize = 1 << 20,
            WritePercent = 100,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = TimeSpan.FromSeconds(0.2),
            WarmUp = TimeSpan.Zero,
            Buffering = IoBuffering.Both,
        };
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateNullTest(1), test, test.Clone(), CreateNullTest(2)),
            line.ReadCommand,
            line.AddLine
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        var ready = line.WaitForMessage(MemberMessageKind.Ready);
        // Another file has the path of the approved test file.
        File.Delete(file);
        File.WriteAllText(file, new string('x', 1 << 20));
        line.StartTest(ready);
        Assert.Equal(2, line.WaitForMessage(MemberMessageKind.Failed).Test);
        var leftOut = line.WaitForMessage(MemberMessageKind.Failed);
        Assert.Equal((3, FleetErrorIds.NotRun), (leftOut.Test, leftOut.ErrorId));
        ready = line.WaitForMessage(MemberMessageKind.Ready);
        Assert.Equal(4, ready.Test);
        line.StartTest(ready);
        line.WaitForMessage(MemberMessageKind.End);
        Assert.False(await run);
    }

    [Fact]
    public void Member_with_a_start_time_needs_no_controller()
    {
        using var line = new InProcessMemberConnection();
        var request = CreateRequest(CreateNullTest(1)) with { StartAt = DateTimeOffset.Now.AddSeconds(2), Hosts = 3 };
        using var member = new FleetMemberRunner(request, null, line.AddLine);
        Assert.True(member.Run(CancellationToken.None));
        var result = JsonResultSerializer.DeserializeResult(line.WaitForMessage(MemberMessageKind.Done).Result!.Value);
        Assert.Equal((3, IoResultStatus.Complete), (result.GroupHosts, result.Status));
        Assert.True(result.StartTime >= request.StartAt!.Value.AddMilliseconds(-20), $"{result.StartTime:O} {request.StartAt:O}");
    }

    [Fact]
    public void Member_that_is_ready_too_late_reports_a_missed_start()
    {
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateNullTest(1)) with
            {
                StartAt = DateTimeOffset.Now.AddSeconds(-5),
            },
            null,
            line.AddLine
        );
        Assert.False(member.Run(CancellationToken.None));
        Assert.Equal(FleetErrorIds.StartMissed, line.WaitForMessage(MemberMessageKind.Failed).ErrorId);
    }

    [Fact]
    public void Start_times_reserve_time_for_each_test()
    {
        var request = CreateRequest(CreateNullTest(1, 30), CreateNullTest(2, 60), CreateNullTest(3, 5)) with
        {
            StartAt = new DateTimeOffset(2026, 12, 1, 2, 0, 0, TimeSpan.Zero),
        };
        request.Tests[2].RestBefore = TimeSpan.FromSeconds(20);
        Assert.Equal(
            [0, 40, 130],
            Enumerable.Range(0, 3).Select(test => (request.GetStartTime(test) - request.StartAt!.Value).TotalSeconds)
        );
        Assert.Equal(135 + 120, (request.HardEnd - request.StartAt!.Value).TotalSeconds);
    }

    [Fact]
    public async Task Refused_file_fails_its_tests_and_the_others_run()
    {
        using var folder = new TemporarySuiteFolder();
        var refused = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(folder.WriteOtherFile("others.dat"))],
            WritePercent = 100,
            Duration = TimeSpan.FromSeconds(1),
        };
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(CreateRequest(refused, CreateNullTest(1)), line.ReadCommand, line.AddLine);
        var run = Task.Run(() => member.Run(CancellationToken.None));
        var failed = line.WaitForMessage(MemberMessageKind.Failed);
        Assert.Equal((1, "IoBench.ForeignFile"), (failed.Test!.Value, failed.ErrorId));
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        Assert.Equal(2, line.WaitForMessage(MemberMessageKind.Done).Test);
        Assert.False(await run);
    }

    private static IoTestSpecification CreateFileTest(string path, double seconds = 0.2) =>
        new()
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = 1 << 20,
            WritePercent = 100,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.Zero,
            Buffering = IoBuffering.Both,
        };

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Suite_on_a_host_removes_or_keeps_its_own_files(bool removes)
    {
        using var folder = new TemporarySuiteFolder();
        var others = folder.WriteOtherFile("others.dat");
        var file = Path.Combine(Path.GetDirectoryName(others)!, "own.dat");
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateFileTest(file), CreateFileTest(others)) with
            {
                IsSuite = true,
                Settings = new SuiteSettings { RemoveTestFile = removes },
            },
            line.ReadCommand,
            line.AddLine
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        var failed = line.WaitForMessage(MemberMessageKind.Failed);
        Assert.Equal((2, "IoBench.ForeignFile", IoErrorKind.Refused), (failed.Test!.Value, failed.ErrorId, failed.ErrorKind));
        Assert.Contains(OptionNames.OverwriteFile.Name, failed.GetError().Advice!.Options);
        line.SendCommand(
            new ControllerCommand { Order = ControllerCommandKind.Go, Test = line.WaitForMessage(MemberMessageKind.Ready).Test }
        );
        line.WaitForMessage(MemberMessageKind.Done);
        if (removes)
            Assert.Equal($"removed {file}", line.WaitForMessage(MemberMessageKind.Log).Text);
        else
            Assert.StartsWith(
                $"{file} (1 MB) is kept for the next run.",
                line.WaitForMessage(MemberMessageKind.Note).GetText()!.ToString(),
                StringComparison.Ordinal
            );
        line.WaitForMessage(MemberMessageKind.End);
        Assert.False(await run);
        Assert.Equal((!removes, true), (File.Exists(file), File.Exists(others)));
    }

    [Fact]
    public async Task Suite_on_a_host_removes_its_file_after_a_stop()
    {
        using var folder = new TemporarySuiteFolder();
        var file = Path.Combine(Path.GetDirectoryName(folder.WriteOtherFile("others.dat"))!, "own.dat");
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateFileTest(file, 3600)) with
            {
                IsSuite = true,
                Settings = new SuiteSettings { RemoveTestFile = true },
            },
            line.ReadCommand,
            line.AddLine
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        line.WaitForMessage(MemberMessageKind.Running);
        Assert.True(File.Exists(file));
        line.SendCommand(new ControllerCommand { Order = ControllerCommandKind.Stop });
        line.WaitForMessage(MemberMessageKind.End);
        Assert.False(await run);
        Assert.False(File.Exists(file));
    }

    [Theory]
    [InlineData(true, ErrorIds.TestFailed, "the pipe is gone")]
    [InlineData(false, FleetErrorIds.Unexpected, "InvalidOperationException: no state. This is a bug in IoBench. Please report it.")]
    public async Task Unexpected_exception_is_reported_and_the_files_are_removed(bool isAccess, string id, string text)
    {
        using var folder = new TemporarySuiteFolder();
        var file = Path.Combine(Path.GetDirectoryName(folder.WriteOtherFile("others.dat"))!, "own.dat");
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateFileTest(file)) with
            {
                IsSuite = true,
                Settings = new SuiteSettings { RemoveTestFile = true },
            },
            line.ReadCommand,
            text =>
            {
                if (text.Contains("\"state\":\"Done\"", StringComparison.Ordinal))
                    throw isAccess ? new UnauthorizedAccessException("the pipe is gone") : new InvalidOperationException("no state");
                line.AddLine(text);
            }
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        var failed = line.WaitForMessage(MemberMessageKind.Failed);
        Assert.Equal((null, id, text), (failed.Test, failed.ErrorId, failed.Text));
        line.WaitForMessage(MemberMessageKind.End);
        Assert.False(await run);
        Assert.False(File.Exists(file));
    }

    [Fact]
    public async Task Suite_on_a_host_uses_only_the_file_that_the_user_permitted()
    {
        using var folder = new TemporarySuiteFolder();
        var others = folder.WriteOtherFile("others.dat");
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest(CreateFileTest(others), CreateFileTest(others)) with
            {
                IsSuite = true,
                Settings = new SuiteSettings { Permissions = new TargetPermissions { OverwriteFiles = ["others.dat"] } },
            },
            line.ReadCommand,
            line.AddLine
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        line.WaitForMessage(MemberMessageKind.Done);
        var ready = line.WaitForMessage(MemberMessageKind.Ready);
        line.CloseInput();
        Assert.Equal(2, ready.Test);
        Assert.False(await run);
    }

    [Fact]
    public async Task Suite_on_a_host_continues_an_earlier_run()
    {
        var rounds = Enumerable
            .Range(1, 7)
            .Select(round =>
            {
                var test = CreateNullTest(1);
                (test.SteadyStateRounds, test.Repeat) = (7, round);
                return test;
            })
            .ToArray();
        List<IoTestResult> earlier =
        [
            .. rounds
                .Take(5)
                .Select(test => new IoTestResult
                {
                    Specification = test.Clone(),
                    Repeat = test.Repeat,
                    IOPS = 1000,
                }),
        ];
        using var line = new InProcessMemberConnection();
        using var member = new FleetMemberRunner(
            CreateRequest([.. rounds, CreateNullTest(2)]) with
            {
                IsSuite = true,
                CompletedTests = [1, 2, 3, 4, 5],
                EarlierResults = earlier,
            },
            line.ReadCommand,
            line.AddLine
        );
        var run = Task.Run(() => member.Run(CancellationToken.None));
        // The first five rounds are steady, so the last two are not needed.
        Assert.Equal(6, line.WaitForMessage(MemberMessageKind.Unneeded).Test);
        Assert.Equal(7, line.WaitForMessage(MemberMessageKind.Unneeded).Test);
        line.StartTest(line.WaitForMessage(MemberMessageKind.Ready));
        Assert.Equal(8, line.WaitForMessage(MemberMessageKind.Done).Test);
        line.WaitForMessage(MemberMessageKind.End);
        Assert.True(await run);
    }

    [Fact]
    public void Lines_that_are_not_messages_are_ignored()
    {
        Assert.Null(FleetMessageSerializer.ParseMessage("Welcome to sql1!"));
        Assert.Null(FleetMessageSerializer.ParseMessage("""{"state":"Done","test":1,"resu"""));
        Assert.Null(FleetMessageSerializer.ParseCommand(""));
        var order = new ControllerCommand
        {
            Order = ControllerCommandKind.Go,
            Test = 3,
            At = 12,
            Hosts = ["a", "b"],
        };
        Assert.Equal(
            FleetMessageSerializer.Serialize(order),
            FleetMessageSerializer.Serialize(FleetMessageSerializer.ParseCommand(FleetMessageSerializer.Serialize(order))!)
        );
    }

    [Fact]
    public void Plan_is_written_as_one_line_and_read_back()
    {
        IoTestSpecification[] tests = [CreateNullTest(1), CreateNullTest(4)];
        var line = JsonResultSerializer.SerializePlan(tests);
        Assert.DoesNotContain('\n', line);
        Assert.Equal(tests.Select(ResumePlan.GetTestKey), JsonResultSerializer.DeserializePlan(line, "line").Select(ResumePlan.GetTestKey));
        Assert.Equal(
            ErrorIds.InvalidJson,
            Assert.Throws<IoBenchException>(() => JsonResultSerializer.DeserializePlan("[]", "plan.json")).ErrorId
        );
        Assert.Equal(
            ErrorIds.InvalidJson,
            Assert.Throws<IoBenchException>(() => JsonResultSerializer.DeserializePlan("[1", "plan.json")).ErrorId
        );
    }

    [Theory]
    [InlineData("02:00", "2026-11-23T02:00:00+01:00")]
    [InlineData("23:30:15", "2026-11-22T23:30:15+01:00")]
    [InlineData("+90s", "2026-11-22T22:01:30+01:00")]
    [InlineData("2026-12-01T02:00:00Z", "2026-12-01T02:00:00Z")]
    public void Start_time_is_parsed_in_usual_notations(string text, string expected) =>
        Assert.Equal(
            DateTimeOffset.Parse(expected, System.Globalization.CultureInfo.InvariantCulture),
            FleetMemberRequest.ParseStartTime(text, new DateTimeOffset(2026, 11, 22, 22, 0, 0, TimeSpan.FromHours(1)))
        );

    [Theory]
    [InlineData("soon")]
    [InlineData("2020-01-01T00:00:00Z")]
    [InlineData("+x")]
    public void Invalid_start_time_throws(string text) =>
        Assert.Throws<IoBenchException>(() => FleetMemberRequest.ParseStartTime(text, DateTimeOffset.Now));
}
