using System.Runtime.InteropServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>What others may read of a worker while it works: written by it alone, alone on its cache lines.</summary>
[StructLayout(LayoutKind.Explicit, Size = 384)]
internal sealed class WorkerCounters
{
    /// <summary>I/Os completed since the run began, counted or not.</summary>
    [FieldOffset(128)]
    public long IOs;

    /// <summary>Bytes of them.</summary>
    [FieldOffset(136)]
    public long Bytes;

    /// <summary>I/Os the system has now.</summary>
    [FieldOffset(144)]
    public long Outstanding;

    /// <summary>When the last one completed, in nanoseconds.</summary>
    [FieldOffset(152)]
    public long LastCompletion;
}
