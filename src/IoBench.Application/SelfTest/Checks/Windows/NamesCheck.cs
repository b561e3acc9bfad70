using IoBench.Engine;

namespace IoBench.Application;

internal static class NamesCheck
{
    private const string Code = "Names",
        Subject = "Names";
    private const int Part = 100;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context) => OperatingSystem.IsWindows() ? [OfWindows(context)] : [];

    private static SelfTestCheck OfWindows(SelfTestContext context)
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
                Code,
                Subject,
                $"{taken.Length} of {refused.Length} names of streams, pipes and ports were not refused.",
                "Name plain files only, and report it"
            );
        var folder = Path.Combine(Path.GetDirectoryName(context.Path)!, "iobench-" + new string('d', Part));
        if (Directory.Exists(folder))
            return SelfTestCheck.CannotTell(
                Code,
                Subject,
                "names of streams, pipes and ports are refused; the folder for a long name is there already."
            );
        var file = Path.Combine(folder, new string('e', Part), new string('f', Part) + ".dat");
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        try
        {
            Prepare(context, file);
            TestFiles.Remove(file, force: false, CancellationToken.None);
        }
        finally
        {
            Directory.Delete(Path.GetDirectoryName(file)!);
            Directory.Delete(folder);
        }
        return SelfTestCheck.Pass(
            Code,
            Subject,
            $"names of streams, pipes and ports are refused; a file whose name has {file.Length} characters is made, proved and removed."
        );
    }

    private static bool IsRefused(SelfTestContext context, string path)
    {
        try
        {
            Prepare(context, path);
            return false;
        }
        catch (IoBenchException)
        {
            return true;
        }
    }

    private static void Prepare(SelfTestContext context, string path)
    {
        var test = context.Test(IoBuffering.Both);
        test.Targets = [new IoTargetSpecification(path)];
        test.FileSize = 1 << 20;
        TestFiles.Prepare(test, test.Targets[0], new TestRunOptions(), progress: null, context.Token);
    }
}
