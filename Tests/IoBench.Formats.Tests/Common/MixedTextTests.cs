using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class MixedTextTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private static string DiskSpdRun { get; } = File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v22-mix-r-L.out"));

    private List<IoTestResult> ReadText(string text)
    {
        File.WriteAllText(_file, text);
        return ResultReader.ReadFile(_file).ToList();
    }

    [Fact]
    public void SQLIO_and_DiskSpd_runs_in_one_log_are_read_in_any_order()
    {
        var alone = (Sqlio: ReadText(SqlioTestText.Run)[0], DiskSpd: ReadText(DiskSpdRun)[0]);
        foreach (
            var parts in (string[][])
                [
                    [SqlioTestText.Run, DiskSpdRun, SqlioTestText.Run, DiskSpdRun],
                    [DiskSpdRun, SqlioTestText.Run, DiskSpdRun, DiskSpdRun, SqlioTestText.Run],
                ]
        )
        {
            var results = ReadText(string.Concat(parts));
            Assert.Equal(parts.Select(p => p == DiskSpdRun ? DiskSpdFormat.Source : SqlioFormat.Source), results.Select(r => r.Source));
            var line = 1;
            for (var i = 0; i < parts.Length; i++)
            {
                var expected = parts[i] == DiskSpdRun ? alone.DiskSpd : alone.Sqlio;
                Assert.Equal(
                    (expected.IOPS, expected.AverageLatencyMs, expected.P99Ms, expected.Path, expected.Status),
                    (results[i].IOPS, results[i].AverageLatencyMs, results[i].P99Ms, results[i].Path, results[i].Status)
                );
                Assert.Equal(line + expected.SourceLine - 1, results[i].SourceLine);
                var other = results[i].Warnings.Find(w => w.Contains("begins here", StringComparison.Ordinal));
                if (parts[i] == parts[0])
                    Assert.Null(other);
                else
                    Assert.StartsWith($"line {results[i].SourceLine}: ", other, StringComparison.OrdinalIgnoreCase);
                Assert.Equal(expected.Warnings, results[i].Warnings.Where(w => w != other));
                line += parts[i].Count(c => c == '\n');
            }
        }
    }

    [Fact]
    public void Prompt_with_SQLIO_ends_a_DiskSpd_run()
    {
        var results = ReadText(DiskSpdRun + "\r\nD:\\SQLIO>sqlio -kR -s15 -frandom -BH -LS T:\\testfile.dat\r\n" + SqlioTestText.Run);
        Assert.Equal([DiskSpdFormat.Source, SqlioFormat.Source], results.Select(r => r.Source));
        Assert.NotNull(results[1].Specification!.GetOrAddOrigin().CommandLine);
    }

    [Fact]
    public void Progress_dots_before_DiskSpd_output_are_skipped()
    {
        var result = Assert.Single(
            ReadText(
                "2026-11-21T05:55:04: creating thread 0\r\n"
                    + new string('.', 60_000)
                    + "2026-11-21T05:55:05: starting measurements for 1s...\r\n"
                    + new string('.', 500_000)
                    + "\r\n"
                    + DiskSpdRun
            )
        );
        Assert.Equal((DiskSpdFormat.Source, IoResultStatus.Complete), (result.Source, result.Status));
        Assert.All(result.Warnings, warning => Assert.Contains("outstanding (IOPS", warning, StringComparison.Ordinal));
    }
}
