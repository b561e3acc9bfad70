using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>A warning about results: a code for programs, and a text for users.</summary>
public sealed class IoWarning
{
    public IoWarning() { }

    /// <param name="code">One of <see cref="WarningCodes"/>; empty if no program depends on it.</param>
    public IoWarning(string code, IoMessage text)
    {
        Code = code;
        Template = text.Template;
    }

    public string Code { get; set; } = "";

    public string Template { get; set; } = "";

    [JsonIgnore]
    public IoMessage Text => IoMessage.FromTemplate(Template);

    public static IoWarning FromString(string text) => new("", text);

    /// <summary>Text for users, with the code in brackets at the end if there is one.</summary>
    public string RenderWithId(OptionSpelling spelling) => Code.Length == 0 ? Text.Render(spelling) : $"{Text.Render(spelling)} [{Code}]";

    public override string ToString() => Text.ToString();
}

/// <summary>Codes of IoBench's warnings. Scripts and rules depend on the codes; the texts can change.</summary>
public static class WarningCodes
{
    /// <summary>The file is small because of limited free space: a preliminary test.</summary>
    public const string QuickLook = "IoBench.QuickLook";

    /// <summary>A test overwrote a file that IoBench did not create, or a raw device.</summary>
    public const string TargetOverwritten = "IoBench.TargetOverwritten";

    public const string InMemory = "IoBench.InMemory";

    public const string FileCache = "IoBench.FileCache";

    public const string StorageCache = "IoBench.StorageCache";

    public const string Network = "IoBench.Network";

    /// <summary>A test file is not as IoBench left it.</summary>
    public const string ChangedFile = "IoBench.ChangedFile";

    /// <summary>I/O goes over the network to another cluster node.</summary>
    public const string Redirected = "IoBench.Redirected";

    /// <summary>A file is not open with the flags for its buffering.</summary>
    public const string OpenFlags = "IoBench.OpenFlags";

    /// <summary>The storage can have less free space than its volume reports.</summary>
    public const string ThinProvisioned = "IoBench.ThinProvisioned";

    public const string Overlay = "IoBench.Overlay";

    /// <summary>The file system writes every block to a new location.</summary>
    public const string CopyOnWrite = "IoBench.CopyOnWrite";

    /// <summary>A filter driver (Data Deduplication, cloud synchronization) manages the file.</summary>
    public const string Filtered = "IoBench.Filtered";

    /// <summary>Creating the test file took longer than the disk should need.</summary>
    public const string SlowFill = "IoBench.SlowFill";

    /// <summary>
    /// An administrator declared the device's cache as protected: neither flushes nor forced unit access reach the device.
    /// </summary>
    public const string PowerProtectionDeclared = "IoBench.PowerProtectionDeclared";

    /// <summary>The operating system completed I/Os synchronously within the calls that started them.</summary>
    public const string NotPending = "IoBench.NotPending";

    /// <summary>The process runs below normal priority.</summary>
    public const string LowPriority = "IoBench.LowPriority";

    public const string Compressed = "IoBench.Compressed";

    public const string Encrypted = "IoBench.Encrypted";

    /// <summary>The file has unallocated ranges.</summary>
    public const string Holes = "IoBench.Holes";

    /// <summary>Each write-through write flushes the device's cache.</summary>
    public const string NoForcedUnitAccess = "IoBench.NoForcedUnitAccess";

    /// <summary>A content size for writes was specified without a content file.</summary>
    public const string ContentSizeUnused = "IoBench.ContentSizeUnused";

    /// <summary>Writes can stay in a cache and may not be durable.</summary>
    public const string NotDurable = "IoBench.NotDurable";

    /// <summary>SQL Server files are on the same volume.</summary>
    public const string SqlServerNearby = "IoBench.SqlServerNearby";

    /// <summary>The size of a file is not a multiple of the sector size.</summary>
    public const string PartOfFile = "IoBench.PartOfFile";

    public const string Stopped = "IoBench.Stopped";

    public const string Stuck = "IoBench.Stuck";

    /// <summary>An I/O is pending for some time; reported while it is pending.</summary>
    public const string IoHangs = "IoBench.IoHangs";

    /// <summary>A file did not respond, so the work on it was abandoned after cancellation. The file stays in use.</summary>
    public const string NoAnswer = "IoBench.NoAnswer";

    /// <summary>Pending I/Os completed after a delay.</summary>
    public const string IoBack = "IoBench.IoBack";

    /// <summary>The run was canceled before the measurement.</summary>
    public const string NothingMeasured = "IoBench.NothingMeasured";

    /// <summary>The run of a witness ended normally, without a crash.</summary>
    public const string NoCrash = "IoBench.NoCrash";

    /// <summary>The file of a checked test was not read again after the test.</summary>
    public const string NoFinalPass = "IoBench.NoFinalPass";

    /// <summary>A result that was read has numbers that no measurement can return.</summary>
    public const string ImpossibleValue = "IoBench.ImpossibleValue";

    /// <summary>In a result that was read, IOPS and latency do not match the requested number of outstanding I/Os.</summary>
    public const string OutstandingDiffers = "IoBench.OutstandingDiffers";

    public const string DistributionCut = "IoBench.DistributionCut";

    public const string NoIo = "IoBench.NoIo";

