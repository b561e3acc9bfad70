namespace IoBench.Cli.Tests;

/// <summary>A call of the drop-in: what it printed, and the results that it printed, by the engine.</summary>
internal sealed record DropInRun(string CommandLine, string Output, IReadOnlyList<IoTestResult> Results)
{
    /// <summary>The result of a run of one timespan.</summary>
    public IoTestResult Result => Results.Single();

    /// <summary>Runs the drop-in on files of a folder that does not outlive the call.</summary>
    public static DropInRun Of(string options, params string[] files)
    {
        using var folder = new TestFolder();
        string[] args = ["-d1", "-W0", .. options.Split(' '), .. files.Select(folder.File)];
        return Of(args);
    }

    /// <summary>Runs the drop-in with a profile.</summary>
    public static DropInRun OfProfile(string profile, params string[] files)
    {
        using var folder = new TestFolder();
        return Of(["-X" + folder.Write("profile.xml", profile), .. files.Select(folder.File)]);
    }

    private static DropInRun Of(string[] args)
    {
        var results = new List<IoTestResult>();
        using var output = new StringWriter();
        using var error = new StringWriter();
        using var console = new CliConsole(output, error, errorIsTerminal: false, canAsk: false);
        Assert.True(DiskSpdDropIn.Run(args, new TestRunOptions(), console, results.Add) == 0, error.ToString());
        return new DropInRun("diskspd " + string.Join(' ', args), output.ToString(), results);
    }
}

/// <summary>Figures as DiskSpd prints them.</summary>
internal static class Printed
{
    /// <summary>With three decimals.</summary>
    public static double Three(double? value) => Math.Round(value!.Value, 3, MidpointRounding.AwayFromZero);

    /// <summary>Equal but for the last of the printed decimals.</summary>
    public static void Same(double? expected, double actual, int decimals, string what) =>
        Assert.True(Math.Abs(expected!.Value - actual) <= 0.5001 * Math.Pow(10, -decimals), $"{what}: {expected} was read as {actual}");

    /// <summary>A percentile by nearest rank: the one that the result lists, else within the band of the histogram that holds that rank.</summary>
    public static void SamePercentile(
        IoTestResult result,
        double percent,
        Func<IoPercentile, double?> kind,
        Func<IoHistogramBucket, long?> count,
        double actual,
        string what
    )
    {
        if (result.Percentiles.Find(p => p.Percent == percent) is { } listed && kind(listed) is double known)
        {
            Same(known, actual, 3, what);
            return;
        }
        var all = result.Histogram!.Buckets.Sum(b => count(b) ?? 0);
        var rank = percent / 100 * all;
        // The highest latency, where no I/O lies beyond. It may lie above all bands: of one that was still in flight at the end.
        if (all - rank < 1 && result.Percentiles.Find(p => p.Percent == 100) is { } highest && kind(highest) is double max)
        {
            Same(max, actual, 3, what);
            return;
        }
        long seen = 0;
        var band = result.Histogram.Buckets.First(b => (seen += count(b) ?? 0) >= rank && seen > 0);
        // A listed percentile before it may lie above its band's middle: bands are coarser.
        Assert.True(
            actual >= band.FromMs - 0.0006 && actual <= band.ToMs * 1.04 + 0.0006,
            $"{what}: {actual} is not in {band.FromMs} to {band.ToMs} ms"
        );
    }
}
