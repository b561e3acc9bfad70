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
    private static FleetPlan Plan() =>
        FleetPlan.Create(
            FleetInventory.Parse("name,address,path,resourcegroup\nsql1,i-0abc,/data,prod's\nsql2,i-0def,/data2,prod\n", "h.csv"),
            null,
            () =>
                new PlanRequest { Labels = ["it's {{ a }} label"] }
                    .Set("Duration", "10")
                    .Set("FileSize", "1GB")
                    .Set("Seed", "7")
        );

    private static string Write(string kind) =>
        FleetDocuments.Write(
            kind,
            Plan(),
            new FleetDocumentRequest("20261201-020000-ab12", new DateTimeOffset(2030, 12, 1, 2, 0, 0, TimeSpan.Zero), "iobench", false)
        );

    public static TheoryData<string> Kinds() => [.. FleetDocuments.Names];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_document_is_as_it_was_looked_over(string kind)
    {
        // The timeout of the tool depends on the current date.
        var text = Regex.Replace(Write(kind), "(async|activeDeadlineSeconds): [0-9]+", "$1: SECONDS");
        var file = Path.Combine(Samples.Root, "Tests", "IoBench.Application.Tests", "Fleet", "Documents", kind + ".txt");
        if (Environment.GetEnvironmentVariable("IOBENCH_UPDATE") == "1")
            File.WriteAllText(file, text);
        Assert.Equal(File.ReadAllText(file), text);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Each_host_is_in_it_with_its_plan_and_the_start(string kind)
    {
        var text = Write(kind);
        Assert.Contains("2030-12-01T02:00:00Z", text, StringComparison.Ordinal);
        Assert.Contains("sql1", text, StringComparison.Ordinal);
        Assert.Contains("sql2", text, StringComparison.Ordinal);
        Assert.DoesNotContain('\r', text);
    }

    [Fact]
    public void What_the_shell_of_a_host_gets_is_the_plan()
    {
        using var document = JsonDocument.Parse(Write("aws"));
        var lines = document
            .RootElement.GetProperty("mainSteps")[0]
            .GetProperty("inputs")
            .GetProperty("runCommand")
            .EnumerateArray()
            .Select(line => line.GetString()!)
            .ToList();
        var plan = Regex.Match(lines[2], "printf %s '(.*?)' > /var").Groups[1].Value.Replace(@"'\''", "'", StringComparison.Ordinal);
        Assert.Equal(ResumePlan.KeyOf(Plan().Work[0].Tests[0]), ResumePlan.KeyOf(JsonResultText.ReadPlan(plan, "aws")[0]));
    }

    [Fact]
    public void An_unknown_kind_is_refused() =>
        Assert.Equal("IoBench.InvalidName", Assert.Throws<IoBenchException>(() => Write("chef")).ErrorId);
}
