using IoBench.Engine;

namespace IoBench.Cli.Tests;

internal sealed record DropInRun(string CommandLine, string Output, IReadOnlyList<IoTestResult> Results)
{
    public IoTestResult Result => Results.Single();

    public static DropInRun Execute(string options, params string[] files)
    {
        using var folder = new TestFolder();
        string[] args = ["-d1", "-W0", .. options.Split(' '), .. files.Select(folder.GetPath)];
        return Execute(args);
    }

    public static DropInRun ExecuteProfile(string profile, params string[] files)
    {
        using var folder = new TestFolder();
        return Execute(["-X" + folder.WriteFile("profile.xml", profile), .. files.Select(folder.GetPath)]);
    }

    private static DropInRun Execute(string[] args)
    {
        var results = new List<IoTestResult>();
        using var output = new StringWriter();
        using var error = new StringWriter();
        using var console = new CliConsole(output, error, errorIsTerminal: false, canAsk: false);
        Assert.True(DiskSpdDropIn.Run(args, new TestRunOptions(), console, results.Add) == 0, error.ToString());
        return new DropInRun("diskspd " + string.Join(' ', args), output.ToString(), results);
    }
}

internal static class PrintedValues
{
    public static double RoundToThreeDecimals(double? value) => Math.Round(value!.Value, 3, MidpointRounding.AwayFromZero);

    /// <summary>Asserts equality within half a unit of the last printed decimal.</summary>
    public static void AssertEqual(double? expected, double actual, int decimals, string what) =>
        Assert.True(Math.Abs(expected!.Value - actual) <= 0.5001 * Math.Pow(10, -decimals), $"{what}: {expected} was read as {actual}");

    /// <summary>
    /// A percentile by nearest rank: equal to the percentile in the result, or within the histogram bucket that contains the rank.
    /// </summary>
    public static void AssertPercentile(
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
            AssertEqual(known, actual, 3, what);
            return;
        }
        var all = result.Histogram!.Buckets.Sum(b => count(b) ?? 0);
        var rank = percent / 100 * all;
        // At the last rank, use the maximum latency. It can be above all buckets, if the I/O was still pending at the end.
        if (all - rank < 1 && result.Percentiles.Find(p => p.Percent == 100) is { } highest && kind(highest) is double max)
        {
            AssertEqual(max, actual, 3, what);
            return;
        }
        long seen = 0;
        var band = result.Histogram.Buckets.First(b => (seen += count(b) ?? 0) >= rank && seen > 0);
        // A listed percentile can be above the middle of its bucket, because buckets are coarser.
        Assert.True(
            actual >= band.FromMs - 0.0006 && actual <= band.ToMs * 1.04 + 0.0006,
            $"{what}: {actual} is not in {band.FromMs} to {band.ToMs} ms"
        );
    }
}
