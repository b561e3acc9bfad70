using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What a suite does, and its progress, with the same words for all front ends.</summary>
public static class SuiteMessages
{
    /// <summary>Describes a suite on another host. It is not known here whether the test files exist.</summary>
    public static string DescribeRemoteRun(IReadOnlyList<IoTestSpecification> tests) =>
        $"copy IoBench to the host if necessary, create the test file if necessary, {DescribeRun(tests)}";

    /// <summary>Describes the tests of a suite: <c>run 9 tests, 3 of them with writes, about 6 minutes</c>.</summary>
    public static string DescribeRun(IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var writing = tests.Count(test => test.Targets.Exists(target => SuiteApproval.GetAccess(test, target).Writes));
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
                    $"Creating {target.Target.Path}: {IoSize.Format(target.Target.Size)}{FormatFreeSpace(target.Target.Path)}. For another size, use {OptionNames.FileSize}."
            );

    private static string FormatFreeSpace(string path)
    {
        try
        {
            return Path.GetDirectoryName(path) is { } folder ? $", {IoSize.Format(new DriveInfo(folder).AvailableFreeSpace)} are free" : "";
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
                    $"Preconditioning {group.Key.Path}{(group.Count() > 1 ? $", before each of {group.Count()} tests" : "")}: {IoSize.Format(group.Key.Bytes)} of sequential writes, {FormatPasses(group.First().Target, group.Key.Bytes)} the size of the target, {FormatWriteTime(group.Key.Bytes)}. These writes wear flash storage.{DescribeRotatingDisk(group.First().Target)}"
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
        $"{target.Path} is on a rotating disk. Preconditioning does not change the performance of such a disk, but would write {IoSize.Format((long)(passes * target.Size))} ({FormatWriteTime((long)(passes * target.Size))}).";

    private static string FormatWriteTime(long bytes) =>
        $"about {TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(bytes / TestPlanEstimate.GuessedFileBytesPerSecond))} at an assumed {NumberFormat.Grouped(TestPlanEstimate.GuessedFileBytesPerSecond / (1 << 20))} MiB/s";

    private static string FormatPasses(CheckedTarget target, long bytes) =>
        FormattableString.Invariant($"{bytes / (double)target.Size:0.##} x");

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
            var parts = new List<string> { targets[i].Path, IoSize.Format(targets[i].Size), DescribeStorage(targets[i]) };
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

    /// <summary><c>6/9 checkpoint 12 s left 25,380 IOPS 397 MiB/s p99 6.4 ms</c></summary>
    public static string FormatLine(SuiteProgress progress) => JoinParts(GetParts(progress, hasTime: true));

    /// <summary>Formats the progress without the time left, for front ends that show it separately.</summary>
    public static string FormatStatus(SuiteProgress progress) => JoinParts(GetParts(progress, hasTime: false));

    /// <summary>Formats the progress of a file: <c>making T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s</c>.</summary>
    /// <param name="mebibytesPerSecond">Throughput in MiB/s; 0 if unknown.</param>
    public static string FormatFileProgress(PreparationStep step, string path, long done, long total, double mebibytesPerSecond) =>
        JoinParts(GetFileParts(step, path, done, total, mebibytesPerSecond));

    private static IEnumerable<string> GetParts(SuiteProgress progress, bool hasTime)
    {
        var run = progress.Run;
        var test = string.Create(CultureInfo.InvariantCulture, $"{progress.Number}/{progress.Count} {progress.Name}");
        var left = hasTime ? FormatTimeLeft(run.RemainingSeconds) : "";
        return run switch
        {
            { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: { } path } =>
            [
                .. GetFileParts(run.Step, path, run.PreparedBytes, run.PrepareTotalBytes, run.CurrentMBps),
                left,
                FormatPendingTime(run),
            ],
            { Phase: RunPhase.Preparing or RunPhase.Waiting, Call: { } call } => [test, $"{call}", FormatPendingTime(run)],
            // Checking an existing file takes almost no time, so the rest of this phase is the idle time.
            { Phase: RunPhase.Preparing or RunPhase.Waiting } => progress.Rest is { } rest
                ? [test, "resting", FormatTimeLeft(rest.TotalSeconds)]
                : [test, "preparing"],
            _ =>
            [
                test,
                run.Phase switch
                {
                    RunPhase.WarmUp => "warming up",
                    RunPhase.CoolDown => "cooling down",
                    RunPhase.Draining => "ending",
                    _ => "",
                },
                left,
                $"{NumberFormat.Grouped(run.CurrentIops)} IOPS",
                FormatThroughput(run.CurrentMBps),
                run.P99Ms is { } p99 ? $"{(run.IsResponse ? "response p99" : "p99")} {NumberFormat.Milliseconds(p99)}" : "",
                FormatPendingTime(run),
            ],
        };
    }

    private static string[] GetFileParts(PreparationStep step, string path, long done, long total, double rate) =>
        [$"{step.DescribeStep()} {path}", $"{IoSize.Format(done)} of {IoSize.Format(total)}", rate > 0 ? FormatThroughput(rate) : ""];

    private static string JoinParts(IEnumerable<string> parts) => string.Join("   ", parts.Where(part => part.Length > 0));

    private static string FormatThroughput(double mebibytesPerSecond) =>
        $"{NumberFormat.Grouped(ThroughputDisplay.ToUnit(mebibytesPerSecond))} {ThroughputDisplay.Unit}";

    private static string FormatPendingTime(RunProgress run) =>
        (run.Waiting?.Seconds ?? run.Call?.Seconds) is { } seconds ? $"no response for {NumberFormat.Grouped(Math.Floor(seconds))} s" : "";

    private static string FormatTimeLeft(double? seconds) =>
        seconds switch
        {
            null => "",
            < 100 => $"{NumberFormat.Grouped(Math.Ceiling(seconds.Value))} s left",
            _ => TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(seconds.Value)) + " left",
        };

    /// <summary>Returns <c>creating</c>, <c>verifying</c>, <c>preconditioning</c>, <c>reading</c>, or <c>comparing</c>.</summary>
    public static string DescribeStep(this PreparationStep step) =>
        step switch
        {
            PreparationStep.Creating => "creating",
            PreparationStep.Verifying => "verifying",
            PreparationStep.Reading => "reading",
            _ => step.ToString().ToLowerInvariant(),
        };
}
