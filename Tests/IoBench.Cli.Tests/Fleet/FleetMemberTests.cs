using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class FleetMemberTests
{
    private static IoTestSpecification CreateNullDeviceTest(double seconds = 0.2) =>
        new()
        {
            Targets = [new IoTargetSpecification("null")],
            Backend = "Null",
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.Zero,
            NullDevice = new NullDeviceModel(1, 1),
        };

    [Fact]
    public void Member_reads_plan_and_commands_from_standard_input()
    {
        using var process = Cli.StartProcess(
            Environment.CurrentDirectory,
            "run",
            "--specification",
            "-",
            "--start-at",
            "line",
            "--group",
            "g",
            "--member",
            "sql1"
        );
        process.StandardInput.WriteLine(JsonResultSerializer.SerializePlan([CreateNullDeviceTest()]));
        var ready = ReadMessage(process, MemberMessageKind.Ready);
        process.StandardInput.WriteLine(
            FleetMessageSerializer.Serialize(
                new ControllerCommand
                {
                    Order = ControllerCommandKind.Go,
                    Test = 1,
                    At = ready.Clock + 100_000_000,
                    Hosts = ["sql1"],
                }
            )
        );
        var result = JsonResultSerializer.DeserializeResult(ReadMessage(process, MemberMessageKind.Done).Result!.Value);
        Assert.Equal((IoResultStatus.Complete, "g/1", "sql1"), (result.Status, result.GroupId, result.Member));
        ReadMessage(process, MemberMessageKind.End);
        Assert.True(process.WaitForExit(60_000));
        Assert.Equal(0, process.ExitCode);
    }

    [Fact]
    public void Member_ends_when_its_input_is_closed()
    {
        using var process = Cli.StartProcess(
            Environment.CurrentDirectory,
            "run",
            "--specification",
            "-",
            "--start-at",
            "line",
            "--group",
            "g",
            "--member",
            "sql1"
        );
        process.StandardInput.WriteLine(JsonResultSerializer.SerializePlan([CreateNullDeviceTest(3600)]));
        var ready = ReadMessage(process, MemberMessageKind.Ready);
        process.StandardInput.WriteLine(
            FleetMessageSerializer.Serialize(
                new ControllerCommand
                {
                    Order = ControllerCommandKind.Go,
                    Test = 1,
                    At = ready.Clock,
                    Hosts = ["sql1"],
                }
            )
        );
        ReadMessage(process, MemberMessageKind.Running);
        process.StandardInput.Close();
        Assert.Equal(
            IoResultStatus.Cancelled,
            JsonResultSerializer.DeserializeResult(ReadMessage(process, MemberMessageKind.Done).Result!.Value).Status
        );
        Assert.True(process.WaitForExit(60_000));
        Assert.Equal(1, process.ExitCode);
    }

    [Fact]
    public void Member_starts_at_a_given_time_with_a_plan_file()
    {
        using var folder = new TestFolder();
        var plan = folder.WriteFile("plan.json", JsonResultSerializer.SerializePlan([CreateNullDeviceTest()]));
        var run = Cli.Run(
            "run",
            "--specification",
            plan,
            "--start-at",
            "+3s",
            "--group",
            "night",
            "--member",
            "sql2",
            "--group-hosts",
            "40"
        );
        Assert.Equal(0, run.ExitCode);
        var done = run.OutputLines.Select(FleetMessageSerializer.ParseMessage).Single(message => message?.State == MemberMessageKind.Done)!;
        Assert.Equal(
            ("night/1", 40),
            (
                JsonResultSerializer.DeserializeResult(done.Result!.Value).GroupId,
                JsonResultSerializer.DeserializeResult(done.Result!.Value).GroupHosts
            )
        );
    }

    [Fact]
    public void Plan_file_can_be_run_without_a_group()
    {
        using var folder = new TestFolder();
        var plan = folder.WriteFile("plan.json", JsonResultSerializer.SerializePlan([CreateNullDeviceTest(), CreateNullDeviceTest()]));
        var run = Cli.Run("run", "--specification", plan, "--format", "json", "-q");
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(2, run.Output.Split("\"status\": \"Complete\"").Length - 1);
    }

    [Theory]
    [InlineData("--start-at", "line")]
    [InlineData("--group", "g")]
    [InlineData("--specification", "no-such-plan.json")]
    public void Incomplete_member_options_are_a_one_line_error(params string[] args)
    {
        var run = Cli.Run(["run", .. args]);
        Assert.Equal(2, run.ExitCode);
        Assert.Single(run.ErrorLines);
        Assert.StartsWith("iobench: ", run.ErrorLines[0], StringComparison.Ordinal);
    }

    private static MemberMessage ReadMessage(System.Diagnostics.Process process, MemberMessageKind state)
    {
        while (process.StandardOutput.ReadLine() is { } line)
            if (FleetMessageSerializer.ParseMessage(line) is { } message && message.State == state)
                return message;
        throw new InvalidOperationException($"No {state} came: {process.StandardError.ReadToEnd()}");
    }
}
