using System.Globalization;

namespace IoBench.Benchmarks;

/// <summary>
/// Interleaved pairs of IoBench and a peer, and of the peer and itself. Prints one row of ratios per case in the form of
/// docs/concepts/performance.md.
/// </summary>
internal static class PeerComparison
{
    // If the peer differs from itself by more than this, a verdict counts only if the difference cannot explain it.
    private const double Noise = 0.03;

    // Runs of the peer against itself can be shorter: longer runs only reduce their difference.
    private const int SelfSeconds = 3;

    /// <summary>Runs the selected cases. Returns the number of cases that certainly exceeded a bound.</summary>
    public static int Run(BenchmarkOptions options, IPeerProgram? fio, IPeerProgram? uring)
    {
        var cases = BenchmarkCase.GetAll().Where(options.IsSelected).ToList();
        if (uring is null && cases.RemoveAll(@case => @case.IsComparedWithUring) > 0)
        {
            Console.WriteLine(
                "The group uring is ignored: build t/io_uring of fio's sources (make t/io_uring) and give its path, --uring PATH."
            );
            // A selection that leaves no case is an error.
            if (cases.Count == 0)
                return 1;
            Console.WriteLine();
        }
        Console.WriteLine(
            "| 8 KiB random reads | IOPS, IoBench / peer | ratio (95 %) | CPU us per I/O, IoBench / peer | ratio (95 %) | average ms, IoBench / peer | ratio (95 %) | own code us | peer / peer (95 %) | |"
        );
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|---|");
        var missed = 0;
        foreach (var @case in cases)
        {
            var other = @case.IsComparedWithUring ? uring : fio;
            if (!@case.IsDirect)
                PageCache.ReadIntoCache(options.FilePath);
            var own = new List<BenchmarkSample>();
            var peer = new List<BenchmarkSample>();
            var again = new List<BenchmarkSample>();
            for (var i = 0; i < options.PairCount; i++)
            {
                // The first program can have an advantage or a disadvantage, so the programs take turns.
                for (var turn = 0; turn < 3; turn++)
                {
                    switch ((turn + i) % 3)
                    {
                        case 0:
                            own.Add(EngineRunner.RunCase(@case, options.FilePath, options.Seconds));
                            break;
                        case 1 when other is not null:
                            peer.Add(other.RunCase(@case, options.Seconds));
                            break;
                        case 2 when other is not null && i < options.SelfPairCount:
                            again.Add(other.RunCase(@case, Math.Min(options.Seconds, SelfSeconds)));
                            break;
                    }
                }
            }
            missed += PrintRow(@case, own, peer, again) == "missed" ? 1 : 0;
        }
        return missed;
    }

    private static string PrintRow(BenchmarkCase @case, List<BenchmarkSample> own, List<BenchmarkSample> peer, List<BenchmarkSample> again)
    {
        var user = GetMedian(own, s => s.UserUs);
        if (peer.Count == 0)
        {
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {@case.Name} | {GetMedian(own, s => s.Iops):N0} | | {GetMedian(own, s => s.CpuUs):0.00} | | {GetMedian(own, s => s.LatencyMs):0.0000} | | {user:0.00} | | |"
                )
            );
            return "";
        }
        var iops = new PairedRatio(own, peer, s => s.Iops);
        var cpu = new PairedRatio(own, peer, s => s.CpuUs);
        var latency = new PairedRatio(own, peer, s => s.LatencyMs);
        var self = new PairedRatio(again, peer, s => s.Iops);
        var verdict = GetVerdict(@case, iops, cpu, latency, self);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"| {@case.Name} | {GetMedian(own, s => s.Iops):N0} / {GetMedian(peer, s => s.Iops):N0} | {iops} | {GetMedian(own, s => s.CpuUs):0.00} / {GetMedian(peer, s => s.CpuUs):0.00} | {cpu} | {GetMedian(own, s => s.LatencyMs):0.0000} / {GetMedian(peer, s => s.LatencyMs):0.0000} | {latency} | {user:0.00} | {self} | {verdict} |"
            )
        );
        return verdict;
    }

    private static string GetVerdict(BenchmarkCase @case, PairedRatio iops, PairedRatio cpu, PairedRatio latency, PairedRatio self)
    {
        var latencyBound = @case.LatencyBound ?? double.MaxValue;
        var difference = Math.Max(1 / self.Low, self.High);
        var verdict =
            Kept(1) ? "kept"
            : Missed() ? "missed"
            : "undecided";
        return difference <= 1 + Noise || Kept(difference) ? verdict : $"too noisy ({verdict})";

        // True if the bounds are met even if the computer caused a difference of this factor.
        bool Kept(double doubt) =>
            iops.Low / doubt >= @case.IopsBound && cpu.High * doubt <= @case.CpuBound && latency.High * doubt <= latencyBound;
        bool Missed() => iops.High < @case.IopsBound || cpu.Low > @case.CpuBound || latency.Low > latencyBound;
    }

    private static double GetMedian(List<BenchmarkSample> samples, Func<BenchmarkSample, double> part) =>
        Statistics.ComputeMedian(samples.Select(part));
}

internal interface IPeerProgram
{
    string Name { get; }

    BenchmarkSample RunCase(BenchmarkCase @case, int seconds);
}
