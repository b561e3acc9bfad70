using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Request for tests. Null or empty means not specified: the workload applies, then the defaults of
/// <see cref="IoTestSpecification"/>.</summary>
public sealed class PlanRequest
{
    public PlanRequest() { }

    public PlanRequest(IReadOnlyList<string> paths, OptionValues values)
    {
        Paths = paths;
        ArgumentNullException.ThrowIfNull(values);
        values.ApplyTo(this);
    }

    /// <summary>Files, folders, or devices, without wildcards.</summary>
    public IReadOnlyList<string> Paths { get; set; } = [];

    /// <summary>Names of workloads, operations, and suites, in the order of the run.</summary>
    public IReadOnlyList<string> Workloads { get; set; } = [];

    /// <summary>Existing specifications, which run after the workloads. They need no path if they have targets.</summary>
    public IReadOnlyList<IoTestSpecification> Specifications { get; set; } = [];

    /// <summary>Settings of every test, with values in the engine's type. Several values of an option run every combination. If the option
    /// takes all values as a whole, there is one item: the list.</summary>
    public List<(OptionRow Row, IReadOnlyList<object> Values)> Settings { get; } = [];

    /// <summary>Path per file role. Each role is tested alone, then all roles concurrently.</summary>
    public RolePaths Roles { get; set; } = new();

    /// <summary>Percentage (1 to 100) of the rate of each role alone at which all roles also run concurrently; null for full speed
    /// only.</summary>
    public int? MixLoad { get; set; }

    /// <summary>CSV files with snapshots of sys.dm_io_virtual_file_stats, earliest first: the captured workload.</summary>
    public IReadOnlyList<string> FileStats { get; set; } = [];

    /// <summary>Files with the events of one Extended Events session: the captured workload.</summary>
    public IReadOnlyList<string> XEvents { get; set; } = [];

    /// <summary>The captured workload, after its tests were created; null if there is none.</summary>
    public CapturedWorkload? CapturedWorkload { get; internal set; }

    /// <summary>Labels: one for all tests, or one per path.</summary>
    public IReadOnlyList<string> Labels { get; set; } = [];

    /// <summary>Mode of testing several paths; null for one after the other.</summary>
    public IoPathMode? PathMode { get; set; }

    /// <summary>Number of rounds of all tests, 1 to 10,000.</summary>
    public int Repeat { get; set; } = 1;

    /// <summary>True to run each test in rounds until five rounds are steady.</summary>
    public bool SteadyState { get; set; }

    /// <summary>Maximum number of rounds with <see cref="SteadyState"/>, 5 to 1000; null for 25.</summary>
    public int? MaxRounds { get; set; }

    /// <summary>Number of times to write the targets completely before they are tested, above 0 to 10; null for none.</summary>
    public double? Precondition { get; set; }

    /// <summary>True to run each round in random order, so that drift of the storage does not look like a trend.</summary>
    public bool Shuffle { get; set; }

    /// <summary>Idle time between tests, which lets the storage write its caches to the media; null for none.</summary>
    public TimeSpan? Idle { get; set; }

    public SuiteSettings Suite { get; } = new();

    public bool Has(OptionName option) => Settings.Exists(setting => setting.Row.Name == option.Name);

    public T? GetValue<T>(OptionName option)
        where T : struct => Settings.Find(setting => setting.Row.Name == option.Name).Values?[0] is T value ? value : null;

    /// <param name="value">Value in the engine's type, or in a form that a user could write.</param>
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

public sealed class SuiteSettings
{
    /// <summary>What the tests may do with their targets.</summary>
    public TargetPermissions Permissions { get; set; } = TargetPermissions.None;

    /// <summary>Switches of <see cref="TargetPermissions"/> that the command does not have. A refusal then advises
    /// <see cref="AdviceWithoutSwitch"/> instead of the switch.</summary>
    public IReadOnlyList<OptionName> MissingSwitches { get; set; } = [];

    /// <summary>Advice of a refusal if the command has no switch to allow it.</summary>
    public IoMessage AdviceWithoutSwitch { get; set; } = "Use another file.";

    /// <summary>True to use only files that IoBench created. The user is not asked about other files.</summary>
    public bool OwnFilesOnly { get; set; }

    /// <summary>Write witness of an integrity check: a new file, or <c>host:port</c>; null for none.</summary>
    public string? Witness { get; set; }

    /// <summary>True if a test that does not reach its target rate fails.</summary>
    public bool RequireRate { get; set; }

    /// <summary>Kind of storage, which determines the default rule set; null for the kind that the host reports.</summary>
    public StorageClass? Storage { get; set; }

    public ThroughputUnits Units { get; set; }

    public bool Resume { get; set; }

    /// <summary>True if the user specified the file size. Otherwise, a large new file is announced.</summary>
    public bool HasExplicitFileSize { get; set; }

    public bool RemoveTestFile { get; set; }
}
