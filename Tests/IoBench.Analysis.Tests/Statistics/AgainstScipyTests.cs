using System.Diagnostics;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Tests;

namespace IoBench.Analysis.Tests;

/// <summary>The same samples through an independent package.</summary>
public class AgainstScipyTests
{
    [RequiresScipy]
    public void Welch_and_the_confidence_interval_agree_with_scipy()
    {
        var random = new Random(7);
        for (var round = 0; round < 5; round++)
        {
            var a = Samples(random, 3 + round * 3, 100, 5);
            var b = Samples(random, 4 + round, 104, 12);
            var script = $"""
                from scipy import stats
                a=[{Join(a)}]; b=[{Join(b)}]
                r=stats.ttest_ind(b,a,equal_var=False)
                lo,hi=stats.t.interval(0.95,len(a)-1,loc=sum(a)/len(a),scale=stats.sem(a))
                print(repr(float(r.statistic)),repr(float(r.pvalue)),repr(float(lo)),repr(float(hi)))
                """;
            var expected = Python(script).Split(' ').Select(s => double.Parse(s, CultureInfo.InvariantCulture)).ToArray();
            var test = WelchTest.Of(a, b)!;
            Assert.Equal(expected[0], test.T, 9);
            Assert.Equal(expected[1], test.P, 9);
            var summary = SampleSummary.Of(a.Select(v => (double?)v))!;
            Assert.Equal(expected[2], summary.ConfidenceLow!.Value, 8);
            Assert.Equal(expected[3], summary.ConfidenceHigh!.Value, 8);
        }
    }

    private static double[] Samples(Random random, int count, double mean, double deviation)
        => [.. Enumerable.Range(0, count).Select(_ => mean + deviation * (random.NextDouble() - 0.5))];

    private static string Join(double[] values) => string.Join(',', values.Select(v => v.ToString("R", CultureInfo.InvariantCulture)));

    private static string Python(string script)
    {
        using var process = Process.Start(new ProcessStartInfo(RequiresScipyAttribute.Python, ["-c", script]) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return output;
    }

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class RequiresScipyAttribute : FactAttribute
    {
        // The operating system's own Python: the one its scipy package belongs to.
        public const string Python = "/usr/bin/python3";

        public RequiresScipyAttribute()
        {
            if (!File.Exists(Python) || !Directory.Exists("/usr/lib/python3/dist-packages/scipy"))
                Skip = "needs python3-scipy, which is not installed";
        }
    }
}
