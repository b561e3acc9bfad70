namespace IoBench.Application.Plans;

/// <summary>
/// What somebody asks for: everything is optional, null or empty means not given, and what is not given comes from the workload, else from the defaults of
/// <see cref="IoTestSpecification"/>. <see cref="TestPlanner"/> makes tests of it.
/// </summary>
public sealed class PlanRequest
{
    /// <summary>A request for nothing yet.</summary>
    public PlanRequest() { }

    /// <summary>A request for paths with the options that were given.</summary>
    public PlanRequest(IReadOnlyList<string> paths, OptionValues values)
    {
        Paths = paths;
        ArgumentNullException.ThrowIfNull(values);
        values.ApplyTo(this);
    }

    /// <summary>Files, folders or devices, without wildcards.</summary>
    public IReadOnlyList<string> Paths { get; set; } = [];

    /// <summary>Names of workloads, operations and suites, run in this order.</summary>
    public IReadOnlyList<string> Workloads { get; set; } = [];

    /// <summary>Ready specifications (from old command lines, files, the pipeline), run after the workloads. With targets of their own they need no path.</summary>
    public IReadOnlyList<IoTestSpecification> Specifications { get; set; } = [];

    /// <summary>What every test shall be; of several values of an option every combination is run.</summary>
    public List<OptionSetting> Settings { get; } = [];

    /// <summary>Where a server's kinds of files lie: each role is tested alone, then all at once.</summary>
    public RolePaths Roles { get; set; } = new();

    /// <summary>Beside full speed all roles at once at so many percent of their own rates, 1 to 100; null = full speed only.</summary>
    public int? MixLoad { get; set; }

    /// <summary>Snapshots of sys.dm_io_virtual_file_stats as CSV files, the earliest first, of one or several a file: a server's own load.</summary>
    public IReadOnlyList<string> FileStats { get; set; } = [];

    /// <summary>The load that the snapshots hold, once tests were made of them; null where there are none.</summary>
    public FileStatsWorkload? OwnLoad { get; internal set; }

    /// <summary>The user's names: one for all tests, or one per path.</summary>
    public IReadOnlyList<string> Labels { get; set; } = [];

    /// <summary>How several paths are tested; null = one after the other.</summary>
    public IoPathMode? PathMode { get; set; }

    /// <summary>How often all tests are run, round by round; 1 to 10,000.</summary>
    public int Repeat { get; set; } = 1;

    /// <summary>Run each test in rounds until five of them are steady.</summary>
    public bool SteadyState { get; set; }

    /// <summary>With <see cref="SteadyState"/>: rounds at most, 5 to 1000; null = 25.</summary>
    public int? MaxRounds { get; set; }

    /// <summary>Write the targets in full so many times over before they are tested, above 0 to 10; null = not.</summary>
    public double? Precondition { get; set; }

    /// <summary>Draw the order of each round, so that a drift of the storage does not look like a trend.</summary>
    public bool Shuffle { get; set; }

    /// <summary>Rest between tests, so that the storage's caches drain.</summary>
    public TimeSpan? Idle { get; set; }

    /// <summary>How the suite is run.</summary>
    public SuiteSettings Suite { get; } = new();

    /// <summary>Whether an option of a test was given.</summary>
    public bool Has(OptionName option) => Settings.Exists(setting => setting.Row.Name == option.Name);

    /// <summary>The only or first value of an option of a test; null when it was not given.</summary>
    public T? Value<T>(OptionName option)
        where T : struct => Settings.Find(setting => setting.Row.Name == option.Name)?.Values[0] is T value ? value : null;

    /// <summary>Sets an option of a test, by its name and values that the engine takes or a user could write.</summary>
    public PlanRequest Set(string option, object value)
    {
        var values = new OptionValues(OptionTables.Columns);
        if (!values.Set(option, value))
            throw new ArgumentException($"{option} is not an option of a test.", nameof(option));
        Settings.RemoveAll(setting => setting.Row.Name.Equals(values.Find(option)!.Name, StringComparison.Ordinal));
        values.ApplyTo(this);
        return this;
    }
}

/// <summary>How a suite is run, and what it may do.</summary>
public sealed class SuiteSettings
{
    /// <summary>Use files that IoBench did not make, replace files that exist.</summary>
    public bool Force { get; set; }

    /// <summary>Use nothing but files of IoBench's own; nobody is asked whether another may be used.</summary>
    public bool OwnFilesOnly { get; set; }

    /// <summary>
    /// Raw devices that need not be empty for <see cref="Force"/> to hold, as <see cref="TestRunOptions.EraseDevices"/> has them. Those that a test of the suite
    /// has written to are added: what it left there is IoBench's own.
    /// </summary>
    public IList<string> EraseDevices { get; init; } = [];

    /// <summary>Of a checked test: where acknowledged writes are noted, a new file or <c>host:port</c>; null = nowhere.</summary>
    public string? Witness { get; set; }

    /// <summary>A test that misses its target rate has failed.</summary>
    public bool RequireRate { get; set; }

    /// <summary>The kind of storage that judges where no rule set is named; null = as the host says.</summary>
    public StorageClass? Storage { get; set; }

    /// <summary>Units in which throughput is shown.</summary>
    public ThroughputUnits Units { get; set; }

    /// <summary>Go on with an interrupted run.</summary>
    public bool Resume { get; set; }

    /// <summary>Remove the test files at the end.</summary>
    public bool RemoveTestFile { get; set; }
}
