using System.Text.Json;

namespace IoBench.Cli.Tests;

public class WhereTests
{
    private static readonly string[] s_small = ["--file-size", "8MB", "--duration", "300ms"];

    [Fact]
    public void Where_prints_the_layers_and_a_verdict()
    {
        using var folder = new TestFolder();
        var run = Cli.Run(["where", folder.GetPath("w.dat"), .. s_small]);
        Assert.Equal(0, run.ExitCode);
        foreach (
            var line in new[]
            {
                "Reads ",
                "Writes ",
                "Test ",
                "  read like SQL Server",
                "  write without write-through",
                "  read from memory",
            }
        )
            Assert.Contains(run.Output.Split('\n'), text => text.StartsWith(line, StringComparison.Ordinal));
        Assert.Contains("100.0%", run.Output, StringComparison.Ordinal);
        Assert.All(run.Output.Split('\n'), text => Assert.InRange(text.TrimEnd().Length, 0, 79));
        Assert.True(run.Output.IndexOf("To do:", StringComparison.Ordinal) < run.Output.IndexOf("Reads ", StringComparison.Ordinal));
    }

    [Fact]
    public void Json_layers_add_up_to_the_average_latency()
    {
        using var folder = new TestFolder();
        using var found = RunJson(folder.GetPath("w.dat"));
        var breakdowns = found.RootElement.GetProperty("breakdowns").EnumerateArray().ToList();
        Assert.Equal(["Read", "Write"], breakdowns.Select(item => item.GetProperty("operation").GetString()));
        foreach (var breakdown in breakdowns)
        {
            var layers = breakdown.GetProperty("layers").EnumerateArray().ToList();
            Assert.Equal(
                breakdown.GetProperty("averageMs").GetDouble(),
                layers.Sum(item => item.GetProperty("milliseconds").GetDouble()),
                6
            );
            Assert.NotEqual("", breakdown.GetProperty("verdict").GetString());
        }
        Assert.Equal(10, found.RootElement.GetProperty("slowestIOs").GetArrayLength());
        Assert.EndsWith(
            "+00:00",
            found.RootElement.GetProperty("slowestIOs")[0].GetProperty("startUtc").GetString(),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("page.html")]
    [InlineData("page.xlsx")]
    public void Report_is_created_and_not_replaced(string name)
    {
        using var folder = new TestFolder();
        var report = folder.GetPath(name);
        Assert.Equal(0, Cli.Run(["where", folder.GetPath("w.dat"), .. s_small, "--report", report]).ExitCode);
        Assert.True(new FileInfo(report).Length > 2000);
        if (name.EndsWith(".html", StringComparison.Ordinal))
            Assert.Contains("Start (UTC)", File.ReadAllText(report), StringComparison.Ordinal);
        var again = Cli.Run(["where", folder.GetPath("w.dat"), .. s_small, "--report", report]);
        Assert.Equal(2, again.ExitCode);
        Assert.Contains("IoBench.FileExists", again.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Anonymous_report_has_no_names()
    {
        using var folder = new TestFolder();
        var report = folder.GetPath("page.html");
        var file = folder.GetPath("secret-name.dat");
        var run = Cli.Run(["where", file, .. s_small, "--report", report, "--anonymous", "--format", "json"]);
        Assert.Equal(0, run.ExitCode);
        foreach (var text in new[] { File.ReadAllText(report), run.Output })
        {
            Assert.DoesNotContain("secret-name", text, StringComparison.Ordinal);
            // A short name can be a part of any word.
            if (Environment.MachineName.Length > 4)
                Assert.DoesNotContain(Environment.MachineName, text, StringComparison.Ordinal);
        }
    }

    [LinuxFact]
    public void Comparison_runs_A_B_B_A_and_ends_with_A()
    {
        using var folder = new TestFolder();
        var log = folder.GetPath("log.txt");
        var run = Cli.Run([
            "where",
            folder.GetPath("w.dat"),
            "--file-size",
            "8MB",
            "--duration",
            "100ms",
            "--ab",
            $"echo A >> {log}",
            $"echo B >> {log}",
        ]);
        Assert.Equal(0, run.ExitCode);
        var order = string.Concat(File.ReadAllLines(log));
        Assert.Matches("^(ABBA){3,8}$", order);
        Assert.Contains("95% interval", run.Output, StringComparison.Ordinal);
        Assert.Contains($"The last command was A: echo A >> {log}", run.Output.ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Comparison_ends_with_A_after_an_error()
    {
        using var folder = new TestFolder();
        var log = folder.GetPath("log.txt");
        var run = Cli.Run([
            "where",
            folder.GetPath("w.dat"),
            "--file-size",
            "8MB",
            "--duration",
            "100ms",
            "--ab",
            $"echo A >> {log}",
            $"echo B >> {log}; echo broken >&2; exit 3",
        ]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("ended with exit code 3", run.Error, StringComparison.Ordinal);
        Assert.Contains("broken", run.Error, StringComparison.Ordinal);
        Assert.Contains("IoBench.CommandFailed", run.Error, StringComparison.Ordinal);
        Assert.Equal("ABA", string.Concat(File.ReadAllLines(log)));
    }

    [Fact]
    public void File_of_others_is_refused_and_unchanged()
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("theirs.dat");
        File.WriteAllText(path, "theirs");
        var run = Cli.Run(["where", path, .. s_small]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("[IoBench.NotOwnFile]", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("drill", run.Error, StringComparison.OrdinalIgnoreCase);
        Assert.Equal("theirs", File.ReadAllText(path));
    }

    [Theory]
    [InlineData("--file-size", "4KB", "IoBench.InvalidSize")]
    [InlineData("--duration", "1ms", "IoBench.InvalidValue")]
    [InlineData("--report", "page.txt", "IoBench.UnknownReportFormat")]
    public void Invalid_value_is_an_error(string option, string value, string id)
    {
        using var folder = new TestFolder();
        var run = Cli.Run("where", folder.GetPath("w.dat"), option, value);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(id, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void One_command_is_an_error_with_the_syntax()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("where", folder.GetPath("w.dat"), "--ab", "true");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("--ab requires two commands", run.Error, StringComparison.Ordinal);
        Assert.Contains("--ab \"A\" \"B\"", run.Error, StringComparison.Ordinal);
    }

    [FuseFact]
    public void Slow_FUSE_server_has_the_largest_share()
    {
        using var disk = new FaultyDisk();
        disk.SetRules("read-delay-ms 20");
        using var found = RunJson(disk.GetPath("w.dat"), "--duration", "2s");
        var layers = found.RootElement.GetProperty("breakdowns")[0].GetProperty("layers").EnumerateArray();
        var largest = layers.MaxBy(layer => layer.GetProperty("milliseconds").GetDouble());
        Assert.Equal("FUSE server (fuse) and below", largest.GetProperty("layer").GetString());
        Assert.True(largest.GetProperty("milliseconds").GetDouble() >= 18);
    }

    private static JsonDocument RunJson(string path, params string[] more)
    {
        string[] time = more.Length == 0 ? ["--duration", "300ms"] : more;
        var run = Cli.Run(["where", path, "--file-size", "8MB", "--format", "json", .. time]);
        Assert.Equal(0, run.ExitCode);
        return JsonDocument.Parse(run.Output);
    }
}
