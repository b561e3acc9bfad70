using IoBench.Engine;

namespace IoBench.Application;

internal static class TestFileChecks
{
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
        var (path, moved) = (context.Path, context.Path + ".moved");
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
}
