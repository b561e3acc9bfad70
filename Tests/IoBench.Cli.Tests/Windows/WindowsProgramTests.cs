using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

/// <summary>
/// The Windows backend (overlapped I/O with a completion port) under Wine. Wine ignores the alignment of unbuffered I/O and does the I/O
/// within the call, so these tests verify data, counts, and error messages, not speed.
/// </summary>
[Collection(WindowsProgramTestGroup.Name)]
public class WindowsProgramTests(WindowsProgram windows)
{
    private static readonly string[] s_short = ["--size", "16MB", "--duration", "200ms", "--warmup", "0"];

    [RequiresFact("wine")]
    public void Results_are_plausible_and_consistent()
    {
        var result = windows.RunJson([@"t:\figures.dat", .. s_short, "--write", "50", "--threads", "2", "--outstanding", "8"]);
        Assert.Equal("Overlapped", result.GetProperty("backend").GetString());
        Assert.Equal("Complete", result.GetProperty("status").GetString());
        var count = result.GetProperty("ioCount").GetInt64();
        Assert.True(count > 0);
        Assert.Equal(count * 8192, result.GetProperty("byteCount").GetInt64());
        Assert.InRange(
            result.GetProperty("averageLatencyMs").GetDouble(),
            result.GetProperty("minLatencyMs").GetDouble(),
            result.GetProperty("maxLatencyMs").GetDouble()
        );
        Assert.Equal(
            count,
            result.GetProperty("targets")[0].GetProperty("read").GetProperty("ioCount").GetInt64()
                + result.GetProperty("targets")[0].GetProperty("write").GetProperty("ioCount").GetInt64()
        );
        Assert.Equal(16L << 20, new FileInfo(Path.Combine(windows.Drive, "figures.dat")).Length);
    }

