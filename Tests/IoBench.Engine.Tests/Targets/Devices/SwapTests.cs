namespace IoBench.Engine.Tests;

/// <summary>
/// Another file or device gets the name of a run's target, at various times and in several ways. The run must continue on the checked file
/// or fail. It must never write to the replacement.
/// </summary>
public class SwapTests : TargetTestBase
{
    public static TheoryData<string, TestRunEventName, bool> Swaps
    {
        get
        {
            var all = new TheoryData<string, TestRunEventName, bool>();
            foreach (var how in (string[])["rename", "symbolic link", "hard link", "parent folder", "parent link"])
            foreach (var moment in Enum.GetValues<TestRunEventName>())
            foreach (var force in (bool[])[false, true])
                all.Add(how, moment, force);
            return all;
        }
    }

    /// <summary>Public copy of the internal <see cref="TestRunEvent"/>, because test methods are public.</summary>
    public enum TestRunEventName
    {
        Checked,
        Prepared,
        Marked,
        Opened,
    }

    [Theory]
    [MemberData(nameof(Swaps))]
    public void Replacement_of_an_own_file_is_never_written(string how, TestRunEventName moment, bool force)
    {
        Directory.CreateDirectory(GetPath("data"));
        PrepareFile(GetPath("data/t.dat"));
        RunWithSwap(how, moment, force);
    }

    [Theory]
    [MemberData(nameof(Swaps))]
    public void Replacement_of_a_forced_file_is_never_written(string how, TestRunEventName moment, bool writes)
    {
        Directory.CreateDirectory(GetPath("data"));
        var path = CreateUnownedFile("data/t.dat", (int)MB);
        var before = File.ReadAllBytes(path);
        var result = RunWithSwap(how, moment, force: true, writes ? 100 : 50);
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
    public void Reading_run_reads_the_checked_file_or_fails(string how, TestRunEventName moment, bool own)
    {
        Directory.CreateDirectory(GetPath("data"));
        if (own)
            PrepareFile(GetPath("data/t.dat"));
        else
            CreateUnownedFile("data/t.dat", (int)MB);
        RunWithSwap(how, moment, force: false, writePercent: 0);
    }

    [Fact]
    public void File_that_appears_before_creation_is_not_written_even_by_force()
    {
        var path = GetPath("t.dat");
        var error = Assert.Throws<IoBenchException>(() =>
            RunWithAction(path, force: true, 100, TestRunEvent.Checked, () => CreateUnownedFile("t.dat", (int)MB))
        );
        Assert.Equal("IoBench.ForeignFile", error.ErrorId);
    }

    [Fact]
    public void Forced_file_that_is_replaced_between_tests_is_not_written()
    {
        var spec = CreateShortTest(CreateUnownedFile("t.dat", (int)MB), 100);
        var options = AllPermissions.For(spec);
        Assert.Equal(IoResultStatus.Complete, TestRun.Run(spec, options).Status);
        var victim = CreateUnownedFile("victim.dat", (int)MB);
        var before = File.ReadAllBytes(victim);
        File.Move(victim, GetPath("t.dat"), overwrite: true);
        Assert.Equal("IoBench.TargetReplaced", Assert.Throws<IoBenchException>(() => TestRun.Run(spec, options)).ErrorId);
        Assert.Equal(before, File.ReadAllBytes(GetPath("t.dat")));
    }

    [Theory]
    [InlineData(TestRunEventName.Checked)]
    [InlineData(TestRunEventName.Prepared)]
    [InlineData(TestRunEventName.Marked)]
    public void Hard_link_created_before_the_first_write_ends_the_run(TestRunEventName moment)
    {
        PrepareFile(GetPath("t.dat"));
        var before = File.ReadAllBytes(GetPath("t.dat"));
        var error = Assert.Throws<IoBenchException>(() =>
            RunWithAction(
                GetPath("t.dat"),
                force: true,
                100,
                (TestRunEvent)moment,
                () => RunShell($"ln '{GetPath("t.dat")}' '{GetPath("prod.mdf")}'")
            )
        );
        Assert.Equal("IoBench.ManyNames", error.ErrorId);
        Assert.Equal(before, File.ReadAllBytes(GetPath("t.dat")));
    }

    [Fact]
    public void Handle_of_another_file_is_refused()
    {
        PrepareFile(GetPath("t.dat"));
        using var run = StartWriting(GetPath("t.dat"));
        using var other = File.OpenHandle(CreateUnownedFile("other.dat"), FileMode.Open, FileAccess.ReadWrite);
        AssertRefused("IoBench.TargetReplaced", () => run.Target.File!.CheckSameFile(other, write: true));
    }

    [RequiresRootFact("losetup")]
    public void Replacement_of_a_device_is_never_written()
    {
        using var first = new LoopVolume(8 * MB);
        using var second = new LoopVolume(8 * MB);
        File.CreateSymbolicLink(GetPath("disk"), first.Device);
        var error = Assert.Throws<IoBenchException>(() =>
            RunWithAction(
                GetPath("disk"),
                force: true,
                100,
                TestRunEvent.Checked,
                () =>
                {
                    File.Delete(GetPath("disk"));
                    File.CreateSymbolicLink(GetPath("disk"), second.Device);
                }
            )
        );
        Assert.Equal("IoBench.TargetReplaced", error.ErrorId);
        Assert.All(File.ReadAllBytes(second.Image), b => Assert.Equal(0, b));
    }

    private IoTestResult? RunWithSwap(string how, TestRunEventName moment, bool force, int writePercent = 100)
    {
        Directory.CreateDirectory(GetPath("victims"));
        var victim = CreateUnownedFile("victims/t.dat", (int)MB);
        var before = new byte[MB];
        new Random(7).NextBytes(before);
        File.WriteAllBytes(victim, before);
        IoTestResult? result = null;
        string? error = null;
        try
        {
            result = RunWithAction(GetPath("data/t.dat"), force, writePercent, (TestRunEvent)moment, () => SwapTarget(how));
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
        else if (moment != TestRunEventName.Checked)
            Assert.Equal("IoBench.FileGone", result!.ErrorId);
        return result;
    }

    private void SwapTarget(string how) =>
        RunShell(
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

    private static IoTestSpecification CreateShortTest(string path, int writePercent)
    {
        var spec = CreateSpecification(path, size: null, writePercent);
        spec.BlockSize = 4096;
        spec.WarmUp = TimeSpan.Zero;
        spec.Duration = TimeSpan.FromMilliseconds(50);
        return spec;
    }

    private static IoTestResult RunWithAction(string path, bool force, int writePercent, TestRunEvent moment, Action act)
    {
        using var run = new TestRun(CreateShortTest(path, writePercent), force ? AllPermissions.For(path) : new TestRunOptions())
        {
            EventHook = now =>
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