    public const string Unsteady = "IoBench.Unsteady";

    /// <summary>CPUs, not the storage, can be the bottleneck.</summary>
    public const string ProcessorsBusy = "IoBench.ProcessorsBusy";

    /// <summary>The hypervisor gave CPU time to other virtual machines.</summary>
    public const string StolenTime = "IoBench.StolenTime";

    /// <summary>Workers were ready but waited for a CPU for more than 15% of the measured time. Windows does not report it.</summary>
    /// <summary>The host did not run IoBench for a while.</summary>
    public const string HostPaused = "IoBench.HostPaused";

    public const string WaitedForProcessors = "IoBench.WaitedForProcessors";

    public const string SlowClock = "IoBench.SlowClock";

    public const string Collections = "IoBench.Collections";

    /// <summary>I/Os transferred only a part of their bytes.</summary>
    public const string PartTransfers = "IoBench.PartTransfers";

    /// <summary>The operating system rejected I/Os as busy.</summary>
    public const string BusyAnswers = "IoBench.BusyAnswers";

    /// <summary>An open loop reached less than 97% of its target rate.</summary>
    public const string RateMissed = "IoBench.RateMissed";

    /// <summary>I/Os of an open loop that were due long before the end did not complete.</summary>
    public const string BehindAtEnd = "IoBench.BehindAtEnd";

    /// <summary>The longest I/O ended after the measured time, or never.</summary>
    public const string LateIo = "IoBench.LateIo";

    /// <summary>The ownership marker of a test file could not be closed.</summary>
    public const string MarkOpen = "IoBench.MarkOpen";

    /// <summary>The journal is in another folder, because the usual one belongs to another user.</summary>
    public const string JournalMoved = "IoBench.JournalMoved";

    /// <summary>No journal of a run is kept.</summary>
    public const string JournalNotKept = "IoBench.JournalNotKept";

    /// <summary>The file was deleted or replaced during the test.</summary>
    public const string TargetGone = "IoBench.TargetGone";

    /// <summary>The rounds did not reach a steady state.</summary>
    public const string NeverSteady = "IoBench.NeverSteady";

    public const string FleetSameMachine = "IoBench.FleetSameMachine";

    public const string FleetSameName = "IoBench.FleetSameName";

    public const string FleetClock = "IoBench.FleetClock";

    /// <summary>All hosts of a fleet stopped before the end of their tests.</summary>
    public const string FleetStopped = "IoBench.FleetStopped";

    /// <summary>Results of a fleet are in memory, because they could not be written to a file.</summary>
    public const string FleetInMemory = "IoBench.FleetInMemory";

    /// <summary>The result of a host has no start time, so that no totals are computed.</summary>
    public const string FleetNoStart = "IoBench.FleetNoStart";

    /// <summary>The hosts of a fleet measured together only for a part of the time.</summary>
    public const string FleetWindow = "IoBench.FleetWindow";

    /// <summary>Other users can read the file with the secret of a replica.</summary>
    public const string SecretReadable = "IoBench.SecretReadable";

    /// <summary>SQL Server was restarted between two of several snapshots.</summary>
    public const string WindowIgnored = "IoBench.WindowIgnored";

    /// <summary>The times of snapshots decrease, but their counters do not.</summary>
    public const string ServerClock = "IoBench.ServerClock";

    public const string FileStreamIgnored = "IoBench.FileStreamIgnored";

    /// <summary>Files are in only some of the snapshots.</summary>
    public const string FilesDiffer = "IoBench.FilesDiffer";

    /// <summary>The snapshots or events have neither types nor names of files, so file 2 counts as the log.</summary>
    public const string NoFileTypes = "IoBench.NoFileTypes";

    /// <summary>An Extended Events session lost events, so that rates are too low.</summary>
    public const string XEventsLost = "IoBench.XEventsLost";

    /// <summary>A trace has no events for more than a minute.</summary>
    public const string XEventGap = "IoBench.XEventGap";

    /// <summary>A trace contains I/Os on files that belong to no database.</summary>
    public const string XEventsIgnored = "IoBench.XEventsIgnored";

    /// <summary>Events with a missing or invalid field, which are ignored.</summary>
    public const string XEventsInvalid = "IoBench.XEventsInvalid";

    /// <summary>Durations that could be microseconds.</summary>
    public const string XEventDurations = "IoBench.XEventDurations";

    /// <summary>Dates whose order of day and month is assumed.</summary>
    public const string XEventDates = "IoBench.XEventDates";

    /// <summary>The snapshots are so far apart that they hide bursts.</summary>
    public const string LongWindow = "IoBench.LongWindow";

    /// <summary>A file role has no I/O between the snapshots, so that storage advice has no disk for it.</summary>
    public const string RoleWithoutIO = "IoBench.RoleWithoutIO";

    /// <summary>The price file of the user lacks the price of a part of a plan.</summary>
    public const string PricesMissing = "IoBench.PricesMissing";

    /// <summary>Missing hosts of a fleet ran later, without the others.</summary>
    public const string FleetResumedAlone = "IoBench.FleetResumedAlone";

    /// <summary>The hosts of a fleet have physical sectors of different sizes.</summary>
    public const string FleetSectorSizes = "IoBench.FleetSectorSizes";
}
