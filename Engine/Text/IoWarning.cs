using System.Text.Json.Serialization;

namespace IoBench.Engine.Text;

/// <summary>What a reader must know to trust figures: a code that programs read, and a text for people.</summary>
public sealed class IoWarning
{
    /// <summary>A warning that is not said yet.</summary>
    public IoWarning() { }

    /// <param name="code">One of <see cref="WarningCodes"/>; empty where nothing depends on what it is about.</param>
    /// <param name="text">What is to be known, in plain words.</param>
    public IoWarning(string code, IoText text)
    {
        Code = code;
        Template = text.Template;
    }

    /// <summary>What it is about, one of <see cref="WarningCodes"/>; empty where nothing depends on it.</summary>
    public string Code { get; set; } = "";

    /// <summary><see cref="IoText.Template"/> of its text.</summary>
    public string Template { get; set; } = "";

    /// <summary>The text, with the options it names.</summary>
    [JsonIgnore]
    public IoText Text => IoText.FromTemplate(Template);

    /// <summary>A text without a code: what another tool, or an earlier file of results, said.</summary>
    public static IoWarning FromString(string text) => new("", text);

    /// <summary>The text with the options' neutral names.</summary>
    public override string ToString() => Text.ToString();
}

/// <summary>Codes of the warnings IoBench gives; scripts and rules depend on them, the words may change.</summary>
public static class WarningCodes
{
    /// <summary>The file is small because of the free space: figures for a first impression.</summary>
    public const string QuickLook = "IoBench.QuickLook";

    /// <summary>The file lies in memory.</summary>
    public const string InMemory = "IoBench.InMemory";

    /// <summary>The computer's file cache may hold the file.</summary>
    public const string FileCache = "IoBench.FileCache";

    /// <summary>The storage's cache may hold the file.</summary>
    public const string StorageCache = "IoBench.StorageCache";

    /// <summary>The file lies on another computer.</summary>
    public const string Network = "IoBench.Network";

    /// <summary>I/O goes by the network to another node of the cluster.</summary>
    public const string Redirected = "IoBench.Redirected";

    /// <summary>A file is not open with the flags that its buffering asks for.</summary>
    public const string OpenFlags = "IoBench.OpenFlags";

    /// <summary>The storage may have less room than its volume says.</summary>
    public const string ThinProvisioned = "IoBench.ThinProvisioned";

    /// <summary>The file lies on a container's layered file system.</summary>
    public const string Overlay = "IoBench.Overlay";

    /// <summary>The file system writes every block to a new place.</summary>
    public const string CopyOnWrite = "IoBench.CopyOnWrite";

    /// <summary>A filter (Data Deduplication, a cloud's synchronisation) stands between the file and its content.</summary>
    public const string Filtered = "IoBench.Filtered";

    /// <summary>Making the test file took longer than the disk needs for it.</summary>
    public const string SlowFill = "IoBench.SlowFill";

    /// <summary>Whoever set the computer up declared the device's cache safe: neither flushes nor forced unit access reach it.</summary>
    public const string PowerProtectionDeclared = "IoBench.PowerProtectionDeclared";

    /// <summary>The system did I/Os one by one within the calls that were to start them.</summary>
    public const string NotPending = "IoBench.NotPending";

    /// <summary>The process runs below normal priority.</summary>
    public const string LowPriority = "IoBench.LowPriority";

    /// <summary>The file system compresses.</summary>
    public const string Compressed = "IoBench.Compressed";

    /// <summary>The file system encrypts.</summary>
    public const string Encrypted = "IoBench.Encrypted";

    /// <summary>Parts of the file were never written.</summary>
    public const string Holes = "IoBench.Holes";

    /// <summary>Each write-through write costs a flush of the device's cache.</summary>
    public const string NoForcedUnitAccess = "IoBench.NoForcedUnitAccess";

    /// <summary>Writes are cut from so many bytes of a file, and no file is named.</summary>
    public const string ContentSizeUnused = "IoBench.ContentSizeUnused";

    /// <summary>Writes may end in a cache.</summary>
    public const string NotDurable = "IoBench.NotDurable";

    /// <summary>SQL Server files lie on the same volume.</summary>
    public const string SqlServerNearby = "IoBench.SqlServerNearby";

    /// <summary>A file's size is not whole sectors.</summary>
    public const string PartOfFile = "IoBench.PartOfFile";

