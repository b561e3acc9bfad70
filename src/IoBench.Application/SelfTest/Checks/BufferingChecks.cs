using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks that files are open with the flags of their buffering, that unbuffered reads need aligned offsets, and that they reach the
/// device.
/// </summary>
internal static class BufferingChecks
{
    private const string FlagsCode = "Flags",
        FlagsSubject = "Open flags";

    public static IEnumerable<SelfTestCheck> CheckOpenFlags(SelfTestContext context)
    {
        var wrong = new List<string>();
        foreach (var buffering in Enum.GetValues<IoBuffering>())
        {
            var isUnbuffered = buffering is IoBuffering.None or IoBuffering.Hardware;
            if (isUnbuffered && context.SupportsUnbufferedIO == false)
                continue;
            var test = context.CreateTest(buffering);
            test.WritePercent = 100;
            using var target = context.OpenTestFile(test);
            using var handle = target.OpenHandle(test, context.Backend);
            if (OpenFlags.FromHandle(handle.File) is not { } flags)
            {
                yield return SelfTestCheck.CannotTell(FlagsCode, FlagsSubject, "the system does not show the flags of an open file.");
                yield break;
            }
            if (flags.DescribeMismatch(buffering) is { } against)
                wrong.Add($"{buffering} is {against}");
            if (flags.IsSynchronous)
                wrong.Add($"{buffering} is opened for one I/O at a time");
        }
        if (wrong.Count > 0)
            yield return SelfTestCheck.Fail(
                FlagsCode,
                FlagsSubject,
                $"files are not open as they were asked for: {string.Join(", ", wrong)}.",
                "Do not trust figures of writes and unbuffered reads here; report it"
            );
        else if (context.SupportsUnbufferedIO == false)
            yield return SelfTestCheck.CannotTell(
                FlagsCode,
                FlagsSubject,
                "this file system does not do unbuffered I/O; buffered files are open as they were asked for.",
                "Name a folder on the disk that matters"
            );
        else
            yield return SelfTestCheck.Pass(
                FlagsCode,
                FlagsSubject,
                OperatingSystem.IsWindows()
                    ? "the handles of all four kinds of buffering have FILE_FLAG_NO_BUFFERING and FILE_FLAG_WRITE_THROUGH as they should."
                    : "the files of all four kinds of buffering have O_DIRECT and O_DSYNC as they should."
            );
    }
}
