using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>Outcome of a data integrity check.</summary>
public enum IoIntegrityOutcome : long
{
    /// <summary>All content was verified, and all reads returned the expected data.</summary>
    Verified,

    /// <summary>No errors were found, but a part of the content could not be verified.</summary>
    NotVerified,

    /// <summary>The storage returned other data than was written.</summary>
    Damaged,
}

/// <summary>What the first read of the target showed about its content.</summary>
public enum IoInitialContent : long
{
    /// <summary>All bytes are those that IoBench wrote.</summary>
    Proved,

    /// <summary>A part of the bytes is proved; the rest was only recorded, for comparison with later reads.</summary>
    PartlyProved,

    /// <summary>No byte is proved. The content was only recorded, for comparison with later reads.</summary>
    Learned,
}

/// <summary>Why content could not be verified.</summary>
public enum IoUnverifiedReason : long
{
    /// <summary>The file has no ownership marker.</summary>
    NoMarker,

    /// <summary>The ownership marker of the file is damaged.</summary>
    DamagedMarker,

    /// <summary>The target is a device, and the test did not write this part of it.</summary>
    Device,

    /// <summary>The file is a copy of a test file, and its content is not what IoBench wrote.</summary>
    Copy,

    /// <summary>The size of the file was changed, and its content is not what IoBench wrote.</summary>
    SizeChanged,

    /// <summary>Another program changed the file, and its content is not what IoBench wrote.</summary>
    ChangedOutside,

    /// <summary>The content is not what IoBench wrote, and the times of the file system are too coarse to show who changed it.</summary>
    CoarseTimes,

    /// <summary>Earlier tests wrote content that cannot be recomputed: zeros, a pattern, or the bytes of a file.</summary>
    Unrecognizable,

    /// <summary>Earlier tests wrote to the file without verification, so a lost write cannot be detected.</summary>
    UnverifiedWrites,

    /// <summary>Another program wrote to the file during the test.</summary>
    WrittenDuringTest,
}

/// <summary>Content of one target that could not be verified.</summary>
public sealed class IoUnverifiedContent
{
    public string? Path { get; set; }

    public IoUnverifiedReason Reason { get; set; }

    /// <summary>Number of bytes that could not be verified.</summary>
    public long ByteCount { get; set; }

    /// <summary>Offset of the first of these bytes.</summary>
    public long Offset { get; set; }

    public override string ToString() => IntegrityMessages.Describe(this);
}

public enum IoIntegrityErrorKind : long
{
    /// <summary>An acknowledged write is missing; the earlier content is still there.</summary>
    LostWrite,

    /// <summary>A read returned the content from before an acknowledged write, although the write is there.</summary>
    StaleRead,

    /// <summary>A part of an acknowledged write is there; the rest is the earlier content.</summary>
    TornWrite,

    /// <summary>A write went to a wrong offset.</summary>
    MisdirectedWrite,

    /// <summary>A read returned the content of another offset.</summary>
    MisdirectedRead,

    /// <summary>A few bits are wrong.</summary>
    BitFlip,
    Zeros,

    /// <summary>A read reported success but left part of its buffer unchanged.</summary>
    NotRead,

    /// <summary>Content that no write of this file explains.</summary>
    WrongContent,
}

public enum IoIntegrityPhase : long
{
    /// <summary>Before the test, when the file was read to record its content.</summary>
    FirstPass,

    /// <summary>By a read of the test.</summary>
    Test,

    /// <summary>After the test, when the whole file was read again.</summary>
    FinalPass,

    /// <summary>After a crash, by the records of a witness.</summary>
    AfterCrash,
}

/// <summary>Unexpected data at one place.</summary>
public sealed class IoIntegrityError
{
    public IoIntegrityErrorKind Kind { get; set; }

    public IoIntegrityPhase Phase { get; set; }

    public string? Path { get; set; }

    /// <summary>Offset of the first wrong sector in bytes.</summary>
    public long Offset { get; set; }

    /// <summary>Bytes from there through the last wrong sector.</summary>
    public long Length { get; set; }

    /// <summary>Time of the detection, with its offset from UTC.</summary>
    public DateTimeOffset Time { get; set; }

    public string Expected { get; set; } = "";

    public string Found { get; set; } = "";

    /// <summary>Whether a second read, past the caches, was wrong too; null without one, because a newer write was pending.</summary>
    public bool? IsLasting { get; set; }

    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Kind} at {Offset:#,##0} of {Path}");
}

public sealed class IoIntegrityCount
{
    public IoIntegrityErrorKind Kind { get; set; }

    public long Count { get; set; }

    public override string ToString() => $"{Kind}: {NumberFormat.Grouped(Count)}";
}

/// <summary>One complete read of all targets.</summary>
public sealed class IoIntegrityPass
{
    public long ByteCount { get; set; }

    public double Seconds { get; set; }

    /// <summary>Whether the reads bypassed the operating system's file cache.</summary>
    public bool IsUnbuffered { get; set; }

