using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class PlanRequestTests
{
    private static PlanRequest ReadRequest(params string[] args)
    {
        var options = new CommandOptionSet(OptionTables.Run, CommandOptionSet.PathDescription);
        var command = new Command("run");
        options.AddTo(command);
        var parsed = command.Parse(args);
        Assert.Empty(parsed.Errors);
        return options.ReadRequest(parsed);
    }

    private static IEnumerable<T> GetValues<T>(PlanRequest request, string option) =>
        request.Settings.Find(setting => setting.Row.Name == option).Values?.Cast<T>() ?? [];

    [InProcessFact]
    public void Omitted_options_stay_unset()
    {
        var request = ReadRequest("t.dat");
        Assert.Equal(["t.dat"], request.Paths);
        Assert.Empty(GetValues<long>(request, "FileSize"));
        Assert.Empty(GetValues<int>(request, "ThreadCount"));
        Assert.Null(request.GetValue<TimeSpan>(new("Duration")));
        Assert.Null(request.GetValue<IoBuffering>(new("Buffering")));
        Assert.Null(request.GetValue<ulong>(new("Seed")));
        Assert.Equal(1, request.Repeat);
        Assert.Null(request.PathMode);
    }

    [InProcessTheory]
    [InlineData("--file-size")]
    [InlineData("--size")]
    public void File_sizes_are_parsed(string option) =>
        Assert.Equal([256L << 20, 20L << 30], GetValues<long>(ReadRequest("t.dat", option, "256MB,20GB"), "FileSize"));

    [InProcessTheory]
    [InlineData("--block-size")]
    [InlineData("--block")]
    [InlineData("-b")]
    public void Block_sizes_are_parsed(string option) =>
        Assert.Equal([8192, 65536], GetValues<long>(ReadRequest("t.dat", option, "8192", option, "64K"), "BlockSize"));

    [InProcessTheory]
    [InlineData("--outstanding-io")]
    [InlineData("--outstanding")]
    [InlineData("--qd")]
    [InlineData("-o")]
    public void Outstanding_IOs_are_parsed(string option) =>
        Assert.Equal([1, 2, 4], GetValues<int>(ReadRequest("t.dat", option, "1, 2,4"), "OutstandingIO"));

    [InProcessTheory]
    [InlineData("--thread-count")]
    [InlineData("--threads")]
    [InlineData("-t")]
    public void Thread_counts_are_parsed(string option) =>
        Assert.Equal([1, Math.Min(Environment.ProcessorCount, 256)], GetValues<int>(ReadRequest("t.dat", option, "1,auto"), "ThreadCount"));

    [InProcessTheory]
    [InlineData("--write-percent")]
    [InlineData("--write")]
    public void Write_percentages_are_parsed(string option) =>
        Assert.Equal([0, 30], GetValues<int>(ReadRequest("t.dat", option, "0,30%"), "WritePercent"));

    [InProcessTheory]
    [InlineData("--access-pattern")]
    [InlineData("--pattern")]
    public void Access_patterns_are_parsed(string option) =>
        Assert.Equal(
            [IoAccessPattern.Random, IoAccessPattern.PartRandom],
            GetValues<IoAccessPattern>(ReadRequest("t.dat", option, "RANDOM,part-random"), "AccessPattern")
        );

    [InProcessTheory]
    [InlineData("--warm-up")]
    [InlineData("--warmup")]
    public void Durations_are_parsed(string option)
    {
        var request = ReadRequest("t.dat", option, "90s", "--duration", "5m", "--idle", "00:01:00", "--cool-down", "250ms");
        Assert.Equal(
            (90, 300, 60, 0.25),
            (
                request.GetValue<TimeSpan>(new("WarmUp"))!.Value.TotalSeconds,
                request.GetValue<TimeSpan>(new("Duration"))!.Value.TotalSeconds,
                request.Idle!.Value.TotalSeconds,
                request.GetValue<TimeSpan>(new("CoolDown"))!.Value.TotalSeconds
            )
        );
    }

    [InProcessFact]
    public void Advanced_options_are_parsed()
    {
        var request = ReadRequest(
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
        Assert.Equal(IoBuffering.Hardware, request.GetValue<IoBuffering>(new("Buffering")));
        Assert.Equal(IoPathMode.Both, request.PathMode);
        Assert.Equal(200.5, request.GetValue<double>(new("TargetIops")));
        Assert.Equal(
            (30, 65536, 8, 10, 4),
            (
                request.GetValue<int>(new("RandomPercent"))!.Value,
                (int)request.GetValue<long>(new("Stride"))!.Value,
                request.GetValue<int>(new("BurstSize"))!.Value,
                (int)request.GetValue<TimeSpan>(new("ThinkTime"))!.Value.TotalMilliseconds,
                request.GetValue<int>(new("FlushEvery"))!.Value
            )
        );
        Assert.Equal("IoUring", Assert.Single(request.Settings, setting => setting.Row.Name == "Backend").Values[0]);
        Assert.Equal(ulong.MaxValue, request.GetValue<ulong>(new("Seed")));
        Assert.Equal(4L << 30, request.GetValue<long>(new("StorageCacheSize")));
        Assert.Equal(50, request.GetValue<double>(new("StopAboveMs")));
        Assert.True(request.Shuffle);
        Assert.Equal(3, request.Repeat);
        Assert.Equal(["x", "y"], request.Labels);
        Assert.Equal(
            new WriteContentChoice(IoWriteContentKind.Zero, null),
            request.Settings.Single(x => x.Row.Name == "WriteContent").Values[0]
        );
        Assert.Equal(200e6, ReadRequest("a", "--max-rate", "200 MB/s").GetValue<IoRate>(OptionNames.MaxRate)!.Value.BytesPerSecond);
    }

    [InProcessFact]
    public void Affinity_is_parsed()
    {
        static AffinityChoice Of(string text) => (AffinityChoice)ReadRequest("a", "--affinity", text).Settings.Single().Values[0];
        Assert.Equal([0, 2, 4], Of("0,2,4").Processors);
        Assert.Equal([0, 1, 2, 3, 8], Of("0-3,8").Processors);
        Assert.Equal(IoAffinityMode.RoundRobin, Of("round-robin").Mode);
    }

    [InProcessFact]
    public void Path_after_two_dashes_can_look_like_an_option() => Assert.Equal(["--odd.dat"], ReadRequest("--", "--odd.dat").Paths);
}
