namespace IoBench.Analysis.OwnLoad;

/// <summary>What a server did to one kind of its files between two snapshots, or on average over several.</summary>
/// <param name="Role">data, log or tempdb.</param>
/// <param name="Operation">Reads or writes.</param>
/// <param name="Files">Files it is made of.</param>
/// <param name="IOPS">I/Os per second.</param>
/// <param name="BlockSizeKB">Average size in KB.</param>
/// <param name="LatencyMs">Average stall an I/O in milliseconds, as SQL Server counts it.</param>
public sealed record FileStatsLoad(string Role, IoOperation Operation, int Files, double IOPS, double BlockSizeKB, double LatencyMs)
{
    /// <summary>The window with the most I/Os per second, of three snapshots or more; null of two.</summary>
    public FileStatsBurst? Busiest { get; init; }

    /// <summary>Its mean is too rare to test; its busiest window is not.</summary>
    public bool IsTooRare { get; init; }

    /// <summary>I/Os in flight on average, by Little's law: what SQL Server waited in a second, divided by the second.</summary>
    public double InFlight => IOPS * LatencyMs / 1000;

    /// <summary>Each file by itself, the busiest first; empty of a file.</summary>
    public IReadOnlyList<FileStatsLoad> OfFiles { get; init; } = [];

    /// <summary>Of a single file its name, else its numbers; null of a role.</summary>
    public string? File { get; init; }

    /// <summary><c>data reads: 812 per second of 24 KB, SQL Server waited 12.5 ms, 10.2 in flight</c>, and the busiest window.</summary>
    public override string ToString() =>
        $"{File ?? Role} {Operation.ToString().ToLowerInvariant()}s: {FileStatsWorkload.Rate(IOPS)} per second of {Figures.Short(BlockSizeKB, 1, 100)} KB, SQL Server waited {Figures.Wait(LatencyMs)} ms, {Figures.Short(InFlight, 2, 100)} in flight on average"
        + (Busiest is null ? "" : $"; busiest window {Busiest}");

    /// <inheritdoc/>
    public bool Equals(FileStatsLoad? other) =>
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

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Role, Operation, IOPS, BlockSizeKB);
}

/// <summary>The busiest of several windows: an average of minutes hides a burst of seconds.</summary>
/// <param name="Window">Its number, from 1.</param>
/// <param name="Seconds">Its length.</param>
/// <param name="IOPS">I/Os per second in it.</param>
/// <param name="BlockSizeKB">Average size in KB in it.</param>
/// <param name="LatencyMs">Average stall an I/O in milliseconds in it.</param>
public sealed record FileStatsBurst(int Window, double Seconds, double IOPS, double BlockSizeKB, double LatencyMs)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"({Window}, {Figures.Short(Seconds, 1, 100)} s): {FileStatsWorkload.Rate(IOPS)} per second of {Figures.Short(BlockSizeKB, 1, 100)} KB, {Figures.Wait(LatencyMs)} ms";
}
