namespace IoBench.Analysis.Findings;

/// <summary>The kinds of findings. A code keeps its meaning; new ones may be added.</summary>
public static class FindingCodes
{
    /// <summary>A rule is kept.</summary>
    public const string RuleKept = "Rule.Kept";

    /// <summary>A rule is missed.</summary>
    public const string RuleMissed = "Rule.Missed";

    /// <summary>A rule is kept, but worth a look.</summary>
    public const string RuleWarned = "Rule.Warned";

    /// <summary>A rule is kept, as far as a quick look can tell.</summary>
    public const string RuleProvisional = "Rule.Provisional";

    /// <summary>A rule was not judged.</summary>
    public const string RuleNotRated = "Rule.NotRated";

    /// <summary>A test is better than its baseline.</summary>
    public const string ComparisonBetter = "Comparison.Better";

    /// <summary>A test is worse than its baseline.</summary>
    public const string ComparisonWorse = "Comparison.Worse";

    /// <summary>A test differs from its baseline by no more than noise.</summary>
    public const string ComparisonNoise = "Comparison.Noise";

    /// <summary>Too little to tell a test from its baseline.</summary>
    public const string ComparisonNoVerdict = "Comparison.NoVerdict";

    /// <summary>DiskSpd 2.3 is compared with an older version.</summary>
    public const string ComparisonDiskSpdVersions = "Comparison.DiskSpdVersions";

    /// <summary>Two tools count latency from different moments.</summary>
    public const string ComparisonLatencyMeaning = "Comparison.LatencyMeaning";

    /// <summary>Two tools define percentiles or deviations differently.</summary>
    public const string ComparisonStatistics = "Comparison.Statistics";

    /// <summary>A tool's unit was converted.</summary>
    public const string ComparisonUnits = "Comparison.Units";

    /// <summary>A tool shows the best of several runs.</summary>
    public const string ComparisonBestRun = "Comparison.BestRun";

    /// <summary>The load from which on a sweep stops gaining.</summary>
    public const string SaturationKnee = "Saturation.Knee";

    /// <summary>A sweep that still gained at its end.</summary>
    public const string SaturationNoPlateau = "Saturation.NoPlateau";

    /// <summary>Measured latency and Little's law contradict each other.</summary>
    public const string SaturationContradiction = "Saturation.Contradiction";

    /// <summary>A sweep of few loads.</summary>
    public const string SaturationFewLoads = "Saturation.FewLoads";

    /// <summary>The highest rate that keeps a limit on latency.</summary>
    public const string LimitFound = "Limit.Found";

    /// <summary>No rate keeps a limit on latency.</summary>
    public const string LimitNeverKept = "Limit.NeverKept";

    /// <summary>Every rate that was tried keeps a limit on latency.</summary>
    public const string LimitAlwaysKept = "Limit.AlwaysKept";

    /// <summary>The search for a limit ended early.</summary>
    public const string LimitInterrupted = "Limit.Interrupted";

    /// <summary>Begins the codes of who or what limits the storage, before the name of a <see cref="CapKind"/>: <c>Cap.Iops</c>.</summary>
    public const string CapPrefix = "Cap.";

    /// <summary>A figure that was bought is there.</summary>
    public const string CapSpecificationKept = "Cap.SpecificationKept";

    /// <summary>A figure that was bought is not there.</summary>
    public const string CapSpecificationMissed = "Cap.SpecificationMissed";

    /// <summary>No run shows whether a figure that was bought is there.</summary>
    public const string CapSpecificationUnknown = "Cap.SpecificationUnknown";

    /// <summary>What weakens an answer about a limit.</summary>
    public const string CapDoubt = "Cap.Doubt";

    /// <summary>A figure gets better over time.</summary>
    public const string TrendBetter = "Trend.Better";

    /// <summary>A figure gets worse over time.</summary>
    public const string TrendWorse = "Trend.Worse";

    /// <summary>A figure stands still over time.</summary>
    public const string TrendSteady = "Trend.Steady";

    /// <summary>Too few runs for a trend.</summary>
    public const string TrendTooFew = "Trend.TooFew";

    /// <summary>A test in which hardly any I/O ended for a time.</summary>
    public const string StallSeen = "Stall.Seen";

    /// <summary>A test that stalls again and again, each time after the same time.</summary>
    public const string StallPeriodic = "Stall.Periodic";

    /// <summary>A test in which I/Os were slow for a time while others went on.</summary>
    public const string StallSlow = "Stall.Slow";

    /// <summary>The slowest I/O of a test, where somebody would have noticed it.</summary>
    public const string StallSlowestIO = "Stall.SlowestIO";

    /// <summary>Begins the codes of what storage did to data, before the name of an <see cref="IoIntegrityErrorKind"/>: <c>Integrity.LostWrite</c>.</summary>
    public const string IntegrityPrefix = "Integrity.";

    /// <summary>Every checked read brought what it had to; after a crash, every promised write is there.</summary>
    public const string IntegrityKept = "Integrity.Kept";

    /// <summary>A look after a run that no crash had ended.</summary>
    public const string IntegrityUnknown = "Integrity.NoCrash";

    /// <summary>A drill kept its limit.</summary>
    public const string DrillKept = "Drill.Kept";

    /// <summary>A drill missed its limit.</summary>
    public const string DrillMissed = "Drill.Missed";

    /// <summary>An outage of a drill.</summary>
    public const string DrillOutage = "Drill.Outage";

    /// <summary>What hosts give that run a test at one moment.</summary>
    public const string FleetSum = "Fleet.Sum";

    /// <summary>Hosts of a group did not measure together for all of their time.</summary>
    public const string FleetWindow = "Fleet.Window";

    /// <summary>A host far from the median of its group.</summary>
    public const string FleetOutlier = "Fleet.Outlier";

    /// <summary>A host of a group that gave no result.</summary>
    public const string FleetFailure = "Fleet.Failure";

    /// <summary>The number of hosts from which on shared storage gives no more.</summary>
    public const string FleetKnee = "Fleet.Knee";

    /// <summary>Shared storage that gives more with each host.</summary>
    public const string FleetNoKnee = "Fleet.NoKnee";

    /// <summary>What a host loses while the others run.</summary>
    public const string FleetLoss = "Fleet.Loss";

    /// <summary>What a role loses while the others run.</summary>
    public const string RoleInterference = "Role.Interference";

    /// <summary>Median and spread of equal runs.</summary>
    public const string RepeatSpread = "Repeat.Spread";

    /// <summary>Rounds that became steady.</summary>
    public const string RepeatSteady = "Repeat.Steady";

    /// <summary>Rounds that never became steady.</summary>
    public const string RepeatNeverSteady = "Repeat.NeverSteady";

    /// <summary>Too few rounds to tell whether they are steady.</summary>
    public const string RepeatTooFew = "Repeat.TooFew";

    /// <summary>Begins the codes of a server's own load, before the name of an <see cref="OwnLoadVerdict"/>: <c>OwnLoad.Slower</c>.</summary>
    public const string OwnLoadPrefix = "OwnLoad.";

    /// <summary>Begins the codes of the self-test's checks: <c>SelfTest.Durability</c>.</summary>
    public const string SelfTestPrefix = "SelfTest.";

    /// <summary>Begins the codes of the report's summary: <c>Summary.CommitWait</c>.</summary>
    public const string SummaryPrefix = "Summary.";
}
