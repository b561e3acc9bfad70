using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Options of each command, in the order of its help.</summary>
public static class OptionTables
{
    private const string Table = "table";

    private static readonly IReadOnlyList<string> s_formats = [Table, .. ResultFormats.Writable.Select(format => format.OptionName!)];

    private static readonly OptionKind s_format = new("name", "NAME", typeof(string), (value, _) => ParseFormat(OptionKind.ToText(value)))
    {
        Allowed = s_formats,
    };

    /// <summary>In the module the report is a cmdlet of its own, Export-IoReport, and this option is its Path.</summary>
    private static readonly OptionRow s_report = new(
        "ReportPath",
        OptionKind.Path,
        "Create a report: Excel workbook (.xlsx), HTML report (.html), or image (.svg). IoBench replaces {date} in the name with the current date."
    )
    {
        ProgramName = "--report",
        ValueName = "FILE",
    };

    /// <summary>Export-IoResult and Export-IoReport replace an existing file without Force.</summary>
    private static readonly OptionRow s_force = new("Force", OptionKind.Flag, "Replace existing IoBench output files.");

    public static IReadOnlyList<OptionRow> Output { get; } =
    [
        // Cmdlets return objects. Format of Export-IoResult is the format of its file, and "table" is not among them.
        new("Format", s_format, $"Format of standard output: {string.Join(", ", s_formats)}.")
        {
            Default = Table,
            ProgramAliases = ["-f"],
        },
        // Cmdlets that run tests save JSON, because a run can be resumed only from JSON. Export-IoResult writes the other formats.
        new(
            "OutputPath",
            OptionKind.Path,
            "Also save the results to FILE after each test (.json, .csv, or .xml; - for standard output). IoBench replaces {date} in the name with the current date."
        )
        {
            ProgramName = "--output",
            ValueName = "FILE",
        },
        s_report,
        s_force,
    ];

    /// <summary>Output options of a command whose only file is the report.</summary>
    public static IReadOnlyList<OptionRow> ReportOutput { get; } = [s_report with { ProgramAliases = ["--output"] }, s_force];

    /// <summary>Metrics for monitoring, of the commands that test, rate, and check.</summary>
    public static IReadOnlyList<OptionRow> Metrics { get; } =
    [
        new(
            "MetricsPath",
            OptionKind.Path,
            "Also write metrics to FILE.prom in the OpenMetrics format, for the textfile collector of the Prometheus node_exporter. Each run replaces the file."
        )
        {
            ProgramName = "--metrics",
            ValueName = "FILE.prom",
        },
    ];

    public static IReadOnlyList<OptionRow> Removal { get; } =
    [new("Yes", OptionKind.Flag, "Do not ask before removing files that are kept as evidence.") { ProgramAliases = ["-y"] }];

    private static string ParseFormat(string name) =>
        name.Equals(Table, StringComparison.OrdinalIgnoreCase) ? Table
        : ResultFormats.FindWritable(name) is { } format ? ResultFormats.GetDescriptor(format).OptionName!
        : throw IoBenchException.Usage("IoBench.InvalidName", $"'{name}' is not one of {string.Join(", ", s_formats)}.", name);

    public static IReadOnlyList<OptionRow> Comparison { get; } =
    [
        new("By", OptionKind.Text, "Property to compare by: label, file, path, computer, or another property of a result.")
        {
            Default = "label if labels differ, otherwise file",
            ValueName = "NAME",
        },
        new(
            "Baseline",
            OptionKind.Text,
            "Baseline: a value of the property to compare by, or a results file. With a file, the exit code is 3 if a test is worse, or if all tests are inconclusive."
        )
        {
            ValueName = "NAME|FILE",
        },
        new("Alpha", OptionKind.Number, "Maximum probability of a false alarm across all patterns.")
        {
            Default = FormatNumber(new ComparisonOptions().Alpha),
            Range = (0.000001, 0.5),
        },
        new("MinChangePercent", OptionKind.Number, "Smallest change in percent that counts as better or worse.")
        {
            Default = FormatNumber(new ComparisonOptions().MinChangePercent),
            Aliases = ["LeastChangePercent"],
            ProgramAliases = ["--min-change"],
            Range = (0, 1000),
        },
        new("Role", OptionKind.Flag, "Show how much performance each file role loses when all file roles run concurrently."),
        new(
            "CapturedWorkload",
            OptionKind.Flag,
            "Compare the latency that SQL Server observed with the response time of the storage. Requires results of a captured workload."
        )
        {
            Aliases = ["OwnLoad"],
            ProgramAliases = ["--own-load"],
        },
        new("Repeat", OptionKind.Flag, "Show the mean, the range, and the 95% confidence interval of repeats or rounds."),
    ];

    private static string FormatNumber(double value) => value.ToString(CultureInfo.InvariantCulture);

