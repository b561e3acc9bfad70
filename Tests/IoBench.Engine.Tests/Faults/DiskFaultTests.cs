namespace IoBench.Engine.Tests;

[Collection("FUSE")]
public class DiskFaultTests
{
    private static IoTestSpecification CreateSpecification(string path, Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            Duration = TimeSpan.FromSeconds(20),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 2,
            OutstandingIO = 4,
            Buffering = IoBuffering.Both,
        };
        change?.Invoke(specification);
        return specification;
    }

    internal static void HangAllIOs(TestRun run, FaultyDisk disk)
    {
        while (run.GetProgress().CurrentIops == 0)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
        disk.SetRules("hang 1");
        // After about a second without completions, all I/Os hang.
        while (run.GetProgress().CurrentIops > 0)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
    }

    private static string CreateFile(FaultyDisk disk, int bytes = 4 << 20)
    {
        var content = new byte[bytes];
        new Random(3).NextBytes(content);
        File.WriteAllBytes(System.IO.Path.Combine(disk.BackingFolder, "t.dat"), content);
        return disk.GetPath("t.dat");
    }

    private static IoTestResult Run(IoTestSpecification specification) => TestRun.Run(specification, AllPermissions.For(specification));

    [FuseFact]
    public void Read_error_ends_the_run_with_path_offset_and_system_message()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        foreach (var backend in (string[])[IoUringBackend.Name, LinuxAioBackend.Name, ThreadsBackend.Name])
        {
            disk.SetRules("read-error-after 300");
            var result = Run(CreateSpecification(path, s => s.Backend = backend));
            Assert.Equal(IoResultStatus.Failed, result.Status);
            Assert.Equal("IoBench.IoFailed", result.ErrorId);
            Assert.Matches($@"^read of 8192 bytes at offset [\d,]+ of {path} failed: Input/output error \(5\)", result.ErrorMessage);
            Assert.InRange(result.IOCount!.Value, 1, 300);
        }
    }

    [FuseFact]
    public void Run_fails_with_the_path_when_the_disk_becomes_full()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        disk.SetRules("full-after 100");
        var result = Run(CreateSpecification(path, s => s.WritePercent = 100));
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Contains("No space left on device (28)", result.ErrorMessage);
        Assert.Contains(path, result.ErrorMessage);
    }

    [FuseFact]
    public void Full_disk_keeps_the_results_and_leaves_the_file_owned()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("own.dat");
        var specification = CreateSpecification(
            path,
            s =>
            {
                s.WritePercent = 100;
                s.FileSize = 4 << 20;
            }
        );
        TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, default);
        disk.SetRules("full-after 100");
        var result = TestRun.Run(specification);
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Equal("IoBench.IoFailed", result.ErrorId);
        Assert.InRange(result.IOCount!.Value, 1, 100);
        disk.SetRules();
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
    }

    [FuseFact]
    public void Run_fails_when_the_file_is_truncated_during_the_test()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        using var run = new TestRun(CreateSpecification(path), AllPermissions.For(path));
        run.Start();
        while (run.GetProgress().CurrentIops == 0)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
        using (var file = File.OpenWrite(System.IO.Path.Combine(disk.BackingFolder, "t.dat")))
            file.SetLength(8192);
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Contains("was truncated", result.ErrorMessage);
    }

    [FuseFact]
    public void Run_fails_with_the_path_when_access_is_revoked()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        disk.SetRules("denied-after 300");
        var result = Run(CreateSpecification(path));
        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Contains($"of {path} failed: Permission denied (13).", result.ErrorMessage);
        Assert.InRange(result.IOCount!.Value, 1, 300);
    }

    [FuseFact]
    public void Run_is_refused_if_the_file_system_lacks_unbuffered_IO()
    {
        using var disk = new FaultyDisk();
        disk.SetRules("no-direct 1");
        var specification = CreateSpecification(CreateFile(disk), s => s.Buffering = IoBuffering.None);
        var error = Assert.Throws<IoBenchException>(() => Run(specification));
        Assert.Equal("IoBench.NoDirectIo", error.ErrorId);
        Assert.Contains("Buffering Software", error.Message, StringComparison.Ordinal);
        specification.Buffering = IoBuffering.Both;
        specification.Duration = TimeSpan.FromMilliseconds(100);
        Assert.Equal(IoResultStatus.Complete, Run(specification).Status);
    }

    [FuseFact]
    public void Cancel_works_while_the_disk_does_not_respond()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        using (var run = new TestRun(CreateSpecification(path), AllPermissions.For(path)))
        {
            run.Start();
            HangAllIOs(run, disk);
            run.Cancel();
            Assert.True(run.Wait(TimeSpan.FromSeconds(60)), "The result did not come.");
            var result = run.GetResult();
            Assert.Equal(IoResultStatus.Cancelled, result.Status);
            Assert.Contains(result.Warnings, w => w.StartsWith("8 I/Os did not complete", StringComparison.Ordinal));
            disk.SetRules();
        }
    }

    [FuseFact]
    public void Stall_raises_closed_loop_maximum_and_open_loop_percentiles()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        IoTestResult With(Action<IoTestSpecification> change)
        {
            disk.SetRules("read-delay-ms 1");
            using var run = new TestRun(
                CreateSpecification(
                    path,
                    s =>
                    {
                        s.ThreadCount = 1;
                        s.OutstandingIO = 8;
                        s.Duration = TimeSpan.FromSeconds(2.5);
                        change(s);
                    }
                ),
                AllPermissions.For(path)
            );
            run.Start();
            while (run.GetProgress().Phase != RunPhase.Measuring || run.GetProgress().CurrentIops == 0)
                Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
            Thread.Sleep(500);
            disk.SetRules("read-delay-ms 1", "stall-ms 1000");
            Assert.True(run.Wait(TimeSpan.FromSeconds(30)));
            return run.GetResult();
        }

        // If the test gets no CPU for long, it starts the stall too late. Then the attempt is repeated.
        var closed = TestTimeouts.RetryUntil(r => r.MaxLatencyMs >= 950, () => With(_ => { }), attempts: 5);
        Assert.True(closed.MaxLatencyMs >= 950, $"The stall took a second, but the maximum is {closed.MaxLatencyMs} ms.");
        // Only the outstanding I/Os were delayed.
        Assert.InRange(closed.Histogram!.Buckets.Where(b => b.FromMs >= 900).Sum(b => b.ReadCount ?? 0), 1, 8);
        Assert.True(closed.P95Ms < 450, $"A closed loop's 95th percentile hardly sees the stall, but is {closed.P95Ms} ms.");

        // Two fifths of the schedule fell into the stall: those I/Os waited up to a second from their intended start.
        var open = TestTimeouts.RetryUntil(r => r.ResponseP99Ms >= 700, () => With(s => s.TargetIops = 400), attempts: 5);
        Assert.True(
            open.ResponseP99Ms >= 700,
            $"A hundredth of the schedule waited for most of the stall, but the 99th percentile is {open.ResponseP99Ms} ms."
        );
        Assert.True(open.ResponseAverageMs > open.AverageLatencyMs);
    }

    [FuseFact]
    public void Measured_latency_matches_a_plain_read_loop()
    {
        using var disk = new FaultyDisk();
        var path = CreateFile(disk);
        disk.SetRules("read-delay-ms 5");
        // A busy computer can slow one of the two loops more than the other. A wrong measurement would be wrong every time.
        var ratios = new List<(double Average, double Median, double P90, double LittlesLaw)>();
        do
        {
            using var run = new TestRun(
                CreateSpecification(
                    path,
                    s =>
                    {
                        s.ThreadCount = 1;
                        s.OutstandingIO = 1;
                        s.Duration = TimeSpan.FromSeconds(2.5);
                    }
                ),
                AllPermissions.For(path)
            );
            // Both loops run concurrently, so that other load affects both equally.
            run.Start();
            var plain = MeasurePlainReads(path, TimeSpan.FromSeconds(2.5));
            Assert.True(run.Wait(TimeSpan.FromSeconds(30)));
            var ours = run.GetResult();
            plain.Sort();
            Assert.True(ours.MinLatencyMs >= 5, $"No read can take less than 5 ms, but one took {ours.MinLatencyMs} ms.");
            ratios.Add(
                (
                    ours.AverageLatencyMs!.Value / plain.Average(),
                    ours.P50Ms!.Value / plain[plain.Count / 2],
                    ours.P90Ms!.Value / plain[plain.Count * 9 / 10],
                    ours.LittlesLawLatencyMs!.Value / ours.AverageLatencyMs.Value
                )
            );
        } while (ratios.Count < 20 && !IsWithin(ratios[^1]));
        Assert.True(IsWithin(ratios[^1]), string.Join("; ", ratios));

        static bool IsWithin((double Average, double Median, double P90, double LittlesLaw) ratio) =>
            Math.Abs(ratio.Average - 1) <= 0.02
            && Math.Abs(ratio.Median - 1) <= 0.02
            && Math.Abs(ratio.P90 - 1) <= 0.03
            && Math.Abs(ratio.LittlesLaw - 1) <= 0.02;
    }

    private static List<double> MeasurePlainReads(string path, TimeSpan duration)
    {
        using var file = File.OpenHandle(path, options: FileOptions.RandomAccess);
        var buffer = new byte[8192];
        var random = new Random(5);
        var latencies = new List<double>();
        var began = System.Diagnostics.Stopwatch.GetTimestamp();
        while (System.Diagnostics.Stopwatch.GetElapsedTime(began) < duration)
        {
            var start = System.Diagnostics.Stopwatch.GetTimestamp();
            Assert.Equal(buffer.Length, RandomAccess.Read(file, buffer, random.Next(512) * 8192L));
            latencies.Add(System.Diagnostics.Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }
        return latencies;
    }
}
