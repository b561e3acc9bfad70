namespace IoBench.Engine.Tests;

/// <summary>Entry point if the test assembly is started as a program: work that the parent process kills.</summary>
internal static class KilledProgram
{
    public static int Main(string[] arguments)
    {
        if (arguments is not [var work, var path, var size])
            return 2;
        var spec = new IoTestSpecification
        {
            FileSize = long.Parse(size, System.Globalization.CultureInfo.InvariantCulture),
            WritePercent = 100,
            Targets = [new IoTargetSpecification(path)],
        };
        Console.WriteLine("ready");
        if (work == "write")
            WriteUntilKilled(spec);
        else
            TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), null, CancellationToken.None);
        return 0;
    }

    private static void WriteUntilKilled(IoTestSpecification spec)
    {
        using var run = new WritingRun(spec);
        var target = run.Target.Target;
        using var handle = File.OpenHandle(target.Path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        var random = new Random();
        const int length = 8192;
        Console.WriteLine("writing");
        for (ulong sequence = 0; ; sequence++)
        {
            var offset = random.NextInt64(target.Size / length) * length;
            RandomAccess.Write(handle, TestWrites.CreateContent(target.ContentSeed, offset, length, sequence), offset);
        }
    }
}
