using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Prediction of commits in a synchronous availability group, with one method and number of committers, over all rounds.</summary>
public sealed class ReplicaMeasurement
{
    public required CommitMethod Method { get; init; }

    public required int Committers { get; init; }

    /// <summary>Bytes of a commit.</summary>
    public required int WriteSize { get; init; }

    /// <summary>Whether the replica wrote to data pages meanwhile.</summary>
    public bool HasRedo { get; init; }

    public required double CommitsPerSecond { get; init; }

    /// <summary>Commits per second of each round, in the order of the rounds.</summary>
    public required IReadOnlyList<double> RoundRates { get; init; }

    public long CommitCount { get; init; }

    /// <summary>Latency of a commit: the longer of the local disk, and the sum of the network and the remote disk.</summary>
    public double? AverageMs { get; init; }

    public double? P50Ms { get; init; }

    /// <summary>Null if fewer than 10 commits took longer, as for each percentile.</summary>
    public double? P99Ms { get; init; }

    public double? MaxMs { get; init; }

    public double? LocalDiskAverageMs { get; init; }

    public double? LocalDiskP50Ms { get; init; }

    public double? LocalDiskP99Ms { get; init; }

    /// <summary>Round trip without the write of the replica.</summary>
    public double? NetworkAverageMs { get; init; }

    public double? NetworkP50Ms { get; init; }

    public double? NetworkP99Ms { get; init; }

    /// <summary>Write of the replica, as it measured it.</summary>
    public double? RemoteDiskAverageMs { get; init; }

    public double? RemoteDiskP50Ms { get; init; }

    public double? RemoteDiskP99Ms { get; init; }

    /// <summary>Commits at or above the p99 latency; 0 if there is no p99 latency.</summary>
    public long SlowCommitCount { get; init; }

    /// <summary>Percent of these commits in which the local disk was the longest part; null if there is no p99 latency.</summary>
    public double? LocalDiskLongestPercent { get; init; }

    public double? NetworkLongestPercent { get; init; }

    public double? RemoteDiskLongestPercent { get; init; }

    /// <summary>Part that was the longest in most of these commits; null if that is inconclusive.</summary>
    public CommitPart? LongestPart { get; init; }

    /// <summary>CPU time of other programs and of the system in percent; null if it is not known.</summary>
    public double? OtherCpuPercent { get; init; }

    public double StolenCpuPercent { get; init; }

    /// <summary>Method as printed: <c>write + grouped flush, redo</c>.</summary>
    public string MethodName => CommitMeasurement.GetName(Method) + (HasRedo ? ", redo" : "");

    /// <summary>Kind of the writes as printed: <c>4 KB, with a replica</c>.</summary>
    public string WriteDescription => $"{IoSize.Format(WriteSize)}, with a replica";

    /// <summary>Result to which the measurement belongs, with the findings.</summary>
    [JsonIgnore]
    public CommitResult? Result { get; internal set; }

    public override string ToString() =>
        Invariant($"{MethodName}, {NumberFormat.Pluralize(Committers, "committer")}, with a replica: {CommitsPerSecond:#,0} commits/s");

    /// <summary>Returns the share of the slow commits in which the part was the longest, in percent.</summary>
    public double? GetLongestPercent(CommitPart part) =>
        part switch
        {
            CommitPart.LocalDisk => LocalDiskLongestPercent,
            CommitPart.Network => NetworkLongestPercent,
            _ => RemoteDiskLongestPercent,
        };

    /// <summary>Returns the average, p50, and p99 latency of a part in milliseconds.</summary>
    public (double? AverageMs, double? P50Ms, double? P99Ms) GetLatencies(CommitPart part) =>
        part switch
        {
            CommitPart.LocalDisk => (LocalDiskAverageMs, LocalDiskP50Ms, LocalDiskP99Ms),
            CommitPart.Network => (NetworkAverageMs, NetworkP50Ms, NetworkP99Ms),
            _ => (RemoteDiskAverageMs, RemoteDiskP50Ms, RemoteDiskP99Ms),
        };

    /// <summary>Part as printed: <c>remote disk</c>.</summary>
    public static string GetName(CommitPart part) =>
        part switch
        {
            CommitPart.LocalDisk => "local disk",
            CommitPart.Network => "network",
            _ => "remote disk",
        };

