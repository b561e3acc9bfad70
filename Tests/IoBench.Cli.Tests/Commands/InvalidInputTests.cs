using System.Text.RegularExpressions;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class InvalidInputTests
{
    private static string SaveResults(TestFolder folder, string name, Func<string, string>? change = null)
    {
        using var writer = new StringWriter();
        var result = new IoTestResult
        {
            Status = IoResultStatus.Complete,
            Workload = "log-commit",
            Operation = IoOperation.Write,
            WritePercent = 100,
            AccessPattern = IoAccessPattern.Sequential,
            LoadModel = IoLoadModel.Closed,
            ThreadCount = 1,
            OutstandingIO = 1,
            TotalOutstanding = 1,
            BlockSizeKB = 8,
            FileSizeMB = 20480,
            DurationSeconds = 30,
            IOPS = 1000,
            BandwidthMBps = 7.8125,
            AverageLatencyMs = 0.5,
            P99Ms = 0.9,
            MaxLatencyMs = 3,
            ComputerName = "SQL1",
        };
        ResultWriter.Write(writer, [result], ResultFormat.Json);
        var json = writer.ToString();
        return folder.WriteFile(name, change?.Invoke(json) ?? json);
    }

    [Theory]
    [InlineData("-1.1")]
    [InlineData("0")]
    [InlineData("5e-324")]
    [InlineData("1.797e308")]
    public void Result_with_an_impossible_latency_is_not_rated(string number)
    {
        using var folder = new TestFolder();
        Assert.Equal(0, Cli.Run("test", SaveResults(folder, "good.json"), "--require", "ms-css").ExitCode);
        var path = SaveResults(folder, "edited.json", json => Regex.Replace(json, "(?<=\"averageLatencyMs\": )[0-9.e-]+", number));
        var outcome = Cli.Run("test", path, "--require", "ms-css");
        Assert.Equal(3, outcome.ExitCode);
        Assert.Contains($"{path}: IoBench ignores impossible values in 1 result (result 1: AverageLatencyMs", outcome.Error);
        Assert.Contains(
            "NOT RATED: the results contain impossible values, which IoBench ignores.",
            outcome.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Test_of_no_results_is_not_rated()
    {
        using var folder = new TestFolder();
        var none = folder.WriteFile("none.json", "[]");
        var empty = Directory.CreateDirectory(folder.GetPath("empty")).FullName;
        foreach (var input in new[] { none, empty })
        {
            var outcome = Cli.Run("test", input, "--require", "ms-css");
            Assert.Equal(3, outcome.ExitCode);
            Assert.Contains("NOT RATED: the input contains no results.", outcome.ErrorLines);
        }
        Assert.Equal(2, Cli.Run("test", folder.GetPath("missing.json")).ExitCode);
    }

    [Fact]
    public void Report_and_comparison_of_no_results_are_errors()
    {
        using var folder = new TestFolder();
        var none = folder.WriteFile("none.json", "[]");
        var report = Cli.Run("report", none, "--output", folder.GetPath("r.html"));
        Assert.Equal(2, report.ExitCode);
        Assert.Contains("the input contains no results", report.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(folder.GetPath("r.html")));
        var comparison = Cli.Run("compare", none);
        Assert.Equal(2, comparison.ExitCode);
        Assert.StartsWith("iobench: ", Assert.Single(comparison.ErrorLines), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_of_a_result_with_an_extreme_latency_is_written()
    {
        using var folder = new TestFolder();
        var path = SaveResults(folder, "big.json", json => Regex.Replace(json, "(?<=\"p99Ms\": )[0-9.e-]+", "1.797e308"));
        var outcome = Cli.Run("report", path, "--output", folder.GetPath("r.html"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.DoesNotContain("NaN", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Results_of_another_computer_are_not_resumed()
    {
        using var folder = new TestFolder();
        string[] command = ["run", folder.GetPath("t.dat"), "--size", "1MB", "--duration", "50ms", "--warm-up", "0", "--output"];
        var output = folder.GetPath("r.json");
        Assert.Equal(0, Cli.Run([.. command, output]).ExitCode);
        var text = File.ReadAllText(output);
        File.WriteAllText(output, text.Replace($"\"computerName\": \"{Environment.MachineName}\"", "\"computerName\": \"OTHER\""));
        var outcome = Cli.Run([.. command, output, "--resume"]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains($"from the computer OTHER, but this computer is {Environment.MachineName}", outcome.Error);
    }

    [Fact]
    public void Endless_line_of_standard_input_is_an_error()
    {
        using var reader = new BoundedLineReader(new EndlessReader(), "Standard input");
        var error = Assert.Throws<IoBenchException>(reader.ReadLine);
        Assert.Equal("IoBench.LineTooLong", error.ErrorId);
        Assert.Contains("67,108,864 characters", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_of_standard_input_are_read_as_by_other_readers()
    {
        using var reader = new BoundedLineReader(new StringReader("a\r\n\nb"), "Standard input");
        Assert.Equal(new[] { "a", "", "b", null }, new[] { reader.ReadLine(), reader.ReadLine(), reader.ReadLine(), reader.ReadLine() });
    }

    private sealed class EndlessReader : TextReader
    {
        public override int Read() => 'a';
    }

    [Theory]
    [InlineData("""[{"targets":[null]}]""")]
    [InlineData("""[{"targets":[{"path":null}]}]""")]
    [InlineData("""[{"targets":[{"path":"t.dat","pattern":{"distribution":[null]}}]}]""")]
    public void Null_in_a_specification_is_reported(string plan)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("run", "--specification", folder.WriteFile("plan.json", plan));
        Assert.InRange(outcome.ExitCode, 1, 2);
        Assert.DoesNotContain("This is a bug", outcome.Error, StringComparison.Ordinal);
        Assert.StartsWith("iobench: ", Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
    }
}
