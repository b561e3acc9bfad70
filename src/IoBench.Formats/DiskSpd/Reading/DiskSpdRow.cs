namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>One thread on one target.</summary>
internal sealed class DiskSpdRow
{
    internal required IoThreadResult Thread { get; init; }

    /// <summary>Size of the target in bytes; null when the text does not say.</summary>
    internal long? FileSize { get; set; }
}
