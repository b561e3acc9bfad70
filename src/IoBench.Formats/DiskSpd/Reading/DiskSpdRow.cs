using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdRow
{
    internal required IoThreadResult Thread { get; init; }

    internal long? FileSize { get; set; }
}
