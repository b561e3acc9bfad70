namespace IoBench.Cli.Tests;

/// <summary>File roles on small real files. The assertions do not depend on speed.</summary>
public class RoleTests
{
    [Fact]
    public void Run_tests_file_roles_alone_and_then_concurrently()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(
            folder.Path,
            ["run", "--data-path", "./data.dat", "--log-path", "./log.dat", "--size", "8MB", "--duration", "200ms", "--warm-up", "0"]
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        string[] names = ["page-read", "checkpoint", "log-commit", "all-roles"];
        // After the results: a heading and one row per pattern for the contention between roles.
        Assert.Equal(names.Length + 5, outcome.OutputLines.Skip(2).Count());
        Assert.Contains(" 3 concurrent patt", outcome.OutputLines[5]);
        Assert.Equal(["data", "data", "log"], outcome.OutputLines.TakeLast(3).Select(line => line.Split(' ')[0]));
        Assert.All(outcome.OutputLines, line => Assert.InRange(line.Length, 1, 120));
        Assert.All(outcome.OutputLines.Skip(2).Zip(names), row => Assert.Contains($" {row.Second} ", row.First));
        Assert.Contains("data (8KB random read) reaches ", outcome.Error);
        Assert.Contains("data (16KB random write) reaches ", outcome.Error);
        Assert.Contains("Log write latency (4KB sequential write) is ", outcome.Error);
    }

    [Fact]
    public void Mix_load_adds_a_rate_limited_test_after_the_full_speed_test()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(
            folder.Path,
            [
                "run",
                "--data-path",
                "./data.dat",
                "--log-path",
                "./log.dat",
                "--backend",
                "null",
                "--size",
                "8MB",
                "--duration",
                "200ms",
                "--warm-up",
                "0",
                "--mix-load",
                "50",
                "--output",
                "mix.json",
            ]
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        using var results = System.Text.Json.JsonDocument.Parse(File.ReadAllText(Path.Combine(folder.Path, "mix.json")));
        var runs = results.RootElement.EnumerateArray().ToList();
        Assert.Equal(
            ["page-read", "checkpoint", "log-commit", "all-roles", "all-roles-paced"],
            runs.Select(run => run.GetProperty("workload").GetString())
        );
        var asked = runs[4]
            .GetProperty("specification")
            .GetProperty("targets")
            .EnumerateArray()
            .Select(target => target.GetProperty("pattern").GetProperty("targetIops").GetDouble());
        Assert.All(asked.Zip(runs), pair => Assert.Equal(pair.Second.GetProperty("iops").GetDouble() / 2, pair.First, 0.001));
        Assert.Equal("open", runs[4].GetProperty("loadModel").GetString(), ignoreCase: true);
        Assert.Equal(
            ["data 50 %", "data 50 %", "log 50 %"],
            outcome
                .OutputLines.Where(line => line.Contains(" 50 %", StringComparison.Ordinal))
                .TakeLast(3)
                .Select(line => line.Split("  ")[0])
        );
        Assert.Contains(" each run at 50% of the rate that they reached alone (", outcome.Error);
        // Resume finds the rate-limited test, although its rates are known only after the other tests.
        var again = Cli.RunProcess(
            folder.Path,
            [
                "run",
                "--data-path",
                "./data.dat",
                "--log-path",
                "./log.dat",
                "--backend",
                "null",
                "--size",
                "8MB",
                "--duration",
                "200ms",
                "--warm-up",
                "0",
                "--mix-load",
                "50",
                "--output",
                "mix.json",
                "--resume",
            ]
        );
        Assert.Contains("so there is nothing to run", again.Error);
    }

    [Fact]
    public void Cache_warning_is_omitted_when_IoBench_chose_the_buffering()
    {
        using var folder = new TestFolder();
        string[] quick = ["--size", "8MB", "--duration", "100ms", "--warm-up", "0"];
        Assert.Contains(
            "can stay in a cache",
            Cli.RunProcess(folder.Path, ["run", "x.dat", "--write", "100", "--buffering", "hardware", .. quick]).Error
        );
        Assert.DoesNotContain(
            "can stay in a cache",
            Cli.RunProcess(folder.Path, ["run", "--tempdb-path", "t.dat", "--backup-path", "b.dat", .. quick]).Error
        );
        Assert.DoesNotContain(
            "can stay in a cache",
            Cli.RunProcess(folder.Path, ["run", "x.dat", "--workload", "restore", .. quick]).Error
        );
    }

    [Theory]
    [InlineData("Only one file role has a path", "run", "--log-path", "l.dat")]
    [InlineData("oltp has one pattern", "run", "--log-path", "l.dat", "--data-path", "d.dat", "--workload", "oltp")]
    [InlineData("--mix-load requires at least two", "run", "x.dat", "--mix-load", "50")]
    [InlineData("--mix-load", "run", "--log-path", "l.dat", "--data-path", "d.dat", "--mix-load", "0")]
    [InlineData("--mix-load", "run", "--log-path", "l.dat", "--data-path", "d.dat", "--mix-load", "101")]
    [InlineData("paths without a role cannot be combined", "run", "x.dat", "--log-path", "l.dat", "--data-path", "d.dat")]
    public void Invalid_role_options_are_refused(string message, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, args);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains(message, outcome.Error);
        Assert.Empty(folder.ListContents());
    }
}
