using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace IoBench.Cli.Tests;

public class LimitTests
{
    private const string Python = "/usr/bin/python3";
    private static readonly string[] s_short = ["--size", "8MB", "--duration", "200ms", "--warm-up", "0", "--format", "json", "--verbose"];

    private sealed class RootFactAttribute : FactAttribute
    {
        public RootFactAttribute(params string[] programs)
        {
            var missing = programs.Where(p => Tool.Find(p) is null).ToArray();
            Skip =
                LinuxFactAttribute.Reason
                ?? (
                    !Environment.IsPrivilegedProcess ? "needs root"
                    : missing.Length > 0 ? "needs " + string.Join(", ", missing)
                    : programs.Contains("setpriv") && Closed() is { } folder
                        ? $"needs a project that other users may run: they may not enter {folder}"
                    : null
                );
        }

        // For example, the home folder of root.
        private static string? Closed()
        {
            for (var folder = new DirectoryInfo(Samples.Root); folder is not null; folder = folder.Parent)
            {
                if ((folder.UnixFileMode & UnixFileMode.OtherExecute) == 0)
                    return folder.FullName;
            }
            return null;
        }
    }

    private sealed class PythonTheoryAttribute : TheoryAttribute
    {
        public PythonTheoryAttribute() => Skip = LinuxFactAttribute.Reason ?? (File.Exists(Python) ? null : "needs " + Python);
    }

    [PythonTheory]
    [InlineData(1, "it is forbidden here (kernel.io_uring_disabled, or a container's seccomp filter)")]
    [InlineData(38, "this kernel has none, or one older than 5.11")]
    public void IO_uring_that_the_kernel_refuses_is_told_where_it_was_asked_for_and_else_another_backend_runs(int error, string reason)
    {
        using var folder = new TestFolder();
        var forbid = Forbidding("io_uring", error);
        var auto = Under(folder, forbid, ["run", "t.dat", .. s_short]);
        Assert.True(auto.ExitCode == 0, auto.Error);
        Assert.Equal("LinuxAio", Result(auto).GetProperty("backend").GetString());
        Assert.Contains($"IoUring is not used: {reason}.", auto.Error);

        var asked = Under(folder, forbid, ["run", "t.dat", "--backend", "iouring", .. s_short]);
        Assert.Equal(1, asked.ExitCode);
        Assert.Contains(
            $"iobench: --backend iouring cannot be used: {reason}. Leave the choice to IoBench (--backend auto).",
            asked.ErrorLines
        );
    }

    [PythonTheory]
    [InlineData(11, "the system's limit of such I/Os is reached (fs.aio-max-nr)")]
    [InlineData(38, "this kernel has none")]
    public void Native_asynchronous_IO_that_the_kernel_refuses_is_told_where_it_was_asked_for_and_else_threads_run(int error, string reason)
    {
        using var folder = new TestFolder();
        var forbid = Forbidding("linux_aio", error);
        var asked = Under(folder, forbid, ["run", "t.dat", "--backend", "linuxaio", .. s_short]);
        Assert.Equal(1, asked.ExitCode);
        Assert.Contains(
            $"iobench: --backend linuxaio cannot be used: {reason}. Leave the choice to IoBench (--backend auto).",
            asked.ErrorLines
        );
        Assert.Empty(folder.Listing());

        var auto = Under(folder, [.. Forbidding("io_uring", 1), .. forbid], ["run", "t.dat", .. s_short]);
        Assert.True(auto.ExitCode == 0, auto.Error);
        Assert.Equal("Threads", Result(auto).GetProperty("backend").GetString());
        Assert.Contains("IoUring is not used: ", auto.Error);
        Assert.Contains($"LinuxAio is not used: {reason}.", auto.Error);
    }

    [RootFact("prlimit", "setpriv")]
    public void Whatever_memory_may_be_locked_a_run_ends_well_and_says_what_all_of_its_threads_got()
    {
        using var folder = new TestFolder();
        Allow(folder.Path, "777");
        var (deep, wide, large) = (("8", "64", "8KB"), ("32", "8", "8KB"), ("4", "8", "512KB"));
        foreach (
            var (kilobytes, shapes) in ((int, (string, string, string)[])[])
                [(0, [deep]), (64, [wide]), (256, [deep, large]), (8192, [wide, large])]
        )
        {
            foreach (var (threads, outstanding, block) in shapes)
            {
                var outcome = Limited(kilobytes, ["--threads", threads, "--qd", outstanding, "--block", block]);
                Assert.True(outcome.ExitCode == 0, outcome.Error);
                var result = Result(outcome);
                Assert.Equal("Complete", result.GetProperty("status").GetString());
                var host = result.GetProperty("host");
                // Some kernels count the rings themselves as locked memory.
                if (result.GetProperty("backend").GetString() == "IoUring")
                    Assert.Matches(
                        @"^IoUring \([a-z_, ]+, registered files, (registered buffers|plain buffers \(locked memory is limited to .+: ulimit -l\))\)$",
                        host.GetProperty("Backend").GetString()
                    );
                else
                    Assert.StartsWith(
                        "IoUring is not used: the limit of locked memory is too low (ulimit -l)",
                        host.GetProperty("Better backends").GetString(),
                        StringComparison.Ordinal
                    );
            }
        }

        var asked = Limited(0, ["--backend", "iouring"]);
        if (asked.ExitCode != 0)
        {
            Assert.Equal(1, asked.ExitCode);
            Assert.Matches(
                @"--backend iouring cannot be used: the limit of locked memory is too low \(ulimit -l\).*Raise it, .*Leave the choice to IoBench \(--backend auto\)\.",
                asked.Error
            );
        }

        // Limits of locked memory do not apply to root, so the program runs as another user.
        CliOutcome Limited(int kilobytes, string[] shape) =>
            Under(
                folder,
                [
                    "prlimit",
                    $"--memlock={kilobytes * 1024}:{kilobytes * 1024}",
                    "setpriv",
                    "--reuid",
                    "65534",
                    "--regid",
                    "65534",
                    "--clear-groups",
                ],
                ["run", "t.dat", .. shape, .. s_short]
            );
    }

