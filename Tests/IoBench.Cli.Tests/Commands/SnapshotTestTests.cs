using System.Text.Json;

namespace IoBench.Cli.Tests;

public class SnapshotTestTests
{
    private const string Header =
        "database_id,file_id,type_desc,physical_name,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms";

    private static string CreateSamples(TestFolder folder, int readMs = 4)
    {
        var path = folder.GetPath("samples.csv");
        File.WriteAllLines(
            path,
            [
                Header,
                @"5,1,ROWS,D:\x.mdf,1000,0,0,0,0,0,0",
                @"5,2,LOG,L:\x.ldf,1000,0,0,0,0,0,0",
                FormattableString.Invariant($@"5,1,ROWS,D:\x.mdf,101000,20000,163840000,{20000 * readMs},0,0,0"),
                @"5,2,LOG,L:\x.ldf,101000,0,0,0,5000,20480000,4000",
            ]
        );
        return path;
    }

    [Fact]
    public void Test_rates_snapshots_and_begins_with_the_verdict()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("test", CreateSamples(folder));
        Assert.Equal(0, run.ExitCode);
        var lines = run.Output.Split('\n').Select(line => line.TrimEnd()).ToList();
        Assert.Equal(
            "PASS (rule set ms-file-stats): average latency of data reads 4 ms (very good), log writes 0.8 ms (excellent); limit 15 ms.",
            lines[0]
        );
        Assert.Equal("Role  File      Reads/s  Read ms  Writes/s  Write ms  Verdict", lines[2]);
        Assert.Equal(@"data  D:\x.mdf      200     4.00         0            pass", lines[4]);
        Assert.Equal(@"log   L:\x.ldf        0                 50      0.80  pass", lines[5]);
        Assert.Contains("Rule set ms-file-stats: ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Test_fails_with_exit_code_3_if_a_file_is_too_slow()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("test", CreateSamples(folder, readMs: 20), "--format", "json");
        Assert.Equal(3, run.ExitCode);
        using var json = JsonDocument.Parse(run.Output);
        Assert.Equal("FAIL", json.RootElement.GetProperty("verdict").GetString());
        var file = json.RootElement.GetProperty("files")[0];
        Assert.Equal(20, file.GetProperty("readLatencyMs").GetDouble());
        Assert.Equal("Fail", file.GetProperty("outcome").GetString());
        Assert.StartsWith("FAIL (warning; rule set ms-file-stats): data reads of D:\\x.mdf", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Test_of_a_missing_file_has_one_error_and_no_verdict()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("test", folder.GetPath("none.csv"));
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("[IoBench.FileNotFound]", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("NOT RATED", run.Output + run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Rule set", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Test_of_a_storage_type_uses_its_rule_set()
    {
        using var folder = new TestFolder();
        Assert.StartsWith(
            "FAIL (warning; rule set flash)",
            Cli.Run("test", CreateSamples(folder), "--storage", "flash").Output,
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "PASS (rule set cloud)",
            Cli.Run("test", CreateSamples(folder), "--require", "cloud").Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Test_without_enough_IOs_is_not_rated_and_ends_with_3()
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("rare.csv");
        File.WriteAllLines(path, [Header, @"5,1,ROWS,D:\x.mdf,1000,0,0,0,0,0,0", @"5,1,ROWS,D:\x.mdf,101000,99,811008,99000,0,0,0"]);
        var run = Cli.Run("test", path);
        Assert.Equal(3, run.ExitCode);
        Assert.StartsWith("NOT RATED: too few I/Os", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("r.xlsx")]
    [InlineData("r.html")]
    public void Report_of_snapshots_is_created_and_replaced_only_with_force(string name)
    {
        using var folder = new TestFolder();
        var (samples, report) = (CreateSamples(folder), folder.GetPath(name));
        Assert.Equal(0, Cli.Run("test", samples, "--report", report).ExitCode);
        Assert.True(new FileInfo(report).Length > 1000);
        var again = Cli.Run("test", samples, "--report", report);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("[IoBench.FileExists]", again.Error, StringComparison.Ordinal);
        Assert.Equal(0, Cli.Run("test", samples, "--report", report, "--force").ExitCode);
    }

    [Fact]
    public void Snapshots_cannot_be_combined_with_results_or_metrics()
    {
        using var folder = new TestFolder();
        var samples = CreateSamples(folder);
        var other = folder.GetPath("other.txt");
        File.WriteAllText(other, "no snapshot");
        Assert.Contains("[IoBench.MixedInput]", Cli.Run("test", samples, other).Error, StringComparison.Ordinal);
        foreach (var command in new[] { "test", "advise" })
        {
            var run = Cli.Run(command, samples, folder.GetPath("none*.csv"));
            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.Contains("No file matches", run.Error, StringComparison.Ordinal);
        }
        Assert.Contains(
            "[IoBench.ConflictingOptions]",
            Cli.Run("test", samples, "--metrics", folder.GetPath("m.prom")).Error,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "[IoBench.ConflictingOptions]",
            Cli.Run("test", other, "--report", folder.GetPath("r.html")).Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Restart_between_the_snapshots_is_an_error_with_its_id()
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("restart.csv");
        File.WriteAllLines(path, [Header, @"5,1,ROWS,D:\x.mdf,1000,500,0,0,0,0,0", @"5,1,ROWS,D:\x.mdf,101000,99,811008,99000,0,0,0"]);
        var run = Cli.Run("test", path);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("[IoBench.CountersReset]", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }
}
