using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What a server did to one kind of its files between two snapshots.</summary>
/// <param name="Role">data, log or tempdb.</param>
/// <param name="Operation">Reads or writes.</param>
/// <param name="Files">Files it is made of.</param>
/// <param name="IOPS">I/Os a second.</param>
/// <param name="BlockSizeKB">Average size in KB.</param>
/// <param name="LatencyMs">Average stall an I/O in milliseconds, as SQL Server counts it.</param>
public sealed record FileStatsLoad(string Role, IoOperation Operation, int Files, double IOPS, double BlockSizeKB, double LatencyMs);

/// <summary>A server's own load: sizes, mix and rate between two snapshots of sys.dm_io_virtual_file_stats, as open-loop tests.</summary>
public sealed class FileStatsWorkload
{
    // So few I/Os say nothing about sizes or latency.
    private const int LeastIOs = 10;
    // A latency needs about a hundred I/Os, and a test lasts 30 s unless somebody asks for more.
    internal const double LeastRate = 100 / 30.0;
    private const int Slots = 32;

    private FileStatsWorkload(double seconds, IReadOnlyList<FileStatsLoad> loads, IReadOnlyList<string> warnings)
    {
        Seconds = seconds;
        Loads = loads;
        Warnings = warnings;
    }

    /// <summary>Seconds between the snapshots.</summary>
    public double Seconds { get; }

    /// <summary>Reads and writes of data, log and tempdb, where there were any.</summary>
    public IReadOnlyList<FileStatsLoad> Loads { get; }

