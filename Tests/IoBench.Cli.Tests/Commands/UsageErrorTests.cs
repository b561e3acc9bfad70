namespace IoBench.Cli.Tests;

public class UsageErrorTests
{
    [Theory]
    [InlineData(
        "the command is missing. For a first test, use 'iobench run PATH --workload sql-server'. 'iobench --help' lists all commands."
    )]
    [InlineData("'rnu' is not a command: did you mean run?", "rnu", "x.dat")]
    [InlineData("'frobnicate' is not a command: 'iobench --help' lists the commands.", "frobnicate")]
    [InlineData(
        "run requires PATH: Test file, or folder for iobench.dat. Several paths are tested one after the other (see --path-mode).",
        "run"
    )]
    [InlineData("limit requires PATH: Test file, or folder for iobench.dat.", "limit", "--max-latency", "5")]
    [InlineData("verify requires PATH: Test file, or folder for iobench.dat. Several paths are tested one after the other.", "verify")]
    [InlineData("--blok is not an option of run: did you mean --block?", "run", "x.dat", "--blok", "8KB")]
    [InlineData("--bogus is not an option of run: 'iobench run --help' lists the options.", "run", "x.dat", "--bogus")]
    [InlineData("--block: a value is missing; 'iobench run --help' lists the options.", "run", "x.dat", "--block")]
    [InlineData("--size 0: the size must be more than 0. Try 20GB.", "run", "x.dat", "--size", "0")]
    [InlineData(
        "--size: 'big' is not a size. Specify bytes, or a number with K, M, G, or T, for example 8192, 64KB, or 1.5GB.",
        "run",
        "x.dat",
        "--size",
        "big"
    )]
    [InlineData(
        "--block 8: a number without a unit is in bytes, and a block must be at least 512 bytes. For 8 KB, use 8KB.",
        "run",
        "x.dat",
        "--block",
        "8"
    )]
    [InlineData(
        "--block 64: a number without a unit is in bytes, and a block must be at least 512 bytes. For 64 KB, use 64KB.",
        "run",
        "x.dat",
        "--block",
        "8192,64"
    )]
    [InlineData("--threads 0 is out of range. Use a value from 1 to 1024.", "run", "x.dat", "--threads", "0")]
    [InlineData(
        "--block 7000: with unbuffered I/O, the block size must be a multiple of the sector size (512 bytes). Try 6656 or 7168, or --buffering both.",
        "run",
        "x.dat",
        "--block",
        "7000"
    )]
    [InlineData(
        "--threads: 'many' is not a thread count. Use 1 to 1024, or Auto for one thread per logical processor.",
        "run",
        "x.dat",
        "--threads",
        "many"
    )]
    [InlineData("--qd 5000 is out of range. Use a value from 1 to 4096.", "run", "x.dat", "--qd", "5000")]
    [InlineData("-w 101 is out of range. Use a value from 0 to 100.", "run", "x.dat", "-w", "101")]
    [InlineData("--flush-every 0 is out of range. Use a value from 1 to 2147483647.", "run", "x.dat", "--flush-every", "0")]
    [InlineData("--target-iops 2000000000 is out of range. Use a value from 0.001 to 1000000000.", "run", "x.dat", "--target-iops", "2e9")]
    [InlineData(
        "--max-probes 5000 is out of range. Use a value from 5 to 1000.",
        "limit",
        "x.dat",
        "--max-latency",
        "5",
        "--max-probes",
        "5000"
    )]
    [InlineData(
        "--duration: 'soon' is not a duration. Specify seconds, or a number with s, m, or h, for example 30, 90s, 5m, or 00:05:00.",
        "run",
        "x.dat",
        "--duration",
        "soon"
    )]
    [InlineData("--duration: the duration must be more than 0. Try 30s.", "run", "x.dat", "--duration", "0")]
    [InlineData("-d: given twice.", "run", "x.dat", "-d", "3", "-d", "4")]
    [InlineData("--pattern: 'rnd' is not one of random, sequential, interlocked, partrandom, stride.", "run", "x.dat", "--pattern", "rnd")]
    [InlineData("--pattern: '1' is not one of random, sequential, interlocked, partrandom, stride.", "run", "x.dat", "--pattern", "1")]
    [InlineData("The workload 'sqlserver' does not exist. Did you mean sql-server?", "run", "x.dat", "--workload", "sqlserver")]
    [InlineData(
        "--max-rate: '200' is not a rate. Specify a number greater than 0 with its unit, for example 500IOPS, 200MB/s (MB = 10^6 bytes), or 200MiB/s (MiB = 2^20 bytes).",
        "run",
        "x.dat",
        "--max-rate",
        "200"
    )]
    [InlineData(
        "--label: there are 3 labels for 2 paths. Specify one label for all paths, or one per path.",
        "run",
        "a",
        "b",
        "--label",
        "x,y,z"
    )]
    [InlineData("--format: 'xls' is not one of table, json, csv, sqlio, diskspd, diskspd-xml, fio.", "run", "x.dat", "--format", "xls")]
    [InlineData(
        "--output: r.txt has an unknown extension. Use .json, .csv, or .xml, or add --format sqlio or diskspd.",
        "run",
        "x.dat",
        "--output",
        "r.txt"
    )]
    [InlineData("--output: r.xlsx has the extension of a report. To create a report, use --report.", "run", "x.dat", "--output", "r.xlsx")]
    [InlineData("r.doc is not a valid report name. The name must end in .xlsx, .html, or .svg.", "run", "x.dat", "--report", "r.doc")]
    [InlineData(
        "IoBench has no journal, because IOBENCH_JOURNAL turns the journal off, or the journal folder is not available. Specify the file with the results.",
        "run",
        "x.dat",
        "--resume"
    )]
    [InlineData(
        "--write-content: 'noise.bin' does not exist. Use random, zero, pattern, or the path of an existing file.",
        "run",
        "x.dat",
        "--write-content",
        "noise.bin"
    )]
    [InlineData(
        "--format sqlio: the output of SQLIO cannot represent mixed reads and writes. Use --format json or csv.",
        "run",
        "x.dat",
        "--workload",
        "oltp",
        "--format",
        "sqlio"
    )]
    [InlineData(
        "iobench report requires --output with the name of a workbook (.xlsx), an HTML report (.html), or an image (.svg).",
        "report",
        "x.txt"
    )]
    [InlineData("--label and --label-from cannot be combined.", "import", "x.txt", "--label", "a", "--label-from", "filename")]
    [InlineData("--label-from: 'moon' is not one of filename, folder.", "import", "x.txt", "--label-from", "moon")]
    [InlineData("'b' is an extra argument. 'iobench workloads --help' lists the arguments of workloads.", "workloads", "a", "b")]
    [InlineData("The workload 'pagread' does not exist. Did you mean page-read?", "workloads", "pagread")]
    [InlineData(
        "-x.txt is not an option of import: 'iobench import --help' lists the options. If you mean a file with this name, put -- before the name: -- -x.txt",
        "import",
        "-x.txt"
    )]
    [InlineData("-x.txt does not exist. Check the name and the folder.", "import", "--", "-x.txt")]
    [InlineData("--help-all does not exist. Check the name and the folder.", "convert", "--", "--help-all")]
    [InlineData("FILE is empty. Specify a name, or remove the argument.", "import", "x.txt", "")]
    [InlineData("PATH is empty. Specify a name, or remove the argument.", "run", "")]
    [InlineData("remove requires PATH: Test file, or folder with iobench.dat.", "remove")]
    public void Wrong_argument_is_a_one_line_error_with_advice(string message, params string[] args)
    {
        var outcome = Cli.Run(args);
        Assert.Matches(
            $@"^iobench: {System.Text.RegularExpressions.Regex.Escape(message)} \[IoBench\.\w+\]$",
            Assert.Single(outcome.ErrorLines)
        );
        Assert.Equal(2, outcome.ExitCode);
        Assert.Empty(outcome.Output);
    }

    [Theory]
    [InlineData("run", true), InlineData("limit", false), InlineData("verify", false)]
    public void Help_lists_path_mode_only_for_run(string command, bool has) =>
        Assert.Equal(has, Cli.Run(command, "--help-all").Output.Contains("--path-mode", StringComparison.Ordinal));

    [Theory]
    [InlineData("--help"), InlineData("--help-all")]
    public void Help_lists_help_all_once(string help) =>
        Assert.Single(Cli.Run("run", help).Output.Split('\n'), line => line.TrimStart().StartsWith("--help-all", StringComparison.Ordinal));

    [Fact]
    public void Help_and_version_exit_with_0()
    {
        var outcome = Cli.Run("run", "--help");
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains("--workload", outcome.Output);
        Assert.DoesNotContain("--stop-above", outcome.Output);
        Assert.Contains("--stop-above", Cli.Run("run", "--help-all").Output);
        Assert.Equal(0, Cli.Run("--version").ExitCode);
    }
}
