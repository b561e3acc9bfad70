using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Options of each command, in the order of its help.</summary>
public static class OptionTables
{
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
        "Your name for the results: one for all, or one per path.",
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
        "Several paths: each, together, or both.",
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
            "Run all tests this many times, round by round.",
            (request, count) => request.Repeat = count[0]
        ) with
        {
            Default = "1",
            Min = 1,
            Max = 10_000,
            RangeErrorId = "IoBench.InvalidRepeat",
            FirstPage = true,
        },
        CreateRequestOption<bool>(
            "SteadyState",
            OptionKind.Flag,
            "Run each test in rounds until five are steady. Rounds last a minute unless a duration is given. After 2x preconditioning and with rounds of that length it is SNIA's criterion; otherwise the same limits are IoBench's own.",
            (request, on) => request.SteadyState = on[0]
        ),
        CreateRequestOption<int>(
            "MaxRounds",
            OptionKind.Integer,
            "Highest number of rounds until the steady state.",
            (request, count) => request.MaxRounds = count[0]
        ) with
        {
            Default = "25",
            Min = 5,
            Max = 1000,
            RangeErrorId = "IoBench.InvalidRounds",
        },
        CreateRequestOption<double>(
            "Precondition",
            OptionKind.Times,
            "Write each file this many times over before it is tested, sequentially, in blocks of 128 KB: flash slows down once it is full. The standard (SNIA) asks for 2x.",
            (request, passes) => request.Precondition = passes[0]
        ) with
        {
            Examples = ["2x"],
        },
        CreateRequestOption<TimeSpan>(
            "IdleSeconds",
            OptionKind.Duration,
            "Rest between tests, for the storage's caches to drain.",
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
            "Draw the order of the tests (by the seed).",
            (request, on) => request.Shuffle = on[0]
        ),
    ];

    private static readonly OptionRow[] s_roles =
    [
        CreateRequestOption<string>(
            "DataPath",
            OptionKind.Path,
            "Data files lie here. With two or more roles: each alone, then all at once.",
            (request, path) => request.Roles = request.Roles with { Data = path[0] }
        ),
        CreateRequestOption<string>(
            "LogPath",
            OptionKind.Path,
            "Transaction logs lie here.",
            (request, path) => request.Roles = request.Roles with { Log = path[0] }
        ),
        CreateRequestOption<string>(
            "TempdbPath",
            OptionKind.Path,
            "tempdb lies here.",
            (request, path) => request.Roles = request.Roles with { Tempdb = path[0] }
        ),
        CreateRequestOption<string>(
            "BackupPath",
            OptionKind.Path,
            "Backups lie here.",
            (request, path) => request.Roles = request.Roles with { Backup = path[0] }
        ),
        CreateRequestOption<int>(
            "MixLoad",
            OptionKind.Percent,
            "With paths of roles: besides full speed, all roles at once, each at this percentage of the rate that it reached alone.",
            (request, percent) => request.MixLoad = percent[0]
        ) with
        {
            Min = 1,
            Max = 100,
            Examples = ["50"],
        },
        CreateRequestOption<string>(
            "FromFileStats",
            OptionKind.Path,
            "A server's own load, from CSV files with two or more snapshots of sys.dm_io_virtual_file_stats: its sizes, mix, rate and bursts. With --help: the query that takes them.",
            (request, files) => request.FileStats = files
        ) with
        {
            Count = OptionValueCount.Whole,
            ValueName = "BEFORE,AFTER",
        },
    ];

    private static readonly OptionRow s_specification = new()
    {
        Name = "Specification",
        Kind = OptionKind.Text,
        Aliases = ["StorageSpecification"],
        FirstPage = true,
        Help =
            "What was bought: an offer such as azure:P30, aws:gp3:3000:125 or azure:P30;azure-vm:E16bds_v5, or figures: \"IOPS = 2300; Throughput = '150 MB/s'\".",
    };

    private static readonly OptionRow[] s_reportAppearance =
    [
        new()
        {
            Name = "Title",
            Kind = OptionKind.Text,
            Help = "Title of the report.",
            FirstPage = true,
        },
        new()
        {
            Name = "NoSummary",
            Kind = OptionKind.Flag,
            Help = "Report without its Summary sheet.",
            FirstPage = true,
        },
        new()
        {
            Name = "Classic",
            Kind = OptionKind.Flag,
            Help = "Report with the nine columns and three charts of SQLIOResult2Excel.ps1 whatever tool measured.",
            FirstPage = true,
        },
    ];

    private static readonly OptionRow s_storage = CreateRequestOption<StorageClass>(
        "Storage",
        OptionKind.ForEnum<StorageClass>(),
        "The kind of storage that judges where no rule set is named: flash, hdd or cloud.",
        (request, kind) => request.Suite.Storage = kind[0]
    ) with
    {
        Default = "what the host says of the disk, else flash",
    };

    private static readonly OptionRow s_units = CreateRequestOption<ThroughputUnits>(
        "Units",
        OptionKind.ForEnum<ThroughputUnits>(),
        "Throughput in tables, sentences and reports: binary (MiB/s), or si (MB/s of 10^6 bytes, for pictures of other tools).",
        (request, units) => request.Suite.Units = units[0]
    ) with
    {
        Default = "binary",
    };

    private static readonly OptionRow s_requireRate = CreateRequestOption<bool>(
        "RequireRate",
        OptionKind.Flag,
        "A test that reaches less than 97 % of its target rate has failed (exit code 1).",
        (request, on) => request.Suite.RequireRate = on[0]
    );

    private static readonly OptionRow s_witness = CreateRequestOption<string>(
        "Witness",
        OptionKind.PathOrEndpoint,
        "Of a checked test: where acknowledged writes are noted, to be looked for after a power cut. A new file on another volume, or the host, port, and secret of an iobench witness (HOST:PORT#SECRET).",
        (request, place) => request.Suite.Witness = place[0]
    ) with
    {
        ValueName = "FILE|HOST:PORT",
    };

    private static readonly OptionRow[] s_suite =
    [
        CreateRequestOption<bool>(
            "Resume",
            OptionKind.Flag,
            "Continue an interrupted run: what is complete is not run again.",
            (request, on) => request.Suite.Resume = on[0]
        ),
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
            "Write to this file although IoBench did not create it: its name or path. Its content is lost.",
            (permissions, names) => permissions with { OverwriteFiles = [.. permissions.OverwriteFiles, .. names] }
        ) with
        {
            Count = OptionValueCount.Whole,
            KeepsCommas = true,
            ProgramName = "--overwrite",
            ValueName = "NAME",
        },
        CreatePermissionOption<string>(
            "EraseDevice",
            OptionKind.Text,
            "Write to this raw device (/dev/sdx or sdx, PhysicalDrive1). Everything on it is lost. IoBench refuses a device with a file system, a partition table, or other known content.",
            (permissions, names) => permissions with { EraseDevices = [.. permissions.EraseDevices, .. names] }
        ) with
        {
            Count = OptionValueCount.Whole,
            ValueName = "NAME",
        },
        CreatePermissionOption<bool>(
            "FillVolume",
            OptionKind.Flag,
            "Create the test file even if it leaves less than 10% of the volume or 10 GB free, whichever is less.",
            (permissions, on) => permissions with { FillVolume = on[0] }
        ),
        CreatePermissionOption<bool>(
            "ReadDatabase",
            OptionKind.Flag,
            "Read a SQL Server file although its server can become slow. IoBench never writes to one.",
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
        ResultOptions.Force,
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
        new()
        {
            Name = "AfterCrash",
            Kind = OptionKind.Path,
            Help =
                "After a power cut: the witness of the run that it ended. Nothing is run; the writes that the witness knows are looked for.",
            ValueName = "WITNESS",
            FirstPage = true,
        },
    ];

    /// <summary>Options of creating a test file without a test.</summary>
    public static IReadOnlyList<OptionRow> TestFile { get; } =
    [GetTestOption("FileSize") with { Count = OptionValueCount.One }, s_permissions.First(row => row.Name == OptionNames.FillVolume.Name)];

    /// <summary>Options that allow what IoBench otherwise refuses, each for one danger.</summary>
    public static IReadOnlyList<OptionRow> Permissions => s_permissions;

    public static IReadOnlyList<OptionRow> Saturation { get; } = [s_units];

    public static IReadOnlyList<OptionRow> Judging { get; } = [s_storage, s_units];

    public static IReadOnlyList<OptionRow> Report { get; } = [.. s_reportAppearance, s_storage, s_units, s_specification];

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
            .Common.Where(row => row.Name is not ("MaxRate" or "StorageCacheSize" or "StopAboveMs"))
            .Select(row => row.Count == OptionValueCount.Combinations ? row with { Count = OptionValueCount.One } : row),
        .. TestOptions.Detailed,
    ];

    /// <summary>Options of the limit search, in addition to the options of <see cref="Run"/> for the test.</summary>
    public static IReadOnlyList<OptionRow> LimitSearch { get; } =
    [
        new()
        {
            Name = "MaxLatencyMs",
            Kind = OptionKind.Number,
            Help = "The limit in milliseconds.",
            Aliases = ["LimitMs"],
            ProgramAliases = ["--max-latency"],
            ValueName = "MS",
            Min = 0.001,
            Max = 60_000,
            RangeErrorId = "IoBench.InvalidLimit",
            FirstPage = true,
        },
        new()
        {
            Name = "Statistic",
            Kind = OptionKind.ForEnum<LatencyStatistic>(),
            Help = "The figure that must keep the limit: average or p99.",
            Default = "average",
            FirstPage = true,
        },
        new()
        {
            Name = "Operation",
            Kind = OptionKind.ForEnum(IoOperation.Read, IoOperation.Write),
            Help = "For a mixed pattern: the limit is on its reads or on its writes (read, write).",
            FirstPage = true,
        },
        new()
        {
            Name = "TolerancePercent",
            Kind = OptionKind.Number,
            Help = "Stop when the answer is known to within this percentage.",
            Default = "2",
            ProgramAliases = ["--tolerance"],
            Min = 0.1,
            Max = 50,
            RangeErrorId = "IoBench.InvalidLimit",
            FirstPage = true,
        },
        new()
        {
            Name = "MaxIops",
            Kind = OptionKind.Number,
            Help = "Highest rate to try.",
            Default = "what a closed loop reaches",
            Min = 0.001,
            Max = 1e9,
            RangeErrorId = "IoBench.InvalidLimit",
            FirstPage = true,
        },
        new()
        {
            Name = "MaxProbes",
            Kind = OptionKind.Integer,
            Help = "Runs at most.",
            Default = "60",
            Min = 5,
            Max = 1000,
            RangeErrorId = "IoBench.InvalidLimit",
            FirstPage = true,
        },
    ];

    /// <summary>Options of the test of a limit search, with one value each.</summary>
    public static IReadOnlyList<OptionRow> LimitTest { get; } =
    [
        s_workload with
        {
            Count = OptionValueCount.One,
            Help = "The workload by name.",
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
        s_specification with
        {
            Help = s_specification.Help.TrimEnd('.') + "; exit code 3 when it is not there.",
        },
        s_pathMode with
        {
            Default = "both where there are several paths",
            FirstPage = true,
        },
        GetTestOption("FileSize") with
        {
            Count = OptionValueCount.One,
        },
        GetTestOption("Duration") with
        {
            Default = "20s",
            Help = "Measured time of each run.",
        },
        GetTestOption("WarmUp") with
        {
            FirstPage = true,
        },
        GetTestOption("BlockSize") with
        {
            Count = OptionValueCount.Whole,
            Default = "8KB,64KB,256KB",
            Help = "Sizes of the reads to test.",
        },
        GetTestOption("OutstandingIO") with
        {
            Count = OptionValueCount.Whole,
            Default = "1,8,32,128",
            Max = 4096,
            Help = "Total outstanding I/Os to test.",
            ValueName = "LIST",
        },
        GetTestOption("StorageCacheSize"),
        GetTestOption("Backend") with
        {
            FirstPage = true,
        },
        s_units,
        s_suite[1],
        .. s_permissions,
    ];

    public static IReadOnlyList<OptionRow> Comparison => ResultOptions.Comparison;

    public static IReadOnlyList<OptionRow> History => ResultOptions.History;

    public static IReadOnlyList<OptionRow> HistoryIntake => ResultOptions.HistoryImport;

    public static IReadOnlyList<OptionRow> Import => ResultOptions.Import;

    public static IReadOnlyList<OptionRow> Conversion => ResultOptions.Conversion;

    public static IReadOnlyList<OptionRow> Output => ResultOptions.Output;

    /// <summary>Output options of a command whose only file is the report.</summary>
    public static IReadOnlyList<OptionRow> ReportOutput => ResultOptions.ReportOutput;

    public static IReadOnlyList<OptionRow> Removal => ResultOptions.TestFileRemoval;

    /// <summary>Options of rating results by rules, in addition to <see cref="Judging"/>.</summary>
    public static IReadOnlyList<OptionRow> Rules => ResultOptions.Rules;

    public static IReadOnlyList<OptionRow> Expectations => ResultOptions.Expectations;

    public static IReadOnlyList<OptionRow> Drill { get; } =
    [
        new()
        {
            Name = "Limit",
            Kind = OptionKind.Duration,
            Help = "The longest outage or I/O that is allowed; exit code 3 when it is missed.",
            Default = "15s, after which SQL Server reports error 833",
            Examples = ["5s"],
            FirstPage = true,
        },
        GetTestOption("Duration") with
        {
            Default = "5m",
            Help = "How long the load runs.",
            FirstPage = true,
        },
        new()
        {
            Name = "UntilKey",
            Kind = OptionKind.Flag,
            Help = "The load runs until a key is pressed.",
            FirstPage = true,
        },
        GetTestOption("TargetIops") with
        {
            Count = OptionValueCount.One,
            Default = "200",
            Help = "I/Os per second, evenly, whatever the storage does.",
            FirstPage = true,
        },
        GetTestOption("WritePercent") with
        {
            Count = OptionValueCount.One,
            Default = "50",
            FirstPage = true,
        },
        GetTestOption("BlockSize") with
        {
            Count = OptionValueCount.One,
            FirstPage = true,
        },
        GetTestOption("FileSize") with
        {
            Count = OptionValueCount.One,
            Default = "256MB",
            FirstPage = true,
        },
        s_suite[1] with
        {
            FirstPage = true,
        },
    ];

    public static IReadOnlyList<OptionRow> FleetLead { get; } =
    [
        new()
        {
            Name = "MinHosts",
            Kind = OptionKind.Integer,
            Help =
                "A test begins with so many hosts; those that are late then are left behind, and the exit code is 0 when so many are complete.",
            Default = "all that answer",
            Min = 1,
            Max = 100_000,
            FirstPage = true,
        },
        new()
        {
            Name = "HostTimeout",
            Kind = OptionKind.Duration,
            Help = "A host that says nothing for so long is lost; with a quorum, so long late ones are waited for.",
            Default = "90s",
            FirstPage = true,
        },
        new()
        {
            Name = "Ramp",
            Kind = OptionKind.Integer,
            Count = OptionValueCount.Whole,
            Help = "Run with the first 1, 2, 4 … hosts of the inventory: the knee of what they share.",
            ValueName = "1,2,4,8",
            Min = 1,
            Max = 100_000,
            FirstPage = true,
        },
        new()
        {
            Name = "Alone",
            Kind = OptionKind.Flag,
            Help = "Run each host alone too: what it loses while the others run.",
            FirstPage = true,
        },
        new()
        {
            Name = "GroupIops",
            Kind = OptionKind.Number,
            Help =
                "Open loop: all hosts of a test together are asked for so many I/Os per second, split evenly. A host with a rate of its own keeps it.",
            ValueName = "N",
            Min = 0.001,
            Max = 1e9,
            FirstPage = true,
        },
        new()
        {
            Name = "GroupMaxRate",
            Kind = OptionKind.Rate,
            Help = "Closed loop: all hosts of a test together do no more than this, split evenly.",
            Examples = ["'20000 IOPS'", "'2 GB/s'"],
            FirstPage = true,
        },
        new()
        {
            Name = "Program",
            Kind = OptionKind.Text,
            Help = "The program on the hosts.",
            Default = "iobench; of local hosts, this one",
            ValueName = "PATH",
            FirstPage = true,
        },
        new()
        {
            Name = "Copy",
            Kind = OptionKind.Path,
            Help = "Copy this program to each host that does not have it byte for byte (by SHA-256), and start it there.",
            ValueName = "FILE",
            FirstPage = true,
        },
        new()
        {
            Name = "Resume",
            Kind = OptionKind.Flag,
            Help = "Continue an interrupted fleet: a test that not all of its hosts gave is run again by all of them.",
        },
        new()
        {
            Name = "ResumeAlone",
            Kind = OptionKind.Flag,
            Help = "Continue with the missing hosts alone: their results are marked, and never added to those of the others.",
        },
        new()
        {
            Name = "Detach",
            Kind = OptionKind.Flag,
            Help =
                "Start the members, which begin by themselves at a time and end by themselves, and wait for nothing. Their results are fetched later.",
        },
        new()
        {
            Name = "StartAt",
            Kind = OptionKind.Text,
            Help = "Of detached members and of documents: when the first test begins, 02:00, 2026-12-01T02:00:00Z or +90s.",
            ValueName = "TIME",
        },
        new()
        {
            Name = "Yes",
            Kind = OptionKind.Flag,
            Help = "Yes to what the fleet will do: nobody is asked.",
            ProgramAliases = ["-y"],
            FirstPage = true,
        },
    ];

    public static IReadOnlyList<OptionRow> FleetTests { get; } =
    [
        s_workload,
        .. TestOptions.Common.Where(row => row.Name is not "Verify"),
        .. TestOptions.OfRuns,
        s_label,
        .. s_rounds.Where(row => row.Name is "Repeat" or "IdleSeconds" or "Precondition"),
        ResultOptions.Force,
    ];

    public static IReadOnlyList<OptionRow> FleetJudging => ResultOptions.FleetRequirements;

    /// <summary>Options of collecting results of fleet members that ran without a coordinator.</summary>
    public static IReadOnlyList<OptionRow> FleetFetch { get; } =
    [
        FleetLead.First(row => row.Name == "MinHosts") with
        {
            Help = "So many hosts are enough: the exit code is 0 when so many are complete.",
            Default = "all",
        },
        FleetLead.First(row => row.Name == "HostTimeout") with
        {
            Help = "A host that says nothing for so long is given up.",
        },
    ];

    public static IReadOnlyList<OptionRow> FleetWatch { get; } =
    [
        new()
        {
            Name = "Once",
            Kind = OptionKind.Flag,
            Help = "One look.",
            FirstPage = true,
        },
    ];

    /// <summary>Options of a fleet member: a host that starts each test at the start time of its group.</summary>
    public static IReadOnlyList<OptionRow> Member { get; } =
    [
        new()
        {
            Name = "Specification",
            Kind = OptionKind.Text,
            Help = "Ready tests from a JSON file, in place of paths and options; - is the first line of standard input.",
            ValueName = "FILE",
        },
        new()
        {
            Name = "StartAt",
            Kind = OptionKind.Text,
            ValueName = "TIME|line",
            Examples = ["02:00", "+90s", "line"],
            Help =
                "Arm each test and begin it at this moment: 02:00, 2026-12-01T02:00:00Z, +90s; line = when the controller of a fleet says so on standard input. Prints a line of JSON for each state.",
        },
        new()
        {
            Name = "Group",
            Kind = OptionKind.Text,
            Help = "With a start: names the group of hosts that begin together; in each result.",
            ValueName = "ID",
        },
        new()
        {
            Name = "Member",
            Kind = OptionKind.Text,
            Help = "With a start: this host's name in its group.",
            Default = "the computer's name",
            ValueName = "NAME",
        },
        new()
        {
            Name = "GroupHosts",
            Kind = OptionKind.Integer,
            Help = "With a start: hosts of the group.",
            Min = 1,
            Max = 100_000,
        },
    ];

    public static IReadOnlyList<OptionRow> SelfTest { get; } =
    [
        new()
        {
            Name = "OutputPath",
            Kind = OptionKind.Path,
            Help = "The answer as JSON too, without names of hosts, users or paths, so that it can be shared.",
            ProgramName = "--output",
            ProgramAliases = ["-o"],
            ValueName = "FILE",
            FirstPage = true,
        },
        new()
        {
            Name = "Force",
            Kind = OptionKind.Flag,
            Help = "Replace the output file if it exists.",
            FirstPage = true,
        },
        new()
        {
            Name = "DiskSpdPath",
            Kind = OptionKind.Path,
            Help = "Compare with this DiskSpd: the same loads in turns, about 70 s more.",
            ProgramName = "--diskspd",
            ValueName = "FILE",
            FirstPage = true,
        },
    ];

    /// <summary>Options of commands that print results, for output in addition to the table.</summary>
    public static IReadOnlyList<OptionRow> Shown { get; } =
    [
        new()
        {
            Name = "Histogram",
            Kind = OptionKind.Flag,
            Help = "Latency bands and rate over time under each row.",
            FirstPage = true,
        },
        new()
        {
            Name = "HeatMap",
            Kind = OptionKind.Flag,
            Help = "Time by latency of each test in characters, all on one scale: stalls are gaps with towers.",
            ProgramName = "--heatmap",
            FirstPage = true,
        },
    ];

    /// <summary>All options by name. If a command has its own variant of an option, the common one.</summary>
    public static IReadOnlyList<OptionRow> All { get; } =
    [
        .. Run.Concat(TestOptions.Detailed)
            .Concat(LimitSearch)
            .Concat(Cap)
            .Concat(Drill)
            .Concat(Report)
            .Concat(Output)
            .Concat(SelfTest)
            .Concat(Shown)
            .Concat(AfterCrash)
            .Concat(Member)
            .Concat(FleetLead)
            .Concat(FleetJudging)
            .Concat(FleetWatch)
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
        new()
        {
            Name = name,
            Kind = kind,
            Help = help,
            SetRequest = (request, values) => set(request, [.. values.Cast<T>()]),
        };
}
