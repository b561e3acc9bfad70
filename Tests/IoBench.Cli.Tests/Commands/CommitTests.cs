using System.Text.Json;

namespace IoBench.Cli.Tests;

public class CommitTests
{
    private static readonly string[] s_small = ["--file-size", "8MB", "--duration", "150ms", "--committers", "1,4"];

    [Fact]
    public void Commit_prints_a_table_with_advice_and_keeps_its_file()
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("c.dat");
        var run = Cli.Run(["commit", path, .. s_small]);
        Assert.Equal(0, run.ExitCode);
        var lines = run.Output.Split('\n');
        var first = Array.FindIndex(lines, line => line.TrimEnd() == "4 KB, overwriting, aligned");
        Assert.InRange(first, 1, lines.Length - 2);
        Assert.Contains("1 committer", lines[first + 1], StringComparison.Ordinal);
        foreach (var method in new[] { "write-through", "write + separate flush", "write + grouped flush", "buffered write + flush" })
            Assert.Contains(lines, line => line.StartsWith(method, StringComparison.Ordinal));
        Assert.All(lines, line => Assert.InRange(line.TrimEnd().Length, 0, 79));
        Assert.Contains("is kept for the next run", run.Error, StringComparison.Ordinal);
        Assert.Equal(0, Cli.Run("remove", path).ExitCode);
        Assert.False(File.Exists(path));
    }

    [Fact]
    public void Commit_json_has_measurements_and_findings()
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("c.dat");
        var run = Cli.Run(["commit", path, "--format", "json", "-q", "--remove-test-file", .. s_small]);
        Assert.Equal(0, run.ExitCode);
        Assert.False(File.Exists(path));
        using var json = JsonDocument.Parse(run.Output);
        var measurements = json.RootElement.GetProperty("measurements");
        Assert.Equal(8, measurements.GetArrayLength());
        var first = measurements[0];
        Assert.Equal("WriteThrough", first.GetProperty("method").GetString());
        Assert.Equal(5, first.GetProperty("roundRates").GetArrayLength());
        Assert.True(first.GetProperty("commitsPerSecond").GetDouble() > 0);
        // Few commits: a percentile that is based on fewer than 10 is null, not a guess.
        Assert.Equal(JsonValueKind.Null, first.GetProperty("p999Ms").ValueKind);
        Assert.True(first.TryGetProperty("fuaWritesPerCommit", out _));
        Assert.Equal("Commit.Settings", json.RootElement.GetProperty("findings")[0].GetProperty("code").GetString());
    }

    [Theory]
    [InlineData("r.xlsx")]
    [InlineData("r.html")]
    public void Commit_report_is_created_and_replaced_only_with_force(string name)
    {
        using var folder = new TestFolder();
        var (path, report) = (folder.GetPath("c.dat"), folder.GetPath(name));
        string[] arguments = ["commit", path, "-q", "--report", report, .. s_small];
        Assert.Equal(0, Cli.Run(arguments).ExitCode);
        Assert.True(new FileInfo(report).Length > 1000);
        var again = Cli.Run(arguments);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("[IoBench.FileExists]", again.Error, StringComparison.Ordinal);
        Assert.Equal(0, Cli.Run([.. arguments, "--force"]).ExitCode);
        Assert.Contains("[IoBench.UnknownReportFormat]", Cli.Run("commit", path, "--report", "r.svg").Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Commit_refuses_files_that_IoBench_did_not_create()
    {
        using var folder = new TestFolder();
        var theirs = folder.WriteFile("theirs.dat", new string('x', 9 << 20));
        var run = Cli.Run(["commit", theirs, .. s_small]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("[IoBench.ForeignFile]", run.Error, StringComparison.Ordinal);
        Assert.Contains("Specify a new file, or a folder on the storage of the log.", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("--overwrite", run.Error, StringComparison.Ordinal);
        Assert.Equal(new string('x', 9 << 20), File.ReadAllText(theirs));

        var database = folder.WriteFile("sales.ldf", new string('y', 1 << 20));
        run = Cli.Run(["commit", database, .. s_small]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("[IoBench.SqlServerFile]", run.Error, StringComparison.Ordinal);
        Assert.Equal(new string('y', 1 << 20), File.ReadAllText(database));
        run = Cli.Run(["commit", folder.GetPath("new.mdf"), .. s_small]);
        Assert.Contains("[IoBench.SqlServerFile]", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(folder.GetPath("new.mdf")));

        run = Cli.Run(["commit", folder.GetPath("missing/c.dat"), .. s_small]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("[IoBench.DirectoryNotFound]", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("IoBench.InvalidValue", "--write-size", "700")]
    [InlineData("IoBench.InvalidValue", "--write-size", "2MB")]
    [InlineData("IoBench.InvalidValue", "--committers", "0")]
    [InlineData("IoBench.InvalidValue", "--committers", "1000")]
    [InlineData("IoBench.InvalidSize", "--file-size", "64KB")]
    [InlineData("IoBench.Usage", "--format", "xml")]
    public void Commit_refuses_invalid_values(string id, string option, string value)
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("c.dat");
        var run = Cli.Run("commit", path, option, value);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains($"[{id}]", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(path));
    }

    [LinuxFact]
    public void Commit_in_memory_warns_that_it_does_not_measure_storage()
    {
        var path = $"/dev/shm/iobench-commit-{Guid.NewGuid():N}.dat";
        var run = Cli.Run(["commit", path, "--remove-test-file", .. s_small]);
        try
        {
            // Before kernel 6.6, tmpfs does not support unbuffered I/O.
            if (run.ExitCode == 0)
                Assert.Contains("[IoBench.InMemory]", run.Error, StringComparison.Ordinal);
            else
            {
                Assert.Contains("[IoBench.NoDirectIo]", run.Error, StringComparison.Ordinal);
                Assert.DoesNotContain("--buffering", run.Error, StringComparison.Ordinal);
            }
        }
        finally
        {
            if (File.Exists(path))
                Assert.Equal(0, Cli.Run("remove", path).ExitCode);
        }
    }
}
