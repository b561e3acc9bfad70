using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Messages about I/O in ERRORLOG files, counted for one database file, or for a database if the messages name no file.</summary>
public abstract class ErrorLogCounts
{
    /// <summary>Database file; null if the messages name only the database.</summary>
    public string? Path { get; internal set; }

    public string? Database { get; internal set; }

    public int? DatabaseId { get; internal set; }

    /// <summary>Kinds of messages with their counts and times: errors 823, 824, 825, and 833, then the other kinds.</summary>
    public IReadOnlyList<ErrorLogKindCount> Kinds { get; internal set; } = [];

    /// <summary>Messages of error 833.</summary>
    public long LongIOMessages => GetCount(ErrorLogEventKind.LongIO);

    /// <summary>Sum of the numbers in the messages of error 833. One I/O counts every 5 s while it is outstanding, so this is not a number
    /// of I/Os.</summary>
    public long Observations { get; private set; }

    /// <summary>Longest duration that error 833 reports; null if the version of SQL Server does not report it.</summary>
    public double? LongestLongIOMs => FindKind(ErrorLogEventKind.LongIO)?.LongestMs;

    /// <summary>Messages of error 823.</summary>
    public long IOErrors => GetCount(ErrorLogEventKind.IOError);

    /// <summary>Messages of error 824.</summary>
    public long InvalidPages => GetCount(ErrorLogEventKind.InvalidPage);

    /// <summary>Messages of error 825.</summary>
    public long ReadRetries => GetCount(ErrorLogEventKind.ReadRetry);

    public long MisalignedMessages => GetCount(ErrorLogEventKind.MisalignedLogIO);

    /// <summary>Highest number of misaligned log writes in a message. SQL Server counts them from the start of the database.</summary>
    public long? MisalignedIOs { get; private set; }

    public long SlowFlushes => GetCount(ErrorLogEventKind.SlowFlush);

    public double? LongestFlushMs => FindKind(ErrorLogEventKind.SlowFlush)?.LongestMs;

    /// <summary>Lowest average throughput of a slow checkpoint in MiB/s.</summary>
    public double? LowestFlushMBps { get; private set; }

    /// <summary>Times that I/O was frozen for a snapshot.</summary>
    public long Freezes => GetCount(ErrorLogEventKind.IOFrozen);

    /// <summary>Total time from a freeze to its resume.</summary>
    public double? FrozenMs { get; private set; }

    public double? LongestFreezeMs => FindKind(ErrorLogEventKind.IOResumed)?.LongestMs;

    /// <summary>Freezes without a message that I/O was resumed.</summary>
    public long FreezesWithoutResume { get; internal set; }

    /// <summary>Backups and restores whose buffers trace flag 3213 wrote.</summary>
    public long BackupBuffers => GetCount(ErrorLogEventKind.BackupBuffers);

    public override string ToString() => GetName(Path, Database, DatabaseId);

    /// <summary>A message that was cut off names neither a file nor a database.</summary>
    internal static string GetName(string? path, string? database, int? databaseId) =>
        path ?? database ?? (databaseId is { } id ? $"database id {NumberFormat.Integer(id)}" : "unknown file");

    internal ErrorLogKindCount? FindKind(ErrorLogEventKind kind) => Kinds.FirstOrDefault(count => count.Kind == kind);

    /// <summary>Returns the number of messages of a kind.</summary>
    internal long GetCount(ErrorLogEventKind kind) => FindKind(kind)?.Messages ?? 0;

    internal void Add(ErrorLogEvent item)
    {
        AddKind(item.Kind, 1, item.Time, item.Time, item.DurationMs);
        Path ??= item.Path;
        Database ??= item.Database;
        DatabaseId ??= item.DatabaseId;
        switch (item.Kind)
        {
            case ErrorLogEventKind.LongIO:
                Observations += item.Observations ?? 0;
                break;
            case ErrorLogEventKind.MisalignedLogIO:
                MisalignedIOs = Math.Max(MisalignedIOs ?? 0, item.MisalignedIOs ?? 0);
                break;
            case ErrorLogEventKind.SlowFlush when item.MBps is { } rate:
                LowestFlushMBps = Math.Min(LowestFlushMBps ?? rate, rate);
                break;
            case ErrorLogEventKind.IOResumed when item.DurationMs is { } frozen:
                FrozenMs = (FrozenMs ?? 0) + frozen;
                break;
        }
    }

