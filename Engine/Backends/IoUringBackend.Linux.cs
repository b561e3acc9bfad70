using System.Runtime.InteropServices;

namespace IoBench.Engine.Backends;

/// <summary>Linux io_uring for files and devices.</summary>
internal sealed class IoUringBackend : UringBackend<FileRequests>
{
    /// <summary>What <c>-Backend</c> calls it, and a result that it measured.</summary>
    public const string Name = "IoUring";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            Words = "io_uring",
            RunsOn = OSPlatform.Linux,
            FilesPerWorker = 1,
            CanPoll = true,
            Probe = WhyNot,
            Rehearse = WhyNotFor,
            Create = (_, _) => new IoUringBackend(),
        };

    /// <inheritdoc/>
    public override BackendDescriptor Kind => Descriptor;

    /// <summary>Whether a ring can be had here: tried, not guessed. The reason when it cannot.</summary>
    public static string? WhyNot() => WhyNot(0);

    /// <summary>The same for a ring of another form.</summary>
    public static string? WhyNot(uint form)
    {
        using var ring = IoUringRing.Create(8, out var error, form: form);
        return ring is not null ? null : Reason(error) + Need(error, [], 1);
    }

    /// <summary>Whether the rings of all workers can be had, each as deep as it will be; the reason when they cannot.</summary>
    public static string? WhyNotFor(RunPlan plan) => WhyNotFor(plan, 0);

    /// <summary>The same for rings of another form.</summary>
    public static string? WhyNotFor(RunPlan plan, uint form)
    {
        var polling = plan.Specification.Polling;
        if (
            polling is IoPolling.Completion or IoPolling.Hybrid
            && plan.Targets.FirstOrDefault(target => target.Facts.GetValueOrDefault(VolumeFacts.QueuePollingFact) != "1") is { } target
        )
            return $"the device of {target.Path} has no queues that can be polled (its queue/io_poll in /sys is not 1; NVMe has them with the module's parameter poll_queues)";
        var workers = plan.Workers;
        var rings = new List<IoUringRing>();
        try
        {
            foreach (var worker in workers)
            {
                if (IoUringRing.Create((uint)worker.SlotCount, out var error, polling, form) is not { } ring)
                    return Reason(error) + Need(error, rings, workers.Length);
                rings.Add(ring);
            }
            return null;
        }
        finally
        {
            rings.ForEach(ring => ring.Dispose());
        }
    }

    private static string Need(int error, List<IoUringRing> had, int count)
    {
        if (error != Errno.ENOMEM || LinuxLimits.LockedMemory() is not { } limit)
            return "";
        var need =
            had.Count == 0
                ? ""
                : $", and {(count == 1 ? "the ring of 1 thread needs" : $"the rings of {count} threads need")} {new IoSize(had.Sum(ring => ring.Bytes) / had.Count * count).ToDisplayString()}";
        return $": it is {new IoSize(limit).ToDisplayString()} for all programs of the user{need}. Raise it, or use fewer threads or outstanding I/Os";
    }

    /// <summary>Why a ring was refused, as the end of a sentence.</summary>
    /// <param name="error">The system's error number.</param>
    public static string Reason(int error) =>
        error switch
        {
            Errno.ENOSYS => "this kernel has none, or one older than 5.11",
            Errno.EINVAL => "this kernel does not support it",
            Errno.EPERM => "it is forbidden here (kernel.io_uring_disabled, or a container's seccomp filter)",
            Errno.ENOMEM => "the limit of locked memory is too low (ulimit -l)",
            _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
        };
}
