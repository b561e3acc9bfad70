using System.Collections.ObjectModel;

namespace IoBench.Engine;

/// <summary>Parts of a pattern's distribution as a list that can be changed in place; the pattern is notified of changes.</summary>
public sealed class IoDistributionRanges : Collection<IoDistributionRange>
{
    /// <summary>Creates an empty list.</summary>
    public IoDistributionRanges() { }

    /// <summary>Creates a list of the given parts.</summary>
    public IoDistributionRanges(IEnumerable<IoDistributionRange> ranges)
        : base([.. ranges]) { }

    internal Action? ChangeHandler { get; init; }

    /// <inheritdoc/>
    protected override void InsertItem(int index, IoDistributionRange item)
    {
        base.InsertItem(index, item);
        ChangeHandler?.Invoke();
    }

    /// <inheritdoc/>
    protected override void SetItem(int index, IoDistributionRange item)
    {
        base.SetItem(index, item);
        ChangeHandler?.Invoke();
    }

    /// <inheritdoc/>
    protected override void RemoveItem(int index)
    {
        base.RemoveItem(index);
        ChangeHandler?.Invoke();
    }

    /// <inheritdoc/>
    protected override void ClearItems()
    {
        base.ClearItems();
        ChangeHandler?.Invoke();
    }
}
