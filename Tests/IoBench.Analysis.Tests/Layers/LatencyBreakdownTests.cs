using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class LatencyBreakdownTests
{
    private const int Count = 2000;
    private const int BlockSize = 8192;

    private static readonly StorageLevel s_files = new(StorageLevelKind.FileSystem, "xfs", "xfs file system");

    [Fact]
    public void Shares_are_the_differences_of_the_counters()
    {
        var found = Break(
            CreateRead(2.10),
            [s_files, Device("dm-0", "LUKS encryption"), Device("sda", "disk")],
            [null, Load(2.046), Load(1.74)]
        );
        Assert.Equal(
            ["IoBench", "xfs file system", "dm-0 (LUKS encryption)", "sda (disk) and below"],
            found.Layers.Select(layer => layer.Layer)
        );
        Assert.Equal([0.004, 0.05, 0.306, 1.74], found.Layers.Select(layer => Math.Round(layer.Milliseconds, 6)));
        Assert.Equal((LatencyCause.Layer, "sda (disk) and below"), (found.Cause, found.NamedLayer));
        Assert.Equal("sda (disk) and below takes 1.74 ms (82.9%) of the average read latency of 2.1 ms.", found.Verdict);
    }

    [Fact]
    public void Layer_that_the_device_does_not_explain_is_named()
    {
        var found = Break(
            CreateRead(2.10),
            [s_files, Device("dm-0", "LUKS encryption"), Device("sda", "disk")],
            [null, Load(2.04), Load(0.2)]
        );
        Assert.Equal((LatencyCause.Layer, "dm-0 (LUKS encryption)"), (found.Cause, found.NamedLayer));
    }

    [Fact]
    public void Device_with_other_bytes_is_combined_with_its_neighbor()
    {
        var load = Load(1.9) with { ReadBytes = 3L * Count * BlockSize };
        var found = Break(CreateRead(2), [s_files, Device("sda", "disk")], [null, load]);
        var layer = found.Layers.Single(item => item.Kind == LatencyLayerKind.Storage);
        Assert.Equal("xfs file system, sda (disk) and below", layer.Layer);
        Assert.Equal("IoBench cannot separate these layers, because sda transferred 3 times as many bytes as IoBench.", layer.Note);
        Assert.Equal("Stop other programs on sda, and repeat the test", found.Advice);
        Assert.Equal(2, found.Layers.Sum(item => item.Milliseconds), 9);
    }

    [Fact]
    public void Writes_that_do_not_reach_the_device_are_not_divided()
    {
        var run = CreateRead(2);
        run.Operation = IoOperation.Write;
        var found = Break(run, [s_files, Device("sda", "disk")], [null, new StorageLevelLoad { WriteCount = 5, WriteMs = 1 }]);
        Assert.Equal(LatencyLayerKind.Storage, Assert.Single(found.Layers, layer => layer.Kind != LatencyLayerKind.IoBench).Kind);
    }

    [Fact]
    public void Overlapping_I_Os_are_not_divided()
    {
        var found = Break(
            CreateRead(2),
            [s_files, Device("md0", "md RAID (raid1)"), Device("sda, sdb", "disk")],
            [null, Load(1.5), Load(2.9)]
        );
        Assert.Contains(found.Layers, layer => layer.Layer == "md0 (md RAID (raid1)), sda, sdb (disk) and below");
    }

    [Fact]
    public void Reads_from_a_cache_do_not_reach_the_device_below()
    {
        var found = Break(CreateRead(2), [s_files, Device("loop0", "loop device"), Device("sda", "disk")], [null, Load(1.9), new()]);
        Assert.Equal(0, found.Layers[^1].Milliseconds);
        Assert.Equal("loop0 (loop device)", found.NamedLayer);
    }

    [Fact]
    public void Coarse_counters_are_used_only_if_their_resolution_suffices()
    {
        var coarse = Device("dm-0", "LVM") with { IsCoarse = true };
        var slow = Break(CreateRead(8), [s_files, coarse], [null, Load(7)]);
        Assert.Equal("dm-0 (LVM) and below", slow.NamedLayer);
        var fast = Break(CreateRead(0.05), [s_files, coarse], [null, Load(0.04)]);
        Assert.Contains("too coarse", fast.Layers[^1].Note, StringComparison.Ordinal);
    }

    [Fact]
    public void Host_is_the_subject_if_IoBench_waited_for_a_CPU()
    {
        var run = CreateRead(2);
        run.ProcessorWaitPercent = 70;
        var found = Break(run, [s_files, Device("sda", "disk")], [null, Load(0.3)]);
        Assert.Equal(LatencyCause.Host, found.Cause);
        Assert.StartsWith(
            "IoBench waited for a CPU for 70.0% of the average read latency of 2 ms.",
            found.Verdict,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Host_is_the_subject_if_it_did_not_run_IoBench()
    {
        var run = CreateRead(2);
        run.HostPauses = [new() { Seconds = 1, LengthSeconds = 1 }, new() { Seconds = 2.5, LengthSeconds = 9 }];
        var found = Break(run, [s_files, Device("sda", "disk")], [null, Load(0.3)]);
        Assert.Equal(LatencyCause.Host, found.Cause);
        Assert.StartsWith("The host did not run IoBench for 2.5 s of 4.0 s", found.Verdict, StringComparison.Ordinal);
    }

    [Fact]
    public void Storage_is_named_if_the_host_waited_less()
    {
        var run = CreateRead(2);
        run.ProcessorWaitPercent = 20;
        Assert.Equal(LatencyCause.Layer, Break(run, [s_files, Device("sda", "disk")], [null, Load(1.5)]).Cause);
    }

    [Theory]
    [InlineData(42)]
    [InlineData(58)]
    public void Verdict_is_inconclusive_if_host_and_storage_took_about_the_same_time(double waitPercent)
    {
        var run = CreateRead(2);
        run.ProcessorWaitPercent = waitPercent;
        var found = Break(run, [s_files, Device("sda", "disk")], [null, Load(0.8)]);
        Assert.Equal(LatencyCause.Inconclusive, found.Cause);
        Assert.Null(found.NamedLayer);
    }

    [Fact]
    public void Other_load_on_the_device_is_stated()
    {
        var load = Load(1.8) with { DiskReadCount = Count, DiskWriteCount = 16_000 };
        var found = Break(CreateRead(2), [s_files, Device("sda", "disk")], [null, load]);
        Assert.Equal((LatencyCause.OtherLoad, "sda", 4000.0), (found.Cause, found.OtherLoadDevice, found.OtherIops!.Value));
        Assert.StartsWith("sda completed 4,000 I/Os per second that IoBench did not issue.", found.Verdict, StringComparison.Ordinal);
    }

    [Fact]
    public void Other_load_below_a_layer_is_not_its_cause()
    {
        var below = Load(0.2) with { DiskReadCount = Count, DiskWriteCount = 16_000 };
        var found = Break(CreateRead(2), [s_files, Device("dm-0", "multipath"), Device("sda", "disk")], [null, Load(1.9), below]);
        Assert.Equal((LatencyCause.Layer, "dm-0 (multipath)"), (found.Cause, found.NamedLayer));
    }

    [Fact]
    public void Metadata_of_writes_is_no_other_load()
    {
        var run = CreateRead(2);
        run.Operation = IoOperation.Write;
        var load = new StorageLevelLoad
        {
            WriteCount = 3 * Count,
            WriteBytes = 3L * Count * BlockSize,
            WriteMs = 3800,
            DiskWriteCount = 3 * Count,
        };
        Assert.Equal(LatencyCause.Layer, Break(run, [s_files, Device("sda", "disk")], [null, load]).Cause);
    }

    [Fact]
    public void Limit_of_a_control_group_is_named_if_the_rate_equals_it()
    {
        StorageLimit[] limits = [new(1, false, true, 500, "io.max riops")];
        var found = Break(CreateRead(2), [s_files, Device("sda", "disk")], [null, Load(0.1)], limits);
        Assert.Equal("limit of the control group (io.max riops) and xfs file system", found.NamedLayer);
        limits = [new(1, false, true, 5000, "io.max riops")];
        Assert.Equal("xfs file system", Break(CreateRead(2), [s_files, Device("sda", "disk")], [null, Load(0.1)], limits).NamedLayer);
    }

    [Theory]
    [InlineData(0, LatencyCause.Layer)]
    [InlineData(10, LatencyCause.Inconclusive)]
    public void Stolen_CPU_time_weakens_the_evidence(double stolen, LatencyCause expected)
    {
        var sample = new StorageSample
        {
            Seconds = 4,
            Loads = [null, Load(1.2)],
            StolenPercent = stolen,
        };
        var found = LatencySourceResult.BreakDown(new(CreateRead(2), [s_files, Device("sda", "disk")], [], sample, null, 0.004));
        Assert.Equal(expected, found.Cause);
    }

    [Fact]
    public void Layer_that_needs_CPUs_is_not_blamed_while_they_are_busy()
    {
        var run = CreateRead(2);
        run.CpuPercent = 99;
        run.ProcessorWaitPercent = 25;
        var loop = Device("loop0", "loop device") with { NeedsCpu = true };
        Assert.Equal(LatencyCause.Inconclusive, Break(run, [s_files, loop], [null, Load(1.4)]).Cause);
        run.ProcessorWaitPercent = 5;
        Assert.Equal(LatencyCause.Layer, Break(run, [s_files, loop], [null, Load(1.8)]).Cause);
    }

    [Fact]
    public void Remote_file_system_is_one_layer()
    {
        var found = Break(CreateRead(5), [new(StorageLevelKind.RemoteFileSystem, "nfs4", "NFS client, network, and server")], [null]);
        Assert.Equal("NFS client, network, and server", found.NamedLayer);
    }

    [Fact]
    public void File_in_memory_does_not_measure_storage()
    {
        var found = Break(CreateRead(5), [new(StorageLevelKind.FileSystem, "tmpfs", "memory (tmpfs)")], [null]);
        Assert.StartsWith("The file is in memory (tmpfs). The results do not measure storage. ", found.Verdict, StringComparison.Ordinal);
        Assert.Equal("Specify a folder on the storage of SQL Server", found.Advice);
    }

    [Theory]
    [InlineData(true, "Give the report to the storage team: it has the times of the slowest I/Os")]
    [InlineData(false, "Create a report with --report FILE (-ReportPath FILE in PowerShell), and give it to the storage team")]
    public void Advice_mentions_only_a_report_that_exists(bool hasReport, string advice)
    {
        var sample = new StorageSample { Seconds = 4, Loads = [null, Load(1.9)] };
        var found = LatencySourceResult.BreakDown(
            new(CreateRead(2), [s_files, Device("sda", "disk")], [], sample, null, 0.004) { HasReport = hasReport }
        );
        Assert.Equal(advice, found.Advice);
    }

    [Fact]
    public void Few_I_Os_are_inconclusive()
    {
        var run = CreateRead(200);
        run.IOCount = 15;
        Assert.Equal(LatencyCause.Inconclusive, Break(run, [s_files], [null]).Cause);
    }

    [Fact]
    public void Layers_always_add_up_and_never_invent_a_share()
    {
        var random = new Random(7);
        for (var round = 0; round < 3000; round++)
        {
            var depth = random.Next(1, 6);
            var own = Enumerable.Range(0, depth + 1).Select(_ => random.NextDouble() * random.Next(1, 10)).ToArray();
            var total = own.Sum() + 0.004;
            var levels = new List<StorageLevel> { s_files };
            var loads = new List<StorageLevelLoad?> { null };
            for (var i = 1; i <= depth; i++)
            {
                levels.Add(Device($"d{i}", "disk"));
                var load = Load(own.Skip(i).Sum());
                loads.Add(
                    random.Next(4) switch
                    {
                        0 => null,
                        1 => load with { ReadBytes = load.ReadBytes * 2, ReadCount = load.ReadCount * 2 },
                        _ => load,
                    }
                );
            }
            var run = CreateRead(total);
            run.ProcessorWaitPercent = random.Next(3) == 0 ? random.Next(100) : null;
            var found = Break(run, levels, loads);
            Assert.Equal(total, found.Layers.Sum(layer => layer.Milliseconds), 9);
            Assert.Equal(100, found.Layers.Sum(layer => layer.Percent), 6);
            Assert.All(found.Layers, layer => Assert.True(layer.Milliseconds >= -1e-9, layer.ToString()));
            // A storage layer below the first known device has exactly the time of its levels.
            foreach (
                var layer in found.Layers.Where(layer =>
                    layer.Kind == LatencyLayerKind.Storage && !layer.Layer.Contains("xfs", StringComparison.Ordinal)
                )
            )
            {
                var parts = levels
                    .Select((level, i) => (level, i))
                    .Where(item => layer.Layer.Contains(item.level.Name + " ", StringComparison.Ordinal))
                    .ToList();
                Assert.Equal(parts.Sum(item => own[item.i]), layer.Milliseconds, 9);
            }
            // An uncounted level is never alone, unless it is the last known thing above it.
            foreach (
                var (level, i) in levels.Select((level, i) => (level, i)).Where(item => item.i > 0 && loads[item.i]?.ReadCount != Count)
            )
                Assert.DoesNotContain(found.Layers, layer => layer.Layer.StartsWith(level.Name + " ", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Slowest_I_Os_have_their_times_in_UTC()
    {
        var run = CreateRead(2);
        run.StartTime = new DateTimeOffset(2026, 3, 1, 14, 0, 0, TimeSpan.FromHours(2));
        run.Specification = new IoTestSpecification { WarmUp = TimeSpan.FromSeconds(1) };
        run.SlowestIOs =
        [
            .. Enumerable
                .Range(1, 20)
                .Select(i => new IoSlowIO
                {
                    Seconds = i,
                    LatencyMs = i,
                    Offset = i,
                }),
        ];
        var found = LatencySourceResult.FindSlowest([run]);
        Assert.Equal(10, found.Count);
        Assert.Equal(new DateTimeOffset(2026, 3, 1, 12, 0, 21, TimeSpan.Zero), found[0].StartUtc);
        Assert.Equal(20, (found[0].EndUtc - found[0].StartUtc).TotalMilliseconds, 2);
    }

    private static LatencyBreakdown Break(
        IoTestResult run,
        IReadOnlyList<StorageLevel> levels,
        IReadOnlyList<StorageLevelLoad?> loads,
        IReadOnlyList<StorageLimit>? limits = null
    ) =>
        LatencySourceResult.BreakDown(
            new LatencyObservation(run, levels, limits ?? [], new StorageSample { Seconds = 4, Loads = loads }, null, 0.004)
        );

    private static IoTestResult CreateRead(double average) =>
        new()
        {
            Operation = IoOperation.Read,
            AverageLatencyMs = average,
            IOCount = Count,
            ByteCount = (long)Count * BlockSize,
            IOPS = Count / 4.0,
            DurationSeconds = 4,
        };

    private static StorageLevel Device(string name, string what) => new(StorageLevelKind.Device, name, what) { IsCounted = true };

    private static StorageLevelLoad Load(double ms) =>
        new()
        {
            ReadCount = Count,
            ReadBytes = (long)Count * BlockSize,
            ReadMs = ms * Count,
            DiskReadCount = Count,
        };
}
