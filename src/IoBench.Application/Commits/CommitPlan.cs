using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What a commit test measures.</summary>
/// <param name="Test">Specification of the test file.</param>
/// <param name="Cases">In the order of the result.</param>
/// <param name="Duration">Measured time of each case, over all rounds.</param>
/// <param name="Replica">Synchronous replica; null without one.</param>
public sealed record CommitPlan(
    IoTestSpecification Test,
    IReadOnlyList<CommitCase> Cases,
    TimeSpan Duration,
    (ReplicaEndpoint Endpoint, SharedSecret Secret)? Replica = null
)
{
    /// <summary>Rounds of each case. Their spread shows which differences count.</summary>
    public const int Rounds = 5;

    internal const int MaxCommitters = 256;
    private const int SmallestWrite = 512;
    private const int LargestWrite = 1 << 20;
    private const int PageSize = 4096;
    private const long DefaultFileSize = 256 << 20;

    // Each committer needs room for several writes, so that concurrent commits do not overwrite each other's blocks.
    private const int WritesPerCommitter = 4;
    private const double SecondsPerRound = 0.15;
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(2);

    // 1,000 commits of 5 ms, which a p99 latency requires.
    private static readonly TimeSpan s_replicaDuration = TimeSpan.FromSeconds(5);

    // Methods of SQL Server.
    private static readonly CommitMethod[] s_replicaMethods = OperatingSystem.IsWindows()
        ? [CommitMethod.WriteThrough]
        : [CommitMethod.WriteThrough, CommitMethod.GroupedFlush];
    private static readonly OptionName s_replica = new("Replica");
    private static readonly OptionName s_secretFile = new("SecretFile");
    private static readonly OptionName s_redo = new("Redo");
    private static readonly int[] s_committers = [1, 8, 32];
    private static readonly long[] s_writeSizes = [4096];

    public bool Extends => Cases.Any(what => what.Extends);

    public TimeSpan EstimatedTime => Cases.Count * (Duration + TimeSpan.FromSeconds(Rounds * SecondsPerRound));

    /// <summary>Switches that a commit test does not have, because it writes only to its own file.</summary>
    public static SuiteSettings CreateSettings(OptionValues values)
    {
        return new SuiteSettings
        {
            Permissions = new PlanRequest([], values).Suite.Permissions,
            RemoveTestFile = values.IsOn(new OptionName("RemoveTestFile")),
            MissingSwitches = [OptionNames.OverwriteFile, OptionNames.EraseDevice, OptionNames.ReadDatabase, OptionNames.Buffering],
            AdviceWithoutSwitch = "Specify a new file, or a folder on the storage of the log.",
        };
    }

    /// <exception cref="IoBenchException">A value is invalid.</exception>
    public static CommitPlan Create(string path, OptionValues values)
    {
        var sizes = GetDistinct(values.GetList<long>(new OptionName("WriteSize")), s_writeSizes);
        var committers = GetDistinct(values.GetList<int>(new OptionName("Committers")), s_committers);
        var replica = CreateReplica(values);
        var duration = values.GetValue<TimeSpan>(OptionNames.Duration) ?? (replica is null ? s_duration : s_replicaDuration);
        var test = CreateTest(path, values, duration);
        foreach (var size in sizes)
            if (size is < SmallestWrite or > LargestWrite || size % SmallestWrite != 0)
                throw IoBenchException.Usage(
                    "IoBench.InvalidValue",
                    $"{new OptionName("WriteSize").WithValue(new IoSize(size))} is not valid. Use a multiple of 512 bytes, from 512 bytes to 1 MB."
                );
        var needed = WritesPerCommitter * sizes.Max() * committers.Max() * (values.IsOn(new OptionName("Extending")) ? 2 : 1);
        if (test.FileSize < needed)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{OptionNames.FileSize.WithValue(new IoSize(test.FileSize.Value))} is too small for {committers.Max()} committers.",
                path,
                advice: $"Use {OptionNames.FileSize.WithValue(new IoSize(needed))} or more."
            );
        SpecificationValidator.Validate(test);
        test.AssignSeed(IoTestSpecification.CreateSeedBase(), 0, round: 1);
        bool[] extending = values.IsOn(new OptionName("Extending")) ? [false, true] : [false];
        bool[] misaligned = values.IsOn(new OptionName("Misaligned")) ? [false, true] : [false];
        var local =
            from size in sizes
            from extends in extending
            from isMisaligned in misaligned
            from method in replica is null ? Enum.GetValues<CommitMethod>() : s_replicaMethods
            from count in committers
            select new CommitCase(method, count, (int)size, extends, isMisaligned);
        bool[] redo = values.IsOn(s_redo) ? [false, true] : [false];
        var replicated =
            from size in sizes
            from method in s_replicaMethods
            from hasRedo in redo
            from count in committers
            select new CommitCase(method, count, (int)size, IsReplicated: true, HasRedo: hasRedo);
        return new CommitPlan(test, [.. local, .. replica is null ? [] : replicated], duration, replica);
    }

    /// <summary>Returns null if no replica is requested.</summary>
    /// <exception cref="IoBenchException">A value is invalid, or the secret is missing.</exception>
    private static (ReplicaEndpoint, SharedSecret)? CreateReplica(OptionValues values)
    {
        if (values.GetText(s_replica) is { } text)
            return (ReplicaEndpoint.Parse(text), ReadSecret(values));
        foreach (var option in new[] { s_secretFile, s_redo })
            if (values.Has(option))
                throw IoBenchException.Usage("IoBench.Usage", $"{option} requires {s_replica}, the address of a replica.");
        return null;
    }

    internal static SharedSecret ReadSecret(OptionValues values) => SharedSecret.Read(values.GetText(s_secretFile));

    internal static IoTestSpecification CreateTest(string path, OptionValues values, TimeSpan duration) =>
        new()
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = values.GetValue<long>(OptionNames.FileSize) ?? DefaultFileSize,
            BlockSize = PageSize,
            WritePercent = 100,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = duration,
            WarmUp = TimeSpan.Zero,
            AccessPattern = IoAccessPattern.Sequential,
            Backend = BackendCatalog.Threads,
        };

    private static T[] GetDistinct<T>(IReadOnlyList<T> values, T[] defaults)
        where T : struct => values.Count == 0 ? defaults : [.. values.Distinct().Order()];

    /// <summary>Lines before the test: target, number of cases, and estimated time.</summary>
    public IEnumerable<string> DescribeStart(CheckedTarget target)
    {
        yield return DescribeTarget(target);
        if (Replica is { } replica)
            yield return $"Replica   {replica.Endpoint}";
        yield return $"Estimate  {new IoDuration(TimeSpan.FromSeconds(Math.Ceiling(EstimatedTime.TotalSeconds)))} for {NumberFormat.Pluralize(Cases.Count, "measurement")}";
    }

    internal static string DescribeTarget(CheckedTarget target)
    {
        string?[] parts = [target.Path, IoSize.Format(target.Size), target.FileSystem, target.Device];
        return $"Target    {string.Join("  ", parts.OfType<string>())}";
    }

    internal static string DescribeRound(CommitCase what, int done, int total)
    {
        var name = CommitMeasurement.GetName(what.Method) + (what.IsReplicated ? ", replica" : "") + (what.HasRedo ? ", redo" : "");
        return Invariant($"{done + 1}/{total} {name}, {NumberFormat.Pluralize(what.Committers, "committer")}");
    }
}
