using System.Globalization;

namespace IoBench.Engine.Tests;

/// <summary>Commits on real block devices: counters against the tracepoint, and latencies against devices of known speed.</summary>
public class CommitVolumeTests
{
    private const string Ext4 = "mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0";
    private const string Xfs = "mkfs.xfs -q -f";
    private const int FileSize = 16 << 20;

    [TracedVolumeTheory]
    [InlineData(Ext4)]
    [InlineData(Xfs)]
    public void Counters_of_each_method_equal_the_tracepoint(string make)
    {
        using var volume = new LoopVolume(512L << 20).Mount(make, "-o", "noatime,lazytime");
        using var target = Open(volume.GetPath("c.dat"), extends: false);
        Assert.Null(target.FuaReason);
        foreach (var method in Enum.GetValues<CommitMethod>())
        foreach (var committers in new[] { 1, 8 })
        {
            // The journal of the file system can write between the two counters.
            var (sample, traced) = TestTimeouts.RetryUntil(
                seen => IsEqual(seen.Sample.Counts!, seen.Traced),
                () => RunTraced(target, volume.Device, new CommitCase(method, committers, 4096))
            );
            Assert.Equal(traced, ((long)sample.Counts!.Writes!, (long)sample.Counts.Flushes!, (long)sample.Counts.FuaWrites!));
            // A loop device has a volatile cache and no FUA, so each commit alone is one write and one flush.
            Assert.Equal(0, sample.Counts.FuaWrites);
            if (committers == 1 && method != CommitMethod.BufferedFlush)
            {
                Assert.InRange(sample.Counts.Flushes.Value, sample.Writes, sample.Writes + 3);
                Assert.InRange(sample.Counts.Writes.Value, sample.Writes, sample.Writes + 20);
            }
        }
        Assert.Null(target.Close());
    }

