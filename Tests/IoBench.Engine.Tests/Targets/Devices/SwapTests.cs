namespace IoBench.Engine.Tests;

/// <summary>
/// Another file or device gets the name of a run's target, at various times and in several ways. The run must continue on the checked file
/// or fail. It must never write to the replacement.
/// </summary>
public class SwapTests : TargetFolder
{
    public static TheoryData<string, RunMomentName, bool> Swaps
    {
        get
        {
            var all = new TheoryData<string, RunMomentName, bool>();
            foreach (var how in (string[])["rename", "symbolic link", "hard link", "parent folder", "parent link"])
            foreach (var moment in Enum.GetValues<RunMomentName>())
            foreach (var force in (bool[])[false, true])
                all.Add(how, moment, force);
            return all;
        }
    }

    /// <summary>Public copy of the internal <see cref="RunMoment"/>, because test methods are public.</summary>
    public enum RunMomentName
    {
        Checked,
        Prepared,
        Marked,
        Opened,
    }

    [Theory]
    [MemberData(nameof(Swaps))]
    public void What_takes_the_place_of_a_file_of_ours_is_never_written(string how, RunMomentName moment, bool force)
    {
        Directory.CreateDirectory(At("data"));
        Prepare(At("data/t.dat"));
        CheckSwap(how, moment, force);
    }

    [Theory]
    [MemberData(nameof(Swaps))]
    public void What_takes_the_place_of_a_forced_file_is_never_written(string how, RunMomentName moment, bool writes)
    {
        Directory.CreateDirectory(At("data"));
        var path = Foreign("data/t.dat", (int)MB);
        var before = File.ReadAllBytes(path);
        var result = CheckSwap(how, moment, force: true, writes ? 100 : 50);
        // If the run wrote, it wrote to the file that was approved with force.
        if (result is { IOCount: > 0 })
            Assert.NotEqual(
                before,
                File.ReadAllBytes(
                    Directory
                        .GetFiles(Folder, "*", SearchOption.AllDirectories)
                        .Single(f => f.EndsWith("taken", StringComparison.Ordinal) || f.EndsWith("taken/t.dat", StringComparison.Ordinal))
                )
            );
    }

    [Theory]
    [MemberData(nameof(Swaps))]
    public void A_reading_run_reads_what_was_checked_or_says_so(string how, RunMomentName moment, bool own)
    {
        Directory.CreateDirectory(At("data"));
        if (own)
            Prepare(At("data/t.dat"));
        else
            Foreign("data/t.dat", (int)MB);
        CheckSwap(how, moment, force: false, writePercent: 0);
    }

    [Fact]
    public void A_file_that_appears_where_a_new_one_was_to_be_made_is_not_written_even_by_force()
    {
        var path = At("t.dat");
        var error = Assert.Throws<IoBenchException>(() => Run(path, force: true, 100, RunMoment.Checked, () => Foreign("t.dat", (int)MB)));
        Assert.Equal("IoBench.TargetReplaced", error.ErrorId);
    }

    [Fact]
    public void A_file_that_comes_under_a_forced_name_between_two_tests_is_not_written()
    {
        var options = new TestRunOptions { Force = true };
        var spec = Specification(Foreign("t.dat", (int)MB), 100);
        Assert.Equal(IoResultStatus.Complete, TestRun.Run(spec, options).Status);
        var victim = Foreign("victim.dat", (int)MB);
        var before = File.ReadAllBytes(victim);
        File.Move(victim, At("t.dat"), overwrite: true);
        Assert.Equal("IoBench.TargetReplaced", Assert.Throws<IoBenchException>(() => TestRun.Run(spec, options)).ErrorId);
        Assert.Equal(before, File.ReadAllBytes(At("t.dat")));
    }

