namespace IoBench.Engine.Tests;

public class TestFileLifeTests : ModeledNtfsTestBase
{
    private string OwnPath => GetPath("ours.dat");

    public static TheoryData<bool, bool, long> GetFileSystems() =>
        new()
        {
            { true, false, 1 },
            { false, false, 1 },
            { true, true, 1 },
            { true, false, 20_000_000 },
        };

    [Theory]
    [MemberData(nameof(GetFileSystems))]
    public void File_stays_owned_in_every_order_of_closing_handles(bool atClose, bool ignoresSetTimes, long step)
    {
        foreach (var content in new[] { IoWriteContentKind.Random, IoWriteContentKind.Zero })
        {
            foreach (var order in GetPermutations(["worker 0", "worker 1", "worker 2", "end"]))
            {
                UseModel(
                    new ModelNtfs
                    {
                        UpdatesTimesAtClose = atClose,
                        IgnoresSetTimes = ignoresSetTimes,
                        TimeStep = step,
                    }
                );
                var isOpaque = content == IoWriteContentKind.Zero;
                // Only the marker identifies unrecognizable content, and it can be closed only after the last worker.
                if (isOpaque && order[^1] != "end")
                    continue;
                var target = PrepareFile(OwnPath, writePercent: 100);
                AssertOwned(OwnPath);
                var spec = CreateSpecification(OwnPath, writePercent: 100);
                spec.WriteContent = content;
                using (var run = new WritingRun(spec))
                {
                    var workers = OpenWorkers(run.Target, 3);
                    for (var i = 0; i < workers.Length; i++)
                        WriteBlock(workers[i], target.ContentSeed, i * 65536, zeros: isOpaque);
                    foreach (var step1 in order)
                    {
                        if (step1 == "end")
                            run.Dispose();
                        else
                            workers[step1[^1] - '0'].Dispose();
                    }
                }
                AssertOwned(OwnPath);
                Assert.Equal(2 * MB, PrepareFile(OwnPath, size: 2 * MB).Size);
                AssertOwned(OwnPath);
                TestFiles.Remove(OwnPath);
                Assert.Null(Disk.FindFile(OwnPath));
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
    public void Failure_at_any_call_leaves_own_files_owned_and_others_unwritten(int error)
    {
        UseModel(new ModelNtfs());
        RunLifeCycle();
        var calls = Disk.CallCount;
        Assert.InRange(calls, 50, 1000);
        for (var at = 0; at < calls; at++)
        {
            UseModel(new ModelNtfs());
            Disk.AddFile(GetPath("foreign.dat"), new byte[65536]);
            var fails = at;
            Disk.FaultInjector = (call, _) =>
                call == fails ? error
                : error == -1 && call > fails ? -1
                : 0;
            try
            {
                RunLifeCycle();
            }
            catch (Exception e) when (e is IoBenchException or ProcessKilledException or Xunit.Sdk.XunitException)
            {
                // Any step can fail. The checks that follow decide.
            }
            Disk.EndProcess();
            OpenFile.RemoveVolume(Disk.VolumeSerial);
            Assert.DoesNotContain(GetPath("foreign.dat"), Disk.WrittenFiles);
            if (Disk.FindFile(OwnPath) is not { MainStream.Length: > 0 } file)
                continue;
            Assert.True(
                TestFiles.IsOwnTestFile(OwnPath, out var reason),
                $"call {at}: {reason}; streams {string.Join(',', file.Streams.Keys)}"
            );
            // The next run continues with the file.
            using (StartWriting(OwnPath)) { }
            AssertOwned(OwnPath);
        }
    }

    [Fact]
    public void File_written_by_another_program_is_not_owned_whatever_its_times()
    {
        foreach (var atClose in new[] { true, false })
        {
            UseModel(new ModelNtfs { UpdatesTimesAtClose = atClose });
            PrepareFile(OwnPath);
            var file = Disk.FindFile(OwnPath)!;
            var time = file.Modified;
            using (var other = OpenAsOtherProgram(OwnPath))
                PlatformFiles.Current.Write(other, OwnPath, new byte[512], 8192);
            Assert.False(TestFiles.IsOwnTestFile(OwnPath, out _));
            // With the time restored, only samples detect the change. In a file of 1 MB, they include almost all blocks.
            file.Modified = time;
            using (var other = OpenAsOtherProgram(OwnPath))
                PlatformFiles.Current.Write(other, OwnPath, new byte[(int)MB], 0);
            file.Modified = time;
            Assert.False(TestFiles.IsOwnTestFile(OwnPath, out _));
            AssertRefused("IoBench.ForeignFile", () => PrepareFile(OwnPath, writePercent: 100));
        }
    }

    [Fact]
    public void Changed_time_alone_keeps_ownership()
    {
        UseModel(new ModelNtfs());
        PrepareFile(OwnPath);
        Disk.FindFile(OwnPath)!.Modified += 5;
        AssertOwned(OwnPath);
        using (StartWriting(OwnPath)) { }
        AssertOwned(OwnPath);
    }

    [Fact]
    public void Copy_with_the_same_time_and_marker_is_not_owned()
    {
        UseModel(new ModelNtfs());
        PrepareFile(OwnPath);
        var ours = Disk.FindFile(OwnPath)!;
        var bytes = new byte[MB];
        ours.MainStream.Read(bytes, 0);
        var copy = Disk.AddFile(GetPath("copy.dat"), bytes);
        copy.Modified = ours.Modified;
        var mark = ours.Streams["iobench"];
        var text = new byte[mark.Length];
        mark.Read(text, 0);
        copy.Streams["iobench"] = new ModelStream();
        copy.Streams["iobench"].Write(text, 0);
        Assert.Contains("copy", AssertNotOwned(GetPath("copy.dat")), StringComparison.Ordinal);
    }

    [Fact]
    public void File_that_a_run_writes_cannot_be_removed_or_used_by_another_run()
    {
        UseModel(new ModelNtfs());
        using (var run = StartWriting(OwnPath))
        {
            Assert.Equal(32, Disk.Open(OwnPath, WindowsCalls.DELETE, WindowsCalls.ShareAll, WindowsCalls.OPEN_EXISTING, 0, out _));
            AssertRefused("IoBench.FileInUse", () => StartWriting(OwnPath));
            AssertRefused("IoBench.FileInUse", () => TestFiles.Remove(OwnPath));
        }
        TestFiles.Remove(OwnPath);
    }

    private void RunLifeCycle()
    {
        var target = PrepareFile(OwnPath, writePercent: 100);
        using (var run = StartWriting(OwnPath))
        {
            foreach (var worker in OpenWorkers(run.Target, 2))
            {
                using (worker)
                    WriteBlock(worker, target.ContentSeed, 16384);
            }
        }
        AssertOwned(OwnPath);
        PrepareFile(OwnPath, size: 2 * MB);
        TestFiles.Remove(OwnPath);
    }

    private static IEnumerable<string[]> GetPermutations(string[] steps) =>
        steps.Length < 2
            ? [steps]
            : steps.SelectMany(first => GetPermutations([.. steps.Where(s => s != first)]).Select(rest => (string[])[first, .. rest]));
}
