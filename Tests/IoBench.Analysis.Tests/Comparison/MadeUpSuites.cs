namespace IoBench.Analysis.Tests;

/// <summary>Nine patterns with repeats of a known spread: what a comparison says of them can be counted.</summary>
internal sealed class MadeUpSuites(int seed)
{
    private static readonly double[] s_blocks = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
    private readonly Random _random = new(seed);

    /// <summary>Length of each run; null = not told.</summary>
    public double? Seconds { get; init; }

    /// <summary>A suite whose runs spread by so much, on the logarithmic scale; those of <paramref name="lossFrom"/> on are slower.</summary>
    public List<IoTestResult> Suite(int repeats, double loss = 0, double spread = 0.02, double tailSpread = 0.02, int lossFrom = 0) =>
        [
            .. s_blocks.SelectMany(
                (block, index) =>
                    Enumerable
                        .Range(0, repeats)
                        .Select(_ =>
                            Run(block, (index >= lossFrom ? 1 - loss : 1) * Math.Exp(spread * Gauss()), Math.Exp(tailSpread * Gauss()))
                        )
            ),
        ];

    /// <summary>Suites of which a pattern is called worse, in percent, where both sides are equal.</summary>
    public double FalseAlarms(int suites, int repeats, double spread = 0.02, double tailSpread = 0.02) =>
        100.0
        / suites
        * Enumerable
            .Range(0, suites)
            .Count(_ =>
                ResultComparer
                    .Compare(Suite(repeats, 0, spread, tailSpread), Suite(repeats, 0, spread, tailSpread))
                    .Rows.Any(row => row.Verdict == ComparisonVerdict.Worse)
            );

    /// <summary>Suites of which at least 8 of 9 patterns are called worse, in percent, where all lost so much.</summary>
    public double Found(int suites, int repeats, double loss) =>
        100.0
        / suites
        * Enumerable
            .Range(0, suites)
            .Count(_ =>
                ResultComparer.Compare(Suite(repeats), Suite(repeats, loss)).Rows.Count(row => row.Verdict == ComparisonVerdict.Worse) >= 8
            );

    private IoTestResult Run(double block, double factor, double tail)
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

    private double Gauss() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
