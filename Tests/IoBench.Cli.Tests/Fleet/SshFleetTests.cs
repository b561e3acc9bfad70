using System.Diagnostics;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>
/// Faults of hosts behind real ssh. Each host is either in the results or in the failures exactly once, and nothing remains on any host.
/// </summary>
public sealed class SshFleetTests
{
    private const string BlockSizes = "8K,16K";

    private static string[] CreateTestArguments(SshFleet fleet, string duration, string output) =>
        [
            fleet.GetPath("data/t.dat"),
            "--size",
            "4MB",
            "--block-size",
            BlockSizes,
            "--threads",
            "1",
            "--qd",
            "1",
            "--target-iops",
            "50",
            "--duration",
            duration,
            "--warm-up",
            "0",
            "--buffering",
            "Both",
            "--program",
            Cli.ProgramPath,
            "--yes",
            "--output",
            output,
            "--force",
        ];

    [SshFleetFact]
    public void Host_fault_fails_only_that_host_and_nothing_remains()
    {
        using var fleet = new SshFleet(
            ("sql1", "2g"),
            ("killed", "2g"),
            ("hangs", "2g"),
            ("full", "8m"),
            ("readonly", "2g"),
            ("slow", "2g")
        );
        fleet["full"].RunScript("head -c 6M /dev/zero > \"$1/data/filler\"");
        fleet["readonly"].RunScript("mount -o remount,ro \"$1/data\"");
        var names = fleet.Hosts.Select(host => host.Name).ToArray();
        var inventory = fleet.WriteInventory(names);
        var results = fleet.GetPath("out.json");
        using var ended = new CancellationTokenSource();
        var slow = new Thread(() => SlowDown(fleet["slow"], ended.Token)) { IsBackground = true };
        slow.Start();
        int exitCode;
        using (var process = fleet.StartController([inventory, .. CreateTestArguments(fleet, "3s", results), "--host-timeout", "20s"]))
        {
            WaitForTest(process, 1);
            SignalMembers(fleet["killed"], "KILL");
            SignalMembers(fleet["hangs"], "STOP");
            exitCode = WaitForExitCode(process);
        }
        ended.Cancel();
        slow.Join();
        Assert.Equal(1, exitCode);
        var all = ReadResults(results, names, tests: 2);
        Assert.Equal(
            ["slow", "slow", "sql1", "sql1"],
            all.Where(result => result.Status == IoResultStatus.Complete).Select(result => result.Member!).Order(StringComparer.Ordinal)
        );
        foreach (
            var (host, error) in new[]
            {
                ("killed", "IoBench.HostLost"),
                ("hangs", "IoBench.HostLost"),
                ("full", "IoBench.NotEnoughSpace"),
                ("readonly", "IoBench.ReadOnlyVolume"),
            }
        )
            Assert.All(all.Where(result => result.Member == host), result => Assert.Equal(error, result.ErrorId));
        // A stopped member that continues later finds its connection closed.
        SignalMembers(fleet["hangs"], "CONT");
        fleet["readonly"].RunScript("mount -o remount,rw \"$1/data\"");
        AssertNothingRemains(fleet);
    }

    [SshFleetFact]
    public void Interrupted_or_killed_controller_leaves_nothing_running()
    {
        using var fleet = new SshFleet(("sql1", "2g"), ("sql2", "2g"), ("sql3", "2g"));
        string[] names = ["sql1", "sql2", "sql3"];
        var inventory = fleet.WriteInventory(names);
        var results = fleet.GetPath("out.json");
        using (var process = fleet.StartController([inventory, .. CreateTestArguments(fleet, "1h", results)]))
        {
            WaitForTest(process, 1);
            SshFleet.RunProgram("kill", "-INT", $"{process.Id}");
            Assert.Equal(130, WaitForExitCode(process));
        }
        Assert.All(ReadResults(results, names, tests: 2), result => Assert.NotEqual(IoResultStatus.Complete, result.Status));
        WaitForMembers(fleet);
        var journal = fleet.GetPath("journal");
        using (var process = fleet.StartController(journal, [inventory, .. CreateTestArguments(fleet, "1s", results)]))
        {
            WaitForTest(process, 2);
            process.Kill();
            WaitForExitCode(process);
        }
        WaitForMembers(fleet);
        // The journal saves each result when it arrives, so earlier results of the hosts are there.
        Assert.Equal(
            names,
            FleetResult
                .ReadFiles([.. Directory.EnumerateFiles(journal, "iobench-journal-fleet-*.jsonl")])
                .Results.Where(result => result.GroupId!.EndsWith("/1", StringComparison.Ordinal))
                .Select(result => result.Member)
        );
        AssertNothingRemains(fleet);
    }

