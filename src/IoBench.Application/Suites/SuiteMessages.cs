using IoBench.Engine;

namespace IoBench.Application;

public static class SuiteMessages
{
    /// <summary>Describes a suite on another host. It is not known here whether the test files exist.</summary>
    public static string DescribeRemoteRun(IReadOnlyList<IoTestSpecification> tests) =>
        $"copy IoBench to the host if it is missing, create the test file if it is missing, {DescribeRun(tests)}";

    /// <summary>Describes the tests of a suite: <c>run 9 tests, 3 of them with writes, about 6 minutes</c>.</summary>
    public static string DescribeRun(IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var writing = tests.Count(test => test.Targets.Exists(target => TargetAccess.ForTest(test, target).Writes));
        var kind =
            writing == 0 ? ""
            : writing == tests.Count ? " with writes"
            : $", {writing} of them with writes";
        return $"run {tests.Count} test{(tests.Count == 1 ? "" : "s")}{kind}, {TestPlanEstimate.Create(tests)}";
    }

    private const long LargeFileBytes = 1L << 30;

    /// <summary>Describes each large new file: path, size, free space, and how to set the size.</summary>
    /// <param name="sizeIsGiven">True if the user specified the size; nothing is returned then.</param>
    private static IEnumerable<IoMessage> DescribeNewFiles(IReadOnlyList<ApprovedTarget> targets, bool sizeIsGiven) =>
        targets
            .Where(target => !sizeIsGiven && target.BytesToMake > LargeFileBytes)
            .Select(target =>
                (IoMessage)
                    $"Creating {target.Target.Path}: {FormatSize(target.Target.Size)}{FormatFreeSpace(target.Target.Path)}. For another size, use {OptionNames.FileSize}."
            );

    private static string FormatFreeSpace(string path)
    {
        try
        {
            return Path.GetDirectoryName(path) is { } folder ? $", {FormatSize(new DriveInfo(folder).AvailableFreeSpace)} are free" : "";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Some shares and volumes report no free space. Omit it from the message.
            return "";
        }
    }

    /// <summary>Describes large new files and preconditioning, which the user must know before the first test.</summary>
    public static IEnumerable<IoMessage> DescribeNotices(SuiteApproval approval, bool sizeIsGiven)
    {
        ArgumentNullException.ThrowIfNull(approval);
        return DescribeNewFiles(approval.Targets, sizeIsGiven).Concat(DescribePreconditioning(approval));
    }

    internal static IEnumerable<IoMessage> DescribePreconditioning(SuiteApproval approval)
    {
        ArgumentNullException.ThrowIfNull(approval);
        return approval
            .Preconditions.GroupBy(run => (run.Target.Path, run.Bytes))
            .Select(group =>
                (IoMessage)
                    $"Preconditioning {group.Key.Path}{(group.Count() > 1 ? $", before each of {group.Count()} tests" : "")}: {FormatSize(group.Key.Bytes)} of sequential writes, {FormatPasses(group.First().Target, group.Key.Bytes)} the size of the target, {FormatWriteTime(group.Key.Bytes)}. These writes wear flash storage.{DescribeRotatingDisk(group.First().Target)}"
            );
    }

    /// <summary>Only rotating disks of physical computers: a virtual computer does not know its disks.</summary>
    internal static bool IsUnaffectedByPreconditioning(CheckedTarget target) =>
        target.Facts.TryGetValue("Rotational", out var rotational)
        && rotational.Equals("yes", StringComparison.OrdinalIgnoreCase)
        && !HostFacts.All.ContainsKey("Virtual machine");

    private static string DescribeRotatingDisk(CheckedTarget target) =>
        IsUnaffectedByPreconditioning(target) ? " The disk rotates, so preconditioning does not change its performance." : "";

    internal static IoMessage DescribeNoPreconditioningEffect(CheckedTarget target, double passes) =>
        $"{target.Path} is on a rotating disk, whose performance does not change with preconditioning. Preconditioning would write {FormatSize((long)(passes * target.Size))} ({FormatWriteTime((long)(passes * target.Size))}).";

    private static string FormatWriteTime(long bytes) =>
        $"about {TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(bytes / TestPlanEstimate.GuessedFileBytesPerSecond))} at an assumed {NumberFormat.Grouped(TestPlanEstimate.GuessedFileBytesPerSecond / (1 << 20))} MiB/s";

    private static string FormatPasses(CheckedTarget target, long bytes) =>
        FormattableString.Invariant($"{bytes / (double)target.Size:0.##} x");

    private static string FormatSize(long bytes) => new IoSize(bytes).ToDisplayString();

    /// <summary>
    /// Describes the targets and the estimate: <c>Target    T:\iobench.dat  20 GB  NTFS, on Samsung MZ-WLL  unbuffered, write-through</c>,
    /// <c>Estimate  about 6 minutes</c>.
    /// </summary>
    /// <param name="longest">Maximum duration of a search, which can end earlier; null for the duration of the tests.</param>
    public static IEnumerable<string> DescribeTargets(SuiteApproval approval, TestPlanEstimate? longest = null)
    {
        ArgumentNullException.ThrowIfNull(approval);
        var targets = approval.Targets.Select(target => target.Target).ToList();
        var plan = approval.Tests;
        var estimate = longest ?? approval.Estimate;
        for (var i = 0; i < targets.Count; i++)
        {
            var parts = new List<string> { targets[i].Path, new IoSize(targets[i].Size).ToDisplayString(), DescribeStorage(targets[i]) };
            if (i == 0)
            {
                parts.Add(DescribeBuffering(plan));
                if (plan[0].Backend != BackendCatalog.Auto)
                    parts.Add(plan[0].Backend);
            }
            yield return (i == 0 ? "Target    " : "          ") + string.Join("  ", parts.Where(part => part.Length > 0));
        }
        // Rounds and searches can end early.
        var canEndEarly = longest is not null || plan.Any(t => t.SteadyStateRounds is not null);
        yield return "Estimate  " + (canEndEarly ? estimate.DescribeAtMost() : estimate.ToString());
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
        if (target.FileSystem is null)
            return device;
        if (device.Length == 0)
            return target.FileSystem;
        return $"{target.FileSystem}, {device}";
    }
}
