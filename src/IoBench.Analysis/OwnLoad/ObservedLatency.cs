using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What the two latencies say, the gravest first.</summary>
public enum OwnLoadVerdict
{
    /// <summary>This storage does not reach the rate.</summary>
    CannotCarry,
    /// <summary>This storage needs at least twice as long as the server waited.</summary>
    Slower,
    /// <summary>The server waited at least twice as long as this storage needs: bursts, other load, or the way to the server's own storage.</summary>
    WaitElsewhere,
    /// <summary>Both are much the same.</summary>
    Storage,
    /// <summary>The measured latency is not known.</summary>
    Unknown,
}

/// <summary>The latency that SQL Server saw against what the storage gives at the same rate.</summary>
public sealed class ObservedLatency
{
    /// <summary>Workload, such as <c>own-data-read</c>.</summary>
    public string? Workload { get; init; }
    /// <summary>Pattern in words.</summary>
    public string? IOPattern { get; init; }
    /// <summary>Path that was measured.</summary>
    public string? Path { get; init; }
    /// <summary>The rate that was asked for, in I/Os a second.</summary>
    public double? TargetIops { get; init; }
    /// <summary>I/Os a second that came.</summary>
    public double? IOPS { get; init; }
    /// <summary>Average latency in milliseconds that SQL Server saw.</summary>
    public required double ObservedMs { get; init; }
    /// <summary>Average latency in milliseconds that was measured, from the intended start on; null when not known.</summary>
    public double? MeasuredMs { get; init; }
    /// <summary>Observed / measured.</summary>
    public double? Factor { get; init; }
    /// <summary>What the two say.</summary>
    public required OwnLoadVerdict Verdict { get; init; }
    /// <summary>The answer in a sentence.</summary>
    public required string Summary { get; init; }

    /// <summary>An answer for each result, or target of a result, whose specification holds an observed latency.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoObservedLatency</c>: none does.</exception>
    public static IReadOnlyList<ObservedLatency> Of(IEnumerable<IoTestResult> results) => Find(results) is { Count: > 0 } answers ? answers
        : throw IoBenchException.Usage("IoBench.NoObservedLatency",
            "No result comes from a server's own load: make its workload with New-IoWorkload -FromFileStats FIRST,SECOND and run that with Invoke-IoTest (iobench run PATH --from-file-stats FIRST,SECOND).");

    /// <summary>The same; empty when no result comes from a server's own load.</summary>
    public static IReadOnlyList<ObservedLatency> Find(IEnumerable<IoTestResult> results)
    {
        List<ObservedLatency> answers = [];
        foreach (var result in results.Where(r => r.Status == IoResultStatus.Complete))
        {
            if (result.Specification is not { } specification)
                continue;
            if (specification.ObservedLatencyMs is { } observed)
                answers.Add(Answer(result.Workload, result.IOPattern, result.Path, specification.TargetIops * Math.Max(1, specification.Targets.Count), result.IOPS, observed, result.ResponseAverageMs ?? result.AverageLatencyMs));
            for (var i = 0; i < Math.Min(result.Targets.Count, specification.Targets.Count); i++)
                if (specification.Targets[i].Pattern is { ObservedLatencyMs: { } ofTarget } pattern)
                    answers.Add(Answer($"{specification.Targets[i].Role} {pattern.Operation.ToString().ToLowerInvariant()}s", result.Targets[i].IOPattern, result.Targets[i].Path,
                        pattern.TargetIops, result.Targets[i].Total.IOPS, ofTarget, result.Targets[i].Total.ResponseAverageMs ?? result.Targets[i].Total.AverageLatencyMs));
        }
        return answers;
    }

    private static ObservedLatency Answer(string? workload, string? pattern, string? path, double? target, double? iops, double observed, double? measured)
    {
        var factor = measured > 0 ? observed / measured : null;
        string Ms(double? value) => value?.ToString(value >= 10 ? "0.#" : "0.00#", CultureInfo.InvariantCulture) ?? "?";
        var rate = (target ?? iops)?.ToString("N0", CultureInfo.InvariantCulture) ?? "?";
        var verdict = target is not null && iops is not null && iops < 0.95 * target ? OwnLoadVerdict.CannotCarry
            : measured is null ? OwnLoadVerdict.Unknown
            : factor >= 2 ? OwnLoadVerdict.WaitElsewhere
            : factor <= 0.5 ? OwnLoadVerdict.Slower
            : OwnLoadVerdict.Storage;
        var words = verdict switch
        {
            OwnLoadVerdict.CannotCarry => string.Create(CultureInfo.InvariantCulture, $"this storage gives {iops:N0} IOPS only: it cannot carry that load"),
            OwnLoadVerdict.Unknown => "the measured latency is not known",
            OwnLoadVerdict.WaitElsewhere => $"this storage gives {Ms(measured)} ms at that rate: the greater part of the wait comes from bursts, other load, or the way to the server's own storage",
            OwnLoadVerdict.Slower => $"this storage needs {Ms(measured)} ms at that rate: it is slower than the server's own",
            _ => $"this storage gives {Ms(measured)} ms at that rate: what SQL Server sees is the storage",
        };
        return new()
        {
            Workload = workload, IOPattern = pattern, Path = path, TargetIops = target, IOPS = iops, ObservedMs = observed, MeasuredMs = measured, Factor = factor, Verdict = verdict,
            Summary = $"{workload ?? pattern}: SQL Server waited {Ms(observed)} ms at {rate} IOPS; {words}.",
        };
    }
}
