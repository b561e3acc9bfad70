using System.Diagnostics;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class FleetTests
{
    private static readonly string[] s_test =
    [
        "null",
        "--backend",
        "null",
        "--target-iops",
        "200",
        "--threads",
        "1",
        "--duration",
        "1s",
        "--warm-up",
        "500ms",
        "--yes",
    ];

    private static string Inventory(TestFolder folder, int hosts, string more = "") =>
        folder.Write("hosts.ini", $"[san1]\nsql[1:{hosts}] ansible_connection=local array=SAN1\n{more}\n");

    [Fact]
    public void Hosts_begin_together_and_give_one_answer()
    {
        using var folder = new TestFolder();
        var results = folder.File("out.json");
        var run = Patience.Until(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["fleet", Inventory(folder, 3), .. s_test, "--output", results, "--force", "--require", "hosts >= 3"])
        );
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("3 hosts, 1 array, 1 test each, reads only, no test files", run.Error, StringComparison.Ordinal);
        Assert.Matches("^8KB random read: [0-9.,]+ IOPS, .* at 3 hosts, median", run.OutputLines[0]);
        var merged = Cli.Run("import", results, "--format", "csv");
        var header = merged.OutputLines[0].Split(',').ToList();
        var rows = merged.OutputLines.Skip(1).ToList();
        Assert.Equal(3, rows.Count);
        Assert.All(
            ["GroupId", "Member", "GroupHosts", "StartOffsetSeconds", "CommonWindowPercent"],
            column => Assert.Contains(column, header)
        );
    }

    [Fact]
    public void A_host_that_cannot_be_reached_is_a_failure_and_others_run()
    {
        using var folder = new TestFolder();
        var inventory = Inventory(folder, 2, "[gone]\nsql9 ansible_connection=local iobench_program=/no/such/program");
        var run = Patience.Until(answer => answer.ExitCode == 1, () => Cli.Run(["fleet", inventory, .. s_test]));
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("at 2 hosts", run.Output, StringComparison.Ordinal);
        Assert.Contains("1 of 3 failed (sql9)", run.Output, StringComparison.Ordinal);
        Assert.Contains("/no/such/program cannot be started", run.Error, StringComparison.Ordinal);
        // With a quorum of 2 hosts the run succeeds.
        Assert.Equal(
            0,
            Patience.Until(answer => answer.ExitCode == 0, () => Cli.Run(["fleet", inventory, .. s_test, "--min-hosts", "2"])).ExitCode
        );
    }

    [Fact]
    public void What_must_be_reached_and_is_not_is_exit_code_3()
    {
        using var folder = new TestFolder();
        var run = Patience.Until(
            answer => answer.ExitCode == 3,
            () => Cli.Run(["fleet", Inventory(folder, 2), .. s_test, "--ramp", "1,2", "--require", "sum iops > 300000"])
        );
        Assert.Equal(3, run.ExitCode);
        Assert.Contains(
            run.ErrorLines,
            line =>
                line.StartsWith("8KB random read: sum iops is ", StringComparison.Ordinal)
                && line.EndsWith("not > 300,000", StringComparison.Ordinal)
        );
        Assert.Contains("IOPS at 2 hosts, no knee", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_begins_without_a_yes()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("fleet", Inventory(folder, 2), "null", "--backend", "null");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--yes", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Fact]
    public void Two_hosts_of_one_machine_do_not_test_one_file()
    {
        using var folder = new TestFolder();
        // Either host can be the first. On a busy machine the second host has already started to create the file.
        var run = Patience.Until(
            answer => answer.Output.Contains("at 1 host", StringComparison.Ordinal),
            () =>
                Cli.Run("fleet", Inventory(folder, 2), folder.File("t.dat"), "--size", "8MB", "--duration", "1s", "--warm-up", "0", "--yes")
        );
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("on the same machine. Give each its own path.", run.Error, StringComparison.Ordinal);
        Assert.Contains("at 1 host", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Members_of_a_controller_that_is_killed_end_by_themselves()
    {
        using var folder = new TestFolder();
        var mark = Guid.NewGuid().ToString("N");
        var inventory = folder.Write("hosts.ini", $"sql-{mark}-1 ansible_connection=local\nsql-{mark}-2 ansible_connection=local\n");
        using var process = Cli.Start(
            Environment.CurrentDirectory,
            "fleet",
            inventory,
            "null",
            "--backend",
            "null",
            "--target-iops",
            "200",
            "--duration",
            "1h",
            "--yes"
        );
        while (process.StandardError.ReadLine() is { } line && !line.StartsWith("test 1 begins", StringComparison.Ordinal)) { }
        process.Kill();
        process.WaitForExit();
        Patience.WaitFor(() => !Running(mark), "the members to end");
    }

    [Fact]
    public void Files_of_members_are_merged_in_any_order_and_one_that_breaks_off_is_a_failure()
    {
        using var folder = new TestFolder();
        var files = new List<string>();
        foreach (var host in new[] { "b", "a" })
        {
            var member = Cli.Run(
                "run",
                "--specification",
                Plan(folder),
                "--start-at",
                "+2s",
                "--group",
                "night",
                "--member",
                host,
                "--group-hosts",
                "3"
            );
            files.Add(folder.Write(host + ".jsonl", member.Output));
        }
        files.Add(
            folder.Write(
                "c.jsonl",
                File.ReadAllLines(files[0])[0].Replace("\"b\"", "\"c\"", StringComparison.Ordinal) + "\n{\"state\":\"Don"
            )
        );
        var run = Cli.Run(["fleet", "merge", .. files]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("1 of 3 failed (c)", run.Output, StringComparison.Ordinal);
        Assert.Contains("its file breaks off", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_document_is_written_and_nothing_is_run()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("fleet", Inventory(folder, 2), "/data", "--document", "ansible", "--start-at", "+10m");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("hosts: 'sql1:sql2'", run.Output, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run("fleet", Inventory(folder, 2), "/data", "--document", "ansible").ExitCode);
        Assert.Equal(2, Cli.Run("fleet", Inventory(folder, 2), "/data", "--document", "chef", "--start-at", "+10m").ExitCode);
    }

    [Fact]
    public void A_test_that_a_host_missed_is_run_again_by_all_and_the_reason_is_in_the_file()
    {
        using var folder = new TestFolder();
        var results = folder.File("out.json");
        string Hosts(string program) => Inventory(folder, 2, $"[late]\nsql9 ansible_connection=local{program}");
        var first = Patience.Until(
            answer => answer.ExitCode == 1,
            () => Cli.Run(["fleet", Hosts(" iobench_program=/no/such/program"), .. s_test, "--output", results, "--force"])
        );
        Assert.Equal(1, first.ExitCode);
        var saved = File.ReadAllText(results);
        Assert.Contains("\"errorId\": \"IoBench.HostNotReached\"", saved, StringComparison.Ordinal);
        Assert.Contains(
            "1 of 3 failed (sql9)",
            Cli.Run("report", results, "--output", folder.File("r.html")) is { ExitCode: 0 } ? File.ReadAllText(folder.File("r.html")) : "",
            StringComparison.Ordinal
        );

        var second = Patience.Until(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["fleet", Hosts(""), .. s_test, "--output", results, "--resume"])
        );
        Assert.Equal(0, second.ExitCode);
        Assert.Contains("The only test is not there yet and is left to run.", second.Error, StringComparison.Ordinal);
        Assert.Contains("at 3 hosts", second.Output, StringComparison.Ordinal);

        var third = Cli.Run(["fleet", Hosts(""), .. s_test, "--output", results, "--resume"]);
        Assert.Equal(0, third.ExitCode);
        Assert.Contains("The only test is there already; nothing is left to run.", third.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("begins", third.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Missing_hosts_run_alone_and_are_marked()
    {
        using var folder = new TestFolder();
        var results = folder.File("out.json");
        string Hosts(string program) => Inventory(folder, 2, $"[late]\nsql9 ansible_connection=local{program}");
        Patience.Until(
            answer => answer.Output.Contains("at 2 hosts", StringComparison.Ordinal),
            () => Cli.Run(["fleet", Hosts(" iobench_program=/no/such/program"), .. s_test, "--output", results, "--force"])
        );
        var run = Patience.Until(
            answer => answer.Output.Contains("Resumed alone", StringComparison.Ordinal),
            () => Cli.Run(["fleet", Hosts(""), .. s_test, "--output", results, "--resume-alone"])
        );
        Assert.Contains("Resumed alone: 1 of 3 hosts, without the other 2.", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("at 3 hosts", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("knee", run.Output, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run(["fleet", Hosts(""), .. s_test, "--resume"]).ExitCode);
    }

    [Fact]
    public void The_rate_of_the_group_is_split_and_a_detached_group_needs_a_time()
    {
        using var folder = new TestFolder();
        string[] test = ["null", "--backend", "null", "--threads", "1", "--duration", "1s", "--warm-up", "500ms", "--yes"];
        var run = Patience.Until(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["fleet", Inventory(folder, 2), .. test, "--group-iops", "300", "--format", "csv"])
        );
        Assert.Contains("300 IOPS in all", run.Error, StringComparison.Ordinal);
        var column = run.OutputLines[0].Split(',').ToList().IndexOf("TargetIops");
        Assert.All(run.OutputLines.Skip(1), row => Assert.Equal("150", row.Split(',')[column]));
        Assert.Equal(2, Cli.Run(["fleet", Inventory(folder, 2), .. test, "--detach"]).ExitCode);
        Assert.Equal(2, Cli.Run(["fleet", Inventory(folder, 2), .. test, "--detach", "--start-at", "+1m", "--ramp", "1,2"]).ExitCode);
        Assert.Equal(2, Cli.Run(["fleet", Inventory(folder, 2), .. test, "--start-at", "+1m"]).ExitCode);
    }

    private static string Plan(TestFolder folder) =>
        folder.Write(
            "plan.json",
            JsonResultText.Plan([
                new IoTestSpecification
                {
                    Targets = [new IoTargetSpecification("null")],
                    Backend = "Null",
                    ThreadCount = 1,
                    OutstandingIO = 1,
                    Duration = TimeSpan.FromSeconds(0.5),
                    WarmUp = TimeSpan.Zero,
                    NullDevice = new NullDeviceModel(1, 1),
                },
            ])
        );

    private static bool Running(string mark) =>
        Process
            .GetProcesses()
            .Any(process =>
            {
                try
                {
                    return OperatingSystem.IsLinux()
                        && File.ReadAllText($"/proc/{process.Id}/cmdline").Contains(mark, StringComparison.Ordinal);
                }
                catch (IOException)
                {
                    return false;
                }
            });
}
