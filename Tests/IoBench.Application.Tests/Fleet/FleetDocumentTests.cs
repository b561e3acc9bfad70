using System.Text.Json;
using System.Text.RegularExpressions;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

/// <summary>
/// Documents for deployment tools are compared with approved texts, because most of the tools are not available here. <c>IOBENCH_UPDATE=1</c>
/// rewrites the approved texts.
/// </summary>
public class FleetDocumentTests
{
    private static FleetPlan CreatePlan() =>
        FleetPlan.Create(
            FleetInventory.Parse("name,address,path,resourcegroup\nsql1,i-0abc,/data,prod's\nsql2,i-0def,/data2,prod\n", "h.csv"),
            null,
            () =>
                new PlanRequest { Labels = ["it's {{ a }} label"] }
                    .Set("Duration", "10")
                    .Set("FileSize", "1GB")
                    .Set("Seed", "7")
        );

    private static string WriteDocument(string kind) =>
        FleetDocuments.Write(
            kind,
            CreatePlan(),
            new FleetDocumentRequest("20261201-020000-ab12", new DateTimeOffset(2030, 12, 1, 2, 0, 0, TimeSpan.Zero), "iobench")
        );

    public static TheoryData<string> GetKinds() => [.. FleetDocuments.Names];

    [Theory]
    [MemberData(nameof(GetKinds))]
    public void Fleet_document_matches_its_approved_text(string kind)
    {
        // The timeout of the tool depends on the current date.
        var text = Regex.Replace(WriteDocument(kind), "(async|activeDeadlineSeconds): [0-9]+", "$1: SECONDS");
        var file = Path.Combine(SampleFiles.RepositoryRoot, "Tests", "IoBench.Application.Tests", "Fleet", "Documents", kind + ".txt");
        if (Environment.GetEnvironmentVariable("IOBENCH_UPDATE") == "1")
            File.WriteAllText(file, text);
        Assert.Equal(File.ReadAllText(file), text);
    }

    [Theory]
    [MemberData(nameof(GetKinds))]
    public void Fleet_document_contains_each_host_and_the_start_time(string kind)
    {
        var text = WriteDocument(kind);
        Assert.Contains("2030-12-01T02:00:00Z", text, StringComparison.Ordinal);
        Assert.Contains("sql1", text, StringComparison.Ordinal);
        Assert.Contains("sql2", text, StringComparison.Ordinal);
        Assert.DoesNotContain('\r', text);
    }

    [Fact]
    public void Shell_command_of_a_host_contains_its_plan()
    {
        using var document = JsonDocument.Parse(WriteDocument("aws"));
        var lines = document
            .RootElement.GetProperty("mainSteps")[0]
            .GetProperty("inputs")
            .GetProperty("runCommand")
            .EnumerateArray()
            .Select(line => line.GetString()!)
            .ToList();
        var plan = Regex.Match(lines[2], "printf %s '(.*?)' > /var").Groups[1].Value.Replace(@"'\''", "'", StringComparison.Ordinal);
        Assert.Equal(
            ResumePlan.GetTestKey(CreatePlan().Work[0].Tests[0]),
            ResumePlan.GetTestKey(JsonResultSerializer.DeserializePlan(plan, "aws")[0])
        );
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
        var request = new FleetDocumentRequest(
            GroupId.Create(DateTimeOffset.Now),
            DateTimeOffset.Now,
            folder.WriteFile("iobench " + "{{ 7*7 }}", "#!/bin/sh\necho \"$0 $@\"\n")
        );
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(request.Program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        var output = $"/tmp/iobench-{request.Group}.jsonl";
        try
        {
            // Asynchronous tasks need a home directory that every user of the tests has.
            var text = FleetDocuments.Write("ansible", plan, request);
            text = Regex.Replace(text, " +(async|poll): [0-9]+\n", "");
            var (code, log) = RunAnsible(folder, folder.WriteFile("playbook.yml", text));
            Assert.True(code == 0, log);
            Assert.False(File.Exists(proof), log);
            Assert.StartsWith(request.Program + " run --specification ", File.ReadAllText(output), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(output);
            File.Delete($"/tmp/iobench-{request.Group}.plan.json");
        }
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

    [Fact]
    public void Unknown_document_kind_throws() =>
        Assert.Equal("IoBench.InvalidName", Assert.Throws<IoBenchException>(() => WriteDocument("chef")).ErrorId);
}
