namespace IoBench.Engine.Results;

/// <summary>What an I/O does.</summary>
public enum IoRequestKind
{
    Read,
    Write,

    /// <summary>Flushes the file's data to the device.</summary>
    Flush,
}

/// <summary>One of a run's slowest I/Os.</summary>
public sealed class IoSlowIO
{
    /// <summary>I/Os of a result at most.</summary>
    public const int MaxCount = 100;

    /// <summary>When it was started, in seconds from the start of the measurement; negative when that was in the warm-up.</summary>
    public double Seconds { get; set; }

    /// <summary>Its latency in milliseconds, from its start on; of one that never came back the time until it was given up.</summary>
    public double LatencyMs { get; set; }

    /// <summary>Open loop: milliseconds that it was due before it could be started; null in a closed loop.</summary>
    public double? QueuedMs { get; set; }

    /// <summary>What it did.</summary>
    public IoRequestKind Kind { get; set; }

    /// <summary>Its place in the target in bytes; null for a flush.</summary>
    public long? Offset { get; set; }

    /// <summary>Its size in bytes; null for a flush.</summary>
    public int? Size { get; set; }

    /// <summary>Other I/Os of the run that were in flight when it ended, on all targets.</summary>
    public int InFlight { get; set; }

    /// <summary>Its target's number within the specification, from 0.</summary>
    public int Target { get; set; }

    /// <summary>Thread that it belongs to, from 0.</summary>
    public int Thread { get; set; }

    /// <summary>Whether it never came back; null when it did.</summary>
    public bool? IsLost { get; set; }

    /// <summary><c>write of 8 KB at 1,048,576: 312 ms</c>.</summary>
    public override string ToString() =>
        Kind == IoRequestKind.Flush
            ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"flush: {Figures.Grouped(LatencyMs)} ms")
            : string.Create(
                System.Globalization.CultureInfo.InvariantCulture,
                $"{(Kind == IoRequestKind.Read ? "read" : "write")} of {new IoSize(Size ?? 0).ToDisplayString()} at {Offset:#,##0}: {Figures.Grouped(LatencyMs)} ms"
            );
}

/// <summary>A time in which I/Os were in flight and none of them came back.</summary>
public sealed class IoSilence
{
    /// <summary>Silences of a result at most: the longest.</summary>
    public const int MaxCount = 100;

    /// <summary>When it began, in seconds from the start of the measurement.</summary>
    public double Seconds { get; set; }

    /// <summary>How long it was, in seconds.</summary>
    public double LengthSeconds { get; set; }

    /// <summary>The only target that was silent, by its number within the specification from 0; null when all were.</summary>
    public int? Target { get; set; }
}
