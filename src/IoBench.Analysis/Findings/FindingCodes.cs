using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Codes of the findings. The meaning of a code does not change; codes can be added.</summary>
public static class FindingCodes
{
    public const string RulePassed = "Rule.Passed";

    public const string RuleFailed = "Rule.Failed";

    /// <summary>The rule passes, but the value exceeds an IoBench limit or the warning threshold of the rule.</summary>
    public const string RuleWarning = "Rule.Warning";

    /// <summary>The rule passes in a preliminary test: its file is small or its run is short.</summary>
    public const string RulePreliminaryPass = "Rule.PreliminaryPass";

    public const string RuleNotRated = "Rule.NotRated";

    public const string ComparisonBetter = "Comparison.Better";

    public const string ComparisonWorse = "Comparison.Worse";

    /// <summary>No detectable change from the baseline.</summary>
    public const string ComparisonNoDetectableChange = "Comparison.NoDetectableChange";

    public const string ComparisonInconclusive = "Comparison.Inconclusive";

    public const string ComparisonDiskSpdVersions = "Comparison.DiskSpdVersions";

    /// <summary>Two tools measure latency from different points in time.</summary>
    public const string ComparisonLatencyMeaning = "Comparison.LatencyMeaning";

    /// <summary>Two tools define percentiles or deviations differently.</summary>
    public const string ComparisonStatistics = "Comparison.Statistics";

    public const string ComparisonUnits = "Comparison.Units";

    public const string ComparisonBestRun = "Comparison.BestRun";

    public const string SaturationKnee = "Saturation.Knee";

    public const string SaturationNoPlateau = "Saturation.NoPlateau";

    public const string SaturationContradiction = "Saturation.Contradiction";

    public const string SaturationFewLoads = "Saturation.FewLoads";

    public const string LimitFound = "Limit.Found";

    public const string LimitNeverMet = "Limit.NeverMet";

    /// <summary>A busy or paused host hides the highest rate.</summary>
    public const string LimitUnknown = "Limit.Unknown";

    public const string LimitAlwaysMet = "Limit.AlwaysMet";

    public const string LimitInterrupted = "Limit.Interrupted";

    /// <summary>Prefix of the codes for what limits the storage, followed by a <see cref="CapKind"/>, as in <c>Cap.Iops</c>.</summary>
    public const string CapPrefix = "Cap.";

    public const string CapSpecificationMet = "Cap.SpecificationMet";

    public const string CapSpecificationNotMet = "Cap.SpecificationNotMet";

    public const string CapSpecificationUnknown = "Cap.SpecificationUnknown";

    public const string CapDoubt = "Cap.Doubt";

    /// <summary>Disks of one kind and a virtual machine can handle the peak load of the server.</summary>
    public const string StorageFits = "Storage.Fits";

    public const string StorageDoesNotFit = "Storage.DoesNotFit";

    public const string TrendBetter = "Trend.Better";

    public const string TrendWorse = "Trend.Worse";

    public const string TrendSteady = "Trend.Steady";

    public const string TrendTooFew = "Trend.TooFew";

    /// <summary>A test had an I/O stall: a period in which hardly any I/O completed.</summary>
    public const string StallSeen = "Stall.Seen";

    public const string StallPeriodic = "Stall.Periodic";

    /// <summary>I/Os of a test were slow for a while as other I/Os completed.</summary>
    public const string StallSlow = "Stall.Slow";

    public const string StallSlowestIO = "Stall.SlowestIO";

    /// <summary>Prefix, followed by an <see cref="IoIntegrityErrorKind"/>, as in <c>Integrity.LostWrite</c>.</summary>
    public const string IntegrityPrefix = "Integrity.";

    /// <summary>All verified reads returned the expected data; after a crash, all durable writes are present.</summary>
    public const string IntegrityVerified = "Integrity.Verified";

    /// <summary>A part of the content could not be verified.</summary>
    public const string IntegrityNotVerified = "Integrity.NotVerified";

    /// <summary>A verification after a run that no crash had ended.</summary>
    public const string IntegrityNoCrash = "Integrity.NoCrash";

    public const string DrillPassed = "Drill.Passed";

    public const string DrillFailed = "Drill.Failed";

    /// <summary>The file was removed or replaced during the drill, so the drill is not rated.</summary>
    public const string DrillFileChanged = "Drill.FileChanged";

    /// <summary>The host did not run IoBench for so long that an outage longer than the limit could have been missed.</summary>
    public const string DrillNotRated = "Drill.NotRated";

    public const string DrillOutage = "Drill.Outage";

    /// <summary>Advice about the settings of SQL Server that decide how commits reach stable storage.</summary>
    public const string CommitSettings = "Commit.Settings";

    /// <summary>The file is in memory or on another computer.</summary>
    public const string CommitNoDisk = "Commit.NoDisk";

