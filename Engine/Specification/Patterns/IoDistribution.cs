using System.Globalization;

namespace IoBench.Engine.Specification.Patterns;

/// <summary>How likely each part of a range is for a random I/O. A further case is a record here and what draws from it.</summary>
public abstract record IoDistribution
{
    private IoDistribution() { }

    /// <summary>All blocks alike.</summary>
    public static Uniform Even { get; } = new();

    /// <summary>Reads a distribution.</summary>
    /// <param name="text"><c>zipf:1.1</c>, <c>pareto:0.2</c>, <c>zoned:90/10:10/90</c> (percent of the I/Os / percent of the range).</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidDistribution</c>.</exception>
    public static IoDistribution Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parts = text.Trim().Split(':', StringSplitOptions.TrimEntries);
        return (parts[0].ToUpperInvariant(), parts.Length) switch
        {
            ("ZIPF", 2) => new Zipf(Number(parts[1])),
            ("PARETO", 2) => new Pareto(Number(parts[1])),
            ("ZONED", > 1) => new Percent(parts[1..].Select(IoDistributionRange.Parse)),
            _ => throw Wrong(text),
        };

        double Number(string part) =>
            double.TryParse(part, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && double.IsFinite(value)
                ? value
                : throw Wrong(text);
    }

    private static IoBenchException Wrong(string text) =>
        IoBenchException.Usage(
            "IoBench.InvalidDistribution",
            $"'{text}' is not a distribution.",
            text,
            advice: "Write zipf:1.1, pareto:0.2, or percent of the I/Os / percent of the range, for example 90/10,10/90."
        );

    /// <summary>The parts of a distribution that is made of some; none of any other.</summary>
    public IReadOnlyList<IoDistributionRange> Ranges => this is Parts parts ? parts.List : [];

    /// <summary>All blocks alike.</summary>
    public sealed record Uniform : IoDistribution
    {
        /// <inheritdoc/>
        public override string ToString() => "uniform";
    }

    /// <summary>Zipf's law: the k-th most popular block gets k^-theta as many I/Os as the first. Popular blocks lie all over the range.</summary>
    /// <param name="Theta">How much the popular ones are preferred, above 0, at most <see cref="MaxTheta"/>; 1.1 is usual, 0.5 weak, 2 leaves nearly all to a handful of blocks.</param>
    public sealed record Zipf(double Theta) : IoDistribution
    {
        /// <summary>Beyond, all I/Os go to one block.</summary>
        public const double MaxTheta = 10;

        /// <inheritdoc/>
        public override string ToString() => FormattableString.Invariant($"zipf:{Theta}");
    }

    /// <summary>
    /// Pareto's 80:20: a share of the blocks gets the rest of the I/Os, and within that share it is the same again. Popular blocks lie all over the range.
    /// </summary>
    /// <param name="Share">The share h of the blocks that gets 1 - h of the I/Os, above 0 and below 0.5; 0.2 is 80:20.</param>
    public sealed record Pareto(double Share) : IoDistribution
    {
        /// <inheritdoc/>
        public override string ToString() => FormattableString.Invariant($"pareto:{Share}");
    }

    /// <summary>
    /// Shares of the I/Os for parts of the range, in order. What shares are left over goes to what range is left over.
    /// </summary>
    public abstract record Parts : IoDistribution
    {
        private protected Parts(IEnumerable<IoDistributionRange> list) => List = [.. list];

        /// <summary>The parts, from the beginning of the range.</summary>
        public IReadOnlyList<IoDistributionRange> List { get; }

        /// <inheritdoc/>
        public virtual bool Equals(Parts? other) =>
            other is not null && EqualityContract == other.EqualityContract && List.SequenceEqual(other.List);

        /// <inheritdoc/>
        public override int GetHashCode() => List.Aggregate(EqualityContract.GetHashCode(), HashCode.Combine);

        /// <inheritdoc/>
        public sealed override string ToString() => string.Join(',', List);
    }

    /// <summary>Parts in percent of the range: they fit any range.</summary>
    public sealed record Percent : Parts
    {
        /// <summary>The parts: share of the I/Os and percent of the range of each.</summary>
        public Percent(IEnumerable<IoDistributionRange> list)
            : base(list) { }
    }

    /// <summary>Parts in bytes: those beyond the end of a range fall away, and the shares of the others are scaled up.</summary>
    public sealed record Absolute : Parts
    {
        /// <summary>The parts: share of the I/Os and bytes of each.</summary>
        public Absolute(IEnumerable<IoDistributionRange> list)
            : base(list) { }
    }
}

/// <summary>A part of the target and the share of I/Os that go there.</summary>
/// <param name="IOPercent">Share of the I/Os in percent; 0 = a hole that is never touched.</param>
/// <param name="TargetPart">Percent of the range or bytes, as the distribution says.</param>
public sealed record IoDistributionRange(int IOPercent, long TargetPart)
{
    /// <summary>As it is written: <c>90/10</c>.</summary>
    public override string ToString() => FormattableString.Invariant($"{IOPercent}/{TargetPart}");

    /// <summary>Reads a part: <c>90/10</c>.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidDistribution</c>.</exception>
    public static IoDistributionRange Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parts = text.Split('/', StringSplitOptions.TrimEntries);
        var (number, invariant) = (NumberStyles.None, CultureInfo.InvariantCulture);
        return
            parts.Length == 2
            && int.TryParse(parts[0], number, invariant, out var io)
            && long.TryParse(parts[1], number, invariant, out var range)
            ? new IoDistributionRange(io, range)
            : throw IoBenchException.Usage(
                "IoBench.InvalidDistribution",
                $"'{text}' is not a part of a distribution.",
                text,
                advice: "Write percent of the I/Os / percent of the range, for example 90/10, 10/90; or zipf:1.1 or pareto:0.2 alone."
            );
    }
}
