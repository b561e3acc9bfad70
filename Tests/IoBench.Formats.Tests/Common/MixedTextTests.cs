using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class MixedTextTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private static string DiskSpdRun { get; } = File.ReadAllText(Samples.Path("diskspd-runs", "v22-mix-r-L.out"));

    private List<IoTestResult> Read(string text)
    {
        File.WriteAllText(_file, text);
        return ResultReader.ReadFile(_file).ToList();
    }

    [Fact]
    public void Runs_of_both_tools_are_read_whichever_comes_first()
    {
        var alone = (Sqlio: Read(SqlioText.Run)[0], DiskSpd: Read(DiskSpdRun)[0]);
        foreach (
            var parts in (string[][])
                [
                    [SqlioText.Run, DiskSpdRun, SqlioText.Run, DiskSpdRun],
                    [DiskSpdRun, SqlioText.Run, DiskSpdRun, DiskSpdRun, SqlioText.Run],
                ]
        )
        {
            var results = Read(string.Concat(parts));
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
    public void A_prompt_that_starts_sqlio_ends_diskspds_run()
    {
        var results = Read(DiskSpdRun + "\r\nD:\\SQLIO>sqlio -kR -s15 -frandom -BH -LS T:\\testfile.dat\r\n" + SqlioText.Run);
        Assert.Equal([DiskSpdFormat.Source, SqlioFormat.Source], results.Select(r => r.Source));
        Assert.NotNull(results[1].Specification!.Origin().CommandLine);
    }

    [Fact]
    public void Any_number_of_dots_of_progress_may_stand_before_diskspds_output()
    {
        var result = Assert.Single(
            Read(
                "2026-11-21T05:55:04: creating thread 0\r\n"
                    + new string('.', 60_000)
                    + "2026-11-21T05:55:05: starting measurements for 1s...\r\n"
                    + new string('.', 500_000)
                    + "\r\n"
                    + DiskSpdRun
            )
        );
        Assert.Equal((DiskSpdFormat.Source, IoResultStatus.Complete), (result.Source, result.Status));
        Assert.Empty(result.Warnings);
    }
}