    /// <summary>The run was ended because latency stayed above its limit.</summary>
    public const string Stopped = "IoBench.Stopped";

    /// <summary>I/Os did not come back.</summary>
    public const string Stuck = "IoBench.Stuck";

    /// <summary>An I/O has not come back for some time; said while it hangs.</summary>
    public const string IoHangs = "IoBench.IoHangs";

    /// <summary>A file did not answer, so that whoever ended the work on it was not kept waiting: it stays in use.</summary>
    public const string NoAnswer = "IoBench.NoAnswer";

    /// <summary>I/Os that hung come back again.</summary>
    public const string IoBack = "IoBench.IoBack";

    /// <summary>The run was cancelled before it measured.</summary>
    public const string NothingMeasured = "IoBench.NothingMeasured";

    /// <summary>A witness's run ended by itself, not by a crash.</summary>
    public const string NoCrash = "IoBench.NoCrash";

    /// <summary>A checked test's file was not read once more after it.</summary>
    public const string NoFinalPass = "IoBench.NoFinalPass";

    /// <summary>A distribution reaches beyond the target.</summary>
    public const string DistributionCut = "IoBench.DistributionCut";

    /// <summary>No I/O completed in the measured time.</summary>
    public const string NoIo = "IoBench.NoIo";

    /// <summary>IOPS vary much from interval to interval.</summary>
    public const string Unsteady = "IoBench.Unsteady";

    /// <summary>Processors, and not the storage, may be the limit.</summary>
    public const string ProcessorsBusy = "IoBench.ProcessorsBusy";

    /// <summary>The hypervisor gave processor time to others.</summary>
    public const string StolenTime = "IoBench.StolenTime";

    /// <summary>Workers were ready to go on and waited for a processor, more than 15 % of the measured time. Windows does not report it.</summary>
    public const string WaitedForProcessors = "IoBench.WaitedForProcessors";

    /// <summary>A look at the clock takes long.</summary>
    public const string SlowClock = "IoBench.SlowClock";

    /// <summary>Garbage collections fell into the measured time.</summary>
    public const string Collections = "IoBench.Collections";

    /// <summary>Transfers moved a part of their I/O only.</summary>
    public const string PartTransfers = "IoBench.PartTransfers";

    /// <summary>The system sent I/Os back as busy.</summary>
    public const string BusyAnswers = "IoBench.BusyAnswers";

    /// <summary>An open loop reached less than 97 % of the rate that was asked for.</summary>
    public const string RateMissed = "IoBench.RateMissed";

    /// <summary>I/Os of an open loop that were due long before the end were not done.</summary>
    public const string BehindAtEnd = "IoBench.BehindAtEnd";

    /// <summary>The longest I/O ended after the measured time, or never.</summary>
    public const string LateIo = "IoBench.LateIo";

    /// <summary>A test file's mark could not be closed.</summary>
    public const string MarkOpen = "IoBench.MarkOpen";

    /// <summary>The file was removed or replaced while it was tested.</summary>
    public const string TargetGone = "IoBench.TargetGone";

    /// <summary>Rounds never reached a steady state.</summary>
    public const string NeverSteady = "IoBench.NeverSteady";

    /// <summary>Two hosts of a fleet are one machine.</summary>
    public const string FleetSameMachine = "IoBench.FleetSameMachine";

    /// <summary>Two machines of a fleet have one name.</summary>
    public const string FleetSameName = "IoBench.FleetSameName";

    /// <summary>The clock of a host is more than a second off.</summary>
    public const string FleetClock = "IoBench.FleetClock";

    /// <summary>All hosts of a fleet end before their tests do.</summary>
    public const string FleetStopped = "IoBench.FleetStopped";

    /// <summary>Results of a fleet are kept in memory, because they could not be written to a file as they came.</summary>
    public const string FleetInMemory = "IoBench.FleetInMemory";

    /// <summary>A host's result says no start: nothing is added up.</summary>
    public const string FleetNoStart = "IoBench.FleetNoStart";

    /// <summary>The hosts of a fleet measured together for a part of the time only.</summary>
    public const string FleetWindow = "IoBench.FleetWindow";

    /// <summary>Missing hosts of a fleet ran alone, without the others.</summary>
    public const string FleetResumedAlone = "IoBench.FleetResumedAlone";
}