    public static IReadOnlyList<OptionRow> HistoryIntake { get; } =
    [
        new("From", OptionKind.Path, "Add the new results from these files and folders to the history.")
        {
            Count = OptionValueCount.Whole,
            ProgramName = "--add",
            ValueName = "RESULTS",
        },
    ];

    public static IReadOnlyList<OptionRow> History { get; } =
    [
        new("Metric", OptionKind.Text, $"{string.Join(", ", HistoryTrend.MetricNames)}.")
        {
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
            Default =
                $"{string.Join(',', HistoryTrend.DefaultMetricNames)}; for open loops, {HistoryTrend.OpenLoopLatency} instead of {HistoryTrend.DefaultMetricNames[^1]}",
        },
        new("Workload", OptionKind.Text, "Show only these workloads. You can use the wildcards * ? [a-c].")
        {
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
        },
        new("ComputerName", OptionKind.Text, "Show only results from these computers. You can use the wildcards * ? [a-c].")
        {
            Count = OptionValueCount.Whole,
            ProgramName = "--computer",
            ProgramAliases = ["--computer-name"],
            ValueName = "NAME",
        },
        new("Since", OptionKind.Day, "Show only runs since this date, such as 2026-01-31."),
    ];

    public static IReadOnlyList<OptionRow> Import { get; } =
    [
        new("Recurse", OptionKind.Flag, "Include subfolders.") { ProgramAliases = ["-r"] },
        new("Label", OptionKind.Text, "Label of the results.") { KeepsCommas = true },
        // Content is not offered: it is the default.
        new(
            "LabelFrom",
            OptionKind.ForNames([nameof(LabelSource.FileName), nameof(LabelSource.Folder)]),
            "Source of the label for imported results: filename or folder."
        ),
        new("Last", OptionKind.Flag, "Read the results of the last run from the journal."),
    ];

    /// <summary>In the CLI the arguments are one text, which is split. PowerShell passes them as a list.</summary>
    public static IReadOnlyList<OptionRow> Conversion { get; } =
    [
        new("ArgumentList", OptionKind.Text, "Arguments of the batch files (%1, %2, and so on), separated by spaces.")
        {
            ProgramName = "--arguments",
            KeepsCommas = true,
        },
    ];

    /// <summary>The CLI takes rule sets as one text with commas. A file name can also contain commas, so the text is one value.</summary>
    public static IReadOnlyList<OptionRow> Rules { get; } =
    [
        new(
            "RuleSet",
            OptionKind.Text,
            $"Rule sets: {string.Join(", ", IoRuleSet.All.Select(set => set.Name))}, or a JSON file. Separate several rule sets with commas."
        )
        {
            Default = "the rule set of the storage type",
            ProgramName = "--require",
            ValueName = "NAME|FILE",
            KeepsCommas = true,
        },
    ];

    /// <summary>For the CLI only: in the module, results go to Test-IoResult and Compare-IoResult instead.</summary>
    public static IReadOnlyList<OptionRow> Expectations { get; } =
    [
        Rules[0] with
        {
            Help = "Rule sets that the results must meet, by name or JSON file. The exit code is 3 if a rule fails.",
            Default = null,
        },
        new("Baseline", OptionKind.Path, "Baseline results. The exit code is 3 if a test is worse.") { ValueName = "FILE" },
    ];

    public static IReadOnlyList<OptionRow> FleetRating { get; } =
    [
        new(
            "Require",
            OptionKind.Text,
            "Requirements, such as \"sum iops > 300000\" or \"p99 < 5\". The exit code is 3 if a requirement is not met."
        )
        {
            KeepsCommas = true,
        },
    ];

    private static readonly OptionRow s_workload = CreateRequestOption<string>(
        "Workload",
        OptionKind.Text,
        "Workloads or suites by name.",
        (request, names) => request.Workloads = names
    ) with
    {
        Count = OptionValueCount.Whole,
        ValueName = "NAME",
        FirstPage = true,
    };

    private static readonly OptionRow s_label = CreateRequestOption<string>(
        "Label",
        OptionKind.Text,
        "Label of the results: one for all paths, or one per path.",
        (request, labels) => request.Labels = labels
    ) with
    {
        Count = OptionValueCount.Whole,
        KeepsCommas = true,
        FirstPage = true,
    };

    private static readonly OptionRow s_pathMode = CreateRequestOption<IoPathMode>(
        "PathMode",
        OptionKind.ForEnum<IoPathMode>(),
        "Test several paths one after the other (each), concurrently (together), or first one after the other and then concurrently (both).",
        (request, mode) => request.PathMode = mode[0]
    ) with
    {
        Default = "each",
    };

