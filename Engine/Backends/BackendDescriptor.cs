using System.Runtime.InteropServices;

namespace IoBench.Engine.Backends;

/// <summary>One way for I/Os to reach the operating system: all that the rest of IoBench knows about it. Each is an entry of <see cref="BackendCatalog"/>.</summary>
public sealed record BackendDescriptor
{
    /// <summary>Its name in results, options and texts: <c>IoUring</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The operating system it is a part of; null = it works on any.</summary>
    public OSPlatform? RunsOn { get; init; }

    /// <summary>What it is, for the reason why it cannot be used elsewhere: <c>overlapped I/O</c>.</summary>
    public required string Words { get; init; }

    /// <summary>Whether it touches no file: its device is imagined, so it says nothing about storage and there is nothing to check, make or keep.</summary>
    public bool IsModelled { get; init; }

    /// <summary>Whether its handles on Windows are for overlapped I/O.</summary>
    internal bool HasOverlappedHandles { get; init; }

    /// <summary>Whether Auto leaves it out: what it measures is not the way that SQL Server takes to its files.</summary>
    public bool IsOnRequestOnly { get; init; }

    /// <summary>Open files of its own per worker, beside those of the targets.</summary>
    internal int FilesPerWorker { get; init; }

    /// <summary>Whether each outstanding I/O of a worker is a thread of its own.</summary>
    internal bool HasThreadPerIO { get; init; }

    /// <summary>Whether it can poll.</summary>
    internal bool CanPoll { get; init; }

    /// <summary>Whether its outstanding I/Os count against the kernel's limit of native asynchronous requests.</summary>
    internal bool UsesAioRequests { get; init; }

    /// <summary>Tries it on the system it is a part of: null when it works, else the reason why not.</summary>
    internal Func<string?> Probe { get; init; } = () => null;

    /// <summary>Tries what the workers of a run need of it, all at once: null when it works, else the reason why not.</summary>
    internal Func<RunPlan, string?> Rehearse { get; init; } = _ => null;

    /// <summary>Makes a worker's instance. A modelled one gets its device, or null, and a clock to move, or null.</summary>
    internal Func<NullDevice?, VirtualClock?, IoBackend> Create { get; init; } = (_, _) => throw new NotSupportedException();

    /// <summary>Whether this computer's operating system has it at all.</summary>
    public bool BelongsHere => RunsOn is not { } system || RuntimeInformation.IsOSPlatform(system);

    /// <summary>Why it cannot be used here, as the end of a sentence; null when it can. Tried, never guessed from a version.</summary>
    public string? WhyNot() => BelongsHere ? Probe() : $"{Words} is a part of {(RunsOn == OSPlatform.Windows ? "Windows" : "Linux")}";

    /// <summary>Why it cannot carry a run's workers, as the end of a sentence; null when it can. Tried with all that each of them needs.</summary>
    internal string? WhyNotFor(RunPlan plan) => Rehearse(plan);

    /// <summary>Open files that a run's workers need.</summary>
    internal long FilesOf(IReadOnlyCollection<WorkerPlan> workers) =>
        workers.Sum(w => (IsModelled ? 0L : w.Streams.Length) + FilesPerWorker);

    /// <summary>Threads that a run's workers need.</summary>
    internal long ThreadsOf(IReadOnlyCollection<WorkerPlan> workers) =>
        HasThreadPerIO ? workers.Sum(w => w.SlotCount > 1 ? w.SlotCount + 1L : 1) : workers.Count;

    /// <inheritdoc/>
    public override string ToString() => Name;
}
