using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>Suites of nine patterns whose repeats have a known spread, to count false alarms and detections.</summary>
internal sealed class SampleSuites(int seed)
{
    private static readonly double[] s_blocks = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
    private readonly Random _random = new(seed);

    /// <summary>Duration of each run, in seconds; null if unknown.</summary>
    public double? Seconds { get; init; }

    /// <summary>
    /// Creates a suite with the specified spread on the logarithmic scale. Patterns from <paramref name="lossFrom"/> on are slower.
    /// </summary>
    public List<IoTestResult> CreateSuite(int repeats, double loss = 0, double spread = 0.02, double tailSpread = 0.02, int lossFrom = 0) =>
        [
            .. s_blocks.SelectMany(
                (block, index) =>
                    Enumerable
                        .Range(0, repeats)
                        .Select(_ =>
                            CreateRun(
                                block,
                                (index >= lossFrom ? 1 - loss : 1) * Math.Exp(spread * NextGaussian()),
                                Math.Exp(tailSpread * NextGaussian())
                            )
                        )
            ),
        ];

    /// <summary>Percentage of suites with equal baseline and current results in which a pattern is reported as worse.</summary>
    public double GetFalseAlarmPercent(int suites, int repeats, double spread = 0.02, double tailSpread = 0.02) =>
        100.0
        / suites
        * Enumerable
            .Range(0, suites)
            .Count(_ =>
                ComparisonResult
                    .Compare(CreateSuite(repeats, 0, spread, tailSpread), CreateSuite(repeats, 0, spread, tailSpread))
                    .Rows.Any(row => row.Verdict == ComparisonVerdict.Worse)
            );

    /// <summary>Percentage of suites in which at least 8 of 9 patterns are reported as worse if all are slower.</summary>
    public double GetDetectionPercent(int suites, int repeats, double loss) =>
        100.0
        / suites
        * Enumerable
            .Range(0, suites)
            .Count(_ =>
                ComparisonResult
                    .Compare(CreateSuite(repeats), CreateSuite(repeats, loss))
                    .Rows.Count(row => row.Verdict == ComparisonVerdict.Worse) >= 8
            );

    private IoTestResult CreateRun(double block, double factor, double tail)
    {
        var iops = 400_000 / block * factor;
        return new()
        {
            IOPattern = $"{block}KB random read",
            BlockSizeKB = block,
            AccessPattern = IoAccessPattern.Random,
            WritePercent = 0,
            Operation = IoOperation.Read,
            ThreadCount = 4,
            OutstandingIO = 8,
            TotalOutstanding = 32,
            LoadModel = IoLoadModel.Closed,
            Path = "T:\\iobench.dat",
            IOPS = iops,
            DurationSeconds = Seconds,
            BandwidthMBps = iops * block / 1024,
            AverageLatencyMs = 32_000 / iops,
            P99Ms = 96_000 / iops * tail,
        };
    }

    private double NextGaussian() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
