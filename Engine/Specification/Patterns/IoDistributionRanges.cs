using System.Collections.ObjectModel;

namespace IoBench.Engine;

public sealed class IoDistributionRanges : Collection<IoDistributionRange>
{
    public IoDistributionRanges() { }

    public IoDistributionRanges(IEnumerable<IoDistributionRange> ranges)
        : base([.. ranges]) { }

    internal Action? ChangeHandler { get; init; }

    protected override void InsertItem(int index, IoDistributionRange item)
    {
        base.InsertItem(index, item);
        ChangeHandler?.Invoke();
    }

    protected override void SetItem(int index, IoDistributionRange item)
    {
        base.SetItem(index, item);
        ChangeHandler?.Invoke();
    }

    protected override void RemoveItem(int index)
    {
        base.RemoveItem(index);
        ChangeHandler?.Invoke();
    }

    protected override void ClearItems()
    {
        base.ClearItems();
        ChangeHandler?.Invoke();
    }
}
