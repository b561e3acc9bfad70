namespace IoBench.Engine;

/// <summary>Totals of one thread on one target.</summary>
public sealed class IoThreadResult : IoReadWriteTotals
{
    private List<IoTimelinePoint>? _timeline;

    /// <summary>Number of the thread, from 0.</summary>
    public int ThreadId { get; set; }

    /// <summary>Path of the target.</summary>
    public string? Path { get; set; }

    /// <summary>Values per interval; empty unless requested.</summary>
    public List<IoTimelinePoint> Timeline
    {
        get => _timeline ??= [];
        set => _timeline = value;
    }

    /// <summary>Returns a text such as <c>thread 0: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Describe(FormattableString.Invariant($"thread {ThreadId}"));
}
