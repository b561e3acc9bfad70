namespace IoBench.Engine.Host.Priorities;

/// <summary>What a process on Windows can be given less of.</summary>
internal enum PriorityKind
{
    /// <summary>Time on processors: the priority class.</summary>
    Class,

    /// <summary>I/O: IO_PRIORITY_HINT.</summary>
    Io,

    /// <summary>How long its pages stay in memory: MEMORY_PRIORITY.</summary>
    Memory,
}

/// <summary>What of a process Windows slows down to save power: the bits of PROCESS_POWER_THROTTLING_STATE.</summary>
/// <param name="Control">What was decided for the process; all else Windows decides itself.</param>
/// <param name="State">What of it is on.</param>
internal readonly record struct Throttling(uint Control, uint State);

/// <summary>Windows' calls for the priorities of this process.</summary>
internal interface IPriorityCalls
{
    /// <summary>The present value; null where this Windows does not say.</summary>
    int? Get(PriorityKind kind);

    /// <summary>Sets a value; whether it was accepted.</summary>
    bool Set(PriorityKind kind, int value);

    /// <summary>What is slowed down now; null where this Windows does not say.</summary>
    Throttling? GetThrottling();

    /// <summary>Decides what is slowed down; whether it was accepted, which it is not where a bit is unknown.</summary>
    bool SetThrottling(Throttling throttling);
}
