using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Results of one commit method at one number of committers, over all rounds.</summary>
public sealed class CommitMeasurement
{
    /// <summary>A method uses FUA or flushes if at least this number of them was counted per commit and committer, because the kernel
    /// combines concurrent flushes.</summary>
    private const double Mostly = 0.5;

    /// <summary>Below this number, the flushes or FUA writes belong to other I/O.</summary>
    private const double Hardly = 0.05;

    public required CommitMethod Method { get; init; }

    public required int Committers { get; init; }

    /// <summary>Bytes of a commit.</summary>
    public required int WriteSize { get; init; }

    /// <summary>Whether each write extended the file; otherwise, writes overwrote it.</summary>
    public bool Extends { get; init; }

    /// <summary>Whether each write began one logical sector after the start of a physical sector.</summary>
    public bool IsMisaligned { get; init; }

    public required double CommitsPerSecond { get; init; }

    /// <summary>Commits per second of each round, in the order of the rounds.</summary>
    public required IReadOnlyList<double> RoundRates { get; init; }

    public long CommitCount { get; init; }

    public double? AverageMs { get; init; }

    public double? P50Ms { get; init; }

    /// <summary>Null if fewer than 10 commits took longer, as for each percentile.</summary>
    public double? P99Ms { get; init; }

    public double? P999Ms { get; init; }

    public double? MaxMs { get; init; }

    /// <summary>Writes of IoBench, including the warm-up, in the span in which the devices were counted.</summary>
    public long WriteCount { get; init; }

    /// <summary>Flushes that IoBench requested in that span.</summary>
    public long FlushCallCount { get; init; }

    /// <summary>Requests to the devices in that span, of all programs; null if they were not counted.</summary>
    public CommitDeviceCounts? DeviceCounts { get; init; }

    /// <summary>CPU time of other programs and of the system in percent; null if it is not known.</summary>
    public double? OtherCpuPercent { get; init; }

    public double StolenCpuPercent { get; init; }

    /// <summary>Writes that the devices completed per commit; null if they were not counted.</summary>
    public double? WritesPerCommit => GetPerCommit(DeviceCounts?.Writes);

    /// <summary>Flushes that the devices completed per commit; null if they were not counted.</summary>
    public double? FlushesPerCommit => GetPerCommit(DeviceCounts?.Flushes);

    /// <summary>Writes with FUA per commit; null if they were not counted.</summary>
    public double? FuaWritesPerCommit => GetPerCommit(DeviceCounts?.FuaWrites);

    /// <summary>Method as printed, with what the kernel was counted to do: <c>write-through (FUA)</c>.</summary>
    public string MethodName => GetName(Method) + (Method == CommitMethod.WriteThrough ? WriteThroughNote : "");

    /// <summary>Kind of the writes as printed: <c>4 KB, overwriting, aligned</c>.</summary>
    public string WriteDescription =>
        $"{IoSize.Format(WriteSize)}, {(Extends ? "extending" : "overwriting")}, {(IsMisaligned ? "misaligned" : "aligned")}";

    /// <summary>Result to which the measurement belongs, with the advice.</summary>
    [JsonIgnore]
    public CommitResult? Result { get; internal set; }

    public override string ToString() =>
        Invariant($"{MethodName}, {NumberFormat.Pluralize(Committers, "committer")}: {CommitsPerSecond:#,0} commits/s");

    private string WriteThroughNote =>
        FuaWritesPerCommit >= Mostly ? " (FUA)"
        : FlushesPerCommit * Committers >= Mostly ? " (flush)"
        : FlushesPerCommit * Committers < Hardly ? " (no flush)"
        : "";

    private double? GetPerCommit(long? count) => WriteCount > 0 ? count / (double)WriteCount : null;

    /// <param name="rounds">Rounds of one case.</param>
    public static CommitMeasurement FromRounds(IReadOnlyList<CommitSample> rounds)
    {
        var what = rounds[0].Case;
        var latencies = new LatencyHistogram();
        foreach (var round in rounds)
            latencies.Add(round.Latencies);
        return new CommitMeasurement
        {
            Method = what.Method,
            Committers = what.Committers,
            WriteSize = what.WriteSize,
            Extends = what.Extends,
            IsMisaligned = what.IsMisaligned,
            CommitsPerSecond = rounds.Average(round => round.CommitsPerSecond),
            RoundRates = [.. rounds.Select(round => round.CommitsPerSecond)],
            CommitCount = latencies.Count,
            AverageMs = ToMilliseconds(latencies.Average),
            P50Ms = ToMilliseconds(latencies.GetTrustedPercentile(50)),
            P99Ms = ToMilliseconds(latencies.GetTrustedPercentile(99)),
            P999Ms = ToMilliseconds(latencies.GetTrustedPercentile(99.9)),
            MaxMs = latencies.Count == 0 ? null : latencies.Max / 1e6,
            WriteCount = rounds.Sum(round => round.Writes),
            FlushCallCount = rounds.Sum(round => round.FlushCalls),
            DeviceCounts = rounds.Any(round => round.Counts is null)
                ? null
                : rounds.Select(round => round.Counts!).Aggregate(CommitDeviceCounts.Add),
            OtherCpuPercent = rounds.Average(round => round.OtherCpuPercent),
            StolenCpuPercent = rounds.Average(round => round.StolenCpuPercent),
        };
    }

    /// <summary>Method as printed, without what the kernel was counted to do.</summary>
    public static string GetName(CommitMethod method) =>
        method switch
        {
            CommitMethod.WriteThrough => "write-through",
            CommitMethod.FlushEach => "write + separate flush",
            CommitMethod.GroupedFlush => "write + grouped flush",
            _ => "buffered write + flush",
        };

    private static double? ToMilliseconds(double? nanoseconds) => nanoseconds / 1e6;

    /// <summary>Smaller differences are not worth a setting.</summary>
    internal const double MinFactor = 1.1;

    /// <summary>Highest round / lowest round up to which equal medians mean "no difference".</summary>
    private const double SteadySpread = 1.25;

    /// <summary>Compares the commits per second of two measurements by their rounds, so that differences within the run-to-run spread do
    /// not count.</summary>
    /// <param name="isDisturbed">Whether other programs used the computer or the device, so that no difference counts.</param>
    internal static (ComparisonVerdict Verdict, double Factor) CompareRates(
        IReadOnlyList<double> one,
        IReadOnlyList<double> other,
        bool isDisturbed
    )
    {
        var (a, b) = (SampleSummary.FromSamples(ToSamples(one)), SampleSummary.FromSamples(ToSamples(other)));
        if (a is not { Median: > 0 } || b is not { Median: > 0 })
            return (ComparisonVerdict.Inconclusive, 1);
        var factor = a.Median / b.Median;
        if (isDisturbed || a.Count < 2 || b.Count < 2)
            return (ComparisonVerdict.Inconclusive, factor);
        if (a.Min > MinFactor * b.Max)
            return (ComparisonVerdict.Better, factor);
        if (b.Min > MinFactor * a.Max)
            return (ComparisonVerdict.Worse, factor);
        var isSteady = a.Max <= SteadySpread * a.Min && b.Max <= SteadySpread * b.Min;
        return (
            isSteady && factor is < MinFactor and > 1 / MinFactor ? ComparisonVerdict.NoDetectableChange : ComparisonVerdict.Inconclusive,
            factor
        );
    }

    private static IEnumerable<double?> ToSamples(IReadOnlyList<double> rates) => rates.Select(rate => (double?)rate);
}
