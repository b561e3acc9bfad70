using System.Runtime.InteropServices;

namespace IoBench.Cli.Tests;

/// <summary>
/// The program ended by Ctrl+C, by a service manager and by kill -9 at random times, while it starts, makes its file and writes to it: the file is ours or not
/// there, the next run carries on, and what others put over it is never taken for ours.
/// </summary>
public class SignalTests
{
    private const int Interrupt = 2,
        Kill = 9,
        Terminate = 15;

    [LinuxFact]
    public void The_next_run_carries_on_whatever_ended_the_last_one()
    {
        using var folder = new TestFolder();
        var random = new Random(17);
        for (var i = 0; i < 12; i++)
        {
            var path = folder.File($"t{i / 6}.dat");
            var signal = (int[])[Kill, Interrupt, Kill, Terminate] is var signals ? signals[i % signals.Length] : Kill;
            using (
                var process = Cli.Start(
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
                // A start takes about 150 ms, making the file about as long.
                Thread.Sleep(60 + random.Next(540));
                Assert.Equal(0, SendSignal(process.Id, signal));
                Assert.True(process.WaitForExit(TimeSpan.FromMinutes(2)), "The program did not end.");
                if (signal != Kill && process.StandardError.ReadToEnd() is { Length: > 0 } error)
                    Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
            }
            // One that was stopped while it made a new file keeps nothing of it.
            if (File.Exists(path))
                Assert.True(TestFiles.IsOurs(path, out var reason), $"{i}: {reason}");
            if (i % 3 != 2)
                continue;
            var next = Cli.Run("run", path, "--size", "96MB", "--write", "50", "--duration", "50ms", "--warm-up", "0", "--quiet");
            Assert.True(next.ExitCode == 0, next.Error);
            Assert.True(TestFiles.IsOurs(path, out var why), why);
            Assert.Equal(96 << 20, new FileInfo(path).Length);
        }

        // Others' bytes over a file that a killed run left open make it theirs.
        var open = folder.File("t0.dat");
        using (var process = Cli.Start(folder.Path, "run", open, "--write", "100", "--duration", "60", "--warm-up", "0", "--quiet"))
        {
            Thread.Sleep(800);
            process.Kill();
            process.WaitForExit();
        }
        Assert.True(TestFiles.IsOurs(open, out _));
        using (var file = File.OpenWrite(open))
            for (var at = 0; at < 96; at++)
                file.Write(new byte[1 << 20]);
        Assert.False(TestFiles.IsOurs(open, out _));
        Assert.Equal(2, Cli.Run("run", open, "--write", "100", "--duration", "1", "--quiet").ExitCode);
    }

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int SendSignal(int process, int signal);
}
