namespace IoBench.Engine.Tests;

[Collection("FUSE")]
public class CorruptingFileSystemTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private static readonly int s_powerCutCount = int.Parse(
        Environment.GetEnvironmentVariable("IOBENCH_CUTS") ?? "2",
        System.Globalization.CultureInfo.InvariantCulture
    );

    private static IoTestSpecification CreateSpecification(string path, Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = 4 << 20,
            Duration = TimeSpan.FromSeconds(1),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 2,
            OutstandingIO = 4,
            WritePercent = 40,
            Buffering = IoBuffering.Both,
            Verify = true,
        };
        change?.Invoke(specification);
        return specification;
    }

    [FuseTheory]
    [
        InlineData("lose 100", IoIntegrityErrorKind.LostWrite),
        InlineData("tear-512 100", IoIntegrityErrorKind.TornWrite),
        InlineData("tear-4096 100", IoIntegrityErrorKind.TornWrite)
    ]
    [
        InlineData("misdirect-write 400", IoIntegrityErrorKind.MisdirectedWrite),
        InlineData("flip-write 100", IoIntegrityErrorKind.BitFlip),
        InlineData("zero-write 100", IoIntegrityErrorKind.Zeros)
    ]
    [
        InlineData("stale 100", IoIntegrityErrorKind.StaleRead),
        InlineData("misdirect-read 100", IoIntegrityErrorKind.MisdirectedRead),
        InlineData("flip-read 100", IoIntegrityErrorKind.BitFlip),
        InlineData("zero-read 100", IoIntegrityErrorKind.Zeros)
    ]
    public void Corruption_by_a_file_system_is_reported_with_its_kind(string rule, IoIntegrityErrorKind kind)
    {
        // One of a few corruptions can be overwritten while a read returns it, and then gets another kind.
        var result = TestTimeouts.RetryUntil(run => run.Integrity!.ErrorsByKind.Exists(c => c.Kind == kind), () => RunWithRule(rule));
        output.WriteLine(IntegrityMessages.Describe(result.Integrity!));
        Assert.Equal(ErrorIds.IntegrityErrors, result.ErrorId);
        Assert.Contains(result.Integrity!.ErrorsByKind, c => c.Kind == kind);
        // The file system also corrupts the second read, which can find another corruption instead.
        Assert.All(result.Integrity.Errors, e => Assert.InRange(e.Offset, 0, (4 << 20) - 1));
        Assert.Contains(result.Path, result.Integrity.Evidence);
    }

    private static IoTestResult RunWithRule(string rule)
    {
        using var disk = new FaultyDisk("lying_disk.py");
        var specification = CreateSpecification(disk.GetPath("lies.dat"));
        TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, default);
        using var run = new TestRun(specification, new TestRunOptions())
        {
            EventHook = moment =>
            {
                if (moment == TestRunEvent.Opened)
                    disk.SetRules(rule);
            },
        };
        run.Start();
        Assert.True(run.Wait(TimeSpan.FromMinutes(2)));
        return run.GetResult();
    }

    [FuseFact]
    public void Intact_file_system_has_no_errors()
    {
        using var disk = new FaultyDisk("lying_disk.py");
        var result = TestRun.Run(CreateSpecification(disk.GetPath("honest.dat"), s => s.Duration = TimeSpan.FromSeconds(2)));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(0, result.Integrity!.ErrorCount);
        Assert.True(result.Integrity.ReadCount > 0 && result.Integrity.WriteCount > 0);
    }

    [FuseTheory]
    [InlineData(IoBuffering.Software, 0), InlineData(IoBuffering.Both, 8)]
    public void Power_cut_check_finds_only_caches_that_lose_durable_writes(IoBuffering buffering, int flushEvery)
    {
        var found = (Lying: 0, Honest: 0);
        for (var i = 0; i < s_powerCutCount; i++)
        {
            found.Lying += RunWithPowerCut(buffering, flushEvery, lies: true).ErrorCount > 0 ? 1 : 0;
            found.Honest += RunWithPowerCut(buffering, flushEvery, lies: false).ErrorCount > 0 ? 1 : 0;
        }
        output.WriteLine(
            $"{buffering}, a flush every {flushEvery}: of {s_powerCutCount} lying caches {found.Lying} found, of {s_powerCutCount} honest ones {found.Honest} accused"
        );
        Assert.Equal((s_powerCutCount, 0), found);
    }

    private static IoIntegrity RunWithPowerCut(IoBuffering buffering, int flushEvery, bool lies)
    {
        using var disk = new FaultyDisk("lying_disk.py");
        var path = disk.GetPath("power.dat");
        var witness = Path.Combine("/dev/shm", $"iobench-witness-{Guid.NewGuid():N}");
        try
        {
            var specification = CreateSpecification(
                path,
                s =>
                    (s.Buffering, s.FlushEvery, s.WritePercent, s.Duration, s.OutstandingIO) = (
                        buffering,
                        flushEvery,
                        100,
                        TimeSpan.FromMinutes(5),
                        2
                    )
            );
            using (
                var run = new TestRun(specification, new TestRunOptions { Witness = witness })
                {
                    EventHook = moment =>
                    {
                        if (moment == TestRunEvent.Opened)
                            disk.SetRules(lies ? "volatile 2" : "volatile 1");
                    },
                }
            )
            {
                run.Start();
                // Wait until the witness has recorded enough writes, for a random time.
                while (!File.Exists(witness) || new FileInfo(witness).Length < 40_000 + Random.Shared.Next(20_000))
                    Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)), "The run ended normally.");
                disk.CutPower();
                Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
            }
            var result = CrashVerification.Run(path, witness);
            Assert.True(result.Integrity!.Crash!.PromisedCount > 0);
            return result.Integrity;
        }
        finally
        {
            File.Delete(witness);
        }
    }
}
