using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class RateTests
{
    private static readonly string[] s_run = ["run", "null", "--backend", "null", "--duration", "300ms", "--warm-up", "0", "--size", "8MB"];

    [Fact]
    public void Missed_target_rate_is_reported_and_fails_with_require_rate()
    {
        var table = Cli.Run([.. s_run, "--target-iops", "1e9"]);
        Assert.Equal(ExitCodes.Success, table.ExitCode);
        Assert.Contains("response, rate not reached", table.Output, StringComparison.Ordinal);
        Assert.Contains(" of 1,000,000,000 IOPS", table.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("a page read", table.Error, StringComparison.Ordinal);

        var json = Cli.Run([.. s_run, "--target-iops", "1e9", "--require-rate", "--format", "json"]);
        Assert.Equal(ExitCodes.Failed, json.ExitCode);
        using var results = JsonDocument.Parse(json.Output);
        var result = results.RootElement[0];
        Assert.InRange(result.GetProperty("rateReachedPercent").GetDouble(), 0, 97);
        Assert.True(result.GetProperty("dueNotDone").GetInt64() > 1_000_000);
        Assert.Contains(
            result.GetProperty("warningDetails").EnumerateArray(),
            warning => warning.GetProperty("code").GetString() == "IoBench.RateMissed"
        );
    }

    [Fact]
    public void Achieved_target_rate_passes_with_require_rate()
    {
        using var folder = new TestFolder();
        // A busy computer can delay the last I/Os, so that the rate is missed. Another run can reach it.
        var (outcome, result) = TestTimeouts.RetryUntil(r => !r.Result.HasMissedRate(), Once);
        Assert.False(result.HasMissedRate());
        Assert.Equal(
            (ExitCodes.Success, ""),
            (outcome.ExitCode, string.Concat(outcome.ErrorLines.Where(line => line.Contains("rate not reached", StringComparison.Ordinal))))
        );
        Assert.Contains("  response", outcome.Output, StringComparison.Ordinal);

        (CliOutcome Outcome, IoTestResult Result) Once()
        {
            // A new file name for each attempt, because Run does not replace an existing file.
            var path = folder.GetPath($"{Guid.NewGuid():N}.json");
            var outcome = Cli.Run([.. s_run, "--target-iops", "200", "--arrivals", "poisson", "--require-rate", "--output", path]);
            return (outcome, ResultReader.ReadFile(path).Single());
        }
    }

    [Theory]
    [InlineData("--max-rate", "100IOPS")]
    [InlineData("--burst-size", "4")]
    [InlineData("--think-time", "1ms")]
    [InlineData("--stop-above", "5")]
    public void Limit_refuses_options_without_effect(string option, string value)
    {
        var outcome = Cli.Run("limit", "null", "--backend", "null", "--max-latency", "5", option, value);
        Assert.Equal(ExitCodes.Usage, outcome.ExitCode);
        Assert.Contains(option, outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_passes_pattern_options_to_the_engine()
    {
        var outcome = Cli.Run([
            .. s_run,
            "--write",
            "50",
            "--compressible",
            "30",
            "--alignment",
            "4KB",
            "--base-offset",
            "1MB",
            "--distribution",
            "90/10",
            "--distribution",
            "10/90",
            "--format",
            "json",
        ]);
        Assert.Equal(ExitCodes.Success, outcome.ExitCode);
        using var results = JsonDocument.Parse(outcome.Output);
        var test = results.RootElement[0].GetProperty("specification");
        Assert.Equal(30, test.GetProperty("compressiblePercent").GetInt32());
        Assert.Equal(4096, test.GetProperty("alignment").GetInt64());
        Assert.Equal(2, test.GetProperty("distribution").GetArrayLength());
        Assert.Equal(1 << 20, test.GetProperty("targets")[0].GetProperty("baseOffset").GetInt64());
    }
}
