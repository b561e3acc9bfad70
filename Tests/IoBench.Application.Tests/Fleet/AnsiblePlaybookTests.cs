using System.Text.RegularExpressions;

namespace IoBench.Application.Tests;

public class AnsiblePlaybookTests
{
    private static FleetPlan CreatePlan() =>
        FleetPlan.Create(
            FleetInventory.Parse("name,path\nsql1,/data\nsql2,/data2\n", "h.csv"),
            null,
            () =>
                new PlanRequest { Labels = ["it's {{ a }} label"] }
                    .Set("Duration", "10")
                    .Set("FileSize", "1GB")
                    .Set("Seed", "7")
        );

    [Fact]
    public void Playbook_matches_its_approved_text()
    {
        // The timeout depends on the current date.
        var text = Regex.Replace(
            AnsiblePlaybook.Write(CreatePlan(), "20261201-020000-ab12", new DateTimeOffset(2030, 12, 1, 2, 0, 0, TimeSpan.Zero), "iobench"),
            "async: [0-9]+",
            "async: SECONDS"
        );
        var file = Path.Combine(SampleFiles.RepositoryRoot, "Tests", "IoBench.Application.Tests", "Fleet", "playbook.yml");
        if (Snapshot.IsUpdate)
            File.WriteAllText(file, text);
        Assert.Equal(File.ReadAllText(file), text);
    }

    // Hosts and programs that the inventory refuses: the playbook escapes them too.
    [RequiresFact("ansible-playbook")]
    public void Playbook_runs_no_template_of_a_name_path_label_or_program()
    {
        using var folder = new TemporaryFleetFolder();
        var proof = folder.GetPath("proof");
        var template = $"{{{{ lookup('pipe','touch {proof}') }}}}";
        var plan = FleetPlan.Create(
            [new FleetHost { Name = "localhost", Path = "/d/" + template }, new FleetHost { Name = template }],
            "/data",
            () =>
                new PlanRequest { Labels = [template] }
                    .Set("Duration", "1")
                    .Set("FileSize", "1GB")
        );
        var group = FleetPlan.CreateGroupId(DateTimeOffset.Now);
        var program = folder.WriteFile("iobench " + "{{ 7*7 }}", "#!/bin/sh\necho \"$0 $@\"\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        // Asynchronous tasks need a home directory that every user of the tests has.
        var text = Regex.Replace(AnsiblePlaybook.Write(plan, group, DateTimeOffset.Now, program), " +(async|poll): [0-9]+\n", "");
        var (code, log) = RunAnsible(folder, folder.WriteFile("playbook.yml", text));
        Assert.True(code == 0, log);
        Assert.False(File.Exists(proof), log);
        Assert.StartsWith(
            program + " run --specification ",
            File.ReadAllText(folder.GetPath($"iobench-{group}/localhost.jsonl")),
            StringComparison.Ordinal
        );
    }

    private static (int ExitCode, string Log) RunAnsible(TemporaryFleetFolder folder, string playbook)
    {
        using var process = System.Diagnostics.Process.Start(
            new System.Diagnostics.ProcessStartInfo(
                "ansible-playbook",
                ["-i", folder.WriteFile("hosts.ini", "localhost ansible_connection=local\nother ansible_connection=local\n"), playbook]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = Path.GetDirectoryName(playbook),
            }
        )!;
        var log = process.StandardOutput.ReadToEnd() + process.StandardError.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, log);
    }
}
