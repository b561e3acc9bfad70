using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Lines about the sources of a latency that both front ends show.</summary>
public static class LatencySourceMessages
{
    /// <summary>Lines before the tests: target and estimated time.</summary>
    public static IEnumerable<string> DescribeStart(LatencySourcePlan plan, CheckedTarget target)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(target);
        yield return $"Target    {string.Join("  ", new[] { target.Path, new IoSize(target.Size).ToDisplayString(), target.FileSystem, target.Device }.OfType<string>())}";
        var time = plan.IsComparison ? ToggleRunner.GetEstimatedTime(plan) : plan.EstimatedTime;
        yield return $"Estimate  {new IoDuration(TimeSpan.FromSeconds(Math.Ceiling(time.TotalSeconds)))}{(plan.IsComparison ? " or more, and the time of the commands" : "")}";
    }

    /// <summary>Lines before or after the table: each finding, and what was not measured.</summary>
    public static IEnumerable<string> DescribeFindings(LatencySourceResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return [.. result.Findings.Select(Describe), .. result.Omissions];
    }

    private static string Describe(Finding finding) =>
        finding.WhatToDo is null ? finding.What : $"{finding.What} To do: {finding.WhatToDo}.";

    /// <summary>Verdicts of a comparison, and its final state.</summary>
    public static IEnumerable<string> DescribeComparison(ToggleComparison result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return [.. result.Differences.Select(difference => difference.Verdict), result.FinalState];
    }
}