    /// <summary>Files left out and the like, in words.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The load between two snapshots of one server.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.SameSnapshot</c>: no time or no I/O between them; <c>IoBench.CountersReset</c>: a counter fell.</exception>
    public static FileStatsWorkload Between(FileStatsSnapshot first, FileStatsSnapshot second)
    {
        var milliseconds = FileStatsClock.Between(first.SampleMs, second.SampleMs);
        if (first.ServerStart is { } started && second.ServerStart is { } restarted && started != restarted)
            throw IoBenchException.InvalidData("IoBench.CountersReset",
                $"SQL Server was restarted between {first.Name} (started {started}) and {second.Name} (started {restarted}): take two snapshots of one uptime.");
        if (milliseconds < 0)
            throw IoBenchException.InvalidData("IoBench.CountersReset",
                $"{second.Name} is older than {first.Name} (sample_ms {second.SampleMs} after {first.SampleMs}): SQL Server was restarted in between, or the order is wrong. Take two snapshots of one uptime, the earlier one first.");
        if (milliseconds == 0)
            throw IoBenchException.InvalidData("IoBench.SameSnapshot",
                $"{first.Name} and {second.Name} were taken at the same moment (sample_ms {second.SampleMs}): take the second some minutes after the first.");
        List<string> warnings = [];
        if (second.Rows.Values.Count(r => r.IsFileStream) is > 0 and var streams)
            warnings.Add($"{streams} FILESTREAM container(s) are left out: clients read and write them through the file system, there is no pattern of the engine to copy.");
        var common = second.Rows.Values.Where(r => !r.IsFileStream && first.Rows.ContainsKey(r.Key)).Select(now => (Before: first.Rows[now.Key], Now: now)).ToList();
        var (added, gone) = (second.Rows.Keys.Count(k => !first.Rows.ContainsKey(k)), first.Rows.Keys.Count(k => !second.Rows.ContainsKey(k)));
        if (added + gone > 0)
            warnings.Add($"{added} file(s) are only in {second.Name} and {gone} only in {first.Name}: they are left out.");
        foreach (var (before, now) in common)
            if (now.Reads < before.Reads || now.Writes < before.Writes || now.BytesRead < before.BytesRead || now.BytesWritten < before.BytesWritten
                || now.ReadStallMs < before.ReadStallMs || now.WriteStallMs < before.WriteStallMs)
                throw IoBenchException.InvalidData("IoBench.CountersReset",
                    $"The counters of database {now.DatabaseId}, file {now.FileId} fell between {first.Name} and {second.Name}: its database was taken offline or restored, or SQL Server was restarted. Take two snapshots without that in between.");

        var seconds = milliseconds / 1000.0;
        List<FileStatsLoad> loads = [];
        foreach (var role in common.GroupBy(p => p.Now.Role).OrderBy(g => g.Key, StringComparer.Ordinal))
        {
            Add(role.Key, IoOperation.Read, [.. role], p => p.Now.Reads - p.Before.Reads, p => p.Now.BytesRead - p.Before.BytesRead, p => p.Now.ReadStallMs - p.Before.ReadStallMs);
            Add(role.Key, IoOperation.Write, [.. role], p => p.Now.Writes - p.Before.Writes, p => p.Now.BytesWritten - p.Before.BytesWritten, p => p.Now.WriteStallMs - p.Before.WriteStallMs);
        }
        if (loads.Count == 0 && warnings.Exists(warning => warning.Contains("too rare", StringComparison.Ordinal)))
            throw IoBenchException.InvalidData("IoBench.SameSnapshot", $"SQL Server did so little between {first.Name} and {second.Name} that no test of it would say anything ({warnings.Last(warning => warning.Contains("too rare", StringComparison.Ordinal)).TrimEnd('.')}): take snapshots around a time of work.");
        return loads.Count > 0 ? new(seconds, loads, warnings) : throw IoBenchException.InvalidData("IoBench.SameSnapshot",
            $"SQL Server did fewer than {LeastIOs} I/Os of any kind in the {seconds.ToString("0.#", CultureInfo.InvariantCulture)} s between {first.Name} and {second.Name}: take snapshots around a time of work.");

        void Add(string role, IoOperation operation, List<(FileStatsRow Before, FileStatsRow Now)> files, Func<(FileStatsRow Before, FileStatsRow Now), long> count,
            Func<(FileStatsRow Before, FileStatsRow Now), long> bytes, Func<(FileStatsRow Before, FileStatsRow Now), long> stall)
        {
            var ios = files.Sum(count);
            if (ios >= LeastIOs && ios / seconds < LeastRate)
                warnings.Add($"{role} {operation.ToString().ToLowerInvariant()}s: {Rate(ios / seconds)} per second are too rare to test: left out.");
            else if (ios >= LeastIOs)
                loads.Add(new(role, operation, files.Count(f => count(f) > 0), ios / seconds, files.Sum(bytes) / 1024.0 / ios, files.Sum(stall) / (double)ios));
            else if (ios > 0)
                warnings.Add($"{role}: only {ios} {operation.ToString().ToLowerInvariant()}(s): left out.");
        }
    }

    /// <summary>A test for each load, without a target: open loop at the server's rate and size.</summary>
    public IReadOnlyList<IoTestSpecification> CreateSpecifications() => [.. Loads.Select(load =>
    {
        var test = new IoTestSpecification { Workload = NameOf(load), WorkloadRole = load.Role };
        Shape(test, load);
        return test;
    })];

    /// <summary>One test of all loads at once, each role on its path; roles without a path are left out.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRolePath</c>: no load's role has a path.</exception>
    public IoTestSpecification CreateTogether(IReadOnlyDictionary<string, string> pathOfRole)
    {
        var test = new IoTestSpecification { Workload = "own-load", WorkloadRole = "a server's own load" };
        foreach (var load in Loads)
            if (pathOfRole.FirstOrDefault(p => p.Key.Equals(load.Role, StringComparison.OrdinalIgnoreCase)).Value is { Length: > 0 } path)
            {
                var pattern = new IoPattern();
                Shape(pattern, load);
                test.Targets.Add(new IoTargetSpecification(path) { Pattern = pattern, Role = load.Role });
            }
        return test.Targets.Count > 0 ? test
            : throw IoBenchException.Usage("IoBench.NoRolePath", $"No path was given for {string.Join(", ", Loads.Select(l => l.Role).Distinct())}.");
    }

    /// <summary>Roles with a load and without a path, which <see cref="CreateTogether"/> leaves out.</summary>
    public IReadOnlyList<string> LeftOut(IReadOnlyDictionary<string, string> pathOfRole)
        => [.. Loads.Select(l => l.Role).Distinct().Where(role => !pathOfRole.Any(p => p.Key.Equals(role, StringComparison.OrdinalIgnoreCase) && p.Value.Length > 0))];

    /// <summary>A rate in words: whole numbers from 10 on, and below 1 never zero: <c>0.17</c>.</summary>
    internal static string Rate(double rate) => rate >= 10 ? Figures.Grouped(rate) : rate.ToString(rate >= 1 ? "0.#" : "0.##", CultureInfo.InvariantCulture);

    /// <summary>The load's name as a workload: <c>own-data-read</c>.</summary>
    internal static string NameOf(FileStatsLoad load) => $"own-{load.Role}-{load.Operation.ToString().ToLowerInvariant()}";

    private static void Shape(IoPattern pattern, FileStatsLoad load)
    {
        var isLog = load.Role == "log";
        // Pages are 8 KB; a log's writes are any multiple of a sector up to 60 KB, and 4 KB fits every sector.
        var unit = isLog ? 4096 : 8192;
        pattern.BlockSize = Math.Max(unit, (long)Math.Round(load.BlockSizeKB * 1024 / unit) * unit);
        pattern.WritePercent = load.Operation == IoOperation.Write ? 100 : 0;
        pattern.AccessPattern = isLog ? IoAccessPattern.Interlocked : IoAccessPattern.Random;
        (pattern.ThreadCount, pattern.OutstandingIO) = isLog ? (1, Slots) : (4, Slots / 4);
        // Since 2019 tempdb is not written through.
        pattern.Buffering = load.Role == "tempdb" ? IoBuffering.Hardware : IoBuffering.None;
        pattern.TargetIops = Math.Round(load.IOPS, 3);
        pattern.Arrivals = IoArrivals.Poisson;
        pattern.ObservedLatencyMs = load.LatencyMs;
    }
}
