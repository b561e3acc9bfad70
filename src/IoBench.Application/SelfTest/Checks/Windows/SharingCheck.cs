using IoBench.Engine;

namespace IoBench.Application;

internal static class SharingCheck
{
    private const string Code = "Sharing",
        Subject = "Sharing";

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context) => OperatingSystem.IsWindows() ? [OfWindows(context)] : [];

    private static SelfTestCheck OfWindows(SelfTestContext context)
    {
        var test = context.Test(IoBuffering.Both);
        test.WritePercent = 100;
        using var target = context.OpenTarget(test);
        using var worker = target.Open(test, context.Backend);
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
                Code,
                Subject,
                "while a test writes, its file cannot be renamed, deleted or opened by a program that does not share it."
            )
            : SelfTestCheck.Fail(
                Code,
                Subject,
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