    [SshFleetFact]
    public void Copied_program_is_reused_by_hash_and_replaced_when_damaged()
    {
        using var fleet = new SshFleet(("sql1", "2g"), ("sql2", "2g"), ("sql3", "2g"));
        string[] names = ["sql1", "sql2", "sql3"];
        var inventory = fleet.WriteInventory(names);
        // A single file, as the native program is. The program that it starts is already on each host.
        var program = fleet.GetPath("program");
        File.WriteAllText(program, $"#!/bin/sh\nexec {Cli.ShellCommand} \"$@\"\n");
        var hash = Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(program))).ToLowerInvariant();
        var copy = $"\"$1/home/.cache/iobench/fleet/iobench-{hash}\"";
        var results = fleet.GetPath("out.json");
        Lead();
        fleet["sql2"].RunScript($"echo damaged >> {copy}");
        fleet["sql3"].RunScript($"head -c 10 {copy} > {copy}.less; cat {copy}.less > {copy}; rm {copy}.less");
        var kept = fleet["sql1"].RunScript($"stat -c %i {copy}");
        Lead();
        Assert.Equal(kept, fleet["sql1"].RunScript($"stat -c %i {copy}"));
        AssertNothingRemains(fleet);

        void Lead()
        {
            using (var process = fleet.StartController([inventory, .. CreateTestArguments(fleet, "1s", results), "--copy", program]))
                Assert.Equal(0, WaitForExitCode(process));
            Assert.All(ReadResults(results, names, tests: 2), result => Assert.Equal(IoResultStatus.Complete, result.Status));
            foreach (var host in fleet.Hosts)
                Assert.Equal(hash, host.RunScript($"sha256sum < {copy} | cut -c1-64").Trim());
        }
    }

    [SshFleetFact("ansible-playbook")]
    public void Ansible_playbook_runs_members_that_start_together()
    {
        using var fleet = new SshFleet(("sql1", "2g"), ("sql2", "2g"), ("broken", "2g"));
        string[] names = ["sql1", "sql2", "broken"];
        var inventory = fleet.WriteInventory(names);
        File.WriteAllText(inventory, File.ReadAllText(inventory).TrimEnd() + " iobench_program=/no/such/program\n");
        string text;
        using (
            var process = fleet.StartController([
                inventory,
                .. CreateTestArguments(fleet, "1s", fleet.GetPath("unused.json")),
                "--document",
                "ansible",
                "--start-at",
                "+60s",
            ])
        )
            text = process.StandardOutput.ReadToEnd();
        File.WriteAllText(fleet.GetPath("playbook.yml"), text);
        var (exitCode, log) = fleet.RunAnsible(inventory, fleet.GetPath("playbook.yml"));
        // Exit code 2 means that hosts failed.
        Assert.True(exitCode == 2, log);
        Assert.True(Regex.IsMatch(log, "(?m)^broken .* failed=1"), log);
        Assert.True(Regex.IsMatch(log, "(?m)^sql1 .* failed=0"), log);
        Assert.True(Regex.IsMatch(log, "(?m)^sql2 .* failed=0"), log);
        var files = Directory.GetFiles(fleet.Folder, "*.jsonl", SearchOption.AllDirectories);
        Assert.Equal(3, files.Length);
        var merged = FleetResult.ReadFiles(files);
        Assert.Equal([(2, 3), (2, 3)], merged.Groups.Select(group => (group.Hosts.Count, group.AskedHosts)));
        Assert.All(merged.Results, result => Assert.Equal(IoResultStatus.Complete, result.Status));
        Assert.All(merged.Results, result => Assert.NotNull(result.StartOffsetSeconds));
        AssertNothingRemains(fleet);
    }

    /// <summary>Asserts that the file has each host and test exactly once, and returns its results.</summary>
    private static List<IoTestResult> ReadResults(string file, string[] hosts, int tests)
    {
        var results = ResultReader.ReadFile(file, ResultFormat.Json).ToList();
        Assert.Equal(
            hosts.SelectMany(host => Enumerable.Range(1, tests).Select(test => $"{host}/{test}")).Order(StringComparer.Ordinal),
            results.Select(result => $"{result.Member}/{result.GroupId!.Split('/')[^1]}").Order(StringComparer.Ordinal)
        );
        return results;
    }

    private static void WaitForTest(Process process, int test)
    {
        var said = new List<string>();
        while (process.StandardError.ReadLine() is { } line)
        {
            said.Add(line);
            if (line.StartsWith($"test {test} begins", StringComparison.Ordinal))
                return;
        }
        Assert.Fail($"Test {test} never began: {string.Join('\n', said)}");
    }

    private static int WaitForExitCode(Process process)
    {
        var error = process.StandardError.ReadToEndAsync();
        _ = process.StandardOutput.ReadToEnd();
        _ = error.Result;
        process.WaitForExit();
        return process.ExitCode;
    }

    private static void SignalMembers(SshHost host, string signal)
    {
        foreach (var id in host.Members)
            SshFleet.RunProgram("kill", $"-{signal}", $"{id}");
    }

    /// <summary>Runs the member for only 20% of the time.</summary>
    private static void SlowDown(SshHost host, CancellationToken ended)
    {
        while (!ended.IsCancellationRequested)
            foreach (var (signal, time) in new[] { ("STOP", 80), ("CONT", 20) })
            {
                try
                {
                    SignalMembers(host, signal);
                }
                catch (InvalidOperationException)
                {
                    // The member ended in the meantime.
                }
                Thread.Sleep(time);
            }
    }

    private static void WaitForMembers(SshFleet fleet)
    {
        foreach (var host in fleet.Hosts)
            TestTimeouts.WaitUntil(() => host.Members.Count == 0, $"the member of {host.Name} to end");
    }

    /// <summary>Removes the test files, the copies of the program, and the folders of Ansible, and asserts that no other files and no processes remain.</summary>
    private static void AssertNothingRemains(SshFleet fleet)
    {
        WaitForMembers(fleet);
        foreach (var host in fleet.Hosts)
        {
            host.RunScript(
                $"rm -rf \"$1/home/.cache/iobench\" \"$1\"/home/.ansible*; {Cli.ShellCommand} remove \"$1/data/t.dat\" || [ ! -e \"$1/data/t.dat\" ]"
            );
            TestTimeouts.WaitUntil(() => !host.GetProcesses().Any(), $"the processes on {host.Name} to end");
            Assert.Equal([], host.Files);
        }
    }
}
