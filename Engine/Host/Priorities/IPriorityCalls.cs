namespace IoBench.Engine;

/// <summary>What a process on Windows can be given less of.</summary>
internal enum PriorityKind
{
    /// <summary>Time on processors: the priority class.</summary>
    Class,
    /// <summary>I/O: IO_PRIORITY_HINT.</summary>
    Io,
    /// <summary>Memory: MEMORY_PRIORITY.</summary>
    Memory,
    /// <summary>Clock speed and fine timers: bits of PROCESS_POWER_THROTTLING that are on.</summary>
    Throttling,
}

/// <summary>Windows' calls for the priorities of this process.</summary>
internal interface IPriorityCalls
{
    /// <summary>The present value; null where this Windows does not say.</summary>
    int? Get(PriorityKind kind);

    /// <summary>Sets a value; whether it was accepted.</summary>
    bool Set(PriorityKind kind, int value);
}
