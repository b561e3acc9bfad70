using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>A way to send I/Os to the operating system, and its properties. See <see cref="BackendCatalog"/>.</summary>
public sealed record BackendDescriptor
{
    /// <summary>Name in results, options, and messages, such as <c>IoUring</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Operating system that has the backend; null if the backend works on any.</summary>
    public OSPlatform? RunsOn { get; init; }

    /// <summary>Description for the message that the backend is not available here, such as <c>overlapped I/O</c>.</summary>
    public required string DisplayName { get; init; }

    /// <summary>Whether the device is modeled: no file is used, and the result does not measure storage.</summary>
    public bool IsModeled { get; init; }

    internal bool HasOverlappedHandles { get; init; }

    /// <summary>Whether Auto skips the backend, because it does not access files the way SQL Server does.</summary>
    public bool IsOnRequestOnly { get; init; }

    internal int FilesPerWorker { get; init; }

    internal bool HasThreadPerIO { get; init; }

    internal bool CanPoll { get; init; }

    internal bool UsesAioRequests { get; init; }

    internal Func<string?> Probe { get; init; } = () => null;

    internal Func<RunPlan, string?> ProbePlan { get; init; } = _ => null;

    /// <summary>Creates a worker's instance. Only a modeled backend uses the device and the clock; both can be null.</summary>
    internal Func<NullDevice?, VirtualClock?, IoBackend> Create { get; init; } = (_, _) => throw new NotSupportedException();

    /// <summary>Whether the operating system of this computer has the backend.</summary>
    public bool RunsOnThisSystem => RunsOn is not { } system || RuntimeInformation.IsOSPlatform(system);

    /// <summary>Probes the backend. Returns why it cannot be used, as the end of a sentence; null if it works.</summary>
    public string? GetUnavailableReason() =>
        RunsOnThisSystem ? Probe() : $"{DisplayName} requires {(RunsOn == OSPlatform.Windows ? "Windows" : "Linux")}";

    internal long CountOpenFiles(IReadOnlyCollection<WorkerPlan> workers) =>
        workers.Sum(w => (IsModeled ? 0L : w.Streams.Length) + FilesPerWorker);

    internal long CountThreads(IReadOnlyCollection<WorkerPlan> workers) =>
        HasThreadPerIO ? workers.Sum(w => w.SlotCount > 1 ? w.SlotCount + 1L : 1) : workers.Count;

    public override string ToString() => Name;
}
