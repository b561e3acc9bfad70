namespace IoBench.Engine;

internal enum PriorityKind
{
    /// <summary>CPU: the priority class.</summary>
    Class,

    /// <summary>I/O: IO_PRIORITY_HINT.</summary>
    Io,

    /// <summary>Memory: MEMORY_PRIORITY.</summary>
    Memory,
}

/// <summary>PROCESS_POWER_THROTTLING_STATE.</summary>
/// <param name="Control">Bits that the process controls; Windows decides about the others.</param>
/// <param name="State">Controlled bits that are on.</param>
internal readonly record struct PowerThrottlingState(uint Control, uint State);

internal interface IPriorityCalls
{
    /// <summary>Returns the current value; null if this version of Windows does not report it.</summary>
    int? Get(PriorityKind kind);

    bool Set(PriorityKind kind, int value);

    PowerThrottlingState? GetThrottling();

    /// <summary>Sets the state. Returns false if Windows refuses, for example because it does not know a bit.</summary>
    bool SetThrottling(PowerThrottlingState throttling);
}
