using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class ToolDifferencesTests
{
    private static IoTestResult Run(string source, params (string Name, string Text)[] details)
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

    private static IReadOnlyList<Finding> Findings(IoTestResult a, IoTestResult b) =>
        [
            .. ResultComparer
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
    public void One_tool_means_one_thing() =>
        Assert.Empty(
            Findings(
                Run(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat")),
                Run(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat"))
            )
        );

    [Fact]
    public void Percentiles_without_the_submission_are_converted()
    {
        var found = Assert.Single(
            Findings(
                Run(IoTestResult.OwnSource),
                Run(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat"), ("read slat mean (ms)", "0.004"))
            )
        );

        Assert.Equal(FindingCodes.ComparisonLatencyMeaning, found.Code);
        Assert.Equal(
            "fio's percentiles count from the end of the submission, those of IoBench from its beginning: 0.004 ms on average are not in them; its averages also count from the beginning",
            found.What
        );
        Assert.Equal(
            [("submission", 0.004), ("P99Ms with submission", 2.004)],
            found.Evidence.Select(figure => (figure.Name, figure.Value!.Value))
        );
    }

    [Fact]
    public void A_comparison_has_them_as_sentences_with_what_to_do()
    {
        var fio = Run(FioFormat.Source, ("percentiles of", "clat"), ("latency of", "lat"), ("read slat mean (ms)", "0.004"));

        Assert.EndsWith(
            ". Add the submission to fio's percentiles, or let fio print lat_percentiles=1",
            Assert.Single(ResultComparer.Compare([Run(IoTestResult.OwnSource)], [fio]).ToolNotes),
            StringComparison.Ordinal
        );
        Assert.Empty(ResultComparer.Compare([fio], [fio]).ToolNotes);
    }

    [Fact]
    public void Percentiles_of_the_whole_time_are_not_mentioned() =>
        Assert.Empty(
            Findings(
                Run(IoTestResult.OwnSource),
                Run(FioFormat.Source, ("percentiles of", "lat"), ("latency of", "lat"), ("read slat mean (ms)", "0.004"))
            )
        );

    [Fact]
    public void Definitions_of_percentiles_differ() =>
        Assert.Contains(
            "DiskSpd gives the latency of that rank",
            Assert.Single(Findings(Run(DiskSpdFormat.Source), Run(IoTestResult.OwnSource))).What
        );

    [Fact]
    public void CrystalDiskMark_was_converted_and_shows_its_best_run()
    {
        var run = Run(CdmFormat.Source);
        run.P99Ms = null;
        var found = Findings(run, Run(IoTestResult.OwnSource));

        Assert.Equal([FindingCodes.ComparisonUnits, FindingCodes.ComparisonBestRun], found.Select(f => f.Code));
        Assert.Equal(7.8125 * 1.048576, found[0].Evidence[1].Value!.Value, 9);
    }

    [Fact]
    public void The_deviation_of_few_IOs_differs()
    {
        var run = Run(FioFormat.Source, ("percentiles of", "lat"), ("latency of", "lat"));
        run.IOCount = 20;
        Assert.Contains("divided by one less", Assert.Single(Findings(Run(IoTestResult.OwnSource), run)).What);
    }
}
