namespace IoBench.Engine.Specification.Patterns;

/// <summary>
/// What decides when a thread starts its next I/O: one of two cases, so that a schedule never has a limit or bursts beside it.
/// A further case is a record here and its arm in <c>Pacer</c>.
/// </summary>
public abstract record IoPace
{
    private IoPace() { }

    /// <summary>The next I/O starts as soon as one ends: nothing limits it.</summary>
    public static Closed Unlimited { get; } = new();

    /// <summary>The next I/O starts when one ends (a closed loop), at most as fast as a limit says, with rest between bursts.</summary>
    /// <param name="Limit">The highest rate; null = none.</param>
    /// <param name="Burst">Bursts and the rest between them; null = none.</param>
    public sealed record Closed(IoRateLimit? Limit = null, IoBurst? Burst = null) : IoPace;

    /// <summary>I/Os start on a schedule, whatever the device does (an open loop).</summary>
    /// <param name="Iops">I/Os per second for a target, all its threads together; above 0.</param>
    /// <param name="Arrivals">When they are due.</param>
    public sealed record Open(double Iops, IoArrivals Arrivals = IoArrivals.Even) : IoPace;

    /// <summary>Whether something holds back threads that could go faster.</summary>
    public bool IsLimited => this is not Closed { Limit: null, Burst: null };
}

/// <summary>The highest rate of a thread on a target. Where both are said, the lower one holds.</summary>
/// <param name="Iops">I/Os per second, above 0; null = not limited.</param>
/// <param name="BytesPerSecond">Bytes per second, above 0; null = not limited.</param>
public sealed record IoRateLimit(double? Iops = null, double? BytesPerSecond = null);

/// <summary>Bursts of a thread on a target.</summary>
/// <param name="Size">I/Os per burst, at least 1.</param>
/// <param name="ThinkTimeMs">Milliseconds of rest after each burst, at least 1.</param>
public sealed record IoBurst(int Size, int ThinkTimeMs);
