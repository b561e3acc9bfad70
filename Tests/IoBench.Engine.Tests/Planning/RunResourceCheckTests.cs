namespace IoBench.Engine.Tests;

public class RunResourceCheckTests
{
    [Fact]
    public void Run_is_refused_when_memory_is_insufficient()
    {
        using var file = new TemporaryTestFile(64 << 20);
        var error = Assert.Throws<IoBenchException>(() =>
            TemporaryTestFile.Run(
                file.CreateSpecification(s =>
                    (s.ThreadCount, s.OutstandingIO, s.BlockSize, s.Backend) = (256, 256, 64 << 20, NullBackend.Name)
                )
            )
        );
        Assert.Equal("IoBench.NotEnoughMemory", error.ErrorId);
        Assert.Contains("256 threads, 65536 outstanding", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void File_is_not_created_when_memory_is_insufficient()
    {
        var path = Path.Combine(Path.GetTempPath(), $"iobench-{Guid.NewGuid():N}.dat");
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = 256 << 20,
            ThreadCount = 256,
            OutstandingIO = 256,
            BlockSize = 64 << 20,
        };
        Assert.Equal("IoBench.NotEnoughMemory", Assert.Throws<IoBenchException>(() => TestRun.Run(specification)).ErrorId);
        Assert.False(File.Exists(path));
    }

    [AioLimitFact]
    public void Run_is_refused_above_the_system_limit_of_asynchronous_IO()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var error = Assert.Throws<IoBenchException>(() =>
            TemporaryTestFile.Run(
                file.CreateSpecification(s =>
                    (s.Backend, s.SharedThreadPool, s.PoolOutstandingIO, s.ThreadCount, s.BlockSize) = (
                        LinuxAioBackend.Name,
                        true,
                        (int)LinuxResourceLimits.GetFreeAioRequests()!.Value + 1,
                        1,
                        512
                    )
                )
            )
        );
        Assert.Equal("IoBench.AioLimit", error.ErrorId);
        Assert.Contains("fs.aio-max-nr", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_completes_with_256_threads_of_64_outstanding_IOs()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var result = TemporaryTestFile.Run(file.CreateSpecification(s => (s.ThreadCount, s.OutstandingIO, s.BlockSize) = (256, 64, 512)));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(256 * 64, result.TotalOutstanding);
        Assert.True(result.IOCount > 0);
    }

    [Fact]
    public void Run_completes_with_100000_outstanding_IOs()
    {
        // The modeled device does not access the buffers, so the operating system allocates no memory for them.
        var result = TestRun.Run(
            new IoTestSpecification
            {
                Targets = [new IoTargetSpecification("modelled")],
                Backend = NullBackend.Name,
                NullDevice = new NullDeviceModel(0, 50),
                ThreadCount = 25,
                OutstandingIO = 4000,
                BlockSize = 512,
                WarmUp = TimeSpan.Zero,
                Duration = TimeSpan.FromSeconds(1),
            }
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(100_000, result.TotalOutstanding);
        Assert.True(result.IOCount >= 100_000);
    }

    [Fact]
    public void Timeline_of_a_day_is_bounded_and_counts_every_IO()
    {
        var result = OfVirtualTime(TimeSpan.FromDays(1), _ => { });
        Assert.Equal(86_400 / 9, result.Timeline.Count);
        Assert.Equal(9, result.Timeline[0].Seconds, 6);
        Assert.Equal(86_400, result.Timeline[^1].Seconds, 6);
        Assert.Equal(result.IOCount!.Value, result.Timeline.Sum(point => point.IOPS!.Value * 9), 0.5);
        Assert.Equal(100, OfVirtualTime(TimeSpan.FromSeconds(100), _ => { }).Timeline.Count);
        // One hour in intervals of 100 ms would have 36,000 points.
        Assert.Equal(9000, OfVirtualTime(TimeSpan.FromHours(1), s => s.TimelineInterval = TimeSpan.FromMilliseconds(100)).Timeline.Count);

        static IoTestResult OfVirtualTime(TimeSpan duration, Action<IoTestSpecification> change)
        {
            var specification = new IoTestSpecification
            {
                Targets = [new IoTargetSpecification("modelled")],
                Backend = NullBackend.Name,
                NullDevice = new NullDeviceModel(1, 10),
                ThreadCount = 1,
                OutstandingIO = 1,
                WarmUp = TimeSpan.Zero,
                Duration = duration,
            };
            change(specification);
            return ModeledRun.RunToEnd(specification);
        }
    }

    [HighLimitsTheory]
    [InlineData(1, 4096, 8192, 1)]
    [InlineData(1, 1, 64 << 20, 1)]
    [InlineData(1, 2, 512, 1024)]
    [InlineData(1024, 2, 512, 1)]
    public void Run_completes_at_each_single_limit(int threads, int outstanding, int block, int targets)
    {
        using var file = new TemporaryTestFile(block <= 8192 ? 4 << 20 : 128 << 20);
        var specification = file.CreateSpecification(s => (s.ThreadCount, s.OutstandingIO, s.BlockSize) = (threads, outstanding, block));
        for (var i = 1; i < targets; i++)
            specification.Targets.Add(new IoTargetSpecification(file.Path));
        var result = TemporaryTestFile.Run(specification);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(threads * outstanding * targets, result.TotalOutstanding);
        Assert.Equal(result.IOCount * block, result.ByteCount);
        Assert.True(result.IOCount > 0);
    }

    private sealed class HighLimitsTheoryAttribute : TheoryAttribute
    {
        public HighLimitsTheoryAttribute() =>
            Skip =
                OperatingSystem.IsLinux() && (LinuxResourceLimits.GetMaxOpenFiles() < 4000 || LinuxResourceLimits.GetMaxThreads() < 3000)
                    ? "needs limits of at least 4,000 open files and 3,000 threads"
                    : null;
    }
}
