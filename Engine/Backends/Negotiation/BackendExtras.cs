namespace IoBench.Engine.Backends.Negotiation;

/// <summary>What makes a backend's I/Os cheaper where the system grants it. All workers of a run have it, or none: else their figures were not alike.</summary>
[Flags]
internal enum BackendExtras
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>The kernel keeps the open files at hand.</summary>
    RegisteredFiles = 1,

    /// <summary>The kernel keeps the buffers' pages at hand, locked in memory.</summary>
    RegisteredBuffers = 2,
}
