namespace IoBench.Engine;

/// <summary>
/// Decides when a thread starts its next I/O: closed or open loop, so that a schedule cannot be combined with a limit or bursts. To add a
/// kind, add a record here and a case in <c>Pacer</c>.
/// </summary>
public abstract record IoPace
{
    private IoPace() { }

    public static ClosedLoop Unlimited { get; } = new();

    /// <summary>The next I/O starts when one completes, with an optional rate limit and optional pauses between bursts.</summary>
    public sealed record ClosedLoop(IoRateLimit? Limit = null, IoBurst? Burst = null) : IoPace;

    /// <summary>I/Os start on a schedule, independent of the device.</summary>
    /// <param name="Iops">I/Os per second of a target, over all of its threads; above 0.</param>
    public sealed record OpenLoop(double Iops, IoArrivals Arrivals = IoArrivals.Even) : IoPace;

    /// <summary>Whether a rate limit, bursts, or a schedule slows down threads that could go faster.</summary>
    public bool IsLimited => this is not ClosedLoop { Limit: null, Burst: null };
}

/// <summary>Maximum rate of a thread on a target. If both limits are set, the lower one applies.</summary>
public sealed record IoRateLimit(double? Iops = null, double? BytesPerSecond = null);

/// <summary>Bursts of a thread on a target, with a pause in milliseconds after each.</summary>
public sealed record IoBurst(int Size, int ThinkTimeMs);
