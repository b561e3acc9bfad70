using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>The backends, registered once. One more is a file with its class, a name in <see cref="IoBackendKind"/> and an entry here.</summary>
public static class BackendCatalog
{
    /// <summary>All of them, the best first: Auto takes the first that works, is not modelled, and need not be asked for.</summary>
    public static IReadOnlyList<BackendDescriptor> All { get; } =
    [
        new()
        {
            Kind = IoBackendKind.Overlapped, Words = "overlapped I/O", RunsOn = OSPlatform.Windows,
            Create = (_, _) => new OverlappedBackend<WindowsCompletionPort>(default),
        },
        new()
        {
            Kind = IoBackendKind.IoUring, Words = "io_uring", RunsOn = OSPlatform.Linux, FilesPerWorker = 1, CanPoll = true, Probe = IoUringBackend.WhyNot,
            Rehearse = IoUringBackend.WhyNotFor,
            Create = (_, _) => new IoUringBackend(),
        },
        new()
        {
            Kind = IoBackendKind.LinuxAio, Words = "native asynchronous I/O", RunsOn = OSPlatform.Linux, UsesAioRequests = true, Probe = LinuxAioBackend.WhyNot,
            Rehearse = LinuxAioBackend.WhyNotFor,
            Create = (_, _) => new LinuxAioBackend(),
        },
        new()
        {
            Kind = IoBackendKind.NvmePassthrough, Words = "io_uring", RunsOn = OSPlatform.Linux, FilesPerWorker = 1, CanPoll = true, IsOnRequestOnly = true, Probe = NvmePassthroughBackend.WhyNot,
            Rehearse = NvmePassthroughBackend.WhyNotFor,
            Create = (_, _) => new NvmePassthroughBackend(),
        },
        new() { Kind = IoBackendKind.Threads, Words = "a thread per I/O", HasThreadPerIO = true, Create = (_, _) => new ThreadsBackend() },
        new() { Kind = IoBackendKind.Null, Words = "a modelled device", IsModelled = true, Create = (device, clock) => new NullBackend(device, clock) },
    ];

    /// <summary>The descriptor of a backend that was chosen.</summary>
    public static BackendDescriptor Of(IoBackendKind kind) => Find(kind) ?? throw new ArgumentOutOfRangeException(nameof(kind), kind, null);

    /// <summary>The descriptor of a backend; null for Auto, which is none until one is chosen.</summary>
    public static BackendDescriptor? Find(IoBackendKind kind) => All.FirstOrDefault(backend => backend.Kind == kind);

    /// <summary>The descriptor of the backend that a result names; null when it names none of ours.</summary>
    public static BackendDescriptor? OfResult(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        // Behind the name may stand what of it was in use.
        return result.Backend?.Split(' ', '(')[0] is { Length: > 0 } name && Enum.TryParse<IoBackendKind>(name, ignoreCase: true, out var kind) ? Find(kind) : null;
    }

    /// <summary>Whether a test asks for a device that is imagined.</summary>
    public static bool IsModelled(IoBackendKind kind) => Find(kind)?.IsModelled == true;

    /// <summary>Whether a result was measured on a device that is imagined: it says nothing about storage.</summary>
    public static bool IsModelled(IoTestResult result) => OfResult(result)?.IsModelled == true;
}
