using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class TestFileChecks
{
    private const string FillCode = "Fill",
        FillSubject = "Fill";

    public static IEnumerable<SelfTestCheck> CheckFill(SelfTestContext context)
    {
        if (context.FillSeconds is not { } seconds)
        {
            yield return SelfTestCheck.CannotTell(FillCode, FillSubject, "an earlier self-test left its file, which was used again.");
            yield break;
        }
        var rate = SelfTestContext.FileSize / seconds / (1 << 20);
        var slow = context.Target.Warnings.Find(w => w.Code == WarningCodes.SlowFill);
        yield return SelfTestCheck.Pass(
            FillCode,
            FillSubject,
            FormattableString.Invariant(
                $"the test file was written at {rate:#,0} MiB/s{(slow is null ? "" : ", and the system filled it with zeros ahead of that")}."
            ),
            slow is null ? null : "Give the account 'Perform volume maintenance tasks', where the file system allows SetFileValidData",
            new FindingEvidence("Fill", rate, "MiB/s")
        );
    }

    private const string MarkerCode = "Mark",
        MarkerSubject = "Mark";

    public static IEnumerable<SelfTestCheck> CheckOwnershipMarker(SelfTestContext context)
    {
        var kind = DescribeMarkerStorage(context.Path);
        yield return TestFiles.IsOwnTestFile(context.Path, out var reason)
            ? SelfTestCheck.Pass(MarkerCode, MarkerSubject, $"the test file is recognised after tests wrote to it; its mark is {kind}.")
            : SelfTestCheck.Fail(
                MarkerCode,
                MarkerSubject,
                $"the test file {reason}, although only IoBench wrote to it; its mark is {kind}.",
                "Report it, and use another file system until it is corrected"
            );
    }

    private static string DescribeMarkerStorage(string path)
    {
        using var handle = PlatformFiles.Current.OpenToRead(path);
        if (PlatformFiles.Current.ReadNativeMarker(handle, path) is null)
            return "a file beside it";
        if (OperatingSystem.IsWindows())
            return "an alternate data stream";
        return "an extended attribute";
    }

    private const string LockCode = "Lock",
        LockSubject = "Lock";

    public static IEnumerable<SelfTestCheck> CheckLocks(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.WritePercent = 100;
        using var target = context.OpenTestFile(test);
        using var other = PlatformFiles.Current.OpenToWrite(context.Path);
        // Lock the open file itself, because IoBench also keeps a list of its own files within one process.
        var isWrittenByTwo = PlatformFiles.Current.TryLockForWriting(other);
        var isRemovable = PlatformFiles.Current.TryLockToRemove(other);
        PlatformFiles.Current.UnlockForWriting(other);
        yield return isWrittenByTwo || isRemovable
            ? SelfTestCheck.CannotTell(
                LockCode,
                LockSubject,
                "this file system has no locks: nothing keeps a second run, on this or another computer, from writing the same test file.",
                "Start one test at a time on a file here"
            )
            : SelfTestCheck.Pass(LockCode, LockSubject, "while a test writes, a second one and the removal of its file are refused.");
    }

    private const string TimestampsCode = "Times",
        TimestampsSubject = "Times and copies";

    public static IEnumerable<SelfTestCheck> CheckTimestamps(SelfTestContext context)
    {
        var scratch = context.Path + ".times";
        var copy = context.Path + ".copy";
        var madeScratch = false;
        var madeCopy = false;
        try
        {
            long[] moves = MeasureTimestampChanges(scratch, out madeScratch);
            File.Copy(context.Path, copy, overwrite: false);
            madeCopy = true;
            var isCopyOurs = TestFiles.IsOwnTestFile(copy, out _);
            string[] words = ["by the write", "by the new length", "by the close"];
            var moved = words.Where((_, i) => moves[i] != 0).ToList();
            var causes = moved.Count == 0 ? "by none of a write, a new length and a close within 50 ms" : string.Join(" and ", moved);
            var what = $"the time of last write is moved {causes}";
            var figures = words.Select((word, i) => new FindingEvidence("Moved " + word, moves[i] / 10.0, "us")).ToArray();
            return
            [
                isCopyOurs
                    ? SelfTestCheck.Fail(
                        TimestampsCode,
                        TimestampsSubject,
                        what + "; a copy of the test file passes for the file itself.",
                        "Do not keep copies of test files here, and report it",
                        figures
                    )
                    : SelfTestCheck.Pass(
                        TimestampsCode,
                        TimestampsSubject,
                        what + "; a copy of the test file is recognised as one.",
                        null,
                        figures
                    ),
            ];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return
            [
                SelfTestCheck.CannotTell(
                    TimestampsCode,
                    TimestampsSubject,
                    $"a second file cannot be made or read here: {e.Message.TrimEnd('.')}."
                ),
            ];
        }
        finally
        {
            if (madeScratch)
                File.Delete(scratch);
            if (madeCopy)
                File.Delete(copy);
        }
    }

    // Changes of the last-write time per step, in units of 100 ns, as another handle sees them.
    private static long[] MeasureTimestampChanges(string path, out bool isMade)
    {
        isMade = false;
        var times = new List<long>();
        void Look()
        {
            times.Add(File.GetLastWriteTimeUtc(path).Ticks);
            Thread.Sleep(50);
        }
        using (
            var file = new FileStream(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0)
        )
        {
            isMade = true;
            Look();
            file.Write(new byte[4096]);
            Look();
            file.SetLength(8192);
            Look();
        }
        Look();
        return [.. times.Zip(times.Skip(1), (before, after) => after - before)];
    }

    private const string SharingCode = "Sharing",
        SharingSubject = "Sharing";

    public static IEnumerable<SelfTestCheck> CheckSharing(SelfTestContext context) =>
        OperatingSystem.IsWindows() ? [CheckWindowsSharing(context)] : [];

    private static SelfTestCheck CheckWindowsSharing(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.WritePercent = 100;
        using var target = context.OpenTestFile(test);
        using var worker = target.OpenHandle(test, context.Backend);
        var path = context.Path;
        var moved = context.Path + ".moved";
        var allowed = new List<string>();
        if (IsAllowed(() => new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.None).Dispose()))
            allowed.Add("opening it for oneself alone");
        if (IsAllowed(() => File.Move(path, moved)))
        {
            allowed.Add("renaming it");
            File.Move(moved, path);
        }
        // Delete last, because the file is gone afterwards.
        if (IsAllowed(() => File.Delete(path)))
            allowed.Add("deleting it");
        return allowed.Count == 0
            ? SelfTestCheck.Pass(
                SharingCode,
                SharingSubject,
                "while a test writes, its file cannot be renamed, deleted or opened by a program that does not share it."
            )
            : SelfTestCheck.Fail(
                SharingCode,
                SharingSubject,
                $"while a test writes its file, these are not refused: {string.Join(", ", allowed)}.",
                "Let nothing else touch test files here, and report it"
            );
    }

    private static bool IsAllowed(Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private const string NamesCode = "Names",
        NamesSubject = "Names";
    private const int NamePartLength = 100;

    public static IEnumerable<SelfTestCheck> CheckNames(SelfTestContext context) =>
        OperatingSystem.IsWindows() ? [CheckWindowsNames(context)] : [];

    private static SelfTestCheck CheckWindowsNames(SelfTestContext context)
    {
        string[] refused =
        [
            context.Path + ":s",
            context.Path + "::$DATA",
            $@"\\?\{context.Path}:s",
            @"\\.\pipe\iobench-self-test",
            @"\\.\COM1",
        ];
        var taken = refused.Where(path => !IsRefused(context, path)).ToArray();
        if (taken.Length > 0)
            return SelfTestCheck.Fail(
                NamesCode,
                NamesSubject,
                $"{taken.Length} of {refused.Length} names of streams, pipes and ports were not refused.",
                "Name plain files only, and report it"
            );
        var folder = Path.Combine(Path.GetDirectoryName(context.Path)!, "iobench-" + new string('d', NamePartLength));
        if (Directory.Exists(folder))
            return SelfTestCheck.CannotTell(
                NamesCode,
                NamesSubject,
                "names of streams, pipes and ports are refused; the folder for a long name is there already."
            );
        var file = Path.Combine(folder, new string('e', NamePartLength), new string('f', NamePartLength) + ".dat");
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        try
        {
            PrepareFile(context, file);
            TestFiles.Remove(file, force: false, CancellationToken.None);
        }
        finally
        {
            Directory.Delete(Path.GetDirectoryName(file)!);
            Directory.Delete(folder);
        }
        return SelfTestCheck.Pass(
            NamesCode,
            NamesSubject,
            $"names of streams, pipes and ports are refused; a file whose name has {file.Length} characters is made, proved and removed."
        );
    }

    private static bool IsRefused(SelfTestContext context, string path)
    {
        try
        {
            PrepareFile(context, path);
            return false;
        }
        catch (IoBenchException)
        {
            return true;
        }
    }

    private static void PrepareFile(SelfTestContext context, string path)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Targets = [new IoTargetSpecification(path)];
        test.FileSize = 1 << 20;
        TestFiles.Prepare(test, test.Targets[0], new TestRunOptions(), progress: null, context.Token);
    }
}
