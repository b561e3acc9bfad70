using System.Globalization;

namespace IoBench.Engine;

/// <summary>Distribution of random I/Os over the range. Without a setting, it is uniform.</summary>
public sealed class IoDistribution
{
    public const double MaxZipfTheta = 10;

    /// <summary>
    /// The k-th most popular block gets k^-theta times the I/Os of the first one. Popular blocks are spread over the range. Theta 1.1 is
    /// common, 0.5 is weak, and 2 sends nearly all I/Os to a handful of blocks.
    /// </summary>
    public double? ZipfTheta { get; init; }

    /// <summary>
    /// Fraction h of the blocks that gets 1 - h of the I/Os, above 0 and below 0.5, which applies again within the popular part. 0.2 is
    /// Pareto's 80:20 rule. Popular blocks are spread over the range.
    /// </summary>
    public double? ParetoShare { get; init; }

    /// <summary>Percentages of the I/Os for consecutive parts of the range. The rest of the I/Os goes to the rest of the range.</summary>
    public IReadOnlyList<IoDistributionRange> Ranges { get; init; } = [];

    /// <summary>
    /// Whether the parts are in bytes. Parts beyond the end of the range are ignored, and the percentages of the others are scaled up.
    /// </summary>
    public bool IsAbsolute { get; init; }

    /// <param name="text"><c>zipf:1.1</c>, <c>pareto:0.2</c>, or <c>zoned:90/10:10/90</c> (percent of I/Os / percent of range).</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidDistribution</c>.</exception>
    public static IoDistribution Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parts = text.Trim().Split(':', StringSplitOptions.TrimEntries);
        return (parts[0].ToUpperInvariant(), parts.Length) switch
        {
            ("ZIPF", 2) => new IoDistribution { ZipfTheta = Number(parts[1]) },
            ("PARETO", 2) => new IoDistribution { ParetoShare = Number(parts[1]) },
            ("ZONED", > 1) => new IoDistribution { Ranges = [.. parts[1..].Select(IoDistributionRange.Parse)] },
            _ => throw CreateInvalidDistributionError(text),
        };

        double Number(string part) =>
            double.TryParse(part, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && double.IsFinite(value)
                ? value
                : throw CreateInvalidDistributionError(text);
    }

    private static IoBenchException CreateInvalidDistributionError(string text) =>
        IoBenchException.Usage(
            "IoBench.InvalidDistribution",
            $"'{text}' is not a distribution.",
            text,
            advice: "Use zipf:1.1, pareto:0.2, or a list of X/Y (X percent of the I/Os go to Y percent of the range), such as 90/10,10/90."
        );

    public override string ToString()
    {
        if (ZipfTheta is { } theta)
            return FormattableString.Invariant($"zipf:{theta}");
        if (ParetoShare is { } share)
            return FormattableString.Invariant($"pareto:{share}");
        return Ranges.Count > 0 ? string.Join(',', Ranges) : "uniform";
    }

    /// <summary>The ranges that a run uses: those beyond the end of the target are dropped, and the percentages of the others are scaled
    /// up.</summary>
    /// <returns>Percentage (of <paramref name="placedPercent"/>), first byte, and end (exclusive) of each range.</returns>
    /// <exception cref="IoBenchException">The distribution or a block does not fit into the target.</exception>
    public static IReadOnlyList<(int Percent, long From, long To)> GetEffectiveParts(
        IoTargetSpecification target,
        IoPattern pattern,
        long size,
        out int placedPercent
    )
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(pattern);
        var offsets = new OffsetGenerator(
            pattern,
            new TargetRange(target, pattern, size, target.Path),
            thread: 0,
            threads: 1,
            outstanding: 1
        );
        placedPercent = offsets.PlacedPercent;
        return [.. offsets.EffectiveParts];
    }
}

/// <param name="IOPercent">0 = a part that is never accessed.</param>
/// <param name="TargetPart">Percent of the range or bytes, depending on the distribution.</param>
public sealed record IoDistributionRange(int IOPercent, long TargetPart)
{
    public override string ToString() => FormattableString.Invariant($"{IOPercent}/{TargetPart}");

    /// <exception cref="IoBenchException"><c>IoBench.InvalidDistribution</c>.</exception>
    public static IoDistributionRange Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parts = text.Split('/', StringSplitOptions.TrimEntries);
        var number = NumberStyles.None;
        var invariant = CultureInfo.InvariantCulture;
        return
            parts.Length == 2
            && int.TryParse(parts[0], number, invariant, out var io)
            && long.TryParse(parts[1], number, invariant, out var range)
            ? new IoDistributionRange(io, range)
            : throw IoBenchException.Usage(
                "IoBench.InvalidDistribution",
                $"'{text}' is not a valid part of a distribution.",
                text,
                advice: "Use X/Y (X percent of the I/Os go to Y percent of the range), such as 90/10. Or use only zipf:1.1 or pareto:0.2."
            );
    }
}