    [RootFact("prlimit")]
    public void Too_many_open_files_are_told_before_the_run()
    {
        using var folder = new TestFolder();
        var outcome = Under(folder, ["prlimit", "--nofile=150:150"], ["run", "t.dat", "--threads", "100", .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Matches(
            "the run needs [0-9]+ open files, and 150 are allowed here. Use fewer threads or targets, or raise the limit",
            Assert.Single(outcome.ErrorLines, l => l.StartsWith("iobench:", StringComparison.Ordinal))
        );
        Assert.Empty(folder.Listing());
    }

    [RootFact("prlimit")]
    public void Too_few_files_to_start_are_told_in_one_line()
    {
        using var folder = new TestFolder();
        foreach (var files in (int[])[40, 60, 80, 100])
        {
            var outcome = Under(folder, ["prlimit", $"--nofile={files}:{files}"], ["run", "t.dat", "--threads", "64", .. s_short]);
            Assert.Equal(2, outcome.ExitCode);
            Assert.Contains(
                "ulimit -n",
                Assert.Single(outcome.ErrorLines, l => l.StartsWith("iobench:", StringComparison.Ordinal)),
                StringComparison.Ordinal
            );
            Assert.DoesNotContain("   at ", outcome.Error, StringComparison.Ordinal);
        }
        Assert.Empty(folder.Listing());
    }

    [RootFact("setpriv")]
    public void A_file_of_another_user_is_told_and_left_alone()
    {
        using var folder = new TestFolder();
        Allow(folder.Path, "777");
        Assert.Equal(0, Cli.Run(["run", folder.File("t.dat"), "--quiet", .. s_short[..^1]]).ExitCode);
        Allow(folder.File("t.dat"), "600");
        var before = folder.Listing();
        foreach (var write in (string[])["0", "100"])
        {
            var outcome = Under(
                folder,
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"],
                ["run", "t.dat", "--write", write, .. s_short]
            );
            Assert.Equal(2, outcome.ExitCode);
            Assert.Contains("access denied. Run as a user who may use it", outcome.Error);
        }
        Assert.Equal(before, folder.Listing());
    }

    [RootFact("unshare", "mount")]
    public void A_read_only_mount_is_told_and_reading_there_still_works()
    {
        using var folder = new TestFolder();
        Assert.Equal(0, Cli.Run(["run", folder.File("t.dat"), "--quiet", .. s_short[..^1]]).ExitCode);
        string[] readOnly =
        [
            "unshare",
            "--mount",
            "/bin/sh",
            "-c",
            "mount --bind . . && mount -o remount,bind,ro . && cd \"$PWD\" && exec \"$@\"",
            "sh",
        ];
        foreach (var (name, write, code) in new[] { ("t.dat", "0", 0), ("t.dat", "100", 2), ("new.dat", "0", 2) })
        {
            var outcome = Under(folder, readOnly, ["run", name, "--write", write, .. s_short]);
            Assert.True(code == outcome.ExitCode, outcome.Error);
            Assert.Equal(
                code != 0,
                outcome.Error.Contains(
                    "is on a volume that is mounted read-only. Name a file on another volume, or remount it.",
                    StringComparison.Ordinal
                )
            );
        }
    }

    [FuseFact(notByWine: "expects Linux' words for the error; WindowsProgramTests has Windows'")]
    public void An_IO_error_is_exit_code_one_with_the_figures_so_far()
    {
        using var folder = new TestFolder();
        using var disk = new FaultyDisk();
        Assert.Equal(0, Cli.Run(["run", disk.Path("t.dat"), "--quiet", .. s_short[..^1]]).ExitCode);
        disk.Rules("read-error-after 300");
        var outcome = Cli.Execute(
            folder.Path,
            ["run", disk.Path("t.dat"), .. s_short[..2], "--duration", "30", "--warm-up", "0", "--format", "json"]
        );
        Assert.Equal(1, outcome.ExitCode);
        var result = Result(outcome);
        Assert.Equal("Failed", result.GetProperty("status").GetString());
        Assert.Equal("IoBench.IoFailed", result.GetProperty("errorId").GetString());
        Assert.InRange(result.GetProperty("ioCount").GetInt64(), 1, 300);
        Assert.Contains("Input/output error (5). The device or its driver failed: look at the system's log.", outcome.Error);
        Assert.DoesNotContain("   at ", outcome.Error, StringComparison.Ordinal);
    }

    private static CliOutcome Under(TestFolder folder, string[] limit, string[] args)
    {
        using var process = Process.Start(
            new ProcessStartInfo(limit[0], [.. limit[1..], .. Cli.Command, .. args])
            {
                WorkingDirectory = folder.Path,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                RedirectStandardInput = true,
            }
        )!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    private static string[] Forbidding(string backend, int error) =>
        [Python, Path.Combine(Samples.Root, "Tests", "Shared", "forbid_backend.py"), backend, error.ToString(CultureInfo.InvariantCulture)];

    private static JsonElement Result(CliOutcome outcome) => JsonDocument.Parse(outcome.Output).RootElement[0];

    private static void Allow(string path, string mode)
    {
        using var chmod = Process.Start("chmod", [mode, path]);
        chmod.WaitForExit();
        Assert.Equal(0, chmod.ExitCode);
    }
}
