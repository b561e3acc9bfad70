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
            var missing = programs.Where(p => ProgramFinder.FindOnPath(p) is null).ToArray();
            Skip =
                LinuxFactAttribute.Reason
                ?? (
                    !Environment.IsPrivilegedProcess ? "needs root"
                    : missing.Length > 0 ? "needs " + string.Join(", ", missing)
                    : programs.Contains("setpriv") && FindInaccessibleFolder() is { } folder
                        ? $"needs a project that other users may run: they may not enter {folder}"
                    : null
                );
        }

        // For example, the home folder of root.
        private static string? FindInaccessibleFolder()
        {
            for (var folder = new DirectoryInfo(SampleFiles.RepositoryRoot); folder is not null; folder = folder.Parent)
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
    [InlineData(1, "the system does not allow it (kernel.io_uring_disabled, or the seccomp filter of a container)")]
    [InlineData(38, "this kernel has no io_uring, or is older than 5.11")]
    public void Run_falls_back_from_refused_io_uring_unless_requested(int error, string reason)
    {
        using var folder = new TestFolder();
        var forbid = CreateForbidCommand("io_uring", error);
        var auto = RunUnder(folder, forbid, ["run", "t.dat", .. s_short]);
        Assert.True(auto.ExitCode == 0, auto.Error);
        Assert.Equal("LinuxAio", ParseResult(auto).GetProperty("backend").GetString());
        Assert.Contains($"IoBench does not use IoUring: {reason}.", auto.Error);

        var asked = RunUnder(folder, forbid, ["run", "t.dat", "--backend", "iouring", .. s_short]);
        Assert.Equal(1, asked.ExitCode);
        Assert.Contains(
            $"iobench: --backend iouring cannot be used: {reason}. Use --backend auto, so that IoBench chooses the backend. [IoBench.BackendNotAvailable]",
            asked.ErrorLines
        );
    }

    [PythonTheory]
    [InlineData(11, "the system limit for asynchronous I/Os has been reached (fs.aio-max-nr)")]
    [InlineData(38, "this kernel does not support it")]
    public void Run_falls_back_from_refused_Linux_AIO_unless_requested(int error, string reason)
    {
        using var folder = new TestFolder();
        var forbid = CreateForbidCommand("linux_aio", error);
        var asked = RunUnder(folder, forbid, ["run", "t.dat", "--backend", "linuxaio", .. s_short]);
        Assert.Equal(1, asked.ExitCode);
        Assert.Contains(
            $"iobench: --backend linuxaio cannot be used: {reason}. Use --backend auto, so that IoBench chooses the backend. [IoBench.BackendNotAvailable]",
            asked.ErrorLines
        );
        Assert.Empty(folder.ListContents());

        var auto = RunUnder(folder, [.. CreateForbidCommand("io_uring", 1), .. forbid], ["run", "t.dat", .. s_short]);
        Assert.True(auto.ExitCode == 0, auto.Error);
        Assert.Equal("Threads", ParseResult(auto).GetProperty("backend").GetString());
        Assert.Contains("IoBench does not use IoUring: ", auto.Error);
        Assert.Contains($"IoBench does not use LinuxAio: {reason}.", auto.Error);
    }

    [RootFact("prlimit", "setpriv")]
    public void Run_completes_with_any_locked_memory_limit_and_reports_features()
    {
        using var folder = new TestFolder();
        SetMode(folder.Path, "777");
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
                var result = ParseResult(outcome);
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
                        "IoBench does not use IoUring: the locked-memory limit is too low (ulimit -l)",
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
                @"--backend iouring cannot be used: the locked-memory limit is too low \(ulimit -l\).*Raise the limit, .*Use --backend auto, so that IoBench chooses the backend\.",
                asked.Error
            );
        }

        // Limits of locked memory do not apply to root, so the program runs as another user.
        CliOutcome Limited(int kilobytes, string[] shape) =>
            RunUnder(
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
    public void Run_refuses_too_many_open_files_before_the_test()
    {
        using var folder = new TestFolder();
        var outcome = RunUnder(folder, ["prlimit", "--nofile=150:150"], ["run", "t.dat", "--threads", "100", .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Matches(
            "The run needs [0-9]+ open files, but the limit is 150. Use fewer threads or targets, or raise the limit",
            Assert.Single(outcome.ErrorLines, l => l.StartsWith("iobench:", StringComparison.Ordinal))
        );
        Assert.Empty(folder.ListContents());
    }

    [RootFact("prlimit")]
    public void Too_low_file_handle_limit_is_a_one_line_error()
    {
        using var folder = new TestFolder();
        foreach (var files in (int[])[40, 60, 80, 100])
        {
            var outcome = RunUnder(folder, ["prlimit", $"--nofile={files}:{files}"], ["run", "t.dat", "--threads", "64", .. s_short]);
            Assert.Equal(2, outcome.ExitCode);
            Assert.Contains(
                "ulimit -n",
                Assert.Single(outcome.ErrorLines, l => l.StartsWith("iobench:", StringComparison.Ordinal)),
                StringComparison.Ordinal
            );
            Assert.DoesNotContain("   at ", outcome.Error, StringComparison.Ordinal);
        }
        Assert.Empty(folder.ListContents());
    }

    [RootFact("setpriv")]
    public void Run_refuses_a_file_without_access_and_leaves_it_unchanged()
    {
        using var folder = new TestFolder();
        SetMode(folder.Path, "777");
        Assert.Equal(0, Cli.Run(["run", folder.GetPath("t.dat"), "--quiet", .. s_short[..^1]]).ExitCode);
        SetMode(folder.GetPath("t.dat"), "600");
        var before = folder.ListContents();
        foreach (var write in (string[])["0", "100"])
        {
            var outcome = RunUnder(
                folder,
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"],
                ["run", "t.dat", "--write", write, .. s_short]
            );
            Assert.Equal(2, outcome.ExitCode);
            Assert.Contains("access denied. Run IoBench as a user who has access", outcome.Error);
        }
        Assert.Equal(before, folder.ListContents());
    }

    [RootFact("unshare", "mount")]
    public void Read_only_mount_allows_reads_and_refuses_writes()
    {
        using var folder = new TestFolder();
        Assert.Equal(0, Cli.Run(["run", folder.GetPath("t.dat"), "--quiet", .. s_short[..^1]]).ExitCode);
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
            var outcome = RunUnder(folder, readOnly, ["run", name, "--write", write, .. s_short]);
            Assert.True(code == outcome.ExitCode, outcome.Error);
            Assert.Equal(
                code != 0,
                outcome.Error.Contains(
                    "is on a volume that is mounted read-only. Specify a file on another volume, or remount the volume.",
                    StringComparison.Ordinal
                )
            );
        }
    }

    [FuseFact(notByWine: "expects Linux' words for the error; WindowsProgramTests has Windows'")]
    public void IO_error_exits_with_1_and_keeps_partial_results()
    {
        using var folder = new TestFolder();
        using var disk = new FaultyDisk();
        Assert.Equal(0, Cli.Run(["run", disk.GetPath("t.dat"), "--quiet", .. s_short[..^1]]).ExitCode);
        disk.SetRules("read-error-after 300");
        var outcome = Cli.RunProcess(
            folder.Path,
            ["run", disk.GetPath("t.dat"), .. s_short[..2], "--duration", "30", "--warm-up", "0", "--format", "json"]
        );
        Assert.Equal(1, outcome.ExitCode);
        var result = ParseResult(outcome);
        Assert.Equal("Failed", result.GetProperty("status").GetString());
        Assert.Equal("IoBench.IoFailed", result.GetProperty("errorId").GetString());
        Assert.InRange(result.GetProperty("ioCount").GetInt64(), 1, 300);
        Assert.Contains("Input/output error (5). The device or its driver failed. Check the system log.", outcome.Error);
        Assert.DoesNotContain("   at ", outcome.Error, StringComparison.Ordinal);
    }

    private static CliOutcome RunUnder(TestFolder folder, string[] limit, string[] args)
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

    private static string[] CreateForbidCommand(string backend, int error) =>
        [
            Python,
            Path.Combine(SampleFiles.RepositoryRoot, "Tests", "Shared", "forbid_backend.py"),
            backend,
            error.ToString(CultureInfo.InvariantCulture),
        ];

    private static JsonElement ParseResult(CliOutcome outcome) => JsonDocument.Parse(outcome.Output).RootElement[0];

    private static void SetMode(string path, string mode)
    {
        using var chmod = Process.Start("chmod", [mode, path]);
        chmod.WaitForExit();
        Assert.Equal(0, chmod.ExitCode);
    }
}
