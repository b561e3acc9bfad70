using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>An event of an Extended Events session.</summary>
/// <param name="Operation">Operation of a completed file I/O; null for an event of another kind, which has only a time.</param>
/// <param name="Time">Time at which the I/O completed.</param>
/// <param name="Sequence">Number that the action event_sequence counts; null if the session does not collect it.</param>
public readonly record struct XEvent(IoOperation? Operation, DateTimeOffset Time, long? Sequence)
{
    public long DatabaseId { get; init; }

    /// <summary>0 for a file of no database, such as a backup.</summary>
    public long FileId { get; init; }

    public long Offset { get; init; }

    public long Size { get; init; }

    public long DurationMs { get; init; }

    /// <summary>Null if the session does not collect it.</summary>
    public string? Path { get; init; }
}