    [DelayedVolumeTheory]
    [InlineData(Ext4, 0, 100)]
    [InlineData(Ext4, 100, 0)]
    [InlineData(Xfs, 0, 100)]
    [InlineData(Xfs, 100, 0)]
    public void Latency_of_each_method_follows_from_the_delays_of_the_device(string make, int writeMs, int flushMs)
    {
        using var disk = new FaultyDisk();
        using var volume = new LoopVolume(512L << 20, disk.MountFolder).Mount(make, "-o", "noatime,lazytime");
        using (var target = Open(volume.GetPath("c.dat"), extends: false))
        {
            disk.SetRules($"write-delay-ms {writeMs}", $"flush-delay-ms {flushMs}");
            foreach (var method in Enum.GetValues<CommitMethod>())
            {
                var expected = (writeMs + flushMs) * 1e6;
                var median = TestTimeouts.RetryUntil(
                    seen => IsExpected(seen, expected),
                    () =>
                        target
                            .Run(new CommitCase(method, 1, 4096), TimeSpan.FromSeconds(2), null, CancellationToken.None)
                            .Latencies.GetPercentile(50)!
                            .Value,
                    attempts: 8
                );
                Assert.True(IsExpected(median, expected), $"{method}: {median / 1e6} ms instead of {expected / 1e6} ms");
            }
            disk.SetRules();
            Assert.Null(target.Close());
        }
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Full_volume_ends_an_extending_test_with_its_reason_and_keeps_the_file()
    {
        using var volume = new LoopVolume(64L << 20).Mount(Ext4);
        var path = volume.GetPath("c.dat");
        using (var target = Open(path, extends: true))
        {
            target.Run(new CommitCase(CommitMethod.WriteThrough, 1, 4096, Extends: true), TimeSpan.FromMilliseconds(50), null, default);
            // Another program takes the space that the file has left free.
            FillVolume(volume.GetPath("filler"));
            var error = Assert.Throws<IoBenchException>(() =>
                target.Run(new CommitCase(CommitMethod.WriteThrough, 2, 4096, Extends: true), TimeSpan.FromSeconds(5), null, default)
            );
            Assert.Equal("IoBench.IoFailed", error.ErrorId);
            Assert.Contains("No space left", error.Message, StringComparison.Ordinal);
            Assert.Null(target.Close());
        }
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
        Assert.Equal(FileSize / 2, new FileInfo(path).Length);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Read_only_volume_is_refused()
    {
        using var volume = new LoopVolume(64L << 20).Mount(Ext4);
        volume.Remount("ro");
        Assert.Equal(ErrorIds.ReadOnlyVolume, Assert.Throws<IoBenchException>(() => Open(volume.GetPath("c.dat"), extends: false)).ErrorId);
    }

    private static void FillVolume(string path)
    {
        using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0);
        var block = new byte[1 << 16];
        try
        {
            while (true)
            {
                file.Write(block);
                file.Flush(flushToDisk: true);
            }
        }
        catch (IOException)
        {
            // The volume is full.
        }
    }

    // No method can be faster than the delays. A busy computer adds time, in idle runs at most 2%.
    private static bool IsExpected(double value, double expected) => value >= 0.98 * expected && value <= 1.25 * expected;

    private static bool IsEqual(CommitDeviceCounts counts, (long Writes, long Flushes, long Fua) traced) =>
        (counts.Writes, counts.Flushes, counts.FuaWrites) == (traced.Writes, traced.Flushes, traced.Fua);

    private static (CommitSample Sample, (long Writes, long Flushes, long Fua) Traced) RunTraced(
        CommitTarget target,
        string device,
        CommitCase what
    )
    {
        using var trace = new BlockTrace(device);
        var sample = target.Run(what, TimeSpan.FromMilliseconds(200), null, CancellationToken.None);
        return (sample, trace.End());
    }

    private static CommitTarget Open(string path, bool extends) =>
        CommitTarget.Open(
            new IoTestSpecification
            {
                Targets = [new IoTargetSpecification(path)],
                FileSize = FileSize,
                WritePercent = 100,
                BlockSize = 4096,
            },
            new TestRunOptions(),
            extends,
            report: null,
            CancellationToken.None
        );

    /// <summary>The kernel's trace of the requests that are issued to a device, in a trace buffer of its own.</summary>
    private sealed class BlockTrace : IDisposable
    {
        private readonly string _folder = $"{TracedVolumeTheoryAttribute.Tracing}/instances/iobench-{Guid.NewGuid():N}";

        public BlockTrace(string device)
        {
            Directory.CreateDirectory(_folder);
            Write("buffer_size_kb", "4096");
            var number = File.ReadAllText($"/sys/block/{Path.GetFileName(device)}/dev").Trim().Split(':');
            Write(
                "events/block/block_rq_issue/filter",
                $"dev == {int.Parse(number[0], CultureInfo.InvariantCulture) << 20 | int.Parse(number[1], CultureInfo.InvariantCulture)}"
            );
            Write("events/block/block_rq_issue/enable", "1");
        }

        public (long Writes, long Flushes, long Fua) End()
        {
            Write("events/block/block_rq_issue/enable", "0");
            // "… block_rq_issue: 7,6 WFS 4096 () 8200 + 8 none,0,0 [iobench]"
            var flags = File.ReadLines(_folder + "/trace")
                .Where(line => line.Contains("block_rq_issue:", StringComparison.Ordinal))
                .Select(line => line.Split("block_rq_issue:")[1].Split(' ', StringSplitOptions.RemoveEmptyEntries)[1])
                .ToList();
            return (
                flags.Count(flag => flag.TrimStart('F').StartsWith('W')),
                flags.Count(flag => flag.StartsWith("FF", StringComparison.Ordinal)),
                flags.Count(flag => flag.TrimStart('F').StartsWith("WF", StringComparison.Ordinal))
            );
        }

        public void Dispose() => Directory.Delete(_folder);

        private void Write(string name, string text) => File.WriteAllText(Path.Combine(_folder, name), text);
    }
}

[AttributeUsage(AttributeTargets.Method)]
internal sealed class TracedVolumeTheoryAttribute : TheoryAttribute
{
    public const string Tracing = "/sys/kernel/tracing";

    public TracedVolumeTheoryAttribute() =>
        Skip =
            RequiresRootFactAttribute.FindReason(["losetup", "mkfs.ext4", "mkfs.xfs"])
            ?? (Directory.Exists(Tracing + "/instances") ? null : $"needs tracefs at {Tracing}");
}

[AttributeUsage(AttributeTargets.Method)]
internal sealed class DelayedVolumeTheoryAttribute : TheoryAttribute
{
    public DelayedVolumeTheoryAttribute() =>
        Skip = RequiresRootFactAttribute.FindReason(["losetup", "mkfs.ext4", "mkfs.xfs"]) ?? new FuseTheoryAttribute().Skip;
}
