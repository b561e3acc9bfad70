using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class ScipyComparisonTests(ScipyComparisonTests.PythonSession python) : IClassFixture<ScipyComparisonTests.PythonSession>
{
    [RequiresScipy]
    public void Confidence_interval_of_a_mean_matches_scipy()
    {
        var random = new Random(7);
        for (var round = 0; round < 5; round++)
        {
            var a = CreateSamples(random, 3 + round * 3, 100, 5);
            var expected = RunScript(
                $"""
                from scipy import stats
                a=[{FormatList(a)}]
                print(*map(float,stats.t.interval(0.95,len(a)-1,loc=sum(a)/len(a),scale=stats.sem(a))))
                """
            );
            var summary = SampleSummary.FromSamples(a.Select(v => (double?)v))!;
            Assert.Equal(expected[0], summary.ConfidenceLow!.Value, 8);
            Assert.Equal(expected[1], summary.ConfidenceHigh!.Value, 8);
        }
    }

    [RequiresScipy]
    public void Functions_and_distributions_match_scipy()
    {
        foreach (var x in new[] { 0.3, 1, 2.5, 9, 23, 160 })
        {
            var expected = RunScript(
                $"from scipy import special, stats; x={FormatList([x])}; print(special.gammaln(x), special.digamma(x), float(special.polygamma(1,x)), stats.chi2.sf(7,x), stats.chi2.sf(2*x,x), stats.t.isf(0.0005,x))"
            );
            double[] actual =
            [
                Distributions.LogGamma(x),
                Distributions.Digamma(x),
                Distributions.Trigamma(x),
                Distributions.ChiSquaredP(7, x),
                Distributions.ChiSquaredP(2 * x, x),
                Distributions.StudentQuantile(0.001, x),
            ];
            for (var i = 0; i < actual.Length; i++)
                Assert.InRange(
                    actual[i],
                    expected[i] - 1e-8 * Math.Max(1, Math.Abs(expected[i])),
                    expected[i] + 1e-8 * Math.Max(1, Math.Abs(expected[i]))
                );
        }
    }

    // Groups with the same spread share one variance, that of the pooled test of scipy. Bartlett's test of scipy decides whether they do.
    [RequiresScipy]
    public void Pooled_variance_matches_scipy()
    {
        var random = new Random(8);
        for (var round = 0; round < 20; round++)
        {
            var groups = Enumerable.Range(0, 9).Select(i => CreateSamples(random, 4, 0, 0.4 * (round % 2 == 1 && i > 4 ? 30 : 1))).ToList();
            var expected = RunScript(
                $"""
                from scipy import stats; import statistics
                g=[{string.Join(',', groups.Select(g => $"[{FormatList(g)}]"))}]
                print(stats.bartlett(*g).pvalue, statistics.mean(statistics.variance(v) for v in g))
                """
            );
            var spreads = groups.ConvertAll(g => new SquaredDeviations(g.Sum(v => Math.Pow(v - g.Average(), 2)), g.Length - 1));
            var estimates = VarianceEstimate.EstimateAll(spreads, new(0.025 * 0.025, 10));
            if (expected[0] >= 0.05)
                Assert.All(estimates, e => Assert.Equal(expected[1], e.Variance, 10));
            else
                Assert.True(
                    estimates.Select(e => e.Variance).Distinct().Count() == 9
                        && estimates[0].Variance > spreads[0].SumOfSquares / 3
                        && estimates[8].Variance < spreads[8].SumOfSquares / 3 * 1.5
                );
        }
    }

    // Generalized least squares with the covariance of a first-order autoregression, computed with matrices. The recursive search for steps
    // and slopes must give the same results.
    [RequiresScipy]
    public void Level_step_and_slope_of_autocorrelated_values_match_scipy()
    {
        var random = new Random(9);
        foreach (var likeness in new[] { 0, 0.35, 0.7, 0.95 })
        {
            var y = CreateSamples(random, 30, 1000, 80);
            var times = y.Select((_, i) => i + 0.3 * random.NextDouble()).ToArray();
            var expected = RunScript(
                $"""
                import numpy as np
                from scipy.linalg import toeplitz, inv
                y=np.array([{FormatList(y)}]); t=np.array([{FormatList(times)}]); n=len(y); r={FormatList([likeness])}
                W=inv(toeplitz(r**np.arange(n))/(1-r*r)); one=np.ones(n); step=(np.arange(n)>=11).astype(float)
                def fit(X):
                    A=inv(X.T@W@X); e=y-X@(A@X.T@W@y); s=e@W@e
                    return -n/2*np.log(s)+0.5*np.log(1-r*r), (s/(n-2)*A[-1,-1])**0.5
                print(fit(one[:,None])[0], fit(np.c_[one,step])[0], *fit(np.c_[one,t]))
                """
            );
            var fit = new AutoregressiveFit(y, likeness);
            var slope = fit.FitSlope(times);
            double[] actual = [fit.LevelLikelihood, fit.GetStepLikelihood(11), slope.Likelihood, slope.Error];
            for (var i = 0; i < actual.Length; i++)
                Assert.Equal(expected[i], actual[i], 7);
        }
    }

    // The basic part is Kendall's tau of scipy. The correction is the sum of Hamed and Rao, computed with matrices.
    [RequiresScipy]
    public void Mann_Kendall_test_matches_scipy()
    {
        var random = new Random(12);
        for (var round = 0; round < 5; round++)
        {
            var level = 0.0;
            var y = Enumerable.Range(0, 30).Select(i => 1000 + 3 * i + 100 * (level = 0.6 * level + random.NextDouble() - 0.5)).ToArray();
            var expected = RunScript(
                $"""
                import numpy as np
                from scipy import stats
                y=np.array([{FormatList(y)}]); n=len(y); t=np.arange(n)
                tau,p=stats.kendalltau(t,y,method='asymptotic'); s=tau*n*(n-1)/2
                r=stats.rankdata(np.round(y-stats.theilslopes(y,t)[0]*t,6)); r=r-r.mean(); a=np.correlate(r,r,'full')[n-1:]/(r@r); k=t[1:]; keep=np.abs(a[1:])>1.96/n**0.5
                print(s, (s/stats.norm.isf(p/2))**2, 1+2/(n*(n-1)*(n-2))*((n-k)*(n-k-1)*(n-k-2)*a[1:])[keep].sum())
                """
            );
            double[] actual =
            [
                MannKendallTest.GetScore(y),
                MannKendallTest.GetVariance(y.Length),
                MannKendallTest.GetVarianceCorrection(y),
            ];
            for (var i = 0; i < actual.Length; i++)
                Assert.Equal(expected[i], actual[i], 6);
        }
    }

    // Nine patterns of three baseline runs and three current runs: the interval of each change is that of Student's t with the variance of
    // all patterns.
    [RequiresScipy]
    public void Confidence_interval_and_smallest_detectable_change_match_scipy()
    {
        var random = new Random(10);
        var sides = Enumerable
            .Range(0, 9)
            .Select(pattern => (Before: CreateSamples(random, 3, 1000, 160), After: CreateSamples(random, 3, 940, 150)))
            .ToList();
        IEnumerable<IoTestResult> Runs(Func<(double[] Before, double[] After), double[]> side) =>
            sides.SelectMany(
                (pair, pattern) =>
                    side(pair)
                        .Select(iops => new IoTestResult
                        {
                            Status = IoResultStatus.Complete,
                            Workload = $"w{pattern}",
                            IOPattern = "8KB random read",
                            BlockSizeKB = 8,
                            ThreadCount = 1,
                            OutstandingIO = 1,
                            LoadModel = IoLoadModel.Closed,
                            IOPS = iops,
                        })
            );
        var options = new ComparisonOptions();
        var expected = RunScript(
            $"""
            import numpy as np
            from scipy import stats
            b=np.log(np.array([{string.Join(',', sides.Select(pair => $"[{FormatList(pair.Before)}]"))}])); a=np.log(np.array([{string.Join(
                ',',
                sides.Select(pair => $"[{FormatList(pair.After)}]")
            )}]))
            ss=b.var(axis=1,ddof=1)*2+a.var(axis=1,ddof=1)*2; alike=stats.bartlett(*[np.r_[x-x.mean(),z-z.mean()] for x,z in zip(b,a)]).pvalue
            pooled=ss.sum()/36; prior=0.05**2
            v,df=(pooled,36) if stats.chi2.sf(36*pooled/prior,36)<0.05 else ((10*prior+36*pooled)/46,46)
            half=stats.t.isf({FormatList([options.Alpha])}/9/2,df)*np.sqrt(v*2/3); d=np.log(np.exp(a).mean(axis=1)/np.exp(b).mean(axis=1))
            print(alike, *((np.exp(d-half)-1)*100), *((np.exp(d+half)-1)*100))
            """
        );
        Assert.True(expected[0] > 0.2, "the groups must spread alike for this formula");
        var rows = ComparisonResult.Compare([.. Runs(pair => pair.Before)], [.. Runs(pair => pair.After)]).Rows;
        for (var i = 0; i < 9; i++)
        {
            var change = rows[i].Metrics.First(metric => metric.Metric == "IOPS");
            Assert.Equal(
                (Math.Round(expected[1 + i], 6), Math.Round(expected[10 + i], 6)),
                (Math.Round(change.ChangeLowPercent!.Value, 6), Math.Round(change.ChangeHighPercent!.Value, 6))
            );
        }
    }

    // Standard error of a mean of autocorrelated values, and of a quantile whose rank is binomial.
    [RequiresScipy]
    public void Single_run_error_matches_scipy()
    {
        var random = new Random(11);
        var level = 0.0;
        var values = Enumerable.Range(0, 60).Select(_ => 5000 + 200 * (level = 0.6 * level + random.NextDouble() - 0.5)).ToArray();
        var run = new IoTestResult
        {
            IOPS = 5000,
            DurationSeconds = 60,
            Histogram = new()
            {
                Buckets =
                [
                    .. Enumerable
                        .Range(0, 100)
                        .Select(i => new IoHistogramBucket
                        {
                            FromMs = i,
                            ToMs = i + 1,
                            Percent = 1,
                        }),
                ],
            },
            Timeline = [.. values.Select((iops, i) => new IoTimelinePoint { Seconds = i + 1, IOPS = iops })],
        };
        var expected = RunScript(
            $"""
            import numpy as np
            from scipy import stats
            y=np.array([{FormatList(values)}]); d=y-y.mean(); r=max(0,(d[1:]*d[:-1]).sum()/(d*d).sum()); n=len(y)
            s=stats.binom(300000,0.99).std()/300000
            print(y.var(ddof=1)/y.mean()**2/(n*(1-r)/(1+r)), ((np.log(99+100*s)-np.log(99-100*s))/2)**2)
            """
        );
        Assert.Equal(1, PatternChange.EstimateMeanVariance(run, point => point.IOPS) / expected[0], 9);
        Assert.Equal(1, PatternChange.EstimateP99Variance(run) / expected[1], 6);
    }

    private double[] RunScript(string script) =>
        [.. python.Run(script).Split(' ').Select(s => double.Parse(s, CultureInfo.InvariantCulture))];

    private static double[] CreateSamples(Random random, int count, double mean, double deviation) =>
        [.. Enumerable.Range(0, count).Select(_ => mean + deviation * (random.NextDouble() - 0.5))];

    private static string FormatList(double[] values) =>
        string.Join(',', values.Select(v => v.ToString("R", CultureInfo.InvariantCulture)));

    /// <summary>One Python process for all scripts, because the import of scipy takes longer than any of them.</summary>
    public sealed class PythonSession : IDisposable
    {
        private const string Loop = """
            import json, sys
            for line in sys.stdin:
                exec(json.loads(line), {})
                sys.stdout.flush()
            """;

        private readonly Lazy<Process> _process = new(() =>
            Process.Start(
                new ProcessStartInfo(RequiresScipyAttribute.Python, ["-c", Loop])
                {
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                }
            )!
        );

        /// <summary>Runs a script that prints one line, and returns that line.</summary>
        public string Run(string script)
        {
            _process.Value.StandardInput.WriteLine(JsonSerializer.Serialize(script));
            _process.Value.StandardInput.Flush();
            var line = _process.Value.StandardOutput.ReadLine();
            Assert.NotNull(line);
            return line;
        }

        public void Dispose()
        {
            if (!_process.IsValueCreated)
                return;
            _process.Value.StandardInput.Close();
            _process.Value.WaitForExit();
            _process.Value.Dispose();
        }
    }

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class RequiresScipyAttribute : FactAttribute
    {
        // The Python of the operating system, because the scipy package belongs to it.
        public const string Python = "/usr/bin/python3";

        public RequiresScipyAttribute()
        {
            if (!File.Exists(Python) || !Directory.Exists("/usr/lib/python3/dist-packages/scipy"))
                Skip = "needs python3-scipy, which is not installed";
        }
    }
}
