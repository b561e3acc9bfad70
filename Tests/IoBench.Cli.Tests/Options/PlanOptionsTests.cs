using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class PlanOptionsTests
{
    private static PlanRequest Read(params string[] args)
    {
        var options = new PlanOptions(OptionTables.Run);
        var command = new Command("run");
        options.AddTo(command);
        var parsed = command.Parse(args);
        Assert.Empty(parsed.Errors);
        return options.Read(parsed);
    }

    private static IEnumerable<T> List<T>(PlanRequest request, string option) =>
        request.Settings.Find(setting => setting.Row.Name == option)?.Values.Cast<T>() ?? [];

    [InProcessFact]
    public void What_is_not_said_is_not_set()
    {
        var request = Read("t.dat");
        Assert.Equal(["t.dat"], request.Paths);
        Assert.Empty(List<long>(request, "FileSize"));
        Assert.Empty(List<int>(request, "ThreadCount"));
        Assert.Null(request.Value<TimeSpan>(new("Duration")));
        Assert.Null(request.Value<IoBuffering>(new("Buffering")));
        Assert.Null(request.Value<ulong>(new("Seed")));
        Assert.Equal(1, request.Repeat);
        Assert.Null(request.PathMode);
    }

    [InProcessTheory]
    [InlineData("--file-size")]
    [InlineData("--size")]
    public void Sizes(string option) => Assert.Equal([256L << 20, 20L << 30], List<long>(Read("t.dat", option, "256MB,20GB"), "FileSize"));

    [InProcessTheory]
    [InlineData("--block-size")]
    [InlineData("--block")]
    [InlineData("-b")]
    public void Block_sizes(string option) =>
        Assert.Equal([8192, 65536], List<long>(Read("t.dat", option, "8192", option, "64K"), "BlockSize"));

    [InProcessTheory]
    [InlineData("--outstanding-io")]
    [InlineData("--outstanding")]
    [InlineData("--qd")]
    [InlineData("-o")]
    public void Outstanding(string option) => Assert.Equal([1, 2, 4], List<int>(Read("t.dat", option, "1, 2,4"), "OutstandingIO"));

    [InProcessTheory]
    [InlineData("--thread-count")]
    [InlineData("--threads")]
    [InlineData("-t")]
    public void Threads(string option) =>
        Assert.Equal([1, Math.Min(Environment.ProcessorCount, 256)], List<int>(Read("t.dat", option, "1,auto"), "ThreadCount"));

    [InProcessTheory]
    [InlineData("--write-percent")]
    [InlineData("--write")]
    public void Writes(string option) => Assert.Equal([0, 30], List<int>(Read("t.dat", option, "0,30%"), "WritePercent"));

    [InProcessTheory]
    [InlineData("--access-pattern")]
    [InlineData("--pattern")]
    public void Patterns(string option) =>
        Assert.Equal(
            [IoAccessPattern.Random, IoAccessPattern.PartRandom],
            List<IoAccessPattern>(Read("t.dat", option, "RANDOM,part-random"), "AccessPattern")
        );

    [InProcessTheory]
    [InlineData("--warm-up")]
    [InlineData("--warmup")]
    public void Times(string option)
    {
        var request = Read("t.dat", option, "90s", "--duration", "5m", "--idle", "00:01:00", "--cool-down", "250ms");
        Assert.Equal(
            (90, 300, 60, 0.25),
            (
                request.Value<TimeSpan>(new("WarmUp"))!.Value.TotalSeconds,
                request.Value<TimeSpan>(new("Duration"))!.Value.TotalSeconds,
                request.Idle!.Value.TotalSeconds,
                request.Value<TimeSpan>(new("CoolDown"))!.Value.TotalSeconds
            )
        );
    }

    [InProcessFact]
    public void The_second_page()
    {
        var request = Read(
            "a",
            "b",
            "--workload",
            "oltp,log-commit",
            "--buffering",
            "hardware",
            "--path-mode",
            "both",
            "--target-iops",
            "200.5",
            "--random-percent",
            "30",
            "--stride",
            "64K",
            "--burst-size",
            "8",
            "--think-time",
            "10ms",
            "--flush-every",
            "4",
            "--backend",
            "iouring",
            "--seed",
            "18446744073709551615",
            "--storage-cache",
            "4GB",
            "--stop-above",
            "50",
            "--shuffle",
            "--repeat",
            "3",
            "--label",
            "x,y",
            "--write-content",
            "zero"
        );
        Assert.Equal(["a", "b"], request.Paths);
        Assert.Equal(["oltp", "log-commit"], request.Workloads);
        Assert.Equal(IoBuffering.Hardware, request.Value<IoBuffering>(new("Buffering")));
        Assert.Equal(IoPathMode.Both, request.PathMode);
        Assert.Equal(200.5, request.Value<double>(new("TargetIops")));
        Assert.Equal(
            (30, 65536, 8, 10, 4),
            (
                request.Value<int>(new("RandomPercent"))!.Value,
                (int)request.Value<long>(new("Stride"))!.Value,
                request.Value<int>(new("BurstSize"))!.Value,
                (int)request.Value<TimeSpan>(new("ThinkTime"))!.Value.TotalMilliseconds,
                request.Value<int>(new("FlushEvery"))!.Value
            )
        );
        Assert.Equal("IoUring", Assert.Single(request.Settings, setting => setting.Row.Name == "Backend").Values[0]);
        Assert.Equal(ulong.MaxValue, request.Value<ulong>(new("Seed")));
        Assert.Equal(4L << 30, request.Value<long>(new("StorageCacheSize")));
        Assert.Equal(50, request.Value<double>(new("StopAboveMs")));
        Assert.True(request.Shuffle);
        Assert.Equal(3, request.Repeat);
        Assert.Equal(["x", "y"], request.Labels);
        Assert.Equal(
            new WriteContentChoice(IoWriteContentKind.Zero, null),
            request.Settings.Single(x => x.Row.Name == "WriteContent").Values[0]
        );
        Assert.Equal(200e6, Read("a", "--max-rate", "200 MB/s").Value<IoRate>(Opt.MaxRate)!.Value.BytesPerSecond);
    }

    [InProcessFact]
    public void Affinity()
    {
        static AffinityChoice Of(string text) => (AffinityChoice)Read("a", "--affinity", text).Settings.Single().Values[0];
        Assert.Equal([0, 2, 4], Of("0,2,4").Processors);
        Assert.Equal([0, 1, 2, 3, 8], Of("0-3,8").Processors);
        Assert.Equal(IoAffinityMode.RoundRobin, Of("round-robin").Mode);
    }

    [InProcessFact]
    public void A_path_may_look_like_anything_after_two_dashes() => Assert.Equal(["--odd.dat"], Read("--", "--odd.dat").Paths);
}
