using System.Text.Json;

namespace IoBench.Cli.Tests;

public class OtherCommandTests
{
    [Fact]
    public void Workloads_prints_the_catalog_as_table_and_JSON()
    {
        var table = Cli.Run("workloads");
        Assert.Equal(0, table.ExitCode);
        Assert.All(table.OutputLines, line => Assert.InRange(line.Length, 1, 120));
        Assert.DoesNotContain("…", table.Output);
        using var json = JsonDocument.Parse(Cli.Run("workloads", "--format", "json").Output);
        Assert.Contains(
            json.RootElement.EnumerateArray(),
            w => w.GetProperty("name").GetString() == "log-commit" && w.GetProperty("pattern").GetString() == "4KB sequential write"
        );
        Assert.Contains("DBCC CHECKDB", Cli.Run("workloads", "sql-server-full").Output);
    }

    [Fact]
    public void Cap_finds_no_limit_on_the_null_device()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "cap",
            folder.GetPath("t.dat"),
            "--backend",
            "null",
            "--duration",
            "200ms",
            "--warm-up",
            "0",
            "--outstanding",
            "1,2,4",
            "--format",
            "json"
        );
        Assert.Equal(0, outcome.ExitCode);
        using var json = JsonDocument.Parse(outcome.Output);
        Assert.Equal(9, json.RootElement.GetArrayLength());
        Assert.Contains("t.dat", outcome.Error);
        Assert.Empty(folder.ListContents());
    }

    [Fact]
    public void Cap_refuses_a_throughput_without_a_unit()
    {
        var outcome = Cli.Run("cap", "t.dat", "--provisioned", "Throughput = 150");
        Assert.Equal(2, outcome.ExitCode);
        Assert.Single(outcome.ErrorLines);
    }
}
