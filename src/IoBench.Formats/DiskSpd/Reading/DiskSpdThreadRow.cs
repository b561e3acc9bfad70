using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdThreadRow
{
    internal required IoThreadResult Thread { get; init; }

    internal long? FileSize { get; set; }
}
