using System.Diagnostics;
using System.Globalization;
using IoBench.Tests;

namespace IoBench.Analysis.Tests;

/// <summary>The same samples through an independent package.</summary>
public class AgainstScipyTests
{
    [RequiresScipy]
    public void The_confidence_interval_of_a_mean()
    {
        var random = new Random(7);
        for (var round = 0; round < 5; round++)
        {
            var a = Samples(random, 3 + round * 3, 100, 5);
            var expected = Figures($"""
                from scipy import stats
                a=[{Join(a)}]
                print(*map(float,stats.t.interval(0.95,len(a)-1,loc=sum(a)/len(a),scale=stats.sem(a))))
                """);
            var summary = SampleSummary.Of(a.Select(v => (double?)v))!;
            Assert.Equal(expected[0], summary.ConfidenceLow!.Value, 8);
            Assert.Equal(expected[1], summary.ConfidenceHigh!.Value, 8);
        }
    }

    [RequiresScipy]
    public void Functions_and_distributions()
    {
        foreach (var x in new[] { 0.3, 1, 2.5, 9, 23, 160 })
        {
            var expected = Figures($"from scipy import special, stats; x={Join([x])}; print(special.gammaln(x), special.digamma(x), float(special.polygamma(1,x)), stats.chi2.sf(7,x), stats.chi2.sf(2*x,x), stats.t.isf(0.0005,x))");
            double[] actual = [SpecialFunctions.LogGamma(x), SpecialFunctions.Digamma(x), SpecialFunctions.Trigamma(x), SpecialFunctions.ChiSquaredP(7, x), SpecialFunctions.ChiSquaredP(2 * x, x), StudentT.Quantile(0.001, x)];
            for (var i = 0; i < actual.Length; i++)
                Assert.InRange(actual[i], expected[i] - 1e-8 * Math.Max(1, Math.Abs(expected[i])), expected[i] + 1e-8 * Math.Max(1, Math.Abs(expected[i])));
        }
    }

    // Groups that spread alike share one variance, that of scipy's pooled test; Bartlett's test of scipy says whether they do.
    [RequiresScipy]
    public void Pooled_variance()
    {
        var random = new Random(8);
        for (var round = 0; round < 20; round++)
        {
            var groups = Enumerable.Range(0, 9).Select(i => Samples(random, 4, 0, 0.4 * (round % 2 == 1 && i > 4 ? 30 : 1))).ToList();
            var expected = Figures($"""
                from scipy import stats; import statistics
                g=[{string.Join(',', groups.Select(g => $"[{Join(g)}]"))}]
                print(stats.bartlett(*g).pvalue, statistics.mean(statistics.variance(v) for v in g))
                """);
            var spreads = groups.ConvertAll(g => new GroupSpread(g.Sum(v => Math.Pow(v - g.Average(), 2)), g.Length - 1));
            var estimates = PooledSpread.Of(spreads, new(0.025 * 0.025, 10));
            if (expected[0] >= 0.05)
                Assert.All(estimates, e => Assert.Equal(expected[1], e.Variance, 10));
            else
                Assert.True(estimates.Select(e => e.Variance).Distinct().Count() == 9 && estimates[0].Variance > spreads[0].SumOfSquares / 3 && estimates[8].Variance < spreads[8].SumOfSquares / 3 * 1.5);
        }
    }

    private static double[] Figures(string script) => [.. Python(script).Split(' ').Select(s => double.Parse(s, CultureInfo.InvariantCulture))];

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