    internal void AddAll(ErrorLogCounts other)
    {
        foreach (var kind in other.Kinds)
            AddKind(kind.Kind, kind.Messages, kind.First, kind.Last, kind.LongestMs);
        Observations += other.Observations;
        MisalignedIOs = other.MisalignedIOs is { } count ? Math.Max(MisalignedIOs ?? 0, count) : MisalignedIOs;
        LowestFlushMBps = other.LowestFlushMBps is { } rate ? Math.Min(LowestFlushMBps ?? rate, rate) : LowestFlushMBps;
        FrozenMs = other.FrozenMs is { } frozen ? (FrozenMs ?? 0) + frozen : FrozenMs;
        FreezesWithoutResume += other.FreezesWithoutResume;
    }

    private void AddKind(ErrorLogEventKind kind, long messages, DateTime first, DateTime last, double? longestMs)
    {
        var count = FindKind(kind);
        if (count is null)
        {
            count = new ErrorLogKindCount { Kind = kind };
            // Error 833 follows the errors that concern damaged data.
            Kinds = [.. Kinds.Append(count).OrderBy(item => item.Kind == ErrorLogEventKind.LongIO ? 3.5 : (double)item.Kind)];
        }
        count.Add(messages, first, last, longestMs);
    }
}

/// <summary>All messages about one database file, or about a database.</summary>
public sealed class ErrorLogFileSummary : ErrorLogCounts
{
    /// <summary>
    /// Highest number that one I/O can reach in one message of error 833: SQL Server looks every 5 s and writes at most one message per
    /// file in 300 s.
    /// </summary>
    private const int MaxObservationsPerIO = 61;

    /// <summary>An I/O that is still outstanding is in the next message, which comes after 300 s.</summary>
    private static readonly TimeSpan s_maxMessageGap = TimeSpan.FromSeconds(310);

    private DateTime? _lastLongIO;
    private long _minLongIOs;

    /// <summary>Time of the first message of any kind: local time of the server.</summary>
    public DateTime First { get; private set; } = DateTime.MaxValue;

    /// <summary>Time of the last message of any kind: local time of the server.</summary>
    public DateTime Last { get; private set; } = DateTime.MinValue;

    /// <summary>Number of I/Os of 15 s or longer that there were at least; null without error 833.</summary>
    public long? MinLongIOs => LongIOMessages == 0 ? null : _minLongIOs;

    internal void AddToSummary(ErrorLogEvent item)
    {
        First = item.Time < First ? item.Time : First;
        Last = item.Time > Last ? item.Time : Last;
        if (item.Kind == ErrorLogEventKind.LongIO)
            AddLongIO(item);
        Add(item);
    }

    private void AddLongIO(ErrorLogEvent item)
    {
        var count = Math.Max(1, ((item.Observations ?? 1) + MaxObservationsPerIO - 1) / MaxObservationsPerIO);
        // The last I/O began after the previous message, or no I/O can be in both messages.
        var isNew =
            _lastLongIO is { } last
            && (
                item.DurationMs is { } ms
                    ? item.Time - TimeSpan.FromMilliseconds(Math.Min(ms, TimeSpan.FromDays(365).TotalMilliseconds)) > last
                    : item.Time - last > s_maxMessageGap
            );
        // The other observations of this message can be of I/Os that earlier messages count, so only one I/O is certainly new.
        _minLongIOs = Math.Max(_minLongIOs + (isNew ? 1 : 0), count);
        _lastLongIO = item.Time;
    }
}

/// <summary>Messages about one database file or database in an interval.</summary>
public sealed class ErrorLogInterval : ErrorLogCounts
{
    /// <summary>Start of the interval: local time of the server.</summary>
    public required DateTime Start { get; init; }
}
