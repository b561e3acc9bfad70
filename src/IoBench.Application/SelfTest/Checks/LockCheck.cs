using IoBench.Engine;

namespace IoBench.Application;

internal static class TestFileChecks
{
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
}
