using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Messages of one kind about one database file or database.</summary>
public sealed class ErrorLogKindCount
{
    public required ErrorLogEventKind Kind { get; init; }

    public long Messages { get; private set; }

    /// <summary>Time of the first message of this kind: local time of the server.</summary>
    public DateTime First { get; private set; } = DateTime.MaxValue;

    /// <summary>Time of the last message of this kind: local time of the server.</summary>
    public DateTime Last { get; private set; } = DateTime.MinValue;

    /// <summary>Longest duration that a message of this kind reports: of an I/O, a checkpoint, or a freeze. Null if none reports
    /// one.</summary>
    public double? LongestMs { get; private set; }

    /// <summary>Returns the kind in words, such as <c>error 833</c>.</summary>
    public override string ToString() => Describe(Kind);

    /// <summary>Returns a kind in words, such as <c>error 833</c>.</summary>
    public static string Describe(ErrorLogEventKind kind) =>
        kind switch
        {
            ErrorLogEventKind.LongIO => "error 833",
            ErrorLogEventKind.IOError => "error 823",
            ErrorLogEventKind.InvalidPage => "error 824",
            ErrorLogEventKind.ReadRetry => "error 825",
            ErrorLogEventKind.MisalignedLogIO => "misaligned log",
            ErrorLogEventKind.IOFrozen => "I/O frozen",
            ErrorLogEventKind.IOResumed => "I/O resumed",
            ErrorLogEventKind.SlowFlush => "slow checkpoint",
            ErrorLogEventKind.BackupBuffers => "backup buffers",
            _ => kind.ToString(),
        };

    internal void Add(long messages, DateTime first, DateTime last, double? longestMs)
    {
        Messages += messages;
        First = first < First ? first : First;
        Last = last > Last ? last : Last;
        if (LongestMs is null || longestMs > LongestMs)
            LongestMs = longestMs;
    }
}