    private static readonly OptionRow[] s_rounds =
    [
        CreateRequestOption<int>(
            "Repeat",
            OptionKind.Integer,
            "Number of times to run each test. Each round runs all tests once.",
            (request, count) => request.Repeat = count[0]
        ) with
        {
            Default = "1",
            Range = (1, 10_000),
            RangeErrorId = "IoBench.InvalidRepeat",
            FirstPage = true,
        },
        CreateRequestOption<bool>(
            "SteadyState",
            OptionKind.Flag,
            "Run each test in rounds of one minute until five consecutive rounds are steady. This meets the SNIA criterion only if the disk is also preconditioned (--precondition 2x).",
            (request, on) => request.SteadyState = on[0]
        ),
        CreateRequestOption<int>(
            "MaxRounds",
            OptionKind.Integer,
            "With --steady-state: maximum number of rounds of a test.",
            (request, count) => request.MaxRounds = count[0]
        ) with
        {
            Default = "25",
            Range = (5, 1000),
            RangeErrorId = "IoBench.InvalidRounds",
        },
        CreateRequestOption<double>(
            "Precondition",
            OptionKind.Times,
            "Overwrite each file this number of times before its first test. Flash storage is faster until it has been filled once. SNIA requires 2x.",
            (request, passes) => request.Precondition = passes[0]
        ) with
        {
            Examples = ["2x"],
        },
        CreateRequestOption<TimeSpan>(
            "IdleSeconds",
            OptionKind.Duration,
            "Idle time between tests, so that caches can drain.",
            (request, time) => request.Idle = time[0]
        ) with
        {
            Aliases = ["Idle"],
            ProgramName = "--idle",
            ProgramAliases = ["--idle-seconds"],
            Default = "0",
        },
        CreateRequestOption<bool>(
            "Shuffle",
            OptionKind.Flag,
            "Run the tests in random order (repeatable with --seed).",
            (request, on) => request.Shuffle = on[0]
        ),
    ];

    private static readonly OptionRow[] s_roles =
    [
        CreateRequestOption<string>(
            "DataPath",
            OptionKind.Path,
            "Path for data files (file role data). With paths for two or more file roles, IoBench tests each role alone, and then all roles concurrently.",
            (request, path) => request.Roles = request.Roles with { Data = path[0] }
        ) with
        {
            FirstPage = true,
        },
        CreateRequestOption<string>(
            "LogPath",
            OptionKind.Path,
            "Path for log files (file role log).",
            (request, path) => request.Roles = request.Roles with { Log = path[0] }
        ) with
        {
            FirstPage = true,
        },
        CreateRequestOption<string>(
            "TempdbPath",
            OptionKind.Path,
            "Path for tempdb files (file role tempdb).",
            (request, path) => request.Roles = request.Roles with { Tempdb = path[0] }
        ) with
        {
            FirstPage = true,
        },
        CreateRequestOption<string>(
            "BackupPath",
            OptionKind.Path,
            "Path for backup files (file role backup).",
            (request, path) => request.Roles = request.Roles with { Backup = path[0] }
        ) with
        {
            FirstPage = true,
        },
        CreateRequestOption<int>(
            "MixLoad",
            OptionKind.Percent,
            "Also test all file roles concurrently, each at this percentage of the rate that it reached alone.",
            (request, percent) => request.MixLoad = percent[0]
        ) with
        {
            Range = (1, 100),
            Examples = ["50"],
        },
        CreateRequestOption<string>(
            "FromFileStats",
            OptionKind.Path,
            "Test the captured workload of a server: CSV files with two or more snapshots of sys.dm_io_virtual_file_stats. To see the query that takes a snapshot, add --help.",
            (request, files) => request.FileStats = files
        ) with
        {
            Count = OptionValueCount.Whole,
            FirstPage = true,
            ValueName = "BEFORE,AFTER",
        },
        CreateRequestOption<string>(
            "FromXEvents",
            OptionKind.Path,
            "Test the captured workload of a server: XML or CSV files of an Extended Events session with the events file_read_completed and file_write_completed.",
            (request, files) => request.XEvents = files
        ) with
        {
            Count = OptionValueCount.Whole,
            ProgramName = "--from-xevents",
            FirstPage = true,
            ValueName = "FILE",
        },
    ];

    private static readonly OptionRow s_errorLog = new(
        "ErrorLogPath",
        OptionKind.Path,
        "Add to the report the I/O messages from ERRORLOG files of SQL Server, or from a folder that contains such files."
    )
    {
        Count = OptionValueCount.Whole,
        ProgramName = "--errorlog",
        ValueName = "FILE",
    };

    private static readonly OptionRow s_provisioned = new(
        "Provisioned",
        OptionKind.Text,
        "Provisioned limits: a storage SKU such as azure:P30, aws:gp3:3000:125, or azure:P30;azure-vm:E16bds_v5. You can also specify values, such as \"IOPS = 2300; Throughput = '150 MB/s'\"."
    )
    {
        ProgramAliases = ["--specification", "--storage-specification"],
    };

