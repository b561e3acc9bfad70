using System.Diagnostics;

namespace IoBench.Engine.Tests;

public class TargetFaultTests
{
    private const int Size = 1 << 20;

    private static IoTestSpecification Specification(string path, int writePercent = 100) =>
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

    private static void Make(string path)
    {
        var specification = Specification(path);
        TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, default);
    }

    private static IoBenchException Refused(string id, Action act)
    {
        var error = Assert.Throws<IoBenchException>(act);
        Assert.Equal(id, error.ErrorId);
        return error;
    }

    [FuseFact]
    public void An_attribute_that_fails_names_the_file()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        disk.Rules("attribute-error 1");
        Assert.Contains(path, Refused("IoBench.FileFailed", () => Make(path)).Message, StringComparison.Ordinal);
        disk.Rules();
        Assert.False(File.Exists(path));
        Make(path);
        disk.Rules("attribute-error 1");
        Assert.Contains(
            $"reading the mark of {path} failed: Input/output error",
            Refused("IoBench.FileFailed", () => Make(path)).Message,
            StringComparison.Ordinal
        );
    }

    [FuseFact]
    public void A_mark_beside_the_file_that_cannot_be_written_leaves_nothing_and_names_the_file()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        disk.Rules("no-attributes 1", "write-error-after 0");
        Assert.Contains(
            $"write of {path}.iobench failed",
            Refused("IoBench.FileFailed", () => Make(path)).Message,
            StringComparison.Ordinal
        );
        Assert.Equal(["is-mounted"], Directory.GetFiles(disk.Mount).Select(Path.GetFileName).Where(n => n != ".faults"));
    }

    [FuseFact]
    public void A_mark_beside_the_file_that_cannot_be_read_names_the_file()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        disk.Rules("no-attributes 1");
        Make(path);
        disk.Rules("no-attributes 1", "read-error-after 0");
        Assert.Contains(
            $"{path}.iobench failed: Input/output error",
            Refused("IoBench.FileFailed", () => TestFiles.IsOurs(path, out _)).Message,
            StringComparison.Ordinal
        );
    }

    [FuseTheory]
    [InlineData("hang-open 1", "Checked", "its preparation")]
    [InlineData("hang-open 1", "Marked", "its opening")]
    [InlineData("hang-attributes 1", "Prepared", "its opening")]
    [InlineData("hang-attributes 1", "Opened", "the closing of its mark")]
    public void A_call_that_hangs_does_not_hold_the_cancel(string rule, string moment, string what)
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        Make(path);
        var hangs = new ManualResetEventSlim();
        var run = new TestRun(Specification(path))
        {
            At = now =>
            {
                if (now.ToString() != moment)
                    return;
                disk.Rules(rule);
                hangs.Set();
            },
        };
        run.Start();
        hangs.Wait();
        // The marker is closed only after the cancel.
        if (moment != "Opened")
            disk.WaitUntilSomethingHangs();
        CheckCancelled(run, path, what);
        disk.Rules();
    }

    [FuseTheory]
    [InlineData("hang-open 1", "Checked", RunCallKind.Preparation)]
    [InlineData("hang-open 1", "Marked", RunCallKind.Opening)]
    [InlineData("hang-attributes 1", "Opened", RunCallKind.Closing)]
    public void A_call_that_hangs_is_shown_while_it_hangs(string rule, string moment, RunCallKind kind)
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        Make(path);
        var specification = Specification(path);
        specification.Duration = TimeSpan.FromMilliseconds(50);
        using var run = new TestRun(specification)
        {
            At = now =>
            {
                if (now.ToString() == moment)
                    disk.Rules(rule);
            },
        };
        run.Start();
        WaitingCall? call = null;
        Patience.WaitFor(() => (call = run.GetProgress().Call) is not null, "a call that hangs");
        Assert.Equal((kind, path), (call!.Kind, call.Path));
        Assert.True(call.Seconds >= 1);
        disk.Rules();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        Assert.Equal(IoResultStatus.Complete, run.GetResult().Status);
        Assert.Null(run.GetProgress().Call);
    }

    [FuseFact]
    public void A_fill_that_hangs_is_shown_while_it_hangs()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        var specification = Specification(path);
        specification.Duration = TimeSpan.FromMilliseconds(50);
        using var run = new TestRun(specification);
        disk.Rules("hang 1");
        run.Start();
        WaitingCall? call = null;
        Patience.WaitFor(() => (call = run.GetProgress().Call) is not null, "a call that hangs");
        Assert.Equal((RunCallKind.Preparation, path), (call!.Kind, call.Path));
        disk.Rules();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        Assert.Equal(IoResultStatus.Complete, run.GetResult().Status);
    }

    [FuseFact]
    public void A_fill_that_hangs_does_not_hold_the_cancel_and_its_file_is_still_refused_while_it_does()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        var run = new TestRun(Specification(path));
        disk.Rules("hang 1");
        run.Start();
        while (run.GetProgress().PreparingPath is null)
            Assert.False(run.Wait(TimeSpan.FromMilliseconds(5)));
        CheckCancelled(run, path, "its preparation");
        disk.Rules();
        // After the writes have completed, the thread of the run removes the file that it created.
        while (File.Exists(path))
            Thread.Sleep(5);
    }

    [FuseFact]
    public void While_an_earlier_run_s_IO_is_in_flight_the_next_run_on_the_file_is_refused()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        Make(path);
        using (var run = new TestRun(Specification(path)))
        {
            run.Start();
            FaultTests.HangAll(run, disk);
            run.Cancel();
            Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
            Assert.Equal(IoResultStatus.Cancelled, run.GetResult().Status);
        }
        // The file is opened directly, because the check of the target would hang too.
        var specification = Specification(path);
        var error = Refused("IoBench.FileInUse", () => OpenFile.Open(path, write: true, []));
        Assert.Contains("an earlier run still has I/O in flight", error.Message, StringComparison.Ordinal);
        disk.Rules();
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
        Assert.True(TestFiles.IsOurs(path, out var reason), reason);
    }

    private static void CheckCancelled(TestRun run, string path, string what)
    {
        run.Cancel();
        var waited = Stopwatch.StartNew();
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)), "The result did not come.");
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        Assert.Equal("IoBench.NoAnswer", result.ErrorId);
        Assert.StartsWith($"{path} did not answer: {what} has been waiting for ", result.ErrorMessage, StringComparison.Ordinal);
        run.Dispose();
        Assert.True(waited.Elapsed < TimeSpan.FromSeconds(30), "A run that hangs held its disposal.");
    }
}
