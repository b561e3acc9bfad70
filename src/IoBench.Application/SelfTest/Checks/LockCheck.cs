using IoBench.Engine;

namespace IoBench.Application;

internal static class LockCheck
{
    private const string Code = "Lock",
        Subject = "Lock";

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var test = context.Test(IoBuffering.Both);
        test.WritePercent = 100;
        using var target = context.OpenTarget(test);
        using var other = PlatformFiles.Current.OpenToWrite(context.Path);
        // Lock the open file itself, because IoBench also keeps a list of its own files within one process.
        var isWrittenByTwo = PlatformFiles.Current.TryLock(other);
        var isRemovable = PlatformFiles.Current.TryLockToRemove(other);
        PlatformFiles.Current.Unlock(other);
        yield return isWrittenByTwo || isRemovable
            ? SelfTestCheck.CannotTell(
                Code,
                Subject,
                "this file system has no locks: nothing keeps a second run, on this or another computer, from writing the same test file.",
                "Start one test at a time on a file here"
            )
            : SelfTestCheck.Pass(Code, Subject, "while a test writes, a second one and the removal of its file are refused.");
    }
}