    private static readonly OptionRow[] s_reportAppearance =
    [
        new("Title", OptionKind.Text, "Title of the report."),
        new("NoSummary", OptionKind.Flag, "Omit the Summary sheet."),
        new(
            "Classic",
            OptionKind.Flag,
            "Create the report with the nine columns and three charts of SQLIOResult2Excel.ps1, for results of any tool."
        ),
        new("Body", OptionKind.Flag, "Create an email body of about 20 lines (HTML, at most 10 KB) instead of the whole report."),
    ];

    private static readonly OptionRow s_storage = CreateRequestOption<StorageClass>(
        "Storage",
        OptionKind.ForEnum<StorageClass>(),
        "Storage type for the default rule sets: flash, hdd, or cloud.",
        (request, kind) => request.Suite.Storage = kind[0]
    ) with
    {
        Default = "the type that the host reports, otherwise flash",
    };

    private static readonly OptionRow s_units = CreateRequestOption<ThroughputUnits>(
        "Units",
        OptionKind.ForEnum<ThroughputUnits>(),
        "Unit of throughput: binary (MiB/s), or si (MB/s of 10^6 bytes).",
        (request, units) => request.Suite.Units = units[0]
    ) with
    {
        Default = "binary",
    };

    private static readonly OptionRow s_requireRate = CreateRequestOption<bool>(
        "RequireRate",
        OptionKind.Flag,
        "Treat a test as failed (exit code 1) if it reaches less than 97% of its target rate.",
        (request, on) => request.Suite.RequireRate = on[0]
    );

    private static readonly OptionRow s_witness = CreateRequestOption<string>(
        "Witness",
        OptionKind.PathOrEndpoint,
        "Write witness: a new file on another volume, or HOST:PORT#SECRET of a computer that runs iobench witness. The witness records the acknowledged writes of a verified test.",
        (request, place) => request.Suite.Witness = place[0]
    ) with
    {
        ValueName = "FILE|HOST:PORT",
    };

    private static readonly OptionRow s_secretFile = new(
        "SecretFile",
        OptionKind.Path,
        "File with the secret that both computers share. Without this option, IoBench reads the environment variable IOBENCH_REPLICA_SECRET."
    )
    {
        ValueName = "FILE",
    };

    private static readonly OptionRow[] s_suite =
    [
        CreateRequestOption<bool>(
            "Resume",
            OptionKind.Flag,
            "Resume an interrupted run: run only the missing tests.",
            (request, on) => request.Suite.Resume = on[0]
        ) with
        {
            FirstPage = true,
        },
        CreateRequestOption<bool>(
            "RemoveTestFile",
            OptionKind.Flag,
            "Remove the test file at the end.",
            (request, on) => request.Suite.RemoveTestFile = on[0]
        ),
    ];

    private static readonly OptionRow[] s_permissions =
    [
        CreatePermissionOption<string>(
            "OverwriteFile",
            OptionKind.Text,
            "Allow writing to this file (name or path), which IoBench did not create. Its contents are lost.",
            (permissions, names) => permissions with { OverwriteFiles = [.. permissions.OverwriteFiles, .. names] }
        ) with
        {
            Count = OptionValueCount.Whole,
            KeepsCommas = true,
            FirstPage = true,
            ProgramName = "--overwrite",
            ValueName = "NAME",
        },
        CreatePermissionOption<string>(
            "EraseDevice",
            OptionKind.Text,
            "Allow writing to this raw device, such as /dev/sdx, sdx, or PhysicalDrive1. All data on it is lost. IoBench refuses a device on which it recognizes data, such as a file system.",
            (permissions, names) => permissions with { EraseDevices = [.. permissions.EraseDevices, .. names] }
        ) with
        {
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
        },
        CreatePermissionOption<bool>(
            "FillVolume",
            OptionKind.Flag,
            "Allow a test file that lets free space drop below 10% of the volume or 10 GB, whichever is smaller.",
            (permissions, on) => permissions with { FillVolume = on[0] }
        ),
        CreatePermissionOption<bool>(
            "ReadDatabase",
            OptionKind.Flag,
            "Allow reading SQL Server files, which can slow down the server. IoBench never writes to them.",
            (permissions, on) => permissions with { ReadDatabase = on[0] }
        ),
    ];

    public static IReadOnlyList<OptionRow> Run { get; } =
    [
        s_workload,
        .. TestOptions.Common,
        .. TestOptions.OfRuns,
        s_label,
        s_pathMode,
        .. s_rounds,
        .. s_roles,
        s_storage,
        s_units,
        s_requireRate,
        s_witness,
        .. s_suite,
        .. s_permissions,
        s_force,
    ];

