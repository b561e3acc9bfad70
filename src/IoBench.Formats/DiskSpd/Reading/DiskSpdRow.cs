namespace IoBench.Formats.DiskSpd.Reading;

internal sealed class DiskSpdRow
{
    internal required IoThreadResult Thread { get; init; }

    internal long? FileSize { get; set; }
}
