using System.CommandLine;
using IoBench.Cli.Options;
using IoBench.Engine;

namespace IoBench.Cli.Tests.Options;

public class PlanOptionsTests
{
    private static TestPlanRequest Read(params string[] args)
    {
        var options = new PlanOptions();
        var command = new Command("run");
        options.AddTo(command);
        var parsed = command.Parse(args);
        Assert.Empty(parsed.Errors);
        return options.Read(parsed);
    }

    [Fact]
    public void WhatIsNotSaidIsNotSet()
    {
        var request = Read("t.dat");
        Assert.Equal(["t.dat"], request.Paths);
        Assert.Empty(request.FileSizes);
        Assert.Empty(request.ThreadCounts);
        Assert.Null(request.Duration);
        Assert.Null(request.Buffering);
        Assert.Null(request.Seed);
        Assert.Equal(1, request.Repeat);
        Assert.Equal(IoPathMode.Each, request.PathMode);
    }

    [Theory]
    [InlineData("--file-size")]
    [InlineData("--size")]
    public void Sizes(string option) => Assert.Equal([256L << 20, 20L << 30], Read("t.dat", option, "256MB,20GB").FileSizes);

    [Theory]
    [InlineData("--block-size")]
    [InlineData("--block")]
    [InlineData("-b")]
    public void BlockSizes(string option) => Assert.Equal([8192, 65536], Read("t.dat", option, "8192", option, "64K").BlockSizes);

    [Theory]
    [InlineData("--outstanding-io")]
    [InlineData("--outstanding")]
    [InlineData("--qd")]
    [InlineData("-o")]
    public void Outstanding(string option) => Assert.Equal([1, 2, 4], Read("t.dat", option, "1, 2,4").OutstandingIOs);

    [Theory]
    [InlineData("--thread-count")]
    [InlineData("--threads")]
    [InlineData("-t")]
    public void Threads(string option) => Assert.Equal([1, Math.Min(Environment.ProcessorCount, 256)], Read("t.dat", option, "1,auto").ThreadCounts);

    [Theory]
    [InlineData("--write-percent")]
    [InlineData("--write")]
    public void Writes(string option) => Assert.Equal([0, 30], Read("t.dat", option, "0,30%").WritePercents);

    [Theory]
    [InlineData("--access-pattern")]
    [InlineData("--pattern")]
    public void Patterns(string option)
        => Assert.Equal([IoAccessPattern.Random, IoAccessPattern.PartRandom], Read("t.dat", option, "RANDOM,part-random").AccessPatterns);

    [Theory]
    [InlineData("--warm-up")]
    [InlineData("--warmup")]
    public void Times(string option)
    {
        var request = Read("t.dat", option, "90s", "--duration", "5m", "--idle", "00:01:00", "--cool-down", "250ms");
        Assert.Equal((90, 300, 60, 0.25), (request.WarmUp!.Value.TotalSeconds, request.Duration!.Value.TotalSeconds, request.Idle!.Value.TotalSeconds, request.CoolDown!.Value.TotalSeconds));
    }

    [Fact]
    public void TheSecondPage()
    {
        var request = Read("a", "b", "--workload", "oltp,log-commit", "--buffering", "hardware", "--path-mode", "both", "--target-iops", "200.5",
            "--random-percent", "30", "--stride", "64K", "--burst-size", "8", "--think-time", "10ms", "--flush-every", "4", "--backend", "iouring", "--seed", "18446744073709551615",
            "--storage-cache", "4GB", "--stop-above", "50", "--shuffle", "--repeat", "3", "--label", "x,y", "--write-content", "zero");
        Assert.Equal(["a", "b"], request.Paths);
        Assert.Equal(["oltp", "log-commit"], request.Workloads);
        Assert.Equal(IoBuffering.Hardware, request.Buffering);
        Assert.Equal(IoPathMode.Both, request.PathMode);
        Assert.Equal(200.5, request.TargetIops);
        Assert.Equal((30, 65536, 8, 10, 4), (request.RandomPercent!.Value, (int)request.Stride!.Value, request.BurstSize!.Value, request.ThinkTimeMs!.Value, request.FlushEvery!.Value));
        Assert.Equal(IoBackendKind.IoUring, request.Backend);
        Assert.Equal(ulong.MaxValue, request.Seed);
        Assert.Equal(4L << 30, request.StorageCacheSize);
        Assert.Equal(50, request.StopAboveMs);
        Assert.True(request.Shuffle);
        Assert.Equal(3, request.Repeat);
        Assert.Equal(["x", "y"], request.Labels);
        Assert.Equal(IoWriteContentKind.Zero, request.WriteContent);
        Assert.Equal(200e6, Read("a", "--max-rate", "200 MB/s").MaxRate!.Value.BytesPerSecond);
    }

    [Fact]
    public void Affinity()
    {
        Assert.Equal([0, 2, 4], Read("a", "--affinity", "0,2,4").Processors);
        Assert.Equal(IoAffinityMode.RoundRobin, Read("a", "--affinity", "round-robin").AffinityMode);
    }

    [Fact]
    public void APathMayLookLikeAnythingAfterTwoDashes() => Assert.Equal(["--odd.dat"], Read("--", "--odd.dat").Paths);
}