    /// <summary>Commits are acknowledged faster than flash memory can be written.</summary>
    public const string CommitCache = "Commit.Cache";

    /// <summary>Group commit is faster than a flush after each write.</summary>
    public const string CommitGroup = "Commit.Group";

    /// <summary>Cost of commits that are smaller than a physical sector.</summary>
    public const string CommitSectors = "Commit.Sectors";

    public const string CommitMisaligned = "Commit.Misaligned";

    /// <summary>Cost of commits that extend the file.</summary>
    public const string CommitExtending = "Commit.Extending";

    /// <summary>A difference is within the run-to-run spread, or other programs disturbed the test.</summary>
    public const string CommitInconclusive = "Commit.Inconclusive";

    /// <summary>The devices completed I/O that the test did not request.</summary>
    public const string CommitOtherIO = "Commit.OtherIO";

    /// <summary>Flushes or FUA writes were not counted.</summary>
    public const string CommitNotCounted = "Commit.NotCounted";

    /// <summary>ERRORLOG: error 823, the operating system returned an error.</summary>
    public const string ErrorLogIOError = "ErrorLog.IOError";

    /// <summary>ERRORLOG: error 824, a page has wrong contents.</summary>
    public const string ErrorLogInvalidPage = "ErrorLog.InvalidPage";

    /// <summary>ERRORLOG: error 825, a read succeeded after it had failed.</summary>
    public const string ErrorLogReadRetry = "ErrorLog.ReadRetry";

    /// <summary>ERRORLOG: error 833, I/Os took 15 s or longer.</summary>
    public const string ErrorLogLongIO = "ErrorLog.LongIO";

    public const string ErrorLogMisaligned = "ErrorLog.Misaligned";

    public const string ErrorLogSlowFlush = "ErrorLog.SlowFlush";

    public const string ErrorLogFreeze = "ErrorLog.Freeze";

    public const string ErrorLogBackup = "ErrorLog.Backup";

    /// <summary>ERRORLOG: no message about an I/O problem.</summary>
    public const string ErrorLogNone = "ErrorLog.None";

    /// <summary>Predicted commits with a synchronous replica.</summary>
    public const string CommitReplica = "Commit.Replica";

    /// <summary>Part of the commits with a replica that dominates the p99 latency, or that none does.</summary>
    public const string CommitReplicaPart = "Commit.ReplicaPart";

    /// <summary>Cost of the redo load of the replica.</summary>
    public const string CommitReplicaRedo = "Commit.ReplicaRedo";

    /// <summary>The primary and the replica have different sector sizes.</summary>
    public const string CommitReplicaSectors = "Commit.ReplicaSectors";

    /// <summary>The replica is on the same computer, or its file is not on a disk of its computer.</summary>
    public const string CommitReplicaPlace = "Commit.ReplicaPlace";

    public const string FleetSum = "Fleet.Sum";

    /// <summary>Hosts of a group did not measure concurrently for their whole duration.</summary>
    public const string FleetWindow = "Fleet.Window";

    public const string FleetOutlier = "Fleet.Outlier";

    public const string FleetFailure = "Fleet.Failure";

    public const string FleetKnee = "Fleet.Knee";

    public const string FleetNoKnee = "Fleet.NoKnee";

    /// <summary>Rate that a host loses while the other hosts run.</summary>
    public const string FleetLoss = "Fleet.Loss";

    public const string RoleInterference = "Role.Interference";

    public const string RepeatSpread = "Repeat.Spread";

    public const string RepeatSteady = "Repeat.Steady";

    public const string RepeatNeverSteady = "Repeat.NeverSteady";

    public const string RepeatTooFew = "Repeat.TooFew";

    /// <summary>Prefix, followed by an <see cref="ObservedLatencyVerdict"/>, as in <c>CapturedWorkload.Slower</c>.</summary>
    public const string CapturedWorkloadPrefix = "CapturedWorkload.";

    /// <summary>Prefix of the codes for the checks of a host, as in <c>Check.Durability</c>.</summary>
    public const string CheckPrefix = "Check.";

    /// <summary>Prefix of the codes for the summary of a report, as in <c>Summary.LogWriteLatency</c>.</summary>
    public const string SummaryPrefix = "Summary.";

    /// <summary>A layer of the storage takes most of a latency.</summary>
    public const string LatencyLayer = "Latency.Layer";

    /// <summary>The computer, and not the storage, is the cause of a latency.</summary>
    public const string LatencyHost = "Latency.Host";

    /// <summary>Other programs used the device during the test.</summary>
    public const string LatencyOtherLoad = "Latency.OtherLoad";

    public const string LatencyInconclusive = "Latency.Inconclusive";

    public const string LatencyWriteThrough = "Latency.WriteThrough";
}
