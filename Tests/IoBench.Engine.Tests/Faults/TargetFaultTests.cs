using System.Diagnostics;

namespace IoBench.Engine.Tests;

public class TargetFaultTests
{
    private const int Size = 1 << 20;

    private static IoTestSpecification CreateSpecification(string path, int writePercent = 100) =>
        new()
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = Size,
            WritePercent = writePercent,
            Duration = TimeSpan.FromSeconds(20),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 2,
            OutstandingIO = 2,
            Buffering = IoBuffering.Both,
        };

    private static void CreateFile(string path)
    {
        var specification = CreateSpecification(path);
        TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, default);
    }

    private static IoBenchException AssertRefused(string id, Action act)
    {
        var error = Assert.Throws<IoBenchException>(act);
        Assert.Equal(id, error.ErrorId);
        return error;
    }

    [FuseFact]
    public void Error_of_an_extended_attribute_names_the_file()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        disk.SetRules("attribute-error 1");
        Assert.Contains(path, AssertRefused("IoBench.FileFailed", () => CreateFile(path)).Message, StringComparison.Ordinal);
        disk.SetRules();
        Assert.False(File.Exists(path));
        CreateFile(path);
        disk.SetRules("attribute-error 1");
        Assert.Contains(
            $"reading the ownership marker of {path} failed: Input/output error",
            AssertRefused("IoBench.FileFailed", () => CreateFile(path)).Message,
            StringComparison.Ordinal
        );
    }

    [FuseFact]
    public void Failed_sidecar_write_names_the_sidecar_and_leaves_no_files()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        disk.SetRules("no-attributes 1", "write-error-after 0");
        Assert.Contains(
            $"write of {path}.iobench failed",
            AssertRefused("IoBench.FileFailed", () => CreateFile(path)).Message,
            StringComparison.Ordinal
        );
        Assert.Equal(["is-mounted"], Directory.GetFiles(disk.MountFolder).Select(Path.GetFileName).Where(n => n != ".faults"));
    }

    [FuseFact]
    public void Error_of_a_sidecar_read_names_the_sidecar()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        disk.SetRules("no-attributes 1");
        CreateFile(path);
        disk.SetRules("no-attributes 1", "read-error-after 0");
        Assert.Contains(
            $"{path}.iobench failed: Input/output error",
            AssertRefused("IoBench.FileFailed", () => TestFiles.IsOwnTestFile(path, out _)).Message,
            StringComparison.Ordinal
        );
    }

    [FuseTheory]
    [InlineData("hang-open 1", "Checked", "Preparing the file")]
    [InlineData("hang-open 1", "Marked", "Opening the file")]
    [InlineData("hang-attributes 1", "Prepared", "Opening the file")]
    [InlineData("hang-attributes 1", "Opened", "Updating the ownership marker")]
    public void Cancel_works_while_a_file_call_hangs(string rule, string moment, string what)
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        CreateFile(path);
        var hangs = new ManualResetEventSlim();
        var run = new TestRun(CreateSpecification(path))
        {
            EventHook = now =>
            {
                if (now.ToString() != moment)
                    return;
                disk.SetRules(rule);
                hangs.Set();
            },
        };
        run.Start();
        hangs.Wait();
        // The marker is closed only after the cancel.
        if (moment != "Opened")
            disk.WaitForHungCall();
        AssertCanceled(run, path, what);
        disk.SetRules();
    }

    [FuseTheory]
    [InlineData("hang-open 1", "Checked", RunCallKind.Preparation)]
    [InlineData("hang-open 1", "Marked", RunCallKind.Opening)]
    [InlineData("hang-attributes 1", "Opened", RunCallKind.Closing)]
    public void Progress_shows_a_hung_file_call(string rule, string moment, RunCallKind kind)
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        CreateFile(path);
        var specification = CreateSpecification(path);
        specification.Duration = TimeSpan.FromMilliseconds(50);
        using var run = new TestRun(specification)
        {
            EventHook = now =>
            {
                if (now.ToString() == moment)
                    disk.SetRules(rule);
            },
        };
        run.Start();
        PendingCall? call = null;
        TestTimeouts.WaitUntil(() => (call = run.GetProgress().Call) is not null, "a call that hangs");
        Assert.Equal((kind, path), (call!.Kind, call.Path));
        Assert.True(call.Seconds >= 1);
        disk.SetRules();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        Assert.Equal(IoResultStatus.Complete, run.GetResult().Status);
        Assert.Null(run.GetProgress().Call);
    }

    [FuseFact]
    public void Progress_shows_a_hung_fill()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        var specification = CreateSpecification(path);
        specification.Duration = TimeSpan.FromMilliseconds(50);
        using var run = new TestRun(specification);
        disk.SetRules("hang 1");
        run.Start();
        PendingCall? call = null;
        TestTimeouts.WaitUntil(() => (call = run.GetProgress().Call) is not null, "a call that hangs");
        Assert.Equal((RunCallKind.Preparation, path), (call!.Kind, call.Path));
        disk.SetRules();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        Assert.Equal(IoResultStatus.Complete, run.GetResult().Status);
    }

    [FuseFact]
    public void Cancel_works_while_a_fill_hangs_and_the_file_is_removed_later()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        var run = new TestRun(CreateSpecification(path));
        disk.SetRules("hang 1");
        run.Start();
        while (run.GetProgress().PreparingPath is null)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
        AssertCanceled(run, path, "Preparing the file");
        disk.SetRules();
        // After the writes have completed, the thread of the run removes the file that it created.
        while (File.Exists(path))
            Thread.Sleep(5);
    }

    [FuseFact]
    public void Run_is_refused_while_IO_of_an_earlier_run_is_outstanding()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        CreateFile(path);
        using (var run = new TestRun(CreateSpecification(path)))
        {
            run.Start();
            DiskFaultTests.HangAllIOs(run, disk);
            run.Cancel();
            Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
            Assert.Equal(IoResultStatus.Cancelled, run.GetResult().Status);
        }
        // The file is opened directly, because the check of the target would hang too.
        var specification = CreateSpecification(path);
        var error = AssertRefused("IoBench.FileInUse", () => OpenFile.Open(path, write: true, []));
        Assert.Contains("I/Os of an earlier run have not completed", error.Message, StringComparison.Ordinal);
        disk.SetRules();
        IoTestResult? next = null;
        specification.Duration = TimeSpan.FromMilliseconds(50);
        while (next is null)
        {
            try
            {
                next = TestRun.Run(specification);
            }
            catch (IoBenchException e) when (e.ErrorId == "IoBench.FileInUse")
            {
                Thread.Sleep(5);
            }
        }
        Assert.Equal(IoResultStatus.Complete, next.Status);
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
    }

    private static void AssertCanceled(TestRun run, string path, string what)
    {
        run.Cancel();
        var waited = Stopwatch.StartNew();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)), "The result did not come.");
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Equal("IoBench.NoAnswer", result.ErrorId);
        Assert.StartsWith($"{path} did not respond. {what} has taken ", result.ErrorMessage, StringComparison.Ordinal);
        run.Dispose();
        Assert.True(waited.Elapsed < TimeSpan.FromSeconds(30), "A run that hangs held its disposal.");
    }
}
