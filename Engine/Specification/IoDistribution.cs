namespace IoBench.Engine;

/// <summary>How likely each part of a range is for a random I/O. A further case is a record here and what draws from it.</summary>
public abstract record IoDistribution
{
    private IoDistribution()
    {
    }

    /// <summary>All blocks alike.</summary>
    public static Uniform Even { get; } = new();

    /// <summary>The parts of a distribution that is made of some; none of any other.</summary>
    public IReadOnlyList<IoDistributionRange> Ranges => this is Parts parts ? parts.List : [];

    /// <summary>All blocks alike.</summary>
    public sealed record Uniform : IoDistribution;

    /// <summary>
    /// Shares of the I/Os for parts of the range, in order. What shares are left over goes to what range is left over.
    /// </summary>
    public abstract record Parts : IoDistribution
    {
        private protected Parts(IEnumerable<IoDistributionRange> list) => List = [.. list];

        /// <summary>The parts, from the beginning of the range.</summary>
        public IReadOnlyList<IoDistributionRange> List { get; }

        /// <inheritdoc/>
        public virtual bool Equals(Parts? other) => other is not null && EqualityContract == other.EqualityContract && List.SequenceEqual(other.List);

        /// <inheritdoc/>
        public override int GetHashCode() => List.Aggregate(EqualityContract.GetHashCode(), HashCode.Combine);
    }

    /// <summary>Parts in percent of the range (DiskSpd's <c>-rdpct</c>): they fit any range.</summary>
    public sealed record Percent : Parts
    {
        /// <summary>The parts: share of the I/Os and percent of the range of each.</summary>
        public Percent(IEnumerable<IoDistributionRange> list) : base(list)
        {
        }
    }

    /// <summary>Parts in bytes (DiskSpd's <c>-rdabs</c>): those beyond the end of a range fall away, and the shares of the others are scaled up.</summary>
    public sealed record Absolute : Parts
    {
        /// <summary>The parts: share of the I/Os and bytes of each.</summary>
        public Absolute(IEnumerable<IoDistributionRange> list) : base(list)
        {
        }
    }
}

/// <summary>A part of the target and the share of I/Os that go there (DiskSpd's <c>-rd</c>).</summary>
/// <param name="IOPercent">Share of the I/Os in percent; 0 = a hole that is never touched.</param>
/// <param name="TargetPart">Percent of the range or bytes, as the distribution says.</param>
public sealed record IoDistributionRange(int IOPercent, long TargetPart);
