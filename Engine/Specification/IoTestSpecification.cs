namespace IoBench.Engine;

/// <summary>Specification of one run. The inherited pattern applies to every target that has no pattern of its own.</summary>
public sealed class IoTestSpecification : IoPattern
{
    private string _backend = BackendCatalog.Auto;

    /// <summary>Targets of the run; all are tested concurrently.</summary>
    public List<IoTargetSpecification> Targets { get; set; } = [];

    /// <summary>The user's name for the run; shown after the pattern and used by comparisons.</summary>
    public string? Label { get; set; }

    public string? Workload { get; set; }

    public string? WorkloadRole { get; set; }

    public TimeSpan Duration { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Time with I/O before the measurement.</summary>
    public TimeSpan WarmUp { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Time with I/O after the measurement.</summary>
    public TimeSpan CoolDown { get; set; }

    /// <summary>Idle time before this run, so that the storage's caches can drain.</summary>
    public TimeSpan RestBefore { get; set; }

    /// <summary>
    /// Bytes, for targets without their own size; null = the size of an existing file, or 20 GB but at most 10% of the free space.
    /// </summary>
    public long? FileSize { get; set; }

    /// <summary>
    /// The same seed gives the same offsets in the same order. A suite gives each test and round its own (<see cref="DeriveSeed"/>).
    /// </summary>
    public ulong Seed { get; set; }

    /// <summary>Base of the suite's seeds, which reproduces the whole suite; null = no suite assigned the seed of this test.</summary>
    public ulong? SeedBase { get; set; }

    /// <summary><see cref="BackendCatalog.Auto"/> or a name from <see cref="BackendCatalog.All"/>, case-insensitive; never null.</summary>
    public string Backend
    {
        get => _backend;
        set => _backend = BackendCatalog.NormalizeName(value);
    }

    /// <summary>Polling that replaces interrupts and system calls; all values except None require io_uring.</summary>
    public IoPolling Polling { get; set; }

    /// <summary>Whether one pool of <see cref="IoPattern.ThreadCount"/> threads serves all targets.</summary>
    public bool SharedThreadPool { get; set; }

    /// <summary>Per thread over all targets of a shared pool; null = <see cref="IoPattern.OutstandingIO"/> per target.</summary>
    public int? PoolOutstandingIO { get; set; }

    /// <summary>Length of an interval of <see cref="IoTestResult.Timeline"/>.</summary>
    public TimeSpan TimelineInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Latency in milliseconds at which the run ends: if the average of the last three intervals is above it, or if no I/O completed in
    /// them although I/Os were outstanding all the time. Null = never.
    /// </summary>
    public double? StopAboveMs { get; set; }

    /// <summary>Size in bytes of the storage's cache, used by the warning about small files; null = not stated.</summary>
    public long? StorageCacheSize { get; set; }

    /// <summary>Number of this run among its repeats, from 1; null if the run is not repeated.</summary>
    public int? Repeat { get; set; }

    /// <summary>
    /// The rounds end early when five of them are steady. <see cref="Repeat"/> is the number of this round. Null = no rounds.
    /// </summary>
    public int? SteadyStateRounds { get; set; }

    /// <summary>
    /// Percentage of the rate that each target's pattern reached alone earlier in the suite. It sets <see cref="IoPattern.TargetIops"/>
    /// before the run. Null = the rates are used as specified.
    /// </summary>
    public double? MixLoadPercent { get; set; }

    /// <summary>Number of times that the targets were written in full before this test; null = they were not.</summary>
    public double? Precondition { get; set; }

    /// <summary>Whether the preconditioning runs directly before this test; later tests find their targets written.</summary>
    public bool PreconditionsFirst { get; set; }

    /// <summary>
    /// Passes over each target, warm-up included, after which the run ends before <see cref="Duration"/>; null = by time only.
    /// </summary>
    public double? EndAfterPasses { get; set; }

    /// <summary>Parameters of a modeled device for the Null backend; null = I/Os complete at once.</summary>
    public NullDeviceModel? NullDevice { get; set; }

    /// <summary>Whether latencies are also recorded per thread, target, and interval.</summary>
    public bool ThreadTimelines { get; set; }

    /// <summary>
    /// Whether each read is compared with the expected content. The file is read before and after the test, writes carry headers that
    /// identify them, and no two of them are outstanding at the same offset. Errors fail the test.
    /// </summary>
    public bool Verify { get; set; }

    /// <summary>Additional data of a reader or writer; null = none.</summary>
    public IoTestExtension? Extension { get; set; }

    public IoPattern GetPattern(IoTargetSpecification target) => target.Pattern ?? this;

    public IoTestSpecification Clone()
    {
        var copy = (IoTestSpecification)ClonePattern();
        copy.Targets = Targets.ConvertAll(t => t.Clone());
        copy.NullDevice = NullDevice is null ? null : NullDevice with { };
        copy.Extension = Extension?.Copy();
        return copy;
    }

    public override string ToString()
    {
        var what = Workload is null ? PatternText.Describe(this) : $"{Workload}: {PatternText.Describe(this)}";
        return Targets.TrueForAll(target => target.Path.Length == 0) ? what : $"{what} on {string.Join("; ", Targets)}";
    }

    /// <summary>A base for the seeds of one call; never 0. 32 bits, so that command lines of other tools and JSON readers of other programs
    /// can hold it.</summary>
    public static ulong CreateSeedBase() => (ulong)Random.Shared.NextInt64(1, 1L << 32);

    /// <summary>The seed of a test, round, or probe; never 0. So no run finds data that the last one left in a cache, repeats are
    /// independent, and one number reproduces all of them.</summary>
    public static ulong DeriveSeed(ulong seedBase, int test, int round) =>
        Math.Max(1, SplitMix64.Mix(SplitMix64.Mix(seedBase) + ((ulong)(uint)test << 32 | (uint)round)) >> 32);

    /// <param name="seedBase">The suite's base; a test that has its own seed uses that as its base.</param>
    /// <param name="round">Round, from 1.</param>
    public void AssignSeed(ulong seedBase, int test, int round)
    {
        if (Extension is not { FixesSeed: true })
        {
            var own = this is { Seed: > 0, SeedBase: null } ? Seed : seedBase;
            SeedBase = own;
            Seed = DeriveSeed(own, test, round);
        }
        else if (round > 1)
        {
            // Other tools use the same offsets in each run; repeats of their tests in IoBench do not.
            Seed = DeriveSeed(Seed, test, round);
        }
    }
}

/// <summary>Data that a reader or writer attaches to a test, such as the original command line. The engine only passes it on.</summary>
public abstract record IoTestExtension
{
    /// <summary>Whether a run uses the seed as given and starts its sequences at the first block.</summary>
    public virtual bool FixesSeed => false;

    /// <summary>Whether the timeline keeps the requested interval; otherwise, a long run has longer intervals.</summary>
    public virtual bool KeepsTimelineInterval => false;

    public abstract IoTestExtension Copy();
}
