using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Lines about a commit test that both front ends show.</summary>
public static class CommitMessages
{
    /// <summary>Lines before the test: target, number of cases, and estimated time.</summary>
    public static IEnumerable<string> DescribeStart(CommitPlan plan, CheckedTarget target)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(target);
        yield return $"Target    {string.Join("  ", new[] { target.Path, new IoSize(target.Size).ToDisplayString(), target.FileSystem, target.Device }.OfType<string>())}";
        if (plan.Replica is { } replica)
            yield return $"Replica   {replica.Endpoint}";
        yield return FormattableString.Invariant(
            $"Estimate  {new IoDuration(TimeSpan.FromSeconds(Math.Ceiling(plan.EstimatedTime.TotalSeconds)))} for {NumberFormat.Pluralize(plan.Cases.Count, "measurement")}"
        );
    }

    public static string DescribeRound(CommitCase what, int done, int total)
    {
        ArgumentNullException.ThrowIfNull(what);
        var name = CommitMeasurement.GetName(what.Method) + (what.IsReplicated ? ", replica" : "") + (what.HasRedo ? ", redo" : "");
        return FormattableString.Invariant($"{done + 1}/{total} {name}, {NumberFormat.Pluralize(what.Committers, "committer")}");
    }

    /// <summary>Lines before or after the table: each finding, and what was not measured.</summary>
    public static IEnumerable<string> DescribeAdvice(CommitResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return
        [
            // A warning about the storage states it before the test.
            .. result
                .Findings.Where(finding => finding.Code != FindingCodes.CommitNoDisk)
                .Select(finding => (finding.Severity == FindingSeverity.Info ? "" : "Warning: ") + CommitResult.Describe(finding)),
            .. result.Replica is { } replica ? [replica.Limitations] : Array.Empty<string>(),
            .. result.Omissions,
        ];
    }
}
