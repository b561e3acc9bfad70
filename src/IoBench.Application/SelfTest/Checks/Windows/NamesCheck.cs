using IoBench.Engine;

namespace IoBench.Application;

internal static class TestFileChecks
{
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