    [RequiresFact("wine")]
    public void Results_of_several_tests_are_saved_to_one_file()
    {
        foreach (var (name, count) in new[] { ("night.json", 3), ("night.csv", 4) })
        {
            var (code, _, error) = windows.Run(["run", @"t:\several.dat", .. s_short, "--outstanding", "1,2,4", "--output", @"t:\" + name]);
            Assert.True(code == 0, error);
            Assert.DoesNotContain("another program's by now", error, StringComparison.Ordinal);
            var content = File.ReadAllText(Path.Combine(windows.Drive, name));
            if (name.EndsWith(".json", StringComparison.Ordinal))
                Assert.Equal(count, JsonDocument.Parse(content).RootElement.GetArrayLength());
            else
                Assert.Equal(count, content.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
            Assert.Equal([name], Directory.GetFiles(windows.Drive, "*night*" + Path.GetExtension(name) + "*").Select(Path.GetFileName));
        }
    }

    [RequiresFact("wine")]
    public void Written_blocks_have_the_expected_content()
    {
        // Sequential writes over 1 MB wrap many times, so every block is written.
        var (code, _, error) = windows.Run(
            "diskspd",
            "-c1M",
            "-d1",
            "-W0",
            "-b64K",
            "-si",
            "-o4",
            "-t2",
            "-w100",
            "-Sh",
            @"t:\pattern.dat"
        );
        Assert.True(code == 0, error);
        var bytes = File.ReadAllBytes(Path.Combine(windows.Drive, "pattern.dat"));
        Assert.Equal(1 << 20, bytes.Length);
        Assert.All(
            Enumerable.Range(0, 16),
            block => Assert.All(Enumerable.Range(0, 1024), i => Assert.Equal((byte)i, bytes[block * 65536 + i]))
        );
    }

    [RequiresFact("wine")]
    public void Threads_backend_verifies_written_data()
    {
        var result = windows.RunJson([
            @"t:\threads.dat",
            .. s_short,
            "--backend",
            "threads",
            "--write",
            "50",
            "--threads",
            "2",
            "--outstanding",
            "8",
            "--verify",
        ]);
        Assert.Equal("Threads", result.GetProperty("backend").GetString());
        Assert.Equal("Complete", result.GetProperty("status").GetString());
        Assert.True(result.GetProperty("ioCount").GetInt64() > 0);
    }

    [RequiresFact("wine")]
    public void Missing_folder_is_reported()
    {
        var (code, output, error) = windows.Run(["run", @"t:\none\x.dat", .. s_short]);
        Assert.Equal(2, code);
        Assert.Empty(output);
        Assert.Contains("folder does not exist", error, StringComparison.Ordinal);
    }

    [RequiresFact("wine", "fusermount")]
    public void Read_only_file_is_reported()
    {
        // Wine lets root write to read-only files, so the file system itself refuses writes.
        using var disk = new FaultyDisk();
        WindowsProgram.MapDrive('v', disk.MountFolder);
        windows.RunJson([@"v:\readonly.dat", .. s_short]);
        disk.SetRules("read-only 1");
        var (code, _, error) = windows.Run(["run", @"v:\readonly.dat", .. s_short, "--write", "100"]);
        Assert.InRange(code, 1, 2);
        Assert.Contains(@"v:\readonly.dat", error, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
        disk.SetRules();
    }

    [RequiresFact("wine", "fusermount")]
    public void Full_disk_is_reported_and_partial_results_are_kept()
    {
        using var disk = new FaultyDisk();
        WindowsProgram.MapDrive('u', disk.MountFolder);
        windows.RunJson([@"u:\full.dat", .. s_short]);
        disk.SetRules("full-after 50");
        var (code, output, error) = windows.Run(["run", @"u:\full.dat", .. s_short, "--write", "100", "--format", "json"]);
        Assert.Equal(1, code);
        Assert.Contains("write of 8192 bytes at offset", error, StringComparison.Ordinal);
        Assert.Contains("(112)", error, StringComparison.Ordinal);
        Assert.Contains("\"Failed\"", output, StringComparison.Ordinal);
    }

    [RequiresFact("wine")]
    public void File_locked_by_another_program_is_reported()
    {
        windows.RunJson([@"t:\shared.dat", .. s_short]);
        // cmd keeps its output file open without sharing while the command runs.
        using var other = WindowsProgram.StartOther(
            "cmd",
            "/c",
            string.Create(CultureInfo.InvariantCulture, $@"ping -n 60 127.0.0.1 >> t:\shared.dat")
        );
        WindowsProgram.WaitUntilOpen(Path.Combine(windows.Drive, "shared.dat"));
        var (code, _, error) = windows.Run(["run", @"t:\shared.dat", .. s_short, "--write", "100"]);
        other.Kill(entireProcessTree: true);
        Assert.True(code is 1 or 2, error);
        Assert.Contains("shared.dat", error, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
    }

    [RequiresFact("wine")]
    public void Missing_lock_pages_privilege_is_reported()
    {
        windows.RunJson([@"t:\large.dat", .. s_short]);
        var (code, output, error) = windows.Run("diskspd", "-l", "-d1", "-W0", "-b8K", @"t:\large.dat");
        Assert.Equal(1, code);
        Assert.Contains("SeLockMemoryPrivilege", error, StringComparison.Ordinal);
        Assert.Contains("Lock pages in memory", error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", output + error, StringComparison.Ordinal);
    }

    [RequiresFact("wine")]
    public void Every_processor_has_its_CPU_load_with_round_robin_affinity()
    {
        var result = windows.RunJson([@"t:\figures.dat", .. s_short, "--threads", "2", "--affinity", "roundrobin"]);
        var processors = result.GetProperty("processors").EnumerateArray().ToArray();
        Assert.Equal(Environment.ProcessorCount, processors.Length);
        Assert.All(
            processors,
            p =>
                Assert.InRange(
                    p.GetProperty("idlePercent").GetDouble()
                        + p.GetProperty("userPercent").GetDouble()
                        + p.GetProperty("kernelPercent").GetDouble(),
                    99,
                    101
                )
        );
        Assert.Equal(Enumerable.Range(0, processors.Length), processors.Select(p => p.GetProperty("processor").GetInt32()));
    }

    [RequiresFact("wine")]
    public void Self_test_runs_and_marks_checks_that_Wine_cannot_support()
    {
        var (code, output, error) = windows.Run("check", @"t:\", "--output", @"t:\check.json");
        var lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.True(code == (lines.Any(line => line.StartsWith("FAIL", StringComparison.Ordinal)) ? 3 : 0), output + error);
        Assert.All(lines[..^1], line => Assert.Matches(@"^(PASS|WARNING|FAIL|NOT RATED) |^(?i)t:\\$", line));
        foreach (var check in new[] { "System", "Backend", "Limits", "Alignment" })
            Assert.Contains(lines, line => Regex.IsMatch(line, $"^(PASS|WARNING) +{check}"));
        Assert.Contains(lines, line => line.StartsWith("NOT RATED  Unbuffered reads", StringComparison.Ordinal));
        Assert.Contains("Overlapped", output, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(windows.Drive, "iobench-check.dat")));
        // The check file is meant for sharing, so it must not contain paths or the computer name.
        var sent = File.ReadAllText(Path.Combine(windows.Drive, "check.json"));
        Assert.DoesNotMatch(@"(?i)\b[a-z]:\\|\\\\\\\\\w", sent);
        foreach (var name in new[] { Path.GetFileName(windows.Drive), Environment.MachineName }.Where(name => name.Length > 2))
            Assert.DoesNotContain(name, sent, StringComparison.OrdinalIgnoreCase);
    }
}
