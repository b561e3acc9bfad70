namespace IoBench.Engine.Tests;

public class TestRunTests
{
    public static TheoryData<string> GetBackends()
    {
        var data = new TheoryData<string> { ThreadsBackend.Name, NullBackend.Name };
        if (IoUringBackend.GetUnavailableReason() is null)
            data.Add(IoUringBackend.Name);
        if (LinuxAioBackend.GetUnavailableReason() is null)
            data.Add(LinuxAioBackend.Name);
        return data;
    }

    [Theory]
    [MemberData(nameof(GetBackends))]
    public void Mixed_run_fills_the_result(string backend)
    {
        using var file = new TemporaryTestFile(4 << 20);
        var result = TemporaryTestFile.Run(
            file.CreateSpecification(s =>
            {
                s.Backend = backend;
                s.WritePercent = 50;
                s.FileSize = 4 << 20;
                s.TimelineInterval = TimeSpan.FromMilliseconds(50);
            })
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(backend.ToString(), result.Backend);
        Assert.Equal("8KB random 50% write", result.IOPattern);
        Assert.Equal(0.2, result.DurationSeconds);
        Assert.Equal(2, result.ThreadCount);
        Assert.Equal(8, result.TotalOutstanding);
        Assert.Equal(4, result.FileSizeMB);
        Assert.True(result.IOCount > 0);
        Assert.Equal(result.IOCount * 8192, result.ByteCount);
        Assert.Equal(result.IOCount!.Value / 0.2, result.IOPS!.Value, 6);
        Assert.Equal(result.IOPS.Value, result.ReadIOPS!.Value + result.WriteIOPS!.Value, 3);
        Assert.Equal(result.IOPS.Value / 128, result.BandwidthMBps!.Value, 6);
        Assert.InRange(result.AverageLatencyMs!.Value, result.MinLatencyMs!.Value, result.MaxLatencyMs!.Value);
        Assert.Equal(result.IOCount, result.Histogram!.Buckets.Sum(b => b.ReadCount + b.WriteCount));
        Assert.Equal(100, result.Histogram.Buckets.Sum(b => b.Percent), 6);
        Assert.Equal(4, result.Timeline.Count);
        Assert.Equal(result.IOCount.Value, result.Timeline.Sum(t => t.IOPS!.Value * 0.05), 0.5);
        Assert.Equal(result.IOCount, result.Targets.Sum(t => t.Total.IOCount));
        Assert.Equal(2, result.Threads.Count);
        Assert.Equal(result.IOCount, result.Threads.Sum(t => t.Total.IOCount));
        Assert.NotNull(result.IopsStdDev);
        Assert.NotNull(result.CpuUsPerIO);
        Assert.NotNull(result.GcCount);
        Assert.Null(result.ErrorId);
        Assert.Equal(8 / result.IOPS.Value * 1000, result.LittlesLawLatencyMs!.Value, 9);
    }

    [Theory]
    [MemberData(nameof(GetBackends))]
    public void Reads_never_change_the_file(string backend)
    {
        using var file = new TemporaryTestFile(1 << 20);
        var before = File.GetLastWriteTimeUtc(file.Path);
        TemporaryTestFile.Run(file.CreateSpecification(s => s.Backend = backend));
        Assert.Equal(file.Original, File.ReadAllBytes(file.Path));
        Assert.Equal(before, File.GetLastWriteTimeUtc(file.Path));
    }

    [Fact]
    public void Canceled_run_ends_soon_and_keeps_its_results()
    {
        using var file = new TemporaryTestFile(1 << 20);
        using var run = new TestRun(file.CreateSpecification(s => s.Duration = TimeSpan.FromHours(1)));
        run.Start();
        while (run.GetProgress().Phase != RunPhase.Measuring || run.GetProgress().CurrentIops == 0)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(1)));
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromSeconds(30)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.True(result.IOCount > 0);
        Assert.InRange(result.DurationSeconds!.Value, 0.0001, 60);
        Assert.Equal(RunPhase.Done, run.GetProgress().Phase);
    }

    [Fact]
    public void Run_canceled_before_measuring_has_no_results()
    {
        using var file = new TemporaryTestFile(1 << 20);
        using var run = new TestRun(file.CreateSpecification(s => s.RestBefore = TimeSpan.FromHours(1)));
        run.Start();
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromSeconds(30)));
        Assert.Equal(IoResultStatus.Cancelled, run.GetResult().Status);
        Assert.Null(run.GetResult().IOPS);
        Assert.Null(run.GetResult().DurationSeconds);
    }

    [Fact]
    public void Each_target_has_its_own_totals()
    {
        using var a = new TemporaryTestFile(1 << 20);
        using var b = new TemporaryTestFile(1 << 20);
        var specification = a.CreateSpecification();
        specification.Targets.Add(
            new IoTargetSpecification(b.Path)
            {
                Pattern = new IoPattern
                {
                    ThreadCount = 1,
                    OutstandingIO = 2,
                    BlockSize = 4096,
                    Buffering = IoBuffering.Both,
                },
                Role = "log",
            }
        );
        var result = TemporaryTestFile.Run(specification);
        Assert.Equal(2, result.TargetCount);
        Assert.Equal(3, result.ThreadCount);
        Assert.Equal(10, result.TotalOutstanding);
        Assert.Null(result.BlockSizeKB);
        Assert.Null(result.OutstandingIO);
        Assert.Equal($"{a.Path}; {b.Path}", result.Path);
        Assert.Equal(result.Targets[1].Total.IOCount * 4096, result.Targets[1].Total.ByteCount);
        Assert.Equal("log", result.Targets[1].Role);
        Assert.Equal(result.ByteCount, result.Targets.Sum(t => t.Total.ByteCount));
        Assert.All(result.Targets, t => Assert.NotNull(t.Histogram));
    }

    [Fact]
    public void Run_fails_with_path_and_offset_when_the_file_shrinks()
    {
        using var file = new TemporaryTestFile(4 << 20);
        using var run = new TestRun(file.CreateSpecification(s => s.Duration = TimeSpan.FromMinutes(5)));
        run.Start();
        while (run.GetProgress().Phase != RunPhase.Measuring)
            run.Wait(TimeSpan.FromMilliseconds(1));
        using (var stream = new FileStream(file.Path, FileMode.Open, FileAccess.Write))
            stream.SetLength(8192);
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Equal("IoBench.IoFailed", result.ErrorId);
        Assert.Contains(file.Path, result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("offset", result.ErrorMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, false, "was removed during the test")]
    [InlineData(100, false, "was removed during the test")]
    [InlineData(0, true, "was replaced by another file during the test")]
    public void Run_fails_with_its_results_when_the_file_is_removed_or_replaced(int writePercent, bool replace, string text)
    {
        using var file = new TemporaryTestFile(4 << 20);
        var (inMidRun, result) = TestTimeouts.RetryUntil(
            seen => seen.InMidRun && seen.Result.IOCount > 0,
            () =>
            {
                File.WriteAllBytes(file.Path, file.Original);
                using var run = new TestRun(
                    file.CreateSpecification(s => (s.WritePercent, s.Duration) = (writePercent, TimeSpan.FromSeconds(1))),
                    AllPermissions.For(file.Path)
                );
                run.Start();
                while (run.GetProgress().Phase < RunPhase.Measuring)
                    run.Wait(TimeSpan.FromMilliseconds(1));
                if (replace)
                    File.Move(file.Path, file.Path + ".old", overwrite: true);
                else
                    File.Delete(file.Path);
                if (replace)
                    File.WriteAllText(file.Path, "somebody else's");
                var inMidRun = run.GetProgress().Phase == RunPhase.Measuring;
                Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
                return (InMidRun: inMidRun, Result: run.GetResult());
            }
        );
        Assert.True(inMidRun);
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Equal("IoBench.FileGone", result.ErrorId);
        Assert.StartsWith($"{file.Path} {text}", result.ErrorMessage, StringComparison.Ordinal);
        Assert.True(result.IOCount > 0);
        Assert.Equal(replace ? "somebody else's" : null, File.Exists(file.Path) ? File.ReadAllText(file.Path) : null);
    }

    [Fact]
    public void Run_is_refused_when_the_requested_backend_is_not_available()
    {
        using var file = new TemporaryTestFile(1 << 20);
        var missing = OperatingSystem.IsWindows() ? IoUringBackend.Name : OverlappedBackend.Name;
        var error = Assert.Throws<IoBenchException>(() => TemporaryTestFile.Run(file.CreateSpecification(s => s.Backend = missing)));
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
    }

    [Fact]
    public void Run_is_refused_when_the_folder_is_missing()
    {
        var specification = new IoTestSpecification { Targets = [new IoTargetSpecification("/no-such-folder-of-iobench/x.dat")] };
        Assert.Throws<IoBenchException>(() => TestRun.Run(specification));
    }

    [Theory]
    [MemberData(nameof(GetBackends))]
    public void Workers_allocate_nothing_while_they_measure(string backend)
    {
        using var file = new TemporaryTestFile(1 << 20);
        var (count, allocated) = TestTimeouts.RetryUntil(
            seen => seen.Count > 0 && seen.Allocated.All(a => a is not null),
            () =>
            {
                using var run = new TestRun(
                    file.CreateSpecification(s =>
                    {
                        s.Backend = backend;
                        s.WritePercent = 30;
                        s.WarmUp = TimeSpan.FromMilliseconds(100);
                        s.FlushEvery = 50;
                    }),
                    new TestRunOptions
                    {
                        Quiet = true,
                        Permissions = new TargetPermissions { OverwriteFiles = [file.Path] },
                    }
                );
                run.Start();
                Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
                return (Count: run.GetResult().IOCount, Allocated: run.Workers.Select(w => w.AllocatedBytes).ToArray());
            }
        );
        Assert.True(count > 0);
        Assert.All(allocated, bytes => Assert.Equal(0, bytes));
    }
}
