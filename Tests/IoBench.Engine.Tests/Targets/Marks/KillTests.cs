using System.Diagnostics;
using System.Globalization;

namespace IoBench.Engine.Tests;

public class KillTests : TargetTestBase
{
    private const long FileSize = 48 * MB;

    [Fact]
    public void Kill_during_creation_leaves_no_file_or_one_to_be_finished()
    {
        var random = new Random(11);
        for (var i = 0; i < 8; i++)
        {
            var path = GetPath($"making-{i}.dat");
            StartAndKill("make", path, "ready", random.Next(120));
            if (File.Exists(path))
                AssertOwned(path);
            AssertNextRunFinishesFile(path);
            File.Delete(path);
        }
    }

    [Fact]
    public void File_can_be_finished_after_repeated_kills()
    {
        var random = new Random(12);
        for (var i = 0; i < 6; i++)
        {
            StartAndKill("make", GetPath("a.dat"), "ready", random.Next(120));
            if (File.Exists(GetPath("a.dat")))
                AssertOwned(GetPath("a.dat"));
        }
        AssertNextRunFinishesFile(GetPath("a.dat"));
    }

    [Fact]
    public void Kill_during_writing_leaves_the_file_owned()
    {
        PrepareFile(GetPath("a.dat"), 4 * MB);
        var random = new Random(13);
        for (var i = 0; i < 6; i++)
        {
            StartAndKill("write", GetPath("a.dat"), "writing", random.Next(60), 4 * MB);
            AssertOwned(GetPath("a.dat"));
        }
        CreateUnownedFile("other.dat", (int)(4 * MB));
        RunShell($"dd if='{GetPath("other.dat")}' of='{GetPath("a.dat")}' conv=notrunc status=none");
        AssertNotOwned(GetPath("a.dat"));
    }

    private static void AssertNextRunFinishesFile(string path)
    {
        var target = PrepareFile(path, FileSize);
        var expected = new byte[FileSize];
        TestFileContent.Generate(expected, target.ContentSeed, 0);
        Assert.True(expected.AsSpan().SequenceEqual(File.ReadAllBytes(path)));
        AssertOwned(path);
    }

    private static void StartAndKill(string work, string path, string awaited, int milliseconds, long size = FileSize)
    {
        var program = typeof(KilledProgram).Assembly.Location;
        var runner = Environment.ProcessPath is { } own && Path.GetFileNameWithoutExtension(own) == "dotnet" ? own : "dotnet";
        using var process = Process.Start(
            new ProcessStartInfo(runner, ["exec", program, work, path, size.ToString(CultureInfo.InvariantCulture)])
            {
                RedirectStandardOutput = true,
                // A .NET program that is killed leaves the socket of its diagnostics in the temporary folder.
                Environment = { ["DOTNET_EnableDiagnostics"] = "0" },
            }
        )!;
        while (process.StandardOutput.ReadLine() is { } line && line != awaited) { }
        Thread.Sleep(milliseconds);
        process.Kill();
        process.WaitForExit();
    }
}
