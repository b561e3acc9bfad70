namespace IoBench.Engine;

/// <summary>
/// Optional features that make I/Os cheaper. Either all workers of a run have a feature or none has it, so that their results are
/// comparable.
/// </summary>
[Flags]
internal enum BackendFeatures
{
    None = 0,

    RegisteredFiles = 1,

    RegisteredBuffers = 2,
}