    /// <param name="rounds">Rounds of one case with a replica.</param>
    public static ReplicaMeasurement FromRounds(IReadOnlyList<CommitSample> rounds)
    {
        var what = rounds[0].Case;
        var latencies = new ReplicaLatencies();
        foreach (var round in rounds)
            latencies.Add(round.Replica!);
        var commits = latencies.Commits;
        var local = latencies.GetPart(CommitPart.LocalDisk);
        var network = latencies.GetPart(CommitPart.Network);
        var remote = latencies.GetPart(CommitPart.RemoteDisk);
        var slow = CountSlowCommits(latencies);
        var slowCount = slow.Values.Sum();
        return new ReplicaMeasurement
        {
            Method = what.Method,
            Committers = what.Committers,
            WriteSize = what.WriteSize,
            HasRedo = what.HasRedo,
            CommitsPerSecond = rounds.Average(round => round.CommitsPerSecond),
            RoundRates = [.. rounds.Select(round => round.CommitsPerSecond)],
            CommitCount = commits.Count,
            AverageMs = ToMilliseconds(commits.Average),
            P50Ms = ToMilliseconds(commits.GetTrustedPercentile(50)),
            P99Ms = ToMilliseconds(commits.GetTrustedPercentile(99)),
            MaxMs = commits.Count == 0 ? null : commits.Max / 1e6,
            LocalDiskAverageMs = ToMilliseconds(local.Average),
            LocalDiskP50Ms = ToMilliseconds(local.GetTrustedPercentile(50)),
            LocalDiskP99Ms = ToMilliseconds(local.GetTrustedPercentile(99)),
            NetworkAverageMs = ToMilliseconds(network.Average),
            NetworkP50Ms = ToMilliseconds(network.GetTrustedPercentile(50)),
            NetworkP99Ms = ToMilliseconds(network.GetTrustedPercentile(99)),
            RemoteDiskAverageMs = ToMilliseconds(remote.Average),
            RemoteDiskP50Ms = ToMilliseconds(remote.GetTrustedPercentile(50)),
            RemoteDiskP99Ms = ToMilliseconds(remote.GetTrustedPercentile(99)),
            SlowCommitCount = slowCount,
            LocalDiskLongestPercent = slowCount == 0 ? null : 100.0 * slow[CommitPart.LocalDisk] / slowCount,
            NetworkLongestPercent = slowCount == 0 ? null : 100.0 * slow[CommitPart.Network] / slowCount,
            RemoteDiskLongestPercent = slowCount == 0 ? null : 100.0 * slow[CommitPart.RemoteDisk] / slowCount,
            LongestPart = FindLongestPart(slow),
            OtherCpuPercent = rounds.Average(round => round.OtherCpuPercent),
            StolenCpuPercent = rounds.Average(round => round.StolenCpuPercent),
        };
    }

    private static double? ToMilliseconds(double? nanoseconds) => nanoseconds / 1e6;

    // Two-sided 95% of a normal distribution.
    private const double Z = 1.96;

    /// <summary>Commits at or above the p99 latency, by the part for which they waited longest; empty if there is no p99 latency.</summary>
    private static Dictionary<CommitPart, long> CountSlowCommits(ReplicaLatencies latencies)
    {
        if (latencies.Commits.GetTrustedPercentile(99) is not { } p99)
            return [];
        // Within the bucket of the percentile, all commits are equally slow, as far as the histogram can tell.
        var first = LatencyHistogram.GetBucketIndex((long)p99);
        return Enum.GetValues<CommitPart>()
            .ToDictionary(
                part => part,
                part => latencies.GetCommitsByLongestPart(part).CountInBuckets(first, LatencyHistogram.BucketCount - first)
            );
    }

    /// <summary>Returns the part whose share is above one half at a confidence of 95% (Wilson interval); null if there is none.</summary>
    internal static CommitPart? FindLongestPart(IReadOnlyDictionary<CommitPart, long> counts)
    {
        double total = counts.Values.Sum();
        if (total < LatencyHistogram.MinBeyond)
            return null;
        var (part, count) = counts.MaxBy(pair => pair.Value);
        var share = count / total;
        var center = share + Z * Z / (2 * total);
        var margin = Z * Math.Sqrt(share * (1 - share) / total + Z * Z / (4 * total * total));
        return (center - margin) / (1 + Z * Z / total) > 0.5 ? part : null;
    }
}
