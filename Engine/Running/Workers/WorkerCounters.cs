using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Counters that other threads read during the run. Only the worker writes them, and they have their own cache lines.</summary>
[StructLayout(LayoutKind.Explicit, Size = 384)]
internal sealed class WorkerCounters
{
    /// <summary>I/Os completed since the start of the run, also outside of the measured time.</summary>
    [FieldOffset(128)]
    public long IOs;

    [FieldOffset(136)]
    public long Bytes;

    [FieldOffset(144)]
    public long Outstanding;

    [FieldOffset(152)]
    public long LastCompletion;
}
