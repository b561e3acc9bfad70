using IoBench.Engine;

namespace IoBench.Cli.Running;

/// <summary>What of a plan is still to run when some of its results are there.</summary>
internal static class ResumePlan
{
    /// <summary>The tests without a complete result of the same test in <paramref name="finished"/>; equal tests count as often as they are there.</summary>
    public static IReadOnlyList<IoTestSpecification> Remaining(IReadOnlyList<IoTestSpecification> plan, IEnumerable<IoTestResult> finished)
    {
        var done = finished
            .Where(result => result.Status == IoResultStatus.Complete && result.Specification is not null)
            .GroupBy(result => Key(result.Specification!))
            .ToDictionary(group => group.Key, group => group.Count());
        var remaining = new List<IoTestSpecification>();
        foreach (var test in plan)
        {
            var key = Key(test);
            if (done.TryGetValue(key, out var count) && count > 0)
                done[key] = count - 1;
            else
                remaining.Add(test);
        }
        return remaining;
    }

    /// <summary>What makes two tests the same to somebody who asks for them again.</summary>
    private static string Key(IoTestSpecification test) => FormattableString.Invariant(
        $"{test.Workload}|{test.Label}|{test.Repeat}|{PatternText.Of(test)}|{test.RandomPercent}|{test.Stride}|{test.ThreadCount}|{test.OutstandingIO}|{test.Buffering}|{test.TargetIops}|{test.MaxIopsPerThread}|{test.MaxBytesPerSecondPerThread}|{test.FileSize}|{test.Duration}|{test.Seed}|{test.Backend}|{string.Join(';', test.Targets.Select(target => target.Path))}");
}
