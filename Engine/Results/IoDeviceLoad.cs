using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>I/Os of one block device during the measurement, as the operating system counts them. They include the I/Os of other
/// programs.</summary>
public sealed class IoDeviceLoad
{
    /// <summary>Name of the device, such as <c>sda1</c> or <c>PhysicalDrive2</c>.</summary>
    public string Device { get; set; } = "";

    /// <summary>Whether another device of the list is built on this one, such as a disk of a RAID.</summary>
    public bool IsComponent { get; set; }

    public long ReadCount { get; set; }

    /// <summary>Completed writes. Linux also counts a write again if it has to flush a cache.</summary>
    public long WriteCount { get; set; }

    public long ReadBytes { get; set; }

    public long WriteBytes { get; set; }

    /// <summary>Sum of the latencies of all reads, in milliseconds.</summary>
    public double ReadMs { get; set; }

    /// <summary>Sum of the latencies of all writes, in milliseconds.</summary>
    public double WriteMs { get; set; }

    /// <summary>Average latency of the device in milliseconds; null without an I/O.</summary>
    [JsonIgnore]
    public double? AverageLatencyMs => ReadCount + WriteCount > 0 ? (ReadMs + WriteMs) / (ReadCount + WriteCount) : null;

    public override string ToString() =>
        AverageLatencyMs is { } average
            ? FormattableString.Invariant($"{Device}: {ReadCount + WriteCount:#,##0} I/Os, {NumberFormat.Milliseconds(average)}")
            : $"{Device}: no I/O";
}
