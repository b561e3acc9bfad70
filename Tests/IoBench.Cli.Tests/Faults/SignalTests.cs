using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

/// <summary>
/// Ends the program with Ctrl+C, SIGTERM, and SIGKILL at random times while it starts, creates its file, and writes. Afterwards the file
/// has a valid ownership marker or does not exist, the next run works, and content that another program wrote over the file is never
/// accepted.
/// </summary>
public class SignalTests
{
    private const int Interrupt = 2,
        Kill = 9,
        Terminate = 15;

    [LinuxFact]
    public void Test_file_is_reusable_after_the_run_was_killed_at_any_time()
    {
        using var folder = new TestFolder();
        var random = new Random(17);
        for (var i = 0; i < 12; i++)
        {
            var path = folder.GetPath($"t{i / 6}.dat");
            var signal = (int[])[Kill, Interrupt, Kill, Terminate] is var signals ? signals[i % signals.Length] : Kill;
            using (
                var process = Cli.StartProcess(
                    folder.Path,
                    "run",
                    path,
                    "--size",
                    "96MB",
                    "--write",
                    "100",
                    "--duration",
                    "60",
                    "--warm-up",
                    "0",
                    "--quiet"
                )
            )
            {
                // Up to 600 ms covers the start of the program and the creation of the file.
                Thread.Sleep(60 + random.Next(540));
                Assert.Equal(0, SendSignal(process.Id, signal));
                Assert.True(process.WaitForExit(TimeSpan.FromMinutes(2)), "The program did not end.");
                if (signal != Kill && process.StandardError.ReadToEnd() is { Length: > 0 } error)
                    Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
            }
            // A canceled run deletes the file that it was creating.
            if (File.Exists(path))
                Assert.True(TestFiles.IsOwnTestFile(path, out var reason), $"{i}: {reason}");
            if (i % 3 != 2)
                continue;
            var next = Cli.Run("run", path, "--size", "96MB", "--write", "50", "--duration", "50ms", "--warm-up", "0", "--quiet");
            Assert.True(next.ExitCode == 0, next.Error);
            Assert.True(TestFiles.IsOwnTestFile(path, out var why), why);
            Assert.Equal(96 << 20, new FileInfo(path).Length);
        }

        // If another program overwrites the file that a killed run left open, IoBench no longer owns the file.
        var open = folder.GetPath("t0.dat");
        using (var process = Cli.StartProcess(folder.Path, "run", open, "--write", "100", "--duration", "60", "--warm-up", "0", "--quiet"))
        {
            Thread.Sleep(800);
            process.Kill();
            process.WaitForExit();
        }
        Assert.True(TestFiles.IsOwnTestFile(open, out _));
        using (var file = File.OpenWrite(open))
            for (var at = 0; at < 96; at++)
                file.Write(new byte[1 << 20]);
        Assert.False(TestFiles.IsOwnTestFile(open, out _));
        Assert.Equal(2, Cli.Run("run", open, "--write", "100", "--duration", "1", "--quiet").ExitCode);
    }

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int SendSignal(int process, int signal);
}