    /// <summary>Options of the integrity check, without <see cref="AfterCrash"/>.</summary>
    public static IReadOnlyList<OptionRow> Verify { get; } =
    [
        s_witness with
        {
            FirstPage = true,
        },
        s_workload,
        .. TestOptions
            .Common.Where(row => row.Name is not "Verify")
            .Select(row => row.Name == "WritePercent" ? row with { Default = "50" } : row),
        .. TestOptions.OfRuns,
        s_label,
        .. s_suite.Where(row => row.Name is not "Resume"),
        .. s_permissions,
    ];

    public static IReadOnlyList<OptionRow> AfterCrash { get; } =
    [
        new(
            "AfterCrash",
            OptionKind.Path,
            "After a power loss: verify the writes that are recorded in this log of the write witness. IoBench runs no test."
        )
        {
            ValueName = "WITNESS",
        },
    ];

    /// <summary>Options of creating a test file without a test.</summary>
    public static IReadOnlyList<OptionRow> TestFile { get; } =
    [GetTestOption("FileSize") with { Count = OptionValueCount.One }, s_permissions.First(row => row.Name == OptionNames.FillVolume.Name)];

    /// <summary>Options that allow what IoBench otherwise refuses, each for one danger.</summary>
    public static IReadOnlyList<OptionRow> Permissions => s_permissions;

    public static IReadOnlyList<OptionRow> Saturation { get; } = [s_units];

    public static IReadOnlyList<OptionRow> Rating { get; } = [s_storage, s_units];

    public static IReadOnlyList<OptionRow> Report { get; } = [.. s_reportAppearance, s_storage, s_units, s_provisioned, s_errorLog];

    public static IReadOnlyList<OptionRow> ReportLook => s_reportAppearance;

    /// <summary>Options that a table column or an object property can set.</summary>
    public static IReadOnlyList<OptionRow> Columns { get; } =
    [s_workload, .. TestOptions.Common, .. TestOptions.Detailed, s_label, s_pathMode, .. s_rounds];

    /// <summary>Options of a call, and options that only a table column can set.</summary>
    public static IReadOnlyList<OptionRow> RunAndColumns { get; } = [.. Run, .. TestOptions.Detailed.Except(TestOptions.OfRuns)];

    public static OptionRow? FindColumn(string name) => Columns.FirstOrDefault(row => row.IsNamed(name));

    /// <summary>Options of a command that a column or property can set. Options that allow overwriting are not among them.</summary>
    public static IReadOnlyList<OptionRow> GetColumns(IEnumerable<OptionRow> rows) =>
        [.. rows.Where(row => Columns.Any(column => column.Name == row.Name))];

    /// <summary>Options of New-IoTestSpecification: all settings of a single test.</summary>
    public static IReadOnlyList<OptionRow> Specification { get; } =
    [
        .. TestOptions
            .Common.Where(row => row.Name is not "MaxRate")
            .Select(row => row.Count == OptionValueCount.Combinations ? row with { Count = OptionValueCount.One } : row),
        .. TestOptions.Detailed,
    ];

    /// <summary>Options of the limit search, in addition to the options of <see cref="Run"/> for the test.</summary>
    public static IReadOnlyList<OptionRow> LimitSearch { get; } =
    [
        new("MaxLatencyMs", OptionKind.Milliseconds, "Latency limit, such as 5ms. A number without a unit is in milliseconds.")
        {
            Aliases = ["LimitMs"],
            ProgramAliases = ["--max-latency"],
            ValueName = "MS",
            Range = (0.001, 60_000),
            RangeErrorId = "IoBench.InvalidLimit",
        },
        new("Statistic", OptionKind.ForEnum<LatencyStatistic>(), "Statistic that must meet the limit: average or p99.")
        {
            Default = "average",
        },
        new(
            "Operation",
            OptionKind.ForEnum(IoOperation.Read, IoOperation.Write),
            "For mixed patterns: operation that must meet the limit (read or write)."
        ),
        new("TolerancePercent", OptionKind.Number, "Stop the search when the highest rate is known to within this percentage.")
        {
            Default = "2",
            ProgramAliases = ["--tolerance"],
            Range = (0.1, 50),
            RangeErrorId = "IoBench.InvalidLimit",
        },
        new("MaxIops", OptionKind.Number, "Highest rate in IOPS that the search tries.")
        {
            Default = "the achieved rate of a test without a target rate",
            Range = (0.001, 1e9),
            RangeErrorId = "IoBench.InvalidLimit",
        },
        new("MaxProbes", OptionKind.Integer, "Maximum number of test runs in the search.")
        {
            Default = "60",
            Range = (5, 1000),
            RangeErrorId = "IoBench.InvalidLimit",
        },
    ];

