using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal sealed class IoUringBackend : IoUringBackendBase<FileRequestEncoder>
{
    public const string Name = "IoUring";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            DisplayName = "io_uring",
            RunsOn = OSPlatform.Linux,
            FilesPerWorker = 1,
            CanPoll = true,
            Probe = GetUnavailableReason,
            ProbePlan = GetUnavailableReason,
            Create = (_, _) => new IoUringBackend(),
        };

    public override BackendDescriptor Kind => Descriptor;

    public static string? GetUnavailableReason() => GetUnavailableReason(0);

    public static string? GetUnavailableReason(uint form)
    {
        using var ring = IoUringRing.Create(8, out var error, form: form);
        return ring is not null ? null : DescribeError(error) + DescribeLockedMemoryNeed(error, [], 1);
    }

    public static string? GetUnavailableReason(RunPlan plan) => GetUnavailableReason(plan, 0);

    public static string? GetUnavailableReason(RunPlan plan, uint form)
    {
        var polling = plan.Specification.Polling;
        if (
            polling is IoPolling.Completion or IoPolling.Hybrid
            && plan.Targets.FirstOrDefault(target => target.Facts.GetValueOrDefault(VolumeFacts.QueuePollingFact) != "1") is { } target
        )
            return $"the device of {target.Path} does not support polling (queue/io_poll in /sys is not 1; for NVMe, set "
                + $"the module parameter poll_queues)";
        var workers = plan.Workers;
        var rings = new List<IoUringRing>();
        try
        {
            foreach (var worker in workers)
            {
                if (IoUringRing.Create((uint)worker.SlotCount, out var error, polling, form) is not { } ring)
                    return DescribeError(error) + DescribeLockedMemoryNeed(error, rings, workers.Length);
                rings.Add(ring);
            }
            return null;
        }
        finally
        {
            rings.ForEach(ring => ring.Dispose());
        }
    }

    private static string DescribeLockedMemoryNeed(int error, List<IoUringRing> had, int count)
    {
        if (error != Errno.ENOMEM || LinuxResourceLimits.GetMaxLockedMemory() is not { } limit)
            return "";
        var need =
            had.Count == 0
                ? ""
                : $", and {(count == 1 ? "the ring of 1 thread needs" : $"the rings of {count} threads need")} "
                    + $"{new IoSize(had.Sum(ring => ring.LockedBytes) / had.Count * count).ToDisplayString()}";
        return $": the limit is {new IoSize(limit).ToDisplayString()} for all programs of the user{need}. Raise the limit, or use fewer threads or "
            + $"outstanding I/Os";
    }

    public static string DescribeError(int error) =>
        error switch
        {
            Errno.ENOSYS => "this kernel has no io_uring, or is older than 5.11",
            Errno.EINVAL => "this kernel does not support it",
            Errno.EPERM => "the system does not allow it (kernel.io_uring_disabled, or the seccomp filter of a container)",
            Errno.ENOMEM => "the limit of locked memory is too low (ulimit -l)",
            _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
        };
}
