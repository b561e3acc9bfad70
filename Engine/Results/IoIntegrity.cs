namespace IoBench.Engine.Results;

/// <summary>What was wrong with bytes that were read back.</summary>
public enum IoIntegrityErrorKind
{
    /// <summary>An acknowledged write is not there: what was there before still is.</summary>
    LostWrite,

    /// <summary>A read brought what was there before an acknowledged write; the write is there.</summary>
    StaleRead,

    /// <summary>A part of an acknowledged write is there, the rest is what was there before.</summary>
    TornWrite,

    /// <summary>A write went to another place than its own.</summary>
    MisdirectedWrite,

    /// <summary>A read brought what belongs to another place.</summary>
    MisdirectedRead,

    /// <summary>A few bits are not what they must be.</summary>
    BitFlip,

    /// <summary>Zeros in place of content.</summary>
    Zeros,

    /// <summary>A read was said to be complete and left bytes of its buffer as they were.</summary>
    NotRead,

    /// <summary>Bytes that nobody wrote there.</summary>
    WrongContent,
}

/// <summary>When an error was found.</summary>
public enum IoIntegrityPhase
{
    /// <summary>Before the test, when the file was read to know what it holds.</summary>
    FirstPass,

    /// <summary>By a read of the test.</summary>
    Test,

    /// <summary>After the test, when all of the file was read once more.</summary>
    FinalPass,

    /// <summary>After a crash, by what a witness had noted.</summary>
    AfterCrash,
}

/// <summary>Bytes that were not what they must be.</summary>
public sealed class IoIntegrityError
{
    /// <summary>What was wrong.</summary>
    public IoIntegrityErrorKind Kind { get; set; }

    /// <summary>When it was found.</summary>
    public IoIntegrityPhase Phase { get; set; }

    /// <summary>The file or device.</summary>
    public string? Path { get; set; }

    /// <summary>Offset of the first wrong sector in bytes.</summary>
    public long Offset { get; set; }

    /// <summary>Bytes from there to the end of the last wrong sector.</summary>
    public long Length { get; set; }

    /// <summary>When it was found, with its offset from UTC.</summary>
    public DateTimeOffset Time { get; set; }

    /// <summary>What should be there.</summary>
    public string Expected { get; set; } = "";

    /// <summary>What was there.</summary>
    public string Found { get; set; } = "";

    /// <summary>Whether a second read, past the caches, found it wrong too; null when there was none, because a newer write was on its way.</summary>
    public bool? IsLasting { get; set; }

    /// <summary><c>LostWrite at 8,192 of T:\iobench.dat</c>.</summary>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Kind} at {Offset:#,##0} of {Path}");
}

/// <summary>Errors of a kind.</summary>
public sealed class IoIntegrityCount
{
    public IoIntegrityErrorKind Kind { get; set; }

    /// <summary>How many.</summary>
    public long Count { get; set; }

    /// <inheritdoc/>
    public override string ToString() => $"{Kind}: {Figures.Grouped(Count)}";
}

/// <summary>One reading of all of the targets.</summary>
public sealed class IoIntegrityPass
{
    /// <summary>Bytes that were read and checked.</summary>
    public long ByteCount { get; set; }

    /// <summary>How long it took in seconds.</summary>
    public double Seconds { get; set; }

    /// <summary>Whether it went past the operating system's file cache.</summary>
    public bool IsUnbuffered { get; set; }

    /// <summary>Errors that it found.</summary>
    public long ErrorCount { get; set; }

    /// <inheritdoc/>
    public override string ToString() =>
        $"{Figures.CountedGrouped(ErrorCount, "error")} in {new IoSize(ByteCount).ToDisplayString()}, {Figures.Plain(Seconds)} s";
}

/// <summary>What became of acknowledged writes in a crash.</summary>
public sealed class IoCrashCheck
{
    private Dictionary<string, string>? _facts;

    /// <summary>The file in which the witness noted the acknowledged writes.</summary>
    public string? WitnessPath { get; set; }

    /// <summary>Whether the run ended by itself, before any crash.</summary>
    public bool IsEnded { get; set; }

    /// <summary>What was promised to survive, in words.</summary>
    public string Promise { get; set; } = "";

    /// <summary>Acknowledged writes that the witness knows.</summary>
    public long WriteCount { get; set; }

    /// <summary>Those of them that were promised to survive.</summary>
    public long PromisedCount { get; set; }

    /// <summary>Those of them that no later promised write covers: they were looked for.</summary>
    public long CheckedCount { get; set; }

    /// <summary>Writes that are gone.</summary>
    public long GoneCount { get; set; }

    /// <summary>Writes that are there in part.</summary>
    public long TornCount { get; set; }

    /// <summary>Of the writes that are not there as they should be: those after which an acknowledged write is there.</summary>
    public long OutOfOrderCount { get; set; }

    /// <summary>What the storage said of itself when the run began: write cache, FUA, model.</summary>
    public Dictionary<string, string> Facts
    {
        get => _facts ??= [];
        set => _facts = value;
    }
}

/// <summary>What a checked test found out about the storage's word.</summary>
public sealed class IoIntegrity
{
    private List<IoIntegrityCount>? _errorsByKind;
    private List<IoIntegrityError>? _errors;

    /// <summary>Errors that are kept in detail; all are counted.</summary>
    public const int MaxDetails = 100;

    /// <summary>Reads of the test that were checked, warm-up and cool-down included.</summary>
    public long ReadCount { get; set; }

    /// <summary>Bytes of them.</summary>
    public long ReadBytes { get; set; }

    /// <summary>Acknowledged writes of the test that reads had to find again.</summary>
    public long WriteCount { get; set; }

    /// <summary>Bytes of them.</summary>
    public long WriteBytes { get; set; }

    /// <summary>Groups of sectors that were read while a write to them was on its way, of which the earlier content is not known: they could not be judged.</summary>
    public long UnjudgedCount { get; set; }

    /// <summary>All errors.</summary>
    public long ErrorCount { get; set; }

    /// <summary>The errors by kind; kinds without any are left out.</summary>
    public List<IoIntegrityCount> ErrorsByKind
    {
        get => _errorsByKind ??= [];
        set => _errorsByKind = value;
    }

    /// <summary>The first <see cref="MaxDetails"/> of them.</summary>
    public List<IoIntegrityError> Errors
    {
        get => _errors ??= [];
        set => _errors = value;
    }

    /// <summary>The reading before the test; null when there was none.</summary>
    public IoIntegrityPass? FirstPass { get; set; }

    /// <summary>The reading after the test; null when there was none: the run was cancelled, or failed.</summary>
    public IoIntegrityPass? FinalPass { get; set; }

    /// <summary>What a look after a crash found out; null for a test.</summary>
    public IoCrashCheck? Crash { get; set; }

    /// <summary>Bytes of memory that knew what the file must hold.</summary>
    public long MemoryBytes { get; set; }

    /// <summary>Bytes of a group of sectors with a checksum of its own.</summary>
    public int GroupSize { get; set; }

    /// <summary>Files that were left read-only, as evidence.</summary>
    public List<string> Evidence { get; set; } = [];

    /// <summary><c>3 errors in 1,204 reads</c>.</summary>
    public override string ToString() => $"{Figures.CountedGrouped(ErrorCount, "error")} in {Figures.CountedGrouped(ReadCount, "read")}";
}