    /// <summary>Options of the test of a limit search, with one value each.</summary>
    public static IReadOnlyList<OptionRow> LimitTest { get; } =
    [
        s_workload with
        {
            Count = OptionValueCount.One,
            Help = "Workload by name.",
            SetRequest = (request, names) => request.Workloads = [(string)names[0]],
        },
        .. TestOptions
            .Common.Where(row => row.Name is not ("TargetIops" or "MaxRate" or "BurstSize" or "ThinkTime" or "StopAboveMs" or "Verify"))
            .Select(row =>
                row with
                {
                    Count = row.Count == OptionValueCount.Combinations ? OptionValueCount.One : row.Count,
                    Default = row.Name switch
                    {
                        "Duration" => "10s",
                        "Arrivals" => "poisson",
                        _ => row.Default,
                    },
                }
            ),
        s_label,
        .. s_permissions,
    ];

    public static IReadOnlyList<OptionRow> Cap { get; } =
    [
        s_provisioned with
        {
            Help = s_provisioned.Help.TrimEnd('.') + ". The exit code is 3 if a limit is not met.",
        },
        s_pathMode with
        {
            Default = "both for several paths",
        },
        GetTestOption("FileSize") with
        {
            Count = OptionValueCount.One,
        },
        GetTestOption("Duration") with
        {
            Default = "20s",
            Help = "Duration of each test.",
        },
        GetTestOption("WarmUp"),
        GetTestOption("BlockSize") with
        {
            Count = OptionValueCount.Whole,
            Default = "8KB,64KB,256KB",
            Help = "Block sizes to test.",
        },
        GetTestOption("OutstandingIO") with
        {
            Count = OptionValueCount.Whole,
            Default = "1,8,32,128",
            Range = (1, 4096),
            Help = "Numbers of outstanding I/Os to test.",
            ValueName = "LIST",
        },
        GetTestOption("StorageCacheSize"),
        GetTestOption("Backend"),
        s_units,
        s_suite[1],
        .. s_permissions,
    ];

    // Options of the file of a command that writes only to its own test file.
    private static readonly IReadOnlyList<OptionRow> s_ownFile =
    [
        GetTestOption("FileSize") with
        {
            Count = OptionValueCount.One,
            Default = "256MB",
        },
        s_suite[1],
        s_permissions.First(row => row.Name == OptionNames.FillVolume.Name),
    ];

    public static IReadOnlyList<OptionRow> Drill { get; } =
    [
        new(
            "Limit",
            OptionKind.Duration,
            "Longest allowed duration of an outage or an I/O. The exit code is 3 if an outage or an I/O exceeds this limit."
        )
        {
            Default = "15s, after which SQL Server reports error 833",
            Examples = ["5s"],
        },
        GetTestOption("Duration") with
        {
            Default = "5m",
            Help = "Duration of the load.",
        },
        new("UntilKey", OptionKind.Flag, "Run until a key is pressed."),
        GetTestOption("TargetIops") with
        {
            Count = OptionValueCount.One,
            Default = "200",
            Help = "Rate of the load in IOPS.",
        },
        GetTestOption("WritePercent") with
        {
            Count = OptionValueCount.One,
            Default = "50",
        },
        GetTestOption("BlockSize") with
        {
            Count = OptionValueCount.One,
        },
        s_ownFile[0],
        s_ownFile[1],
    ];

    /// <summary>Report of a command whose report has no results of tests.</summary>
    public static IReadOnlyList<OptionRow> AnalysisReport { get; } =
    [
        new("ReportPath", OptionKind.Path, "Create a report: Excel workbook (.xlsx) or HTML report (.html).")
        {
            ProgramName = "--report",
            ValueName = "FILE",
        },
        s_force with
        {
            Help = "Replace an existing report.",
        },
    ];

    public static IReadOnlyList<OptionRow> Advice { get; } =
    [
        new(
            "FromFileStats",
            OptionKind.Path,
            "CSV files with two or more snapshots of sys.dm_io_virtual_file_stats. iobench run --from-file-stats --help shows the query."
        )
        {
            Count = OptionValueCount.Whole,
            ValueName = "FILE",
        },
        new(
            "Cloud",
            OptionKind.ForNames(StorageAdvisor.Clouds),
            "Cloud: azure or aws for virtual machines, or azure-mi for SQL Managed Instance."
        )
        {
            Default = "all clouds",
        },
        new("Headroom", OptionKind.Number, "Percentage by which each limit must exceed the peak load.")
        {
            Default = "30",
            Range = (0, 400),
        },
        new(
            "PricesPath",
            OptionKind.Path,
            "CSV file with your prices: columns name and price, and optionally price_per_iops, price_per_throughput, and price_per_gib. IoBench then chooses the cheapest storage that fits."
        )
        {
            ProgramName = "--prices",
            ValueName = "FILE",
        },
        new("All", OptionKind.Flag, "Also show the disks and virtual machines that do not fit, and why."),
        .. AnalysisReport,
    ];

