using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>The real program on hosts that are reached by ssh, and what may happen to one of them: nothing is lost, and nothing is left.</summary>
public class FleetOverSshTests
{
    private static readonly string[] s_load = ["--threads", "1", "--outstanding", "1", "--target-iops", "100", "--warm-up", "0", "--yes"];

    /// <summary>A test of so many seconds on some hosts.</summary>
    private static string[] Call(SshHosts hosts, int count, string seconds, params string[] more)
        => ["fleet", string.Join(',', Enumerable.Range(1, count).Select(host => $"sql{host}")), hosts.TestFile, "--size", "16MB", "--duration", seconds, "--output", hosts.File("out.json"), "--force", "--program", Cli.Program, .. s_load, .. more];

    private static List<IoTestResult> Saved(SshHosts hosts) => [.. ResultReader.ReadFile(hosts.File("out.json"), ResultFormat.Json)];

    private static void NothingRuns(SshHosts hosts, int count)
        => Patience.WaitFor(() => Enumerable.Range(1, count).All(host => hosts.MembersOn(host).Count == 0), "the members to end");

    /// <summary>Each host once for each test, with a result or with a reason.</summary>
    private static void EachOnce(SshHosts hosts, int count, int tests)
        => Assert.Equal(Enumerable.Range(1, count).SelectMany(host => Enumerable.Repeat($"sql{host}", tests)), Saved(hosts).Select(result => result.Member!).Order(StringComparer.Ordinal));

    [SshHostsFact]
    public void A_program_is_copied_by_its_hash_repaired_and_removed()
    {
        using var hosts = new SshHosts("", "");
        var program = hosts.MakeProgram("iobench");
        var hash = ProgramFile.Of(program).Hash;
        string[] call = [.. Call(hosts, 2, "1s").Where(word => word != "--program" && word != Cli.Program), "--copy", program];
        Assert.Equal(0, Patience.Until(run => run.ExitCode == 0, () => hosts.Run(call), 5).ExitCode);
        var copies = new[] { 1, 2 }.Select(host => Path.Combine(hosts.CacheOf(host), "iobench-" + hash)).ToList();
        Assert.All(copies, copy => Assert.Equal(File.ReadAllText(program), File.ReadAllText(copy)));
        var made = File.GetLastWriteTimeUtc(copies[0]);
        File.WriteAllText(copies[1], "#!/bin/sh\nexit 9\n");
        Assert.Equal(0, Patience.Until(run => run.ExitCode == 0, () => hosts.Run(call), 5).ExitCode);
        Assert.All(copies, copy => Assert.Equal(File.ReadAllText(program), File.ReadAllText(copy)));
        Assert.Equal(made, File.GetLastWriteTimeUtc(copies[0]));

        Assert.Equal(0, hosts.Run(["fleet", "remove", "sql1,sql2", hosts.TestFile, "--copy", program]).ExitCode);
        Assert.All(new[] { 1, 2 }, host => Assert.False(Directory.Exists(hosts.CacheOf(host))));
        Assert.All(new[] { 1, 2 }, host => Assert.Empty(Directory.GetFileSystemEntries(hosts.DiskOf(host))));
        NothingRuns(hosts, 2);
    }

    [SshHostsTheory]
    [InlineData("tmpfs:8m", "IoBench.NotEnoughSpace")]
    [InlineData("read-only", "IoBench.ReadOnlyVolume")]
    public void A_disk_that_takes_no_file_is_a_failure_of_its_host_alone(string disk, string error)
    {
        using var hosts = new SshHosts("", disk, "");
        var run = Patience.Until(run => run.Output.Contains("at 2 hosts", StringComparison.Ordinal), () => hosts.Run(Call(hosts, 3, "1s")), 5);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("1 of 3 failed (sql2)", run.Output, StringComparison.Ordinal);
        EachOnce(hosts, 3, 1);
        Assert.Equal(error, Saved(hosts).Single(result => result.Member == "sql2").ErrorId);
        NothingRuns(hosts, 3);
    }