    [Theory]
    [InlineData(RunMomentName.Checked)]
    [InlineData(RunMomentName.Prepared)]
    [InlineData(RunMomentName.Marked)]
    public void A_second_name_that_comes_before_the_first_write_ends_the_run(RunMomentName moment)
    {
        Prepare(At("t.dat"));
        var before = File.ReadAllBytes(At("t.dat"));
        var error = Assert.Throws<IoBenchException>(() =>
            Run(At("t.dat"), force: true, 100, (RunMoment)moment, () => Shell($"ln '{At("t.dat")}' '{At("prod.mdf")}'"))
        );
        Assert.Equal("IoBench.ManyNames", error.ErrorId);
        Assert.Equal(before, File.ReadAllBytes(At("t.dat")));
    }

    [Fact]
    public void A_handle_that_leads_to_another_file_is_refused()
    {
        Prepare(At("t.dat"));
        using var run = BeginWriting(At("t.dat"));
        using var other = File.OpenHandle(Foreign("other.dat"), FileMode.Open, FileAccess.ReadWrite);
        Refused("IoBench.TargetReplaced", () => run.Target.File!.CheckIsThis(other, write: true));
    }

    [RequiresRootFact("losetup")]
    public void A_device_that_takes_the_place_of_another_is_never_written()
    {
        using var first = new LoopVolume(8 * MB);
        using var second = new LoopVolume(8 * MB);
        File.CreateSymbolicLink(At("disk"), first.Device);
        var error = Assert.Throws<IoBenchException>(() =>
            Run(
                At("disk"),
                force: true,
                100,
                RunMoment.Checked,
                () =>
                {
                    File.Delete(At("disk"));
                    File.CreateSymbolicLink(At("disk"), second.Device);
                }
            )
        );
        Assert.Equal("IoBench.TargetReplaced", error.ErrorId);
        Assert.All(File.ReadAllBytes(second.Image), b => Assert.Equal(0, b));
    }

    private IoTestResult? CheckSwap(string how, RunMomentName moment, bool force, int writePercent = 100)
    {
        Directory.CreateDirectory(At("victims"));
        var victim = Foreign("victims/t.dat", (int)MB);
        var before = new byte[MB];
        new Random(7).NextBytes(before);
        File.WriteAllBytes(victim, before);
        IoTestResult? result = null;
        string? error = null;
        try
        {
            result = Run(At("data/t.dat"), force, writePercent, (RunMoment)moment, () => Swap(how));
        }
        catch (IoBenchException e)
        {
            error = e.ErrorId;
        }
        // Find the file wherever it is now, under all its names.
        var victims = Directory
            .GetFiles(Folder, "t.dat", SearchOption.AllDirectories)
            .Where(f => File.Exists(f) && !f.Contains("taken", StringComparison.Ordinal))
            .ToArray();
        Assert.NotEmpty(victims);
        Assert.All(victims, f => Assert.Equal(before, File.ReadAllBytes(f)));
        if (error is not null)
            Assert.Contains(error, new[] { "IoBench.TargetReplaced", "IoBench.ForeignFile", "IoBench.ManyNames" });
        else if (moment != RunMomentName.Checked)
            Assert.Equal("IoBench.FileGone", result!.ErrorId);
        return result;
    }

    private void Swap(string how) =>
        Shell(
            $"cd '{Folder}' && "
                + how switch
                {
                    "rename" => "mv data/t.dat data/taken && mv victims/t.dat data/t.dat",
                    "symbolic link" => "mv data/t.dat data/taken && ln -s ../victims/t.dat data/t.dat",
                    "hard link" => "mv data/t.dat data/taken && ln victims/t.dat data/t.dat",
                    "parent folder" => "mv data taken && mv victims data",
                    _ => "mv data taken && ln -s victims data",
                }
        );

    private static IoTestSpecification Specification(string path, int writePercent)
    {
        var spec = Spec(path, size: null, writePercent);
        spec.BlockSize = 4096;
        spec.WarmUp = TimeSpan.Zero;
        spec.Duration = TimeSpan.FromMilliseconds(50);
        return spec;
    }

    private static IoTestResult Run(string path, bool force, int writePercent, RunMoment moment, Action act)
    {
        using var run = new TestRun(Specification(path, writePercent), new TestRunOptions { Force = force })
        {
            At = now =>
            {
                if (now == moment)
                    act();
            },
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }
}
