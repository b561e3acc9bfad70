using System.Text.Json;
using System.Text.RegularExpressions;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

/// <summary>
/// Documents for deployment tools are compared with approved texts, because the tools are not available here. <c>IOBENCH_UPDATE=1</c>
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

    [Fact]
    public void Unknown_document_kind_throws() =>
        Assert.Equal("IoBench.InvalidName", Assert.Throws<IoBenchException>(() => WriteDocument("chef")).ErrorId);
}
