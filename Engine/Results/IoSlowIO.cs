namespace IoBench.Engine;

/// <summary>Kind of an I/O.</summary>
public enum IoRequestKind
{
    Read,
    Write,
    Flush,
}

/// <summary>One of a run's slowest I/Os.</summary>
public sealed class IoSlowIO
{
    /// <summary>Maximum number of I/Os per result.</summary>
    public const int MaxCount = 100;

    /// <summary>Start time in seconds from the start of the measurement; negative if the I/O started during the warm-up.</summary>
    public double Seconds { get; set; }

    /// <summary>Latency from submission in milliseconds; for an I/O that never completed, the time until the run stopped waiting.</summary>
    public double LatencyMs { get; set; }

    /// <summary>Open loop: milliseconds between the scheduled and the actual start; null in a closed loop.</summary>
    public double? QueuedMs { get; set; }

    public IoRequestKind Kind { get; set; }

    /// <summary>Offset in the target in bytes; null for a flush.</summary>
    public long? Offset { get; set; }

    /// <summary>Size in bytes; null for a flush.</summary>
    public int? Size { get; set; }

    /// <summary>Other outstanding I/Os of the run, on all targets, when the I/O ended.</summary>
    public int InFlight { get; set; }

    /// <summary>Number of the target in the specification, from 0.</summary>
    public int Target { get; set; }

    /// <summary>Number of the thread, from 0.</summary>
    public int Thread { get; set; }

    /// <summary>True if the I/O never completed; null if it did.</summary>
    public bool? IsLost { get; set; }

    public override string ToString() =>
        Kind == IoRequestKind.Flush
            ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"flush: {NumberFormat.Grouped(LatencyMs)} ms")
            : string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"{(Kind == IoRequestKind.Read ? "read" : "write")} of {IoSize.Format(Size ?? 0)} at {Offset:#,##0}: {NumberFormat.Grouped(LatencyMs)} ms"
            );
}

/// <summary>A period in which the host did not run IoBench, so nothing is known about the storage.</summary>
public sealed class IoHostPause
{
    /// <summary>Maximum number of pauses per result; the longest ones are listed.</summary>
    public const int MaxCount = 100;

    /// <summary>Start time in seconds from the start of the measurement; negative if the pause started during the warm-up.</summary>
    public double Seconds { get; set; }

    public double LengthSeconds { get; set; }

    /// <summary>Whether the pauses cover at least half of a period, so that the host and not the storage is its cause.</summary>
    /// <param name="from">In seconds from the start of the measurement.</param>
    /// <param name="to">In seconds from the start of the measurement.</param>
    internal static bool Explain(IEnumerable<IoHostPause> pauses, double from, double to) =>
        pauses.Sum(pause => Math.Max(0, Math.Min(to, pause.Seconds + pause.LengthSeconds) - Math.Max(from, pause.Seconds)))
        >= (to - from) / 2;
}

/// <summary>An I/O stall: a period with outstanding I/Os in which none completed.</summary>
public sealed class IoStall
{
    /// <summary>Maximum number of I/O stalls per result; the longest ones are listed.</summary>
    public const int MaxCount = 100;

    public double Seconds { get; set; }

    public double LengthSeconds { get; set; }

    /// <summary>The only stalled target, by its number in the specification from 0; null if all targets stalled.</summary>
    public int? Target { get; set; }
}
