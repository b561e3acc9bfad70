using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Messages about the amount and duration of preconditioning, shown before it starts.</summary>
public static class SuiteMessages
{
    /// <summary>Describes the preconditioning of each target.</summary>
    public static IEnumerable<IoMessage> DescribePreconditioning(SuiteApproval approval)
    {
        ArgumentNullException.ThrowIfNull(approval);
        return approval
            .Preconditions.GroupBy(run => (run.Target.Path, run.Bytes))
            .Select(group =>
                (IoMessage)
                    $"Preconditioning {group.Key.Path}{(group.Count() > 1 ? $", before each of {group.Count()} tests" : "")}: {FormatSize(group.Key.Bytes)} of sequential writes, {FormatPasses(group.First().Target, group.Key.Bytes)} its size, {FormatWriteTime(group.Key.Bytes)}. It wears flash as any writes do."
            );
    }

    /// <summary>Only rotating disks of physical computers: a virtual computer does not know its disks.</summary>
    internal static bool IsUnaffectedByPreconditioning(CheckedTarget target) =>
        target.Facts.TryGetValue("Rotational", out var rotational)
        && rotational.Equals("yes", StringComparison.OrdinalIgnoreCase)
        && !HostFacts.All.ContainsKey("Virtual machine");

    internal static IoMessage DescribeNoPreconditioningEffect(CheckedTarget target, double passes) =>
        $"{target.Path} lies on a rotating disk: preconditioning is for flash, a disk is as fast after it as before. It would write {FormatSize((long)(passes * target.Size))} ({FormatWriteTime((long)(passes * target.Size))}).";

    private static string FormatWriteTime(long bytes) =>
        $"about {TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(bytes / TestPlan.GuessedFileBytesPerSecond))} at a guessed {NumberFormat.Grouped(TestPlan.GuessedFileBytesPerSecond / (1 << 20))} MiB/s";

    private static string FormatPasses(CheckedTarget target, long bytes) =>
        FormattableString.Invariant($"{bytes / (double)target.Size:0.##} x");

    private static string FormatSize(long bytes) => new IoSize(bytes).ToDisplayString();
}