    public static IReadOnlyList<OptionRow> Commit { get; } =
    [
        GetTestOption("Duration") with
        {
            Default = "2s, or 5s with a replica",
            Help = "Measurement time for each combination of method and number of committers, divided into five rounds.",
        },
        new("Committers", OptionKind.Integer, "Numbers of threads that commit concurrently.")
        {
            Count = OptionValueCount.Whole,
            Default = "1,8,32",
            Range = (1, CommitPlan.MaxCommitters),
        },
        new("WriteSize", OptionKind.Size, "Commit sizes to measure, from 512 bytes to 1 MB.")
        {
            Count = OptionValueCount.Whole,
            Default = "4KB",
            Examples = ["512", "4KB", "16KB", "60KB"],
        },
        new("Extending", OptionKind.Flag, "Also measure writes that extend the file."),
        new("Misaligned", OptionKind.Flag, "Also measure writes that are not aligned to the physical sector."),
        new(
            "Replica",
            OptionKind.Text,
            "Predict the commit latency of a synchronous availability group with the iobench replica at this address."
        )
        {
            ValueName = "HOST:PORT",
            KeepsCommas = true,
        },
        s_secretFile with
        {
            Help =
                "File with the secret of the replica. Without this option, IoBench reads the environment variable IOBENCH_REPLICA_SECRET.",
        },
        new("Redo", OptionKind.Flag, "Also measure commits while the replica concurrently writes data pages (redo)."),
        .. s_ownFile,
        .. AnalysisReport,
    ];

    /// <summary>Options of the search for the layer that adds latency.</summary>
    public static IReadOnlyList<OptionRow> LatencySource { get; } =
    [
        GetTestOption("Duration") with
        {
            Default = "5s",
            Help = "Duration of the read test and of the write test. The other tests are shorter.",
        },
        s_ownFile[0],
        new("RawRead", OptionKind.Flag, "Also read the device of the file system directly. IoBench never writes to the device."),
        new(
            "ToggleCommand",
            OptionKind.Text,
            "Compare two states: command A turns a feature on, and command B turns it off. The shell runs one of them before each test, in the order A B B A. A always runs last, even after an error or Ctrl+C."
        )
        {
            Count = OptionValueCount.Whole,
            KeepsCommas = true,
            ValuesPerUse = 2,
            ProgramName = "--ab",
            ValueName = "A B",
        },
        AnalysisReport[0] with
        {
            Help = "Create a report for the storage team: Excel workbook (.xlsx) or HTML report (.html).",
        },
        new("Anonymous", OptionKind.Flag, "Omit names of hosts, users, and paths."),
        s_ownFile[1],
        s_ownFile[2],
        AnalysisReport[1],
    ];

    public static IReadOnlyList<OptionRow> ErrorLog { get; } =
    [
        new("Interval", OptionKind.Duration, "Length of each timeline interval, from 1m to 366d.")
        {
            Default = "1h",
            Examples = ["5m", "1h", "24h"],
        },
        .. AnalysisReport,
    ];

    public static IReadOnlyList<OptionRow> Replica { get; } =
    [
        new("Listen", OptionKind.Text, "Address and port of this computer to listen on, such as 192.0.2.7:8434.")
        {
            Default = ReplicaEndpoint.Loopback.ToString(),
            ValueName = "ADDRESS:PORT",
            KeepsCommas = true,
        },
        s_secretFile,
        .. s_ownFile,
    ];

    public static IReadOnlyList<OptionRow> FleetLead { get; } =
    [
        new(
            "MinHosts",
            OptionKind.Integer,
            "Minimum number of hosts for a test. A test then starts without hosts that are late. The exit code is 0 if at least this number of hosts completes the tests."
        )
        {
            Default = "all hosts that respond",
            Range = (1, 100_000),
        },
        new(
            "HostTimeout",
            OptionKind.Duration,
            "Time after which a host that does not respond is considered lost. With --min-hosts, IoBench also waits this long for late hosts."
        )
        {
            Default = "90s",
        },
        new(
            "Ramp",
            OptionKind.Integer,
            "Run the tests several times, with the first 1, 2, 4 … hosts, and find the saturation point of shared storage."
        )
        {
            Count = OptionValueCount.Whole,
            ValueName = "1,2,4,8",
            Range = (1, 100_000),
        },
        new(
            "Alone",
            OptionKind.Flag,
            "Also run each host alone, and report how much performance each host loses when all run concurrently."
        ),
        new(
            "GroupIops",
            OptionKind.Number,
            "Total target rate for all hosts in IOPS (open loop), divided evenly among the hosts. A host with a rate in the inventory uses that rate."
        )
        {
            ValueName = "N",
            Range = (0.001, 1e9),
        },
        new("GroupMaxRate", OptionKind.Rate, "Total maximum rate for all hosts (closed loop), divided evenly among the hosts.")
        {
            Examples = ["'20000 IOPS'", "'2 GB/s'"],
        },
        new(
            "Program",
            OptionKind.Text,
            "Path of iobench on the hosts. On the local host, 'iobench fleet' uses the running program by default."
        )
        {
            Default = "iobench",
            ValueName = "PATH",
        },
        new(
            "Copy",
            OptionKind.Path,
            "Copy FILE, an iobench program, to each host that does not have the same file yet (compared by SHA-256)."
        )
        {
            ValueName = "FILE",
        },
        new(
            "Resume",
            OptionKind.Flag,
            "Resume an interrupted fleet run. If the result of a host is missing for a test, all hosts repeat that test."
        ),
        new(
            "ResumeAlone",
            OptionKind.Flag,
            "Resume an interrupted fleet run: run only the hosts whose results are missing. IoBench flags the new results, and never adds them up with the earlier results of the other hosts."
        ),
        new("Yes", OptionKind.Flag, "Run without asking for confirmation.") { ProgramAliases = ["-y"] },
    ];

