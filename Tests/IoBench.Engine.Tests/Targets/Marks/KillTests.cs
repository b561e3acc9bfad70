using System.Diagnostics;
using System.Globalization;

namespace IoBench.Engine.Tests;

public class KillTests : TargetFolder
{
    private const long FileSize = 48 * MB;

    [Fact]
    public void Killed_while_making_a_file_leaves_none_or_one_that_the_next_run_finishes()
    {
        var random = new Random(11);
        for (var i = 0; i < 8; i++)
        {
            var path = At($"making-{i}.dat");
            StartAndKill("make", path, "ready", random.Next(120));
            if (File.Exists(path))
                AssertOurs(path);
            CheckFinished(path);
            File.Delete(path);
        }
    }

    [Fact]
    public void Killed_again_and_again_a_file_is_finished_in_the_end()
    {
        var random = new Random(12);
        for (var i = 0; i < 6; i++)
        {
            StartAndKill("make", At("a.dat"), "ready", random.Next(120));
            if (File.Exists(At("a.dat")))
                AssertOurs(At("a.dat"));
        }
        CheckFinished(At("a.dat"));
    }

    [Fact]
    public void Killed_while_writing_leaves_a_file_that_is_ours()
    {
        Prepare(At("a.dat"), 4 * MB);
        var random = new Random(13);
        for (var i = 0; i < 6; i++)
        {
            StartAndKill("write", At("a.dat"), "writing", random.Next(60), 4 * MB);
            AssertOurs(At("a.dat"));
        }
        Foreign("other.dat", (int)(4 * MB));
        Shell($"dd if='{At("other.dat")}' of='{At("a.dat")}' conv=notrunc status=none");
        WhyForeign(At("a.dat"));
    }

    private static void CheckFinished(string path)
    {
        var target = Prepare(path, FileSize);
        var expected = new byte[FileSize];
        FillContent.Fill(expected, target.ContentSeed, 0);
        Assert.True(expected.AsSpan().SequenceEqual(File.ReadAllBytes(path)));
        AssertOurs(path);
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
