namespace IoBench.Engine.Results;

/// <summary>One thread's totals on one target.</summary>
public sealed class IoThreadResult : IoReadWriteTotals
{
    private List<IoTimelinePoint>? _timeline;

    /// <summary>Thread, from 0.</summary>
    public int ThreadId { get; set; }

    /// <summary>Target it worked on.</summary>
    public string? Path { get; set; }

    /// <summary>Its rates and latencies by interval; only where they were asked for, else empty.</summary>
    public List<IoTimelinePoint> Timeline
    {
        get => _timeline ??= [];
        set => _timeline = value;
    }

    /// <summary><c>thread 0: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Words(FormattableString.Invariant($"thread {ThreadId}"));
}
