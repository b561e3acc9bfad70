using IoBench.Engine;

namespace IoBench.Cli;

internal static class RunMessages
{
    /// <returns>Lines such as <c>T:\iobench.dat  20 GB  NTFS on Samsung MZ-WLL  unbuffered, write-through  about 6 minutes</c>.</returns>
    public static IEnumerable<string> DescribeTargets(
        IReadOnlyList<CheckedTarget> targets,
        IReadOnlyList<IoTestSpecification> plan,
        TestPlanEstimate estimate,
        bool isMost = false
    )
    {
        for (var i = 0; i < targets.Count; i++)
        {
            var parts = new List<string> { targets[i].Path, new IoSize(targets[i].Size).ToDisplayString(), DescribeStorage(targets[i]) };
            if (i == 0)
            {
                parts.Add(DescribeBuffering(plan));
                if (plan[0].Backend != BackendCatalog.Auto)
                    parts.Add(plan[0].Backend);
                // Rounds and searches can end early.
                parts.Add(isMost || plan.Any(t => t.SteadyStateRounds is not null) ? estimate.DescribeAtMost() : estimate.ToString());
            }
            yield return "   " + string.Join("  ", parts.Where(part => part.Length > 0));
        }
    }

    private static string DescribeBuffering(IReadOnlyList<IoTestSpecification> plan)
    {
        var groups = plan.GroupBy(t => t.Buffering).OrderByDescending(g => g.Count()).ToList();
        var text = PatternText.Describe(groups[0].Key);
        return groups.Count == 1
            ? text
            : $"{text} ({string.Join(", ", groups.Skip(1).Select(g => $"{string.Join(", ", g.Select(t => t.Workload ?? PatternText.Describe(t)).Distinct())}: {PatternText.Describe(g.Key)}"))})";
    }

    private static string DescribeStorage(CheckedTarget target)
    {
        var device = target.Device is null ? "" : "on " + target.Device;
        return target.FileSystem is null ? device
            : device.Length == 0 ? target.FileSystem
            : $"{target.FileSystem}, {device}";
    }
}
