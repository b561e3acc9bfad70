using System.Globalization;

namespace IoBench.Benchmarks;

/// <summary>
/// Interleaved pairs of IoBench and a peer, and of the peer and itself. Prints one row of ratios per case in the form of
/// docs/performance.md.
/// </summary>
internal static class PeerComparison
{
    // If the peer differs from itself by more than this, a verdict counts only if the difference cannot explain it.
    private const double Noise = 0.03;

    // Runs of the peer against itself can be shorter: longer runs only reduce their difference.
    private const int SelfSeconds = 3;

    /// <summary>Runs the selected cases. Returns the number of cases that certainly exceeded a bound.</summary>
    public static int Run(BenchmarkOptions options, IPeer? fio, IPeer? uring)
    {
        var cases = BenchmarkCase.All().Where(options.Wants).ToList();
        if (uring is null && cases.RemoveAll(@case => @case.IsBesideUring) > 0)
        {
            Console.WriteLine(
                "The group uring is left out: build t/io_uring of fio's sources (make t/io_uring) and give its path, --uring PATH."
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
            var other = @case.IsBesideUring ? uring : fio;
            if (!@case.Direct)
                PageCache.Fill(options.File);
            var own = new List<Sample>();
            var peer = new List<Sample>();
            var again = new List<Sample>();
            for (var i = 0; i < options.Pairs; i++)
            {
                // The first program can have an advantage or a disadvantage, so the programs take turns.
                for (var turn = 0; turn < 3; turn++)
                {
                    switch ((turn + i) % 3)
                    {
                        case 0:
                            own.Add(OwnRunner.Run(@case, options.File, options.Seconds));
                            break;
                        case 1 when other is not null:
                            peer.Add(other.Run(@case, options.Seconds));
                            break;
                        case 2 when other is not null && i < options.SelfPairs:
                            again.Add(other.Run(@case, Math.Min(options.Seconds, SelfSeconds)));
                            break;
                    }
                }
            }
            missed += Print(@case, own, peer, again) == "missed" ? 1 : 0;
        }
        return missed;
    }

    private static string Print(BenchmarkCase @case, List<Sample> own, List<Sample> peer, List<Sample> again)
    {
        var user = Median(own, s => s.UserUs);
        if (peer.Count == 0)
        {
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {@case.Name} | {Median(own, s => s.Iops):N0} | | {Median(own, s => s.CpuUs):0.00} | | {Median(own, s => s.LatencyMs):0.0000} | | {user:0.00} | | |"
                )
            );
            return "";
        }
        var iops = new Ratio(own, peer, s => s.Iops);
        var cpu = new Ratio(own, peer, s => s.CpuUs);
        var latency = new Ratio(own, peer, s => s.LatencyMs);
        var self = new Ratio(again, peer, s => s.Iops);
        var verdict = Verdict(@case, iops, cpu, latency, self);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"| {@case.Name} | {Median(own, s => s.Iops):N0} / {Median(peer, s => s.Iops):N0} | {iops} | {Median(own, s => s.CpuUs):0.00} / {Median(peer, s => s.CpuUs):0.00} | {cpu} | {Median(own, s => s.LatencyMs):0.0000} / {Median(peer, s => s.LatencyMs):0.0000} | {latency} | {user:0.00} | {self} | {verdict} |"
            )
        );
        return verdict;
    }

    private static string Verdict(BenchmarkCase @case, Ratio iops, Ratio cpu, Ratio latency, Ratio self)
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

    private static double Median(List<Sample> samples, Func<Sample, double> part) => Statistics.Median(samples.Select(part));
}