    public static IReadOnlyList<OptionRow> FleetTests { get; } =
    [
        s_workload,
        .. TestOptions.Common.Where(row => row.Name is not "Verify"),
        .. TestOptions.OfRuns,
        s_label,
        .. s_rounds.Where(row => row.Name is "Repeat" or "IdleSeconds" or "Precondition"),
        s_force,
    ];

    /// <summary>Options of a fleet member: a host that starts each test at the start time of its group.</summary>
    public static IReadOnlyList<OptionRow> Member { get; } =
    [
        new(
            "Specification",
            OptionKind.Text,
            "Run the tests that a JSON file defines, instead of specifying paths and options. Use - to read the tests from the first line of standard input."
        )
        {
            ValueName = "FILE",
        },
        new(
            "StartAt",
            OptionKind.Text,
            "Start time of this member of a fleet: 02:00, 2026-12-01T02:00:00Z, or +90s. With 'line', the member starts when it reads a line from standard input. The member prints one line of JSON each time its state changes."
        )
        {
            ValueName = "TIME|line",
            Examples = ["02:00", "+90s", "line"],
        },
        new("Group", OptionKind.Text, "With --start-at: name of the group.") { ValueName = "ID" },
        new("Member", OptionKind.Text, "With --start-at: name of this host in its group.")
        {
            Default = "the computer name",
            ValueName = "NAME",
        },
        new("GroupHosts", OptionKind.Integer, "With --start-at: number of hosts in the group.") { Range = (1, 100_000) },
    ];

    public static IReadOnlyList<OptionRow> Check { get; } =
    [
        new("OutputPath", OptionKind.Path, "Also save the results of the checks as JSON, without names of hosts, users, and paths.")
        {
            ProgramName = "--output",
            ValueName = "FILE",
        },
        new("Force", OptionKind.Flag, "Replace the output file if it exists."),
        .. Metrics,
    ];

    /// <summary>Options of commands that print results, for output in addition to the table.</summary>
    public static IReadOnlyList<OptionRow> Shown { get; } =
    [
        new("Histogram", OptionKind.Flag, "Show the latency distribution and the IOPS over time for each test."),
        new("HeatMap", OptionKind.Flag, "Show a heat map of latency over time for each test.") { ProgramName = "--heatmap" },
    ];

    /// <summary>All options by name. If a command has its own variant of an option, the common one.</summary>
    public static IReadOnlyList<OptionRow> All { get; } =
    [
        .. Run.Concat(TestOptions.Detailed)
            .Concat(LimitSearch)
            .Concat(Cap)
            .Concat(Drill)
            .Concat(Advice)
            .Concat(Commit)
            .Concat(ErrorLog)
            .Concat(LatencySource)
            .Concat(Replica)
            .Concat(Report)
            .Concat(Output)
            .Concat(Check)
            .Concat(Metrics)
            .Concat(Shown)
            .Concat(AfterCrash)
            .Concat(Member)
            .Concat(FleetLead)
            .Concat(FleetRating)
            .Concat(Comparison)
            .Concat(History)
            .Concat(HistoryIntake)
            .Concat(Import)
            .Concat(Conversion)
            .Concat(Rules)
            .DistinctBy(row => row.Name),
    ];

    public static OptionRow? Find(string name) => All.FirstOrDefault(row => row.IsNamed(name));

    private static OptionRow CreatePermissionOption<T>(
        string name,
        OptionKind kind,
        string help,
        Func<TargetPermissions, IReadOnlyList<T>, TargetPermissions> allow
    ) =>
        CreateRequestOption<T>(name, kind, help, (request, values) => request.Suite.Permissions = allow(request.Suite.Permissions, values));

    private static OptionRow GetTestOption(string name) => TestOptions.Common.First(row => row.Name == name);

    private static OptionRow CreateRequestOption<T>(string name, OptionKind kind, string help, Action<PlanRequest, IReadOnlyList<T>> set) =>
        new(name, kind, help) { SetRequest = (request, values) => set(request, [.. values.Cast<T>()]) };
}
