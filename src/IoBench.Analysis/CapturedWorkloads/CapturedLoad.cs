using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Load on one file role of a server between two snapshots, or on average over several or over a trace.</summary>
/// <param name="LatencyMs">Average stall per I/O in milliseconds, as SQL Server counts it.</param>
public sealed record CapturedLoad(string Role, IoOperation Operation, int Files, double IOPS, double BlockSizeKB, double LatencyMs)
{
    /// <summary>Window with the highest IOPS; null if there are only two snapshots.</summary>
    public CapturedBurst? Busiest { get; init; }

    /// <summary>Whether the average rate is too low for a test, while the busiest window is not.</summary>
    public bool IsTooRare { get; init; }

    /// <summary>Average number of outstanding I/Os by Little's law: stall per second.</summary>
    public double InFlight => IOPS * LatencyMs / 1000;

    /// <summary>Sizes, order, and hot spots; null if the load is from snapshots, which have only totals.</summary>
    public CapturedShape? Shape { get; init; }

    /// <summary>Load of each file, the busiest first; empty for the load of a file.</summary>
    public IReadOnlyList<CapturedLoad> OfFiles { get; init; } = [];

    /// <summary>Name of the file, or else its ids; null for the load of a file role.</summary>
    public string? File { get; init; }

    public override string ToString() =>
        $"{File ?? Role} {Operation.ToString().ToLowerInvariant()}s: {CapturedWorkload.FormatRate(IOPS)} IOPS of {NumberFormat.Short(BlockSizeKB, 1, 100)} KB, average latency {NumberFormat.Latency(LatencyMs)} ms, average outstanding I/Os {NumberFormat.Short(InFlight, 2, 100)}"
        + (Busiest is null ? "" : $"; busiest window {Busiest}");

    public bool Equals(CapturedLoad? other) =>
        other is not null
        && (Role, Operation, Files, IOPS, BlockSizeKB, LatencyMs, Busiest, File, IsTooRare)
            == (
                other.Role,
                other.Operation,
                other.Files,
                other.IOPS,
                other.BlockSizeKB,
                other.LatencyMs,
                other.Busiest,
                other.File,
                other.IsTooRare
            );

    public override int GetHashCode() => HashCode.Combine(Role, Operation, IOPS, BlockSizeKB);
}

/// <summary>Load in the busiest window (numbered from 1), because an average over minutes hides a burst of seconds.</summary>
public sealed record CapturedBurst(int Window, double Seconds, double IOPS, double BlockSizeKB, double LatencyMs)
{
    public override string ToString() =>
        $"({Window}, {NumberFormat.Short(Seconds, 1, 100)} s): {CapturedWorkload.FormatRate(IOPS)} IOPS of {NumberFormat.Short(BlockSizeKB, 1, 100)} KB, average latency {NumberFormat.Latency(LatencyMs)} ms";
}
