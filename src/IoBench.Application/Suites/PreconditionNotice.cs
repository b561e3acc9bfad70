using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Messages about the amount and duration of preconditioning, shown before it starts.</summary>
public static class PreconditionNotice
{
    /// <summary>Describes the preconditioning of each target.</summary>
    public static IEnumerable<IoText> Of(SuiteApproval approval)
    {
        ArgumentNullException.ThrowIfNull(approval);
        return approval
            .Preconditions.GroupBy(run => (run.Target.Path, run.Bytes))
            .Select(group =>
                (IoText)
                    $"Preconditioning {group.Key.Path}{(group.Count() > 1 ? $", before each of {group.Count()} tests" : "")}: {Text(group.Key.Bytes)} of sequential writes, {Times(group.First().Target, group.Key.Bytes)} its size, {Time(group.Key.Bytes)}. It wears flash as any writes do."
            );
    }

    /// <summary>Only rotating disks of physical computers: a virtual computer does not know its disks.</summary>
    internal static bool IsPointless(CheckedTarget target) =>
        target.Facts.TryGetValue("Rotational", out var rotational)
        && rotational.Equals("yes", StringComparison.OrdinalIgnoreCase)
        && !HostFacts.All.ContainsKey("Virtual machine");

    internal static IoText WhyNot(CheckedTarget target, double passes) =>
        $"{target.Path} lies on a rotating disk: preconditioning is for flash, a disk is as fast after it as before. It would write {Text((long)(passes * target.Size))} ({Time((long)(passes * target.Size))}).";

    private static string Time(long bytes) =>
        $"about {TestPlanEstimate.Words(TimeSpan.FromSeconds(bytes / TestPlan.GuessedFileBytesPerSecond))} at a guessed {Figures.Grouped(TestPlan.GuessedFileBytesPerSecond / (1 << 20))} MiB/s";

    private static string Times(CheckedTarget target, long bytes) => FormattableString.Invariant($"{bytes / (double)target.Size:0.##} x");

    private static string Text(long bytes) => new IoSize(bytes).ToDisplayString();
}
