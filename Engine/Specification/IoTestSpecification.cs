namespace IoBench.Engine.Specification;

/// <summary>
/// What one run shall do. Every reader of command lines and profiles makes one, <c>TestRun</c> carries it out.
/// The pattern it inherits holds for every target that has none of its own.
/// </summary>
public sealed class IoTestSpecification : IoPattern
{
    private string _backend = BackendCatalog.Auto;

    /// <summary>The file or files of the run: all are tested at once.</summary>
    public List<IoTargetSpecification> Targets { get; set; } = [];

    /// <summary>The user's name for the run; shown behind the pattern and used to compare.</summary>
    public string? Label { get; set; }

    /// <summary>Name of the workload it came from.</summary>
    public string? Workload { get; set; }

    /// <summary>Where SQL Server does this.</summary>
    public string? WorkloadRole { get; set; }

    /// <summary>Measured time.</summary>
    public TimeSpan Duration { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Time with I/O before the measurement.</summary>
    public TimeSpan WarmUp { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Time with I/O after the measurement.</summary>
    public TimeSpan CoolDown { get; set; }

    /// <summary>Rest before this run, so that the storage's caches drain.</summary>
    public TimeSpan RestBefore { get; set; }

    /// <summary>Size of test files in bytes for targets that say none; null = an existing file's, else 20 GB, at most 10 % of the free space.</summary>
    public long? FileSize { get; set; }

    /// <summary>Same seed, same offsets in the same order. A suite gives each test and round its own (<see cref="RunSeed"/>); 0 by default.</summary>
    public ulong Seed { get; set; }

    /// <summary>The number the suite's seeds were made from: given again as its seed, it draws the whole suite again. Null = no suite gave this test its seed.</summary>
    public ulong? SeedBase { get; set; }

    /// <summary>How I/Os reach the operating system: <see cref="BackendCatalog.Auto"/>, or the name of one of <see cref="BackendCatalog.All"/> in any case; never null.</summary>
    public string Backend
    {
        get => _backend;
        set => _backend = BackendCatalog.NameOf(value);
    }

    /// <summary>Who polls, in place of interrupts and system calls; all but None ask for io_uring.</summary>
    public IoPolling Polling { get; set; }

    /// <summary>One pool of <see cref="IoPattern.ThreadCount"/> threads over all targets in place of threads per target.</summary>
    public bool SharedThreadPool { get; set; }

    /// <summary>Outstanding I/Os per thread over all targets of a shared pool; null = <see cref="IoPattern.OutstandingIO"/> per target.</summary>
    public int? PoolOutstandingIO { get; set; }

    /// <summary>Length of a <see cref="IoTestResult.Timeline"/> interval.</summary>
    public TimeSpan TimelineInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// End the run when the average latency of the last three intervals is above so many milliseconds, or nothing came back in them though I/O was outstanding
    /// all the time; null = never.
    /// </summary>
    public double? StopAboveMs { get; set; }

    /// <summary>Size in bytes of the storage's cache, for the warning about small files; null = not stated.</summary>
    public long? StorageCacheSize { get; set; }

    /// <summary>Number of this run among equal ones, from 1; null when it is not repeated.</summary>
    public int? Repeat { get; set; }

    /// <summary>This run is one of at most so many rounds, which end when five are steady; null = no rounds. <see cref="Repeat"/> is its number.</summary>
    public int? SteadyStateRounds { get; set; }

    /// <summary>
    /// Each target runs at so many percent of the rate that its pattern reached alone earlier in the suite, which sets <see cref="IoPattern.TargetIops"/> before
    /// the run; null = the rates are as they stand.
    /// </summary>
    public double? MixLoadPercent { get; set; }

    /// <summary>Before this test its targets were written in full so many times over (<see cref="Preconditioning"/>); null = they were not.</summary>
    public double? Precondition { get; set; }

    /// <summary>It is this test that <see cref="Precondition"/> comes before; the tests after it find their targets written.</summary>
    public bool PreconditionsFirst { get; set; }

    /// <summary>The run ends when it has gone through each of its targets so often, warm-up included, at the latest after <see cref="Duration"/>; null = by its time alone.</summary>
    public double? EndAfterPasses { get; set; }

    /// <summary>Parameters of a modelled device for the Null backend; null = completes at once.</summary>
    public NullDeviceModel? NullDevice { get; set; }

    /// <summary>Latencies of each thread and target by interval are kept too, beside the run's timeline.</summary>
    public bool ThreadTimelines { get; set; }

    /// <summary>
    /// Each read is compared with what the file must hold there: the file is read before the test and after it, writes carry what proves them, and no two of them
    /// are in flight to one place. Errors fail the test.
    /// </summary>
    public bool Verify { get; set; }

    /// <summary>What a reader or writer keeps beside the test; null = nothing.</summary>
    public IoTestExtension? Extension { get; set; }

    /// <summary>The pattern that holds for a target.</summary>
    public IoPattern PatternOf(IoTargetSpecification target) => target.Pattern ?? this;

    /// <summary>A copy that shares nothing with this one.</summary>
    public IoTestSpecification Clone()
    {
        var copy = (IoTestSpecification)ClonePattern();
        copy.Targets = Targets.ConvertAll(t => t.Clone());
        copy.NullDevice = NullDevice is null ? null : NullDevice with { };
        copy.Extension = Extension?.Copy();
        return copy;
    }

    /// <summary>The test in a line: <c>oltp: 8KB random 30% write on T:\iobench.dat</c>.</summary>
    public override string ToString()
    {
        var what = Workload is null ? PatternText.Of(this) : $"{Workload}: {PatternText.Of(this)}";
        return Targets.TrueForAll(target => target.Path.Length == 0) ? what : $"{what} on {string.Join("; ", Targets)}";
    }
}
