using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public sealed class ThroughputUnitTests : IDisposable
{
    public ThroughputUnitTests() => ThroughputDisplay.Units = ThroughputUnits.Si;

    public void Dispose() => ThroughputDisplay.Units = ThroughputUnits.Binary;

    [Fact]
    public void Every_sheet_uses_the_selected_units()
    {
        List<IoTestResult> before = [.. Enumerable.Range(1, 3).SelectMany(repeat => ReportSamples.CreateSqlServerSuite(repeat: repeat))];
        List<IoTestResult> runs =
        [
            .. Enumerable.Range(1, 3).SelectMany(repeat => ReportSamples.CreateSqlServerSuite(faster: 1 + 0.01 * repeat, repeat: repeat)),
        ];
        foreach (var run in runs)
        {
            run.TargetCount = 2;
            run.Targets.AddRange(
                new[] { "D:\\a.dat", "E:\\b.dat" }.Select(path => new IoTargetResult
                {
                    Path = path,
                    Total = new() { IOPS = run.IOPS / 2, MBps = 500 },
                })
            );
        }
        using var book = new Workbook(runs, new ReportOptions { Baseline = before });

        foreach (var sheet in book.GetSheetNames())
            Assert.DoesNotContain("MiB/s", book.GetText(sheet), StringComparison.Ordinal);
        // 500 MiB are 524.288 MB.
        Assert.Contains("524.288", book.GetText("Targets"), StringComparison.Ordinal);
        var read = runs.Where(run => run.Workload == "read-ahead").Select(run => run.BandwidthMBps!.Value * 1.048576).Order().ToList();
        Assert.Contains(
            FormattableString.Invariant($"read-ahead | 3 | MB/s | {(long)read[1]}."),
            book.GetText("Repeats"),
            StringComparison.Ordinal
        );
        Assert.Contains("BandwidthMBps (MB/s)", book.GetText("Details"), StringComparison.Ordinal);
        Assert.Contains(FormattableString.Invariant($"{(long)read[0]}."), book.GetText("Details"), StringComparison.Ordinal);
        Assert.Contains("MB/s before", book.GetText("Comparison"), StringComparison.Ordinal);
        Assert.Contains(FormattableString.Invariant($"{(long)read.Average()}."), book.GetText("Comparison"), StringComparison.Ordinal);
        Assert.Contains("| MB/s |", book.GetText("Timeline"), StringComparison.Ordinal);
        Assert.Contains(
            FormattableString.Invariant($"| {(long)(runs[0].Timeline[0].MBps!.Value * 1.048576)}."),
            book.GetText("Timeline"),
            StringComparison.Ordinal
        );
        Assert.Empty(book.FindFaults());
    }
}
