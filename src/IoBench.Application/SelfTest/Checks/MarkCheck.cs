using IoBench.Engine;

namespace IoBench.Application;

internal static class MarkCheck
{
    private const string Code = "Mark",
        Subject = "Mark";

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var kind = Kind(context.Path);
        yield return TestFiles.IsOurs(context.Path, out var reason)
            ? SelfTestCheck.Pass(Code, Subject, $"the test file is recognised after tests wrote to it; its mark is {kind}.")
            : SelfTestCheck.Fail(
                Code,
                Subject,
                $"the test file {reason}, although only IoBench wrote to it; its mark is {kind}.",
                "Report it, and use another file system until it is corrected"
            );
    }

    private static string Kind(string path)
    {
        using var handle = PlatformFiles.Current.OpenToRead(path);
        return PlatformFiles.Current.ReadNativeMark(handle, path) is null ? "a file beside it"
            : OperatingSystem.IsWindows() ? "an alternate data stream"
            : "an extended attribute";
    }
}
