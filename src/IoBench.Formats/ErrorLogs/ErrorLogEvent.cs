using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Kind of a message about I/O in an ERRORLOG of SQL Server.</summary>
public enum ErrorLogEventKind : long
{
    /// <summary>Error 833: I/Os were outstanding for 15 seconds or longer.</summary>
    LongIO,

    /// <summary>Error 823: the operating system returned an error for a read or write.</summary>
    IOError,

    /// <summary>Error 824: the read or written page is not valid.</summary>
    InvalidPage,

    /// <summary>Error 825: a read succeeded only after it had failed.</summary>
    ReadRetry,

    /// <summary>Log writes that are not aligned to the physical sector, which SQL Server then writes synchronously.</summary>
    MisalignedLogIO,

    /// <summary>I/O on a database was frozen for a snapshot.</summary>
    IOFrozen,

    /// <summary>I/O on a database was resumed after a snapshot.</summary>
    IOResumed,

    /// <summary>A checkpoint that took longer than its target (FlushCache).</summary>
    SlowFlush,

    /// <summary>Buffers of a backup or restore, which trace flag 3213 writes.</summary>
    BackupBuffers,
}

/// <summary>A message about I/O in an ERRORLOG of SQL Server. A value that the message does not contain is null.</summary>
public sealed record ErrorLogEvent
{
    public required ErrorLogEventKind Kind { get; init; }

    /// <summary>Time as written: local time of the server, without a time zone.</summary>
    public required DateTime Time { get; init; }

    /// <summary>Session or thread that wrote the message, such as <c>spid5s</c>.</summary>
    public required string Process { get; init; }

    /// <summary>ERRORLOG file that contains the message.</summary>
    public string? SourceFile { get; init; }

    /// <summary>Line in that file, starting at 1.</summary>
    public int SourceLine { get; init; }

    /// <summary>Database file.</summary>
    public string? Path { get; init; }

    public string? Database { get; init; }

    public int? DatabaseId { get; init; }

    /// <summary>Read or write; null if the message does not state it.</summary>
    public IoOperation? Operation { get; init; }

    /// <summary>Position in the database file in bytes; for error 833, of the last long I/O.</summary>
    public long? Offset { get; init; }

    /// <summary>File id and page, such as <c>1:4711</c>.</summary>
    public string? Page { get; init; }

    /// <summary>Number in error 833: how often SQL Server saw an I/O outstanding for 15 s or longer. It looks every 5 s, so one I/O can
    /// count several times.</summary>
    public long? Observations { get; init; }

    /// <summary>Error 833: duration of the last long I/O (SQL Server 2017 and later). SlowFlush: duration of the checkpoint. IOResumed:
    /// time since the I/O was frozen.</summary>
    public double? DurationMs { get; init; }

    /// <summary>Error code of the operating system.</summary>
    public int? OSError { get; init; }

    /// <summary>Text of the error of the operating system, or what is wrong with the page.</summary>
    public string? Detail { get; init; }

    /// <summary>Number of failed attempts before a read succeeded.</summary>
    public int? FailedAttempts { get; init; }

    /// <summary>Misaligned log writes that SQL Server has counted since it opened the file.</summary>
    public long? MisalignedIOs { get; init; }

    /// <summary>Pages of 8 KB that a checkpoint wrote.</summary>
    public long? FlushedPages { get; init; }

    public long? FlushWrites { get; init; }

    /// <summary>Pages that became dirty during the checkpoint.</summary>
    public long? NewDirtyPages { get; init; }

    /// <summary>Average throughput of a checkpoint in MiB/s.</summary>
    public double? MBps { get; init; }

    /// <summary>How often a checkpoint waited because too many of its writes were outstanding.</summary>
    public long? IOSaturation { get; init; }

    public long? ContextSwitches { get; init; }

    /// <summary>Limit of outstanding writes at the end of the checkpoint.</summary>
    public long? LastTargetOutstanding { get; init; }

    /// <summary>Average latency of the writes of a checkpoint in milliseconds, as a whole number.</summary>
    public double? AverageWriteMs { get; init; }

    public double? MemoryLimitMB { get; init; }

    public int? BufferCount { get; init; }

    public double? MaxTransferSizeKB { get; init; }

    public double? TotalBufferMB { get; init; }
}
