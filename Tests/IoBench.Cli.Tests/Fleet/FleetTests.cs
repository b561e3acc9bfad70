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

    private static string WriteInventory(TestFolder folder, int hosts, string more = "") =>
        folder.WriteFile("hosts.ini", $"[san1]\nsql[1:{hosts}] ansible_connection=local array=SAN1\n{more}\n");

    [Fact]
    public void Hosts_start_together_and_give_one_summary()
    {
        using var folder = new TestFolder();
        var results = folder.GetPath("out.json");
        var run = TestTimeouts.RetryUntil(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["fleet", WriteInventory(folder, 3), .. s_test, "--output", results, "--force", "--require", "hosts >= 3"])
        );
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("3 hosts, 1 array, 1 test each, reads only, no test files", run.Error, StringComparison.Ordinal);
        Assert.Matches("^8KB random read: [0-9.,]+ IOPS, .* on 3 hosts, median", run.OutputLines[0]);
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
    public void Unreachable_host_fails_and_the_others_run()
    {
        using var folder = new TestFolder();
        var inventory = WriteInventory(folder, 2, "[gone]\nsql9 ansible_connection=local iobench_program=/no/such/program");
        var run = TestTimeouts.RetryUntil(answer => answer.ExitCode == 1, () => Cli.Run(["fleet", inventory, .. s_test]));
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("on 2 hosts", run.Output, StringComparison.Ordinal);
        Assert.Contains("1 of 3 hosts failed (sql9)", run.Output, StringComparison.Ordinal);
        Assert.Contains("/no/such/program cannot be started", run.Error, StringComparison.Ordinal);
        // With a quorum of 2 hosts the run succeeds.
        Assert.Equal(
            0,
            TestTimeouts
                .RetryUntil(answer => answer.ExitCode == 0, () => Cli.Run(["fleet", inventory, .. s_test, "--min-hosts", "2"]))
                .ExitCode
        );
    }

    [Fact]
    public void Fleet_exits_with_3_when_a_requirement_is_not_met()
    {
        using var folder = new TestFolder();
        var run = TestTimeouts.RetryUntil(
            answer => answer.ExitCode == 3,
            () => Cli.Run(["fleet", WriteInventory(folder, 2), .. s_test, "--ramp", "1,2", "--require", "sum iops > 300000"])
        );
        Assert.Equal(3, run.ExitCode);
        Assert.Contains(
            run.ErrorLines,
            line =>
                line.StartsWith("8KB random read: sum iops is ", StringComparison.Ordinal)
                && line.EndsWith("but must be > 300,000", StringComparison.Ordinal)
        );
        Assert.Contains("IOPS on 2 hosts, no saturation point", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Fleet_requires_confirmation()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("fleet", WriteInventory(folder, 2), "null", "--backend", "null");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--yes", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Fact]
    public void Two_hosts_on_one_machine_cannot_test_the_same_file()
    {
        using var folder = new TestFolder();
        // Either host can be the first. On a busy machine the second host has already started to create the file.
        var run = TestTimeouts.RetryUntil(
            answer => answer.Output.Contains("on 1 host", StringComparison.Ordinal),
            () =>
                Cli.Run(
                    "fleet",
                    WriteInventory(folder, 2),
                    folder.GetPath("t.dat"),
                    "--size",
                    "8MB",
                    "--duration",
                    "1s",
                    "--warm-up",
                    "0",
                    "--yes"
                )
        );
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("both hosts are the same computer. Use a separate path for each host.", run.Error, StringComparison.Ordinal);
        Assert.Contains("on 1 host", run.Output, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Two_hosts_cannot_test_one_file_through_a_linked_folder()
    {
        using var folder = new TestFolder();
        Directory.CreateDirectory(folder.GetPath("d"));
        Directory.CreateSymbolicLink(folder.GetPath("link"), folder.GetPath("d"));
        var inventory = folder.WriteFile(
            "hosts.csv",
            $"name,transport,path\na,local,{folder.GetPath("d/t.dat")}\nb,local,{folder.GetPath("link/t.dat")}\n"
        );
        var run = TestTimeouts.RetryUntil(
            answer => answer.Output.Contains("on 1 host", StringComparison.Ordinal),
            () => Cli.Run("fleet", inventory, "--size", "8MB", "--duration", "1s", "--warm-up", "0", "--yes")
        );
        Assert.Equal(1, run.ExitCode);
        Assert.Matches(@"[ab] also tests .*t\.dat \(as .*t\.dat\), and both hosts are the same computer", run.Error);
    }

    [Theory]
    [InlineData("{{lookup('pipe','id')}}")]
    [InlineData("*")]
    [InlineData("all")]
    public void Name_that_is_a_template_or_a_pattern_of_Ansible_is_refused(string name)
    {
        using var folder = new TestFolder();
        var inventory = folder.WriteFile("hosts.json", $"[\"sql1\",\"{name}\"]");
        var run = Cli.Run("fleet", inventory, "/data", "--document", "ansible", "--start-at", "+10m", "--yes");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(
            $"host 2: '{name}' is {(name == "all" ? "a reserved name in Ansible" : "not a valid host name")}",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Empty(run.Output);
    }

    [Fact]
    public void Error_of_a_subcommand_names_its_own_help()
    {
        var run = Cli.Run("fleet", "merge", "a.jsonl", "-y");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(
            "not an option of fleet merge: 'iobench fleet merge --help' lists the options",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Members_end_when_the_controller_is_killed()
    {
        using var folder = new TestFolder();
        var mark = Guid.NewGuid().ToString("N");
        var inventory = folder.WriteFile("hosts.ini", $"sql-{mark}-1 ansible_connection=local\nsql-{mark}-2 ansible_connection=local\n");
        using var process = Cli.StartProcess(
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
        TestTimeouts.WaitUntil(() => !IsRunning(mark), "the members to end");
    }

    [Fact]
    public void Merge_accepts_any_order_and_reports_a_truncated_member_file()
    {
        using var folder = new TestFolder();
        var files = new List<string>();
        foreach (var host in new[] { "b", "a" })
        {
            var member = Cli.Run(
                "run",
                "--specification",
                WritePlan(folder),
                "--start-at",
                "+2s",
                "--group",
                "night",
                "--member",
                host,
                "--group-hosts",
                "3"
            );
            files.Add(folder.WriteFile(host + ".jsonl", member.Output));
        }
        files.Add(
            folder.WriteFile(
                "c.jsonl",
                File.ReadAllLines(files[0])[0].Replace("\"b\"", "\"c\"", StringComparison.Ordinal) + "\n{\"state\":\"Don"
            )
        );
        var run = Cli.Run(["fleet", "merge", .. files]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("1 of 3 hosts failed (c)", run.Output, StringComparison.Ordinal);
        Assert.Contains("its file ends before the result of this test", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Document_option_writes_a_playbook_without_running()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("fleet", WriteInventory(folder, 2), "/data", "--document", "ansible", "--start-at", "+10m");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("- !unsafe 'sql1'\n    - !unsafe 'sql2'\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run("fleet", WriteInventory(folder, 2), "/data", "--document", "ansible").ExitCode);
        Assert.Equal(2, Cli.Run("fleet", WriteInventory(folder, 2), "/data", "--start-at", "+10m").ExitCode);
        Assert.Equal(2, Cli.Run("fleet", WriteInventory(folder, 2), "/data", "--document", "chef", "--start-at", "+10m").ExitCode);
    }

    [Fact]
    public void Resume_repeats_a_test_on_all_hosts_when_one_host_missed_it()
    {
        using var folder = new TestFolder();
        var results = folder.GetPath("out.json");
        string Hosts(string program) => WriteInventory(folder, 2, $"[late]\nsql9 ansible_connection=local{program}");
        var first = TestTimeouts.RetryUntil(
            answer => answer.ExitCode == 1,
            () => Cli.Run(["fleet", Hosts(" iobench_program=/no/such/program"), .. s_test, "--output", results, "--force"])
        );
        Assert.Equal(1, first.ExitCode);
        var saved = File.ReadAllText(results);
        Assert.Contains("\"errorId\": \"IoBench.HostNotReached\"", saved, StringComparison.Ordinal);
        Assert.Contains(
            "1 of 3 hosts failed (sql9)",
            Cli.Run("report", results, "--output", folder.GetPath("r.html")) is { ExitCode: 0 }
                ? File.ReadAllText(folder.GetPath("r.html"))
                : "",
            StringComparison.Ordinal
        );

        var second = TestTimeouts.RetryUntil(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["fleet", Hosts(""), .. s_test, "--output", results, "--resume"])
        );
        Assert.Equal(0, second.ExitCode);
        Assert.Contains(
            "The output does not contain the result of the test yet. IoBench runs the test.",
            second.Error,
            StringComparison.Ordinal
        );
        Assert.Contains("on 3 hosts", second.Output, StringComparison.Ordinal);

        var third = Cli.Run(["fleet", Hosts(""), .. s_test, "--output", results, "--resume"]);
        Assert.Equal(0, third.ExitCode);
        Assert.Contains(
            "The output already contains the result of the only test, so there is nothing to run.",
            third.Error,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("begins", third.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Resume_alone_runs_missing_hosts_only_and_marks_them()
    {
        using var folder = new TestFolder();
        var results = folder.GetPath("out.json");
        string Hosts(string program) => WriteInventory(folder, 2, $"[late]\nsql9 ansible_connection=local{program}");
        TestTimeouts.RetryUntil(
            answer => answer.Output.Contains("on 2 hosts", StringComparison.Ordinal),
            () => Cli.Run(["fleet", Hosts(" iobench_program=/no/such/program"), .. s_test, "--output", results, "--force"])
        );
        var run = TestTimeouts.RetryUntil(
            answer => answer.Output.Contains("Resumed alone", StringComparison.Ordinal),
            () => Cli.Run(["fleet", Hosts(""), .. s_test, "--output", results, "--resume-alone"])
        );
        Assert.Contains(
            "Some hosts ran later, without the others: 1 of 3 hosts, without the other 2.",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("on 3 hosts", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("knee", run.Output, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run(["fleet", Hosts(""), .. s_test, "--resume"]).ExitCode);
    }

    [Fact]
    public void Group_rate_is_split_over_the_hosts()
    {
        using var folder = new TestFolder();
        string[] test = ["null", "--backend", "null", "--threads", "1", "--duration", "1s", "--warm-up", "500ms", "--yes"];
        var run = TestTimeouts.RetryUntil(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["fleet", WriteInventory(folder, 2), .. test, "--group-iops", "300", "--format", "csv"])
        );
        Assert.Contains("300 IOPS in total", run.Error, StringComparison.Ordinal);
        var column = run.OutputLines[0].Split(',').ToList().IndexOf("TargetIops");
        Assert.All(run.OutputLines.Skip(1), row => Assert.Equal("150", row.Split(',')[column]));
    }

    private static string WritePlan(TestFolder folder) =>
        folder.WriteFile(
            "plan.json",
            JsonResultSerializer.SerializePlan([
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

    private static bool IsRunning(string mark) =>
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