    [SshHostsTheory]
    [InlineData("KILL")]
    [InlineData("STOP")]
    [InlineData("cut")]
    public void A_host_that_dies_hangs_or_is_cut_off_is_a_failure_and_the_others_go_on(string fault)
    {
        using var hosts = new SshHosts("", "", "");
        var run = hosts.Run(Call(hosts, 3, "4s", "--repeat", "2", "--host-timeout", "12s"), line =>
        {
            if (!line.StartsWith("test 1 begins", StringComparison.Ordinal))
                return;
            if (fault == "cut")
                hosts.Cut(2);
            else
                hosts.Signal(2, fault);
        });
        Assert.Equal(1, run.ExitCode);
        EachOnce(hosts, 3, 2);
        var saved = Saved(hosts);
        Assert.Equal([FleetErrors.HostLost, FleetErrors.HostLost], saved.Where(result => result.Member == "sql2").Select(result => result.ErrorId));
        Assert.All(saved.Where(result => result.Member != "sql2"), result => Assert.Equal(IoResultStatus.Complete, result.Status));
        // The one that hung goes on, hears that nobody leads it, and ends. One that is cut off hears nothing: it ends by itself after two minutes, or when the line is back.
        if (fault == "cut")
            hosts.Join(2);
        hosts.Signal(2, "CONT");
        NothingRuns(hosts, 3);
    }

    [SshHostsFact]
    public void A_slow_host_loses_nothing()
    {
        using var hosts = new SshHosts("", "", "");
        using var over = new CancellationTokenSource();
        // The second one gets a part of its time only.
        var slow = new Thread(() =>
        {
            while (!over.IsCancellationRequested)
            {
                hosts.Signal(2, "STOP");
                Thread.Sleep(200);
                hosts.Signal(2, "CONT");
                Thread.Sleep(50);
            }
        });
        slow.Start();
        try
        {
            var run = hosts.Run(Call(hosts, 3, "3s", "--repeat", "2"));
            Assert.True(run.ExitCode == 0, run.Error);
        }
        finally
        {
            over.Cancel();
            slow.Join();
        }
        EachOnce(hosts, 3, 2);
        Assert.All(Saved(hosts), result => Assert.Equal((IoResultStatus.Complete, 3), (result.Status, result.GroupMembers.Count)));
        NothingRuns(hosts, 3);
    }

    [SshHostsFact]
    public void Ctrl_C_ends_all_hosts_and_keeps_what_was_measured()
    {
        using var hosts = new SshHosts("", "", "");
        using var process = hosts.Begin(Call(hosts, 3, "3s", "--repeat", "9"));
        WaitFor(process, "test 2 begins");
        Send(process, "INT");
        _ = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(130, process.ExitCode);
        NothingRuns(hosts, 3);
        Assert.Equal(3, Saved(hosts).Count(result => result.Status == IoResultStatus.Complete && result.GroupId!.EndsWith("/1", StringComparison.Ordinal)));
        // What was not measured is there with its reason, each host once for each test.
        EachOnce(hosts, 3, 9);
        Assert.Equal(0, hosts.Run(["fleet", "remove", "sql1,sql2,sql3", hosts.TestFile, "--program", Cli.Program]).ExitCode);
        Assert.All(new[] { 1, 2, 3 }, host => Assert.Empty(Directory.GetFileSystemEntries(hosts.DiskOf(host))));
    }

    [SshHostsFact]
    public void A_controller_that_is_killed_leaves_no_member_and_what_was_finished()
    {
        using var hosts = new SshHosts("", "", "");
        using var process = hosts.Begin(Call(hosts, 3, "3s", "--repeat", "9"));
        WaitFor(process, "test 2 begins");
        process.Kill();
        process.WaitForExit();
        NothingRuns(hosts, 3);
        Assert.Equal(3, Saved(hosts).Count(result => result.Status == IoResultStatus.Complete && result.GroupId!.EndsWith("/1", StringComparison.Ordinal)));
        // The rest is run by the same line with --resume.
        string[] again = [.. Call(hosts, 3, "3s", "--repeat", "2").Where(word => word != "--force"), "--resume"];
        var run = hosts.Run(again);
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("1 of 2 tests is there already; 1 is left to run.", run.Error, StringComparison.Ordinal);
        NothingRuns(hosts, 3);
    }

    private static void WaitFor(System.Diagnostics.Process process, string words)
    {
        while (process.StandardError.ReadLine() is { } line)
            if (line.StartsWith(words, StringComparison.Ordinal))
                return;
        Assert.Fail($"'{words}' was never said.");
    }

    private static void Send(System.Diagnostics.Process process, string signal)
        => System.Diagnostics.Process.Start("kill", ["-" + signal, process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]).WaitForExit();
}
