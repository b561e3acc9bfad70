using IoBench.Engine;

namespace IoBench.Engine.Tests;

/// <summary>What the test assembly does when it is started as a program: work that its parent kills.</summary>
internal static class KilledProgram
{
    public static int Main(string[] arguments)
    {
        if (arguments is not [var work, var path, var size])
            return 2;
        var spec = new IoTestSpecification { FileSize = long.Parse(size, System.Globalization.CultureInfo.InvariantCulture), WritePercent = 100, Targets = [new IoTargetSpecification(path)] };
        Console.WriteLine("ready");
        var target = TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), null, CancellationToken.None);
        if (work == "write")
            WriteForEver(target);
        return 0;
    }

    private static void WriteForEver(PreparedTarget target)
    {
        using var mark = TestFiles.BeginWriting(target, target.ContentSeed);
        using var handle = File.OpenHandle(target.Path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        var random = new Random();
        var block = new byte[8192];
        Console.WriteLine("writing");
        for (ulong sequence = 0; ; sequence++)
        {
            random.NextBytes(block);
            var offset = random.NextInt64(target.Size / block.Length) * block.Length;
            BlockStamp.StampAll(block, target.ContentSeed, offset, sequence);
            RandomAccess.Write(handle, block, offset);
        }
    }
}
