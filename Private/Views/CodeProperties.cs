using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// Properties that IoBench.Types.ps1xml adds, so that each column of a view is a property. They load faster than script properties.
/// </summary>
public static class CodeProperties
{
    public static string? CommandLine(PSObject test) => GetOrigin(test)?.CommandLine;

    public static string? SourceFile(PSObject test) => GetOrigin(test)?.SourceFile;

    /// <summary>Returns the line in that file, from 1.</summary>
    public static int? SourceLine(PSObject test) => GetOrigin(test)?.SourceLine;

    public static string? OutputFile(PSObject test) => GetOrigin(test)?.OutputFile;

    /// <summary>Returns the name of the test: its workload, otherwise its pattern, with the number of the repeat.</summary>
    public static string? Test(PSObject answer) =>
        answer?.BaseObject switch
        {
            IoTestResult result => NameRepeat(result.Workload ?? result.IOPattern ?? result.Label, result.Repeat),
            RuleVerdict verdict => NameRepeat(verdict.Workload ?? verdict.IOPattern, verdict.Repeat),
            SaturationResult sweep => sweep.Workload ?? sweep.IOPattern,
            RepeatSummary repeats => repeats.Workload ?? repeats.IOPattern,
            HistoryTrend trend => trend.Workload ?? trend.IOPattern,
            _ => null,
        };

    /// <summary>Returns the average latency that tables show: the response time of a test with a target rate.</summary>
    public static double? AvgMs(PSObject result) => GetLatency(result)?.AverageMs;

    /// <summary>Returns the 99th percentile that tables show: the response time of a test with a target rate.</summary>
    public static double? Pct99Ms(PSObject result) => GetLatency(result)?.P99Ms;

    /// <summary>Returns the longest I/O that tables show: the response time of a test with a target rate.</summary>
    public static double? MaxMs(PSObject result) => GetLatency(result)?.MaxMs;

    /// <summary>Returns what the name of a result omits, and the rule of a verdict or why it is not rated.</summary>
    public static string? Details(PSObject answer) =>
        answer?.BaseObject switch
        {
            IoTestResult result => ViewFormatter.DescribeDetails(result),
            RuleVerdict verdict => verdict.Outcome == VerdictOutcome.NotRated ? verdict.Reason : verdict.Rule,
            _ => null,
        };

    /// <summary>Returns the name of the file that the result was read from.</summary>
    public static string? File(PSObject result) => Path.GetFileName((result?.BaseObject as IoTestResult)?.SourceFile);

    /// <summary>Returns the tested path and the label.</summary>
    public static string? PathAndLabel(PSObject result) =>
        result?.BaseObject is IoTestResult run
            ? string.Join(", ", new[] { run.Path, run.Label }.Where(part => !string.IsNullOrEmpty(part)))
            : null;

    public static string? Verdict(PSObject answer) =>
        answer?.BaseObject switch
        {
            IoTestResult result => IntegrityResult.Format("Verdict", result),
            Finding finding => VerdictWords.Describe(finding),
            _ => null,
        };

    public static long? ReadsChecked(PSObject result) => GetIntegrity(result)?.CheckedCount;

    public static long? Errors(PSObject result) => GetIntegrity(result)?.Integrity.ErrorCount;

    public static long? Lost(PSObject result) => GetIntegrity(result)?.CountErrors(IoIntegrityErrorKind.LostWrite);

    public static long? Torn(PSObject result) => GetIntegrity(result)?.CountErrors(IoIntegrityErrorKind.TornWrite);

    public static long? Stale(PSObject result) => GetIntegrity(result)?.CountErrors(IoIntegrityErrorKind.StaleRead);

    public static long? Misplaced(PSObject result) => GetIntegrity(result)?.MisplacedCount;

    public static long? Other(PSObject result) => GetIntegrity(result)?.OtherErrorCount;

    /// <summary>Returns the files that are kept as evidence, or why the run did not finish.</summary>
    public static string? Evidence(PSObject result) =>
        result?.BaseObject is IoTestResult run ? IntegrityResult.DescribeEvidence(run) : null;

    public static string? IOPattern(PSObject test) =>
        test?.BaseObject is IoTestSpecification specification ? PatternText.Describe(specification) : null;

    public static string? Thr(PSObject test) =>
        test?.BaseObject is IoTestSpecification specification ? PatternText.DescribeThreads(specification) : null;

    public static string? OutstandingIO(PSObject test) =>
        test?.BaseObject is IoTestSpecification specification ? PatternText.DescribeOutstanding(specification) : null;

    public static string? TargetPaths(PSObject test) =>
        test?.BaseObject is IoTestSpecification specification
            ? string.Join("; ", specification.Targets.Select(target => target.Path))
            : null;

    public static string? AppliesTo(PSObject rule) => rule?.BaseObject is IoRule known ? known.Workload ?? $"{known.Kind}" : null;

    public static string? Limits(PSObject rule) => rule?.BaseObject is IoRule known ? ViewFormatter.DescribeLimits(known) : null;

    /// <summary>Returns the loss of a role beside the others as a change, in percent.</summary>
    public static double? Change(PSObject role) => -(role?.BaseObject as RoleInterference)?.LossPercent;

    public static string? IopsInterval(PSObject repeats) =>
        (repeats?.BaseObject as RepeatSummary)?.Metrics.GetValueOrDefault("IOPS") is { } iops ? ViewFormatter.DescribeInterval(iops) : null;

    /// <summary>Returns the time of the step, or of the first run if the change is gradual or there is none.</summary>
    public static DateTimeOffset? Since(PSObject trend) => trend?.BaseObject is HistoryTrend known ? known.Step?.Time ?? known.First : null;

    /// <summary>Returns the level before the step, or at the first run; null if the trend has no line.</summary>
    public static double? Before(PSObject trend) =>
        trend?.BaseObject is HistoryTrend known ? known.Step?.Before ?? known.GetLineAt(known.First) : null;

    /// <summary>Returns the level after the step, or at the last run; null if the trend has no line.</summary>
    public static double? After(PSObject trend) =>
        trend?.BaseObject is HistoryTrend known ? known.Step?.After ?? known.GetLineAt(known.Last) : null;

    public static string? Unit(PSObject trend) => trend?.BaseObject is HistoryTrend known ? MetricCatalog.Find(known.Metric)?.Unit : null;

    private static string? NameRepeat(string? name, int? repeat) =>
        name is { Length: > 0 } && repeat is { } round ? FormattableString.Invariant($"{name} #{round}") : name;

    private static DisplayLatency? GetLatency(PSObject? result) =>
        result?.BaseObject is IoTestResult run ? DisplayLatency.FromResult(run) : null;

    private static IntegrityResult? GetIntegrity(PSObject? result) =>
        result?.BaseObject is IoTestResult { Integrity: { } integrity } run ? new IntegrityResult(run, integrity) : null;

    private static TestOrigin? GetOrigin(PSObject? test) => (test?.BaseObject as IoTestSpecification)?.Extension as TestOrigin;
}
