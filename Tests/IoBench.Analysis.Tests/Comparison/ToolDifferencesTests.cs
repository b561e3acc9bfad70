using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class ToolDifferencesTests
{
    private static IoTestResult CreateRun(string source, params (string Name, string Text)[] details)
    {
        var result = new IoTestResult
        {
            Source = source,
            IOPattern = "8KB random read",
            ThreadCount = 1,
            OutstandingIO = 8,
            BlockSizeKB = 8,
            AccessPattern = IoAccessPattern.Random,
            Operation = IoOperation.Read,
            WritePercent = 0,
            IOPS = 1000,
            BandwidthMBps = 7.8125,
            AverageLatencyMs = 1,
            P99Ms = 2,
            LatencyStdDevMs = 0.1,
            IOCount = 100_000,
            Totals = new IoReadWriteTotals { Read = new IoTotals { IOCount = 100_000 } },
        };
        foreach (var (name, text) in details)
            result.ToolDetails[name] = text;
        return result;
    }

    private static IReadOnlyList<Finding> FindDifferences(IoTestResult a, IoTestResult b) =>
        [
            .. ComparisonResult
                .Compare([a], [b])
                .Findings.Where(f =>
                    f.Code
                        is FindingCodes.ComparisonLatencyMeaning
                            or FindingCodes.ComparisonStatistics
                            or FindingCodes.ComparisonUnits
                            or FindingCodes.ComparisonBestRun
                ),
        ];

    [Fact]
    public void Results_of_one_tool_have_no_differences() =>
        Assert.Empty(
            FindDifferences(
                CreateRun(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat")),
                CreateRun(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat"))
            )
        );

    [Fact]
    public void Difference_names_the_submission_time_missing_from_fio_percentiles()
    {
        var found = Assert.Single(
            FindDifferences(
                CreateRun(IoTestResult.OwnSource),
                CreateRun(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat"), ("read slat mean (ms)", "0.004"))
            )
        );

        Assert.Equal(FindingCodes.ComparisonLatencyMeaning, found.Code);
        Assert.Equal(
            "fio measures percentiles from the end of the submission, but the percentiles of IoBench are measured from the start. fio also measures averages from the start. The submission took 0.004 ms on average. The percentiles of fio do not include this time",
            found.What
        );
        Assert.Equal(
            [("submission", 0.004), ("P99Ms with submission", 2.004)],
            found.Evidence.Select(figure => (figure.Name, figure.Value!.Value))
        );
    }

    [Fact]
    public void Comparison_shows_tool_differences_with_an_action()
    {
        var fio = CreateRun(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat"), ("read slat mean (ms)", "0.004"));

        Assert.EndsWith(
            ". Add the submission latency to the percentiles of fio, or run fio with lat_percentiles=1",
            Assert.Single(ComparisonResult.Compare([CreateRun(IoTestResult.OwnSource)], [fio]).ToolNotes),
            StringComparison.Ordinal
        );
        Assert.Empty(ComparisonResult.Compare([fio], [fio]).ToolNotes);
    }

    [Fact]
    public void Fio_percentiles_of_total_latency_have_no_difference() =>
        Assert.Empty(
            FindDifferences(
                CreateRun(IoTestResult.OwnSource),
                CreateRun(FioFormat.Source, ("percentiles of", "lat"), ("latency of", "lat"), ("read slat mean (ms)", "0.004"))
            )
        );

    [Fact]
    public void Difference_names_the_percentile_definitions() =>
        Assert.Contains(
            "DiskSpd reports the latency of the I/O at that percentile",
            Assert.Single(FindDifferences(CreateRun(DiskSpdFormat.Source), CreateRun(IoTestResult.OwnSource))).What
        );

    [Fact]
    public void CrystalDiskMark_has_unit_and_best_run_differences()
    {
        var run = CreateRun(CrystalDiskMarkFormat.Source);
        run.P99Ms = null;
        var found = FindDifferences(run, CreateRun(IoTestResult.OwnSource));

        Assert.Equal([FindingCodes.ComparisonUnits, FindingCodes.ComparisonBestRun], found.Select(f => f.Code));
        Assert.Equal(7.8125 * 1.048576, found[0].Evidence[1].Value!.Value, 9);
    }

    [Fact]
    public void Standard_deviation_of_few_IOs_has_a_difference()
    {
        var run = CreateRun(FioFormat.Source, ("percentiles of", "lat"), ("latency of", "lat"));
        run.IOCount = 20;
        Assert.Contains("sample standard deviation", Assert.Single(FindDifferences(CreateRun(IoTestResult.OwnSource), run)).What);
    }
}
