using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Analysis;

/// <summary>Path per file role; null = not tested.</summary>
public sealed record RolePaths(string? Data = null, string? Log = null, string? Tempdb = null, string? Backup = null)
{
    public bool IsEmpty =>
        string.IsNullOrEmpty(Data) && string.IsNullOrEmpty(Log) && string.IsNullOrEmpty(Tempdb) && string.IsNullOrEmpty(Backup);

    public IReadOnlyDictionary<string, string> ToDictionary() =>
        new (string Role, string? Path)[] { ("data", Data), ("log", Log), ("tempdb", Tempdb), ("backup", Backup) }
            .Where(p => !string.IsNullOrEmpty(p.Path))
            .ToDictionary(p => p.Role, p => p.Path!);
}

/// <summary>Each workload of a server's file roles alone, then all concurrently, on their own paths.</summary>
public static class RoleTestPlan
{
    /// <summary>Workload name of the concurrent run of all file roles.</summary>
    public const string ConcurrentWorkload = "all-roles";

    /// <summary>Workload name of the concurrent run of all file roles at a share of their own rates.</summary>
    public const string RateLimitedWorkload = "all-roles-paced";

    // Data files are read and written concurrently: page reads by users, writes by the checkpoint.
    private static readonly (string Role, string[] Workloads)[] s_roles =
    [
        ("data", ["page-read", "checkpoint"]),
        ("log", ["log-commit"]),
        ("tempdb", ["tempdb"]),
        ("backup", ["backup-write"]),
    ];

    /// <param name="mixLoadPercent">Adds a concurrent run at this percentage of the rates alone; null = only full speed.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TooFewRoles</c>, or an unknown workload or file role.</exception>
    public static IReadOnlyList<IoTestSpecification> Create(
        RolePaths paths,
        IReadOnlyDictionary<string, string[]>? workloads = null,
        double? mixLoadPercent = null
    )
    {
        var parts = GetParts(paths, workloads ?? new Dictionary<string, string[]>());
        if (parts.Select(p => p.Role).Distinct().Count() < 2)
            throw IoBenchException.Usage(
                "IoBench.TooFewRoles",
                $"Only one file role has a path. Specify two or more of {OptionNames.DataPath}, {OptionNames.LogPath}, {OptionNames.TempdbPath}, and {OptionNames.BackupPath}, or test a single path with {IoCommand.Run} PATH."
            );
        List<IoTestSpecification> plan =
        [
            .. parts.Select(part =>
            {
                var test = part.Workload.Clone();
                test.Targets = [new IoTargetSpecification(part.Path) { Role = part.Role }];
                return test;
            }),
        ];
        var together = new IoTestSpecification
        {
            Workload = ConcurrentWorkload,
            WorkloadRole = string.Join(", ", parts.Select(p => p.Role).Distinct()) + " concurrently",
        };
        together.Targets =
        [
            .. parts.Select(part => new IoTargetSpecification(part.Path) { Role = part.Role, Pattern = part.Workload.ExtractPattern() }),
        ];
        plan.Add(together);
        if (mixLoadPercent is not { } percent)
            return plan;
        var paced = together.Clone();
        paced.Workload = RateLimitedWorkload;
        paced.WorkloadRole = Invariant($"{together.WorkloadRole}, each at {percent}% of its rate when run alone");
        paced.MixLoadPercent = percent;
        plan.Add(paced);
        return plan;
    }

    private static List<(string Role, string Path, IoTestSpecification Workload)> GetParts(
        RolePaths paths,
        IReadOnlyDictionary<string, string[]> workloads
    )
    {
        if (
            workloads.Keys.FirstOrDefault(k => !Array.Exists(s_roles, r => r.Role.Equals(k, StringComparison.OrdinalIgnoreCase))) is
            { } unknown
        )
            throw IoBenchException.Usage(
                "IoBench.UnknownRole",
                $"'{unknown}' is not a file role. Use data, log, tempdb, or backup.",
                unknown
            );
        string? PathOf(string role) =>
            role switch
            {
                "data" => paths.Data,
                "log" => paths.Log,
                "tempdb" => paths.Tempdb,
                _ => paths.Backup,
            };
        return
        [
            .. from role in s_roles
            let path = PathOf(role.Role)
            where !string.IsNullOrEmpty(path)
            from name in workloads.FirstOrDefault(w => w.Key.Equals(role.Role, StringComparison.OrdinalIgnoreCase)).Value ?? role.Workloads
            from workload in WorkloadCatalog.Resolve(name)
            select (role.Role, path, workload),
        ];
    }

    // A target rate of 0 means "no target rate", so never go below this value.
    private const double MinRate = 0.001;

    /// <summary>
    /// Sets the rates of a rate-limited mix; leaves any other test unchanged. Each file role runs at a share of the rate that it reached
    /// alone, with random arrivals as of many independent users. Full speed shows the worst case, a rate-limited mix a normal working day.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoOwnRate</c>: a pattern has no complete run alone.</exception>
    public static void SetRates(IoTestSpecification test, IEnumerable<IoTestResult> known)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(known);
        var rates = GetRates(test, known);
        for (var i = 0; i < rates.Count; i++)
        {
            var pattern = test.GetPattern(test.Targets[i]);
            pattern.RemoveRateLimits();
            pattern.TargetIops = rates[i];
            pattern.Arrivals = IoArrivals.Poisson;
        }
    }

    /// <summary>Returns IOPS, one value per target; empty for any other test. Results of the same round take precedence.</summary>
    private static List<double> GetRates(IoTestSpecification test, IEnumerable<IoTestResult> known)
    {
        if (test.MixLoadPercent is not { } percent)
            return [];
        var alone = known
            .Where(r =>
                r is { Status: IoResultStatus.Complete, IOPS: > 0, Specification: { Targets.Count: 1, MixLoadPercent: null } }
                && r.Label == test.Label
            )
            .ToList();
        return
        [
            .. test.Targets.Select(target =>
            {
                var pattern = test.GetPattern(target);
                var own = alone.Where(r => IsSamePatternAlone(r.Specification!, target, pattern)).ToList();
                var round = own.Where(r => r.Repeat == test.Repeat).ToList();
                var rate =
                    (round.Count > 0 ? round : own).Average(r => r.IOPS)
                    ?? throw IoBenchException.Failure(
                        "IoBench.NoOwnRate",
                        $"The test of {target.Role} alone ({PatternText.Describe(pattern)}) did not complete, so IoBench cannot calculate the target rate of {target.Role}. IoBench skips the rate-limited mix.",
                        target.Path
                    );
                return Math.Max(MinRate, Math.Round(rate * percent / 100, 3));
            }),
        ];
    }

    private static bool IsSamePatternAlone(IoTestSpecification test, IoTargetSpecification target, IoPattern pattern) =>
        test.Targets[0].Role == target.Role
        && IsSamePath(test.Targets[0].Path, target.Path)
        && PatternText.Describe(test.GetPattern(test.Targets[0])) == PatternText.Describe(pattern);

    // The CLI can pass a relative path, while a cmdlet passes the full path.
    private static bool IsSamePath(string one, string other) => one == other || Path.GetFullPath(one) == Path.GetFullPath(other);
}
