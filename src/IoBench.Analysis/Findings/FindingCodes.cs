using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Codes of the findings. The meaning of a code does not change; codes can be added.</summary>
public static class FindingCodes
{
    /// <summary>A rule passes.</summary>
    public const string RuleKept = "Rule.Kept";

    /// <summary>A rule fails.</summary>
    public const string RuleMissed = "Rule.Missed";

    /// <summary>A rule passes with a warning.</summary>
    public const string RuleWarned = "Rule.Warned";

    /// <summary>A rule passes in a preliminary test.</summary>
    public const string RuleProvisional = "Rule.Provisional";

    /// <summary>A rule was not rated.</summary>
    public const string RuleNotRated = "Rule.NotRated";

    /// <summary>A test is better than its baseline.</summary>
    public const string ComparisonBetter = "Comparison.Better";

    /// <summary>A test is worse than its baseline.</summary>
    public const string ComparisonWorse = "Comparison.Worse";

    /// <summary>No detectable change from the baseline.</summary>
    public const string ComparisonNoise = "Comparison.Noise";

    /// <summary>The comparison is inconclusive.</summary>
    public const string ComparisonNoVerdict = "Comparison.NoVerdict";

    /// <summary>DiskSpd 2.3 is compared with an older version.</summary>
    public const string ComparisonDiskSpdVersions = "Comparison.DiskSpdVersions";

    /// <summary>Two tools measure latency from different points in time.</summary>
    public const string ComparisonLatencyMeaning = "Comparison.LatencyMeaning";

    /// <summary>Two tools define percentiles or deviations differently.</summary>
    public const string ComparisonStatistics = "Comparison.Statistics";

    /// <summary>A tool's unit was converted.</summary>
    public const string ComparisonUnits = "Comparison.Units";

    /// <summary>A tool reports the best of several runs.</summary>
    public const string ComparisonBestRun = "Comparison.BestRun";

    /// <summary>The saturation point of a sweep.</summary>
    public const string SaturationKnee = "Saturation.Knee";

    /// <summary>Throughput still increased at the end of a sweep.</summary>
    public const string SaturationNoPlateau = "Saturation.NoPlateau";

    /// <summary>Measured latency and Little's law contradict each other.</summary>
    public const string SaturationContradiction = "Saturation.Contradiction";

    /// <summary>The sweep has only a few loads.</summary>
    public const string SaturationFewLoads = "Saturation.FewLoads";

    /// <summary>The highest rate that meets a latency limit was found.</summary>
    public const string LimitFound = "Limit.Found";

    /// <summary>No rate meets the latency limit.</summary>
    public const string LimitNeverKept = "Limit.NeverKept";

    /// <summary>Every tested rate meets the latency limit.</summary>
    public const string LimitAlwaysKept = "Limit.AlwaysKept";

    /// <summary>The search for a limit ended early.</summary>
    public const string LimitInterrupted = "Limit.Interrupted";

    /// <summary>Prefix of the codes for what limits the storage, followed by a <see cref="CapKind"/>, as in <c>Cap.Iops</c>.</summary>
    public const string CapPrefix = "Cap.";

    /// <summary>The measured value reaches a provisioned limit.</summary>
    public const string CapSpecificationKept = "Cap.SpecificationKept";

    /// <summary>The measured value does not reach a provisioned limit.</summary>
    public const string CapSpecificationMissed = "Cap.SpecificationMissed";

    /// <summary>No run shows whether a provisioned limit is reached.</summary>
    public const string CapSpecificationUnknown = "Cap.SpecificationUnknown";

    /// <summary>A reason why a result about a limit is less certain.</summary>
    public const string CapDoubt = "Cap.Doubt";

    /// <summary>A metric improves over time.</summary>
    public const string TrendBetter = "Trend.Better";

    /// <summary>A metric degrades over time.</summary>
    public const string TrendWorse = "Trend.Worse";

    /// <summary>A metric does not change over time.</summary>
    public const string TrendSteady = "Trend.Steady";

    /// <summary>There are too few runs for a trend.</summary>
    public const string TrendTooFew = "Trend.TooFew";

    /// <summary>A test had an I/O stall: a period in which hardly any I/O completed.</summary>
    public const string StallSeen = "Stall.Seen";

    /// <summary>A test has I/O stalls at regular intervals.</summary>
    public const string StallPeriodic = "Stall.Periodic";

    /// <summary>I/Os of a test were slow for a while as other I/Os completed.</summary>
    public const string StallSlow = "Stall.Slow";

    /// <summary>The slowest I/O of a test, if it took noticeably long.</summary>
    public const string StallSlowestIO = "Stall.SlowestIO";

    /// <summary>
    /// Prefix of the codes for data errors, followed by an <see cref="IoIntegrityErrorKind"/>, as in <c>Integrity.LostWrite</c>.
    /// </summary>
    public const string IntegrityPrefix = "Integrity.";

    /// <summary>All verified reads returned the expected data; after a crash, all durable writes are present.</summary>
    public const string IntegrityKept = "Integrity.Kept";

    /// <summary>A verification after a run that no crash had ended.</summary>
    public const string IntegrityUnknown = "Integrity.NoCrash";

    /// <summary>A drill meets its limit.</summary>
    public const string DrillKept = "Drill.Kept";

    /// <summary>A drill exceeds its limit.</summary>
    public const string DrillMissed = "Drill.Missed";

    /// <summary>An outage of a drill.</summary>
    public const string DrillOutage = "Drill.Outage";

    /// <summary>Sum of the rates of hosts that ran a test concurrently.</summary>
    public const string FleetSum = "Fleet.Sum";

    /// <summary>Hosts of a group did not measure concurrently for their whole duration.</summary>
    public const string FleetWindow = "Fleet.Window";

    /// <summary>A host far from the median of its group.</summary>
    public const string FleetOutlier = "Fleet.Outlier";

    /// <summary>A host of a group without a result.</summary>
    public const string FleetFailure = "Fleet.Failure";

    /// <summary>Number of hosts at which the throughput of shared storage stops increasing.</summary>
    public const string FleetKnee = "Fleet.Knee";

    /// <summary>The throughput of shared storage increases with each host.</summary>
    public const string FleetNoKnee = "Fleet.NoKnee";

    /// <summary>Rate that a host loses while the other hosts run.</summary>
    public const string FleetLoss = "Fleet.Loss";

    /// <summary>Performance that a file role loses while the other file roles run.</summary>
    public const string RoleInterference = "Role.Interference";

    /// <summary>Median and spread of equal runs.</summary>
    public const string RepeatSpread = "Repeat.Spread";

    /// <summary>The rounds became steady.</summary>
    public const string RepeatSteady = "Repeat.Steady";

    /// <summary>The rounds never became steady.</summary>
    public const string RepeatNeverSteady = "Repeat.NeverSteady";

    /// <summary>There are too few rounds for a steady-state check.</summary>
    public const string RepeatTooFew = "Repeat.TooFew";

    /// <summary>
    /// Prefix of the codes for a captured workload, followed by an <see cref="ObservedLatencyVerdict"/>, as in <c>OwnLoad.Slower</c>.
    /// </summary>
    public const string OwnLoadPrefix = "OwnLoad.";

    /// <summary>Prefix of the codes for the checks of the self-test, as in <c>SelfTest.Durability</c>.</summary>
    public const string SelfTestPrefix = "SelfTest.";

    /// <summary>Prefix of the codes for the summary of a report, as in <c>Summary.CommitWait</c>.</summary>
    public const string SummaryPrefix = "Summary.";
}
