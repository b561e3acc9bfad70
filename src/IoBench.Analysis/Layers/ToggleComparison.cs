using IoBench.Engine;

namespace IoBench.Analysis;

public enum ToggleOutcome : long
{
    /// <summary>The 95% interval contains zero, and it is too wide to exclude a difference that matters.</summary>
    Inconclusive,

    NoDetectableChange,

    /// <summary>The latency is higher with A.</summary>
    Higher,

    /// <summary>The latency is lower with A.</summary>
    Lower,
}

/// <summary>Difference of an average latency between two states, A and B.</summary>
public sealed record ToggleDifference
{
    /// <summary>A difference below this share of the latency does not matter.</summary>
    public const double SmallestShare = 0.05;

    public required IoOperation Operation { get; init; }

    /// <summary>Average latency with A in milliseconds.</summary>
    public required double OnMs { get; init; }

    /// <summary>Average latency with B in milliseconds.</summary>
    public required double OffMs { get; init; }

    /// <summary>Average of the differences A - B of the blocks in milliseconds.</summary>
    public required double DifferenceMs { get; init; }

    /// <summary>Lower end of the 95% interval (Student's t, paired by block).</summary>
    public required double LowMs { get; init; }

    /// <summary>Upper end of the 95% interval.</summary>
    public required double HighMs { get; init; }

    public required ToggleOutcome Outcome { get; init; }

    public required string Verdict { get; init; }

    /// <param name="blocks">Average latencies of each block A B B A, in milliseconds.</param>
    public static ToggleDifference Create(IoOperation operation, IReadOnlyList<(double On, double Off)> blocks)
    {
        var summary = SampleSummary.FromSamples(blocks.Select(block => (double?)(block.On - block.Off)))!;
        var (on, off) = (blocks.Average(block => block.On), blocks.Average(block => block.Off));
        var (low, high) = (summary.ConfidenceLow ?? double.NegativeInfinity, summary.ConfidenceHigh ?? double.PositiveInfinity);
        var outcome =
            low > 0 ? ToggleOutcome.Higher
            : high < 0 ? ToggleOutcome.Lower
            : high - low <= 2 * SmallestShare * off ? ToggleOutcome.NoDetectableChange
            : ToggleOutcome.Inconclusive;
        var kind = operation == IoOperation.Write ? "write" : "read";
        var interval = Invariant($"95% interval {low:0.000} to {high:0.000} ms");
        return new ToggleDifference
        {
            Operation = operation,
            OnMs = on,
            OffMs = off,
            DifferenceMs = summary.Mean,
            LowMs = low,
            HighMs = high,
            Outcome = outcome,
            Verdict = outcome switch
            {
                ToggleOutcome.Higher or ToggleOutcome.Lower => Invariant(
                    $"A {(summary.Mean > 0 ? "adds" : "saves")} {NumberFormat.Milliseconds(Math.Abs(summary.Mean))} of average {kind} latency ({interval}): {NumberFormat.Milliseconds(on)} with A, {NumberFormat.Milliseconds(off)} with B."
                ),
                ToggleOutcome.NoDetectableChange => Invariant(
                    $"No detectable change in the average {kind} latency ({interval}): {NumberFormat.Milliseconds(on)} with A, {NumberFormat.Milliseconds(off)} with B."
                ),
                _ => Invariant(
                    $"Inconclusive: the average {kind} latency differs by {summary.Mean:+0.000;-0.000;0.000} ms ({interval}), so the difference can be zero. Repeat the comparison with a longer duration."
                ),
            },
        };
    }

    /// <summary>Whether more blocks would not help: the interval is narrow enough for a decision about a difference that matters.</summary>
    public bool IsPrecise => HighMs - LowMs <= 2 * SmallestShare * Math.Max(OnMs, OffMs);
}

/// <summary>The same test in two states that commands of the user set, in blocks A B B A.</summary>
public sealed record ToggleComparison
{
    public required string? Path { get; init; }

    public required string OnCommand { get; init; }

    public required string OffCommand { get; init; }

    public required DateTimeOffset StartUtc { get; init; }

    public required DateTimeOffset EndUtc { get; init; }

    /// <summary>Blocks of four tests.</summary>
    public required int BlockCount { get; init; }

    /// <summary>Reads, then writes.</summary>
    public required IReadOnlyList<ToggleDifference> Differences { get; init; }

    /// <summary>Sentence with the command that ran last.</summary>
    public string FinalState => $"The last command was A: {OnCommand}";

    /// <summary>The verdicts, and the final state.</summary>
    public IEnumerable<string> DescribeFindings() => [.. Differences.Select(difference => difference.Verdict), FinalState];

    public override string ToString() => string.Join(" ", Differences.Select(difference => difference.Verdict));
}
