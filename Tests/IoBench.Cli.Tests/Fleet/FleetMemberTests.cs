using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class FleetMemberTests
{
    private static IoTestSpecification Null(double seconds = 0.2) =>
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
    public void A_member_reads_its_plan_and_its_orders_from_one_line()
    {
        using var process = Cli.Start(
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
        process.StandardInput.WriteLine(JsonResultText.Plan([Null()]));
        var ready = Next(process, FleetState.Ready);
        process.StandardInput.WriteLine(
            FleetLines.Write(
                new FleetOrder
                {
                    Order = FleetOrderKind.Go,
                    Test = 1,
                    At = ready.Clock + 100_000_000,
                    Hosts = ["sql1"],
                }
            )
        );
        var result = JsonResultText.Result(Next(process, FleetState.Done).Result!.Value);
        Assert.Equal((IoResultStatus.Complete, "g/1", "sql1"), (result.Status, result.GroupId, result.Member));
        Next(process, FleetState.End);
        Assert.True(process.WaitForExit(60_000));
        Assert.Equal(0, process.ExitCode);
    }

    [Fact]
    public void A_member_whose_controller_is_gone_ends_by_itself()
    {
        using var process = Cli.Start(
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
        process.StandardInput.WriteLine(JsonResultText.Plan([Null(3600)]));
        var ready = Next(process, FleetState.Ready);
        process.StandardInput.WriteLine(
            FleetLines.Write(
                new FleetOrder
                {
                    Order = FleetOrderKind.Go,
                    Test = 1,
                    At = ready.Clock,
                    Hosts = ["sql1"],
                }
            )
        );
        Next(process, FleetState.Running);
        process.StandardInput.Close();
        Assert.Equal(IoResultStatus.Cancelled, JsonResultText.Result(Next(process, FleetState.Done).Result!.Value).Status);
        Assert.True(process.WaitForExit(60_000));
        Assert.Equal(1, process.ExitCode);
    }

    [Fact]
    public void A_member_can_start_at_a_time_with_a_plan_of_a_file()
    {
        using var folder = new TestFolder();
        var plan = folder.Write("plan.json", JsonResultText.Plan([Null()]));
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
        var done = run.OutputLines.Select(FleetLines.ReadMessage).Single(message => message?.State == FleetState.Done)!;
        Assert.Equal(
            ("night/1", 40),
            (JsonResultText.Result(done.Result!.Value).GroupId, JsonResultText.Result(done.Result!.Value).GroupHosts)
        );
    }

    [Fact]
    public void A_plan_of_a_file_can_be_run_alone()
    {
        using var folder = new TestFolder();
        var plan = folder.Write("plan.json", JsonResultText.Plan([Null(), Null()]));
        var run = Cli.Run("run", "--specification", plan, "--format", "json", "-q");
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(2, run.Output.Split("\"status\": \"Complete\"").Length - 1);
    }

    [Theory]
    [InlineData("--start-at", "line")]
    [InlineData("--group", "g")]
    [InlineData("--specification", "no-such-plan.json")]
    public void What_is_missing_is_said(params string[] args)
    {
        var run = Cli.Run(["run", .. args]);
        Assert.Equal(2, run.ExitCode);
        Assert.Single(run.ErrorLines);
        Assert.StartsWith("iobench: ", run.ErrorLines[0], StringComparison.Ordinal);
    }

    private static FleetMessage Next(System.Diagnostics.Process process, FleetState state)
    {
        while (process.StandardOutput.ReadLine() is { } line)
            if (FleetLines.ReadMessage(line) is { } message && message.State == state)
                return message;
        throw new InvalidOperationException($"No {state} came: {process.StandardError.ReadToEnd()}");
    }
}
