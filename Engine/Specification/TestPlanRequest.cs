namespace IoBench.Engine;

/// <summary>
/// What somebody asks for on a command line: everything is optional, null or empty means not said, and what is not said comes from
/// the workload, else from the defaults of <see cref="IoTestSpecification"/>. Sizes in bytes. <see cref="TestPlan.Create"/> makes tests of it.
/// </summary>
public sealed class TestPlanRequest
{
    /// <summary>Files, folders or devices; wildcards are the shell's business.</summary>
    public IReadOnlyList<string> Paths { get; set; } = [];

    /// <summary>Names of workloads, operations and suites, run in this order.</summary>
    public IReadOnlyList<string> Workloads { get; set; } = [];

    /// <summary>Ready specifications (from old command lines, files, the pipeline), run after the workloads. With targets of their own they need no path.</summary>
    public IReadOnlyList<IoTestSpecification> Specifications { get; set; } = [];

    /// <summary>Sizes of the test file.</summary>
    public IReadOnlyList<long> FileSizes { get; set; } = [];
    /// <summary>Bytes an I/O.</summary>
    public IReadOnlyList<long> BlockSizes { get; set; } = [];
    /// <summary>Orders of blocks.</summary>
    public IReadOnlyList<IoAccessPattern> AccessPatterns { get; set; } = [];
    /// <summary>Shares of writes in percent.</summary>
    public IReadOnlyList<int> WritePercents { get; set; } = [];
    /// <summary>Threads a target.</summary>
    public IReadOnlyList<int> ThreadCounts { get; set; } = [];
    /// <summary>Outstanding I/Os a thread and target.</summary>
    public IReadOnlyList<int> OutstandingIOs { get; set; } = [];

    /// <summary>Measured time of each test.</summary>
    public TimeSpan? Duration { get; set; }
    /// <summary>Time with I/O before the measurement; when null and <see cref="Duration"/> is given, <see cref="TestPlan.DefaultWarmUp"/>.</summary>
    public TimeSpan? WarmUp { get; set; }
    /// <summary>Time with I/O after the measurement.</summary>
    public TimeSpan? CoolDown { get; set; }
    /// <summary>Rest between tests, so that the storage's caches drain.</summary>
    public TimeSpan? Idle { get; set; }
    /// <summary>Which caches may be used.</summary>
    public IoBuffering? Buffering { get; set; }
    /// <summary>Open loop: I/Os a second and target.</summary>
    public double? TargetIops { get; set; }
    /// <summary>Closed loop: the most a target may get, all its threads together.</summary>
    public IoRate? MaxRate { get; set; }
    /// <summary>Share of random jumps in a sequential test, in percent.</summary>
    public int? RandomPercent { get; set; }
    /// <summary>Distance from one sequential I/O to the next.</summary>
    public long? Stride { get; set; }
    /// <summary>I/Os a burst, a thread and target.</summary>
    public int? BurstSize { get; set; }
    /// <summary>Milliseconds of rest after each burst.</summary>
    public int? ThinkTimeMs { get; set; }
    /// <summary>A flush after every so many writes of a thread.</summary>
    public int? FlushEvery { get; set; }
    /// <summary>Same seed, same offsets, and the same order of a shuffle.</summary>
    public ulong? Seed { get; set; }
    /// <summary>What writes consist of.</summary>
    public IoWriteContentKind? WriteContent { get; set; }
    /// <summary>The file that written bytes come from; implies <see cref="IoWriteContentKind.File"/>.</summary>
    public string? WriteContentFile { get; set; }
    /// <summary>Share of each written 4 KB that compresses, in percent.</summary>
    public int? CompressiblePercent { get; set; }
    /// <summary>How threads are bound to processors.</summary>
    public IoAffinityMode? AffinityMode { get; set; }
    /// <summary>Processors the threads are bound to; empty = as <see cref="AffinityMode"/> says.</summary>
    public IReadOnlyList<int> Processors { get; set; } = [];
    /// <summary>How I/Os reach the operating system.</summary>
    public IoBackendKind? Backend { get; set; }
    /// <summary>Size of the storage's cache.</summary>
    public long? StorageCacheSize { get; set; }
    /// <summary>End a test when its latency stays above so many milliseconds.</summary>
    public double? StopAboveMs { get; set; }

    /// <summary>The user's names: one for all tests, or one a path.</summary>
    public IReadOnlyList<string> Labels { get; set; } = [];
    /// <summary>How several paths are tested.</summary>
    public IoPathMode PathMode { get; set; }
    /// <summary>How often all tests are run, round by round.</summary>
    public int Repeat { get; set; } = 1;
    /// <summary>Run each test in rounds until five of them are steady, at most so many; null = no rounds. The least is 5.</summary>
    public int? SteadyStateRounds { get; set; }
    /// <summary>Draw the order of each round, so that a drift of the storage does not look like a trend.</summary>
    public bool Shuffle { get; set; }
}