    /// <summary>Errors found.</summary>
    public long ErrorCount { get; set; }

    /// <summary>For the first pass: whether the content was proved or only learned; null for any other pass.</summary>
    public IoInitialContent? InitialContent { get; set; }

    public override string ToString() =>
        $"{NumberFormat.PluralizeGrouped(ErrorCount, "error")} in {IoSize.Format(ByteCount)}, {NumberFormat.Plain(Seconds)} s";
}

/// <summary>Verification of acknowledged writes after a crash.</summary>
public sealed class IoCrashCheck
{
    private Dictionary<string, string>? _facts;

    public string? WitnessPath { get; set; }

    /// <summary>
    /// Why the durability of the writes could not be verified, as full sentences: the witness is empty, cut off, or damaged. Null if all of
    /// the witness was used.
    /// </summary>
    public string? NotVerifiedReason { get; set; }

    /// <summary>Whether the run ended normally, before any crash.</summary>
    public bool IsEnded { get; set; }

    /// <summary>Description of when writes were durable.</summary>
    public string Promise { get; set; } = "";

    /// <summary>Acknowledged writes that the witness recorded.</summary>
    public long WriteCount { get; set; }

    /// <summary>Recorded writes that were durable.</summary>
    public long PromisedCount { get; set; }

    /// <summary>Durable writes that no later durable write replaced. Only these were verified.</summary>
    public long CheckedCount { get; set; }

    public long GoneCount { get; set; }

    /// <summary>Writes of which only a part is there.</summary>
    public long TornCount { get; set; }

    /// <summary>Missing or wrong writes that were followed by an acknowledged write that is there.</summary>
    public long OutOfOrderCount { get; set; }

    /// <summary>Properties that the storage reported when the run began: write cache, FUA, model.</summary>
    public Dictionary<string, string> Facts
    {
        get => _facts ??= [];
        set => _facts = value;
    }
}

/// <summary>Data integrity results of a checked test.</summary>
public sealed class IoIntegrity
{
    private List<IoIntegrityCount>? _errorsByKind;
    private List<IoIntegrityError>? _errors;
    private List<IoUnverifiedContent>? _unverified;

    /// <summary>Maximum number of errors with details; all errors are counted.</summary>
    public const int MaxDetails = 100;

    /// <summary>Verified reads of the test, including warm-up and cool-down.</summary>
    public long ReadCount { get; set; }

    public long ReadBytes { get; set; }

    /// <summary>Acknowledged writes of the test.</summary>
    public long WriteCount { get; set; }

    public long WriteBytes { get; set; }

    /// <summary>Groups of sectors that were read during a write and whose earlier content is not known byte by byte.</summary>
    public long UnjudgedCount { get; set; }

    public long ErrorCount { get; set; }

    /// <summary>Bytes of all errors, from the first through the last wrong sector of each.</summary>
    public long ErrorBytes { get; set; }

    /// <summary>Whether all content was verified. Errors take precedence over content that could not be verified.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public IoIntegrityOutcome Outcome =>
        ErrorCount > 0 ? IoIntegrityOutcome.Damaged
        : Unverified.Count > 0 || Crash?.NotVerifiedReason is not null ? IoIntegrityOutcome.NotVerified
        : IoIntegrityOutcome.Verified;

    /// <summary>Bytes of the targets whose content was verified; null if the result does not state it.</summary>
    public long? VerifiedBytes { get; set; }

    /// <summary>Bytes of the targets whose content could not be verified.</summary>
    public long UnverifiedBytes { get; set; }

    /// <summary>Content that could not be verified, by target and reason.</summary>
    public List<IoUnverifiedContent> Unverified
    {
        get => _unverified ??= [];
        set => _unverified = value;
    }

    /// <summary>Errors by kind; kinds without errors are omitted.</summary>
    public List<IoIntegrityCount> ErrorsByKind
    {
        get => _errorsByKind ??= [];
        set => _errorsByKind = value;
    }

    /// <summary>The first <see cref="MaxDetails"/> errors.</summary>
    public List<IoIntegrityError> Errors
    {
        get => _errors ??= [];
        set => _errors = value;
    }

    public IoIntegrityPass? FirstPass { get; set; }

    /// <summary>The pass after the test; null if there was none, because the run failed or was canceled.</summary>
    public IoIntegrityPass? FinalPass { get; set; }

    /// <summary>Verification after a crash; null for a test.</summary>
    public IoCrashCheck? Crash { get; set; }

    /// <summary>Bytes of memory for the expected content.</summary>
    public long MemoryBytes { get; set; }

    /// <summary>Bytes per checksum.</summary>
    public int GroupSize { get; set; }

    /// <summary>Files that are kept as evidence, read-only.</summary>
    public List<string> Evidence { get; set; } = [];

    public override string ToString() =>
        $"{NumberFormat.PluralizeGrouped(ErrorCount, "error")} in {NumberFormat.PluralizeGrouped(ReadCount, "read")}";
}
