using IoBench.Engine;

namespace IoBench.Application;

internal static class TestFileChecks
{
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
        return PlatformFiles.Current.ReadNativeMarker(handle, path) is null ? "a file beside it"
            : OperatingSystem.IsWindows() ? "an alternate data stream"
            : "an extended attribute";
    }
}
