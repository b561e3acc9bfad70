using System.Collections.ObjectModel;

namespace IoBench.Engine.Specification.Patterns;

/// <summary>The parts of a pattern's distribution as a list that can be changed in place: the pattern hears of it.</summary>
public sealed class IoDistributionRanges : Collection<IoDistributionRange>
{
    /// <summary>No parts.</summary>
    public IoDistributionRanges() { }

    /// <summary>These parts.</summary>
    public IoDistributionRanges(IEnumerable<IoDistributionRange> ranges)
        : base([.. ranges]) { }

    /// <summary>What hears of a change.</summary>
    internal Action? Changed { get; init; }

    /// <inheritdoc/>
    protected override void InsertItem(int index, IoDistributionRange item)
    {
        base.InsertItem(index, item);
        Changed?.Invoke();
    }

    /// <inheritdoc/>
    protected override void SetItem(int index, IoDistributionRange item)
    {
        base.SetItem(index, item);
        Changed?.Invoke();
    }

    /// <inheritdoc/>
    protected override void RemoveItem(int index)
    {
        base.RemoveItem(index);
        Changed?.Invoke();
    }

    /// <inheritdoc/>
    protected override void ClearItems()
    {
        base.ClearItems();
        Changed?.Invoke();
    }
}
