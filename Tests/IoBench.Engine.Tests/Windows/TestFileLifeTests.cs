namespace IoBench.Engine.Tests;

public class TestFileLifeTests : ModelledFolder
{
    private string Ours => At("ours.dat");

    public static TheoryData<bool, bool, long> FileSystems() =>
        new()
        {
            { true, false, 1 },
            { false, false, 1 },
            { true, true, 1 },
            { true, false, 20_000_000 },
        };

    [Theory]
    [MemberData(nameof(FileSystems))]
    public void A_file_is_ours_after_each_order_of_closes(bool atClose, bool ignoresSetTimes, long step)
    {
        foreach (var content in new[] { IoWriteContentKind.Random, IoWriteContentKind.Zero })
        {
            foreach (var order in Orders(["worker 0", "worker 1", "worker 2", "end"]))
            {
                Use(
                    new ModelNtfs
                    {
                        TimesMoveAtClose = atClose,
                        IgnoresSetTimes = ignoresSetTimes,
                        TimeStep = step,
                    }
                );
                var isOpaque = content == IoWriteContentKind.Zero;
                // Only the marker identifies unrecognizable content, and it can be closed only after the last worker.
                if (isOpaque && order[^1] != "end")
                    continue;
                var target = Prepare(Ours, writePercent: 100);
                AssertOurs(Ours);
                var spec = Spec(Ours, writePercent: 100);
                spec.WriteContent = content;
                using (var run = new WritingRun(spec))
                {
                    var workers = OpenWorkers(run.Target, 3);
                    for (var i = 0; i < workers.Length; i++)
                        Write(workers[i], target.ContentSeed, i * 65536, zeros: isOpaque);
                    foreach (var step1 in order)
                    {
                        if (step1 == "end")
                            run.Dispose();
                        else
                            workers[step1[^1] - '0'].Dispose();
                    }
                }
                AssertOurs(Ours);
                Assert.Equal(2 * MB, Prepare(Ours, size: 2 * MB).Size);
                AssertOurs(Ours);
                TestFiles.Remove(Ours, force: false);
                Assert.Null(Disk.Find(Ours));
                Disk.EndProcess();
            }
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(5)]
    [InlineData(32)]
    [InlineData(112)]
    [InlineData(1117)]
    public void A_file_is_ours_after_each_failure_and_what_is_not_ours_is_not_written(int error)
    {
        Use(new ModelNtfs());
        Live();
        var calls = Disk.Calls;
        Assert.InRange(calls, 50, 1000);
        for (var at = 0; at < calls; at++)
        {
            Use(new ModelNtfs());
            Disk.Add(At("foreign.dat"), new byte[65536]);
            var fails = at;
            Disk.Fault = (call, _) =>
                call == fails ? error
                : error == -1 && call > fails ? -1
                : 0;
            try
            {
                Live();
            }
            catch (Exception e) when (e is IoBenchException or KilledException or Xunit.Sdk.XunitException)
            {
                // Any step can fail. The checks that follow decide.
            }
            Disk.EndProcess();
            OpenFile.Forget(Disk.Volume);
            Assert.DoesNotContain(At("foreign.dat"), Disk.Written);
            if (Disk.Find(Ours) is not { Main.Length: > 0 } file)
                continue;
            Assert.True(TestFiles.IsOurs(Ours, out var reason), $"call {at}: {reason}; streams {string.Join(',', file.Streams.Keys)}");
            // The next run continues with the file.
            using (BeginWriting(Ours)) { }
            AssertOurs(Ours);
        }
    }

    [Fact]
    public void A_file_that_others_wrote_to_is_foreign_whatever_its_times()
    {
        foreach (var atClose in new[] { true, false })
        {
            Use(new ModelNtfs { TimesMoveAtClose = atClose });
            Prepare(Ours);
            var file = Disk.Find(Ours)!;
            var time = file.Modified;
            using (var other = OpenForeign(Ours))
                PlatformFiles.Current.Write(other, Ours, new byte[512], 8192);
            Assert.False(TestFiles.IsOurs(Ours, out _));
            // With the time restored, only samples detect the change. In a file of 1 MB, they include almost all blocks.
            file.Modified = time;
            using (var other = OpenForeign(Ours))
                PlatformFiles.Current.Write(other, Ours, new byte[(int)MB], 0);
            file.Modified = time;
            Assert.False(TestFiles.IsOurs(Ours, out _));
            Refused("IoBench.ForeignFile", () => Prepare(Ours, writePercent: 100));
        }
    }

    [Fact]
    public void A_time_that_moved_alone_is_no_evidence_of_others()
    {
        Use(new ModelNtfs());
        Prepare(Ours);
        Disk.Find(Ours)!.Modified += 5;
        AssertOurs(Ours);
        using (BeginWriting(Ours)) { }
        AssertOurs(Ours);
    }

    [Fact]
    public void A_copy_and_a_file_that_took_its_place_are_foreign()
    {
        Use(new ModelNtfs());
        Prepare(Ours);
        var ours = Disk.Find(Ours)!;
        var bytes = new byte[MB];
        ours.Main.Read(bytes, 0);
        var copy = Disk.Add(At("copy.dat"), bytes);
        copy.Modified = ours.Modified;
        var mark = ours.Streams["iobench"];
        var text = new byte[mark.Length];
        mark.Read(text, 0);
        copy.Streams["iobench"] = new ModelStream();
        copy.Streams["iobench"].Write(text, 0);
        Assert.Contains("copy", WhyForeign(At("copy.dat")), StringComparison.Ordinal);
    }

    [Fact]
    public void Nobody_renames_or_removes_a_file_that_a_run_writes_and_no_other_run_gets_it()
    {
        Use(new ModelNtfs());
        using (var run = BeginWriting(Ours))
        {
            Assert.Equal(32, Disk.Open(Ours, WindowsCalls.DELETE, WindowsCalls.ShareAll, WindowsCalls.OPEN_EXISTING, 0, out _));
            Refused("IoBench.FileInUse", () => BeginWriting(Ours));
            Refused("IoBench.FileInUse", () => TestFiles.Remove(Ours, force: true));
        }
        TestFiles.Remove(Ours, force: false);
    }

    private void Live()
    {
        var target = Prepare(Ours, writePercent: 100);
        using (var run = BeginWriting(Ours))
        {
            foreach (var worker in OpenWorkers(run.Target, 2))
            {
                using (worker)
                    Write(worker, target.ContentSeed, 16384);
            }
        }
        AssertOurs(Ours);
        Prepare(Ours, size: 2 * MB);
        TestFiles.Remove(Ours, force: false);
    }

    private static IEnumerable<string[]> Orders(string[] steps) =>
        steps.Length < 2
            ? [steps]
            : steps.SelectMany(first => Orders([.. steps.Where(s => s != first)]).Select(rest => (string[])[first, .. rest]));
}
