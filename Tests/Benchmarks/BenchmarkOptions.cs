using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal sealed class BenchmarkOptions
{
    public const string Help = """
        Compares IoBench's engine with fio (where it is on the PATH) on this computer, in interleaved pairs, and prints a table of ratios.

          dotnet run -c Release --project Tests/Benchmarks -- [options]
            --case cached,uring,direct   groups to run (default all), or a part of a case's name
            --uring PATH                 t/io_uring of fio's sources (make t/io_uring): the group uring runs beside it
            --engine io_uring,libaio     only these of fio's engines
            --qd 1,32  --threads 1       only these depths and threads
            --pairs N  --seconds N       pairs (3) and their length (3 s); --full = 15 pairs of 10 s; the peer beside itself takes 3 s at most
            --self N                     so many runs of the peer beside itself (as many as pairs)
            --file PATH  --size SIZE     the file (in the temporary folder, 1GB)

          … -- --case own                what IoBench's own code costs per I/O (Null backend); --pairs rounds of --seconds
          … -- --case verify [--direct]  what --verify costs on the page cache (--direct: unbuffered on the file's device), and its checksum beside others; --pairs of --seconds
          … -- --case start              256 threads x 64 outstanding, 1,024 x 16: how long until all have begun
          … -- --case start --program PATH[,PATH]
                                         how long the program takes for --version, workloads and the import of a small file: builds of it in turns
          … -- --case fleet --program PATH[,PATH] [--hosts 1000] [--tests 9]
                                         what a controller takes that leads many hosts: memory, time; --pairs rounds, builds of the program in turns
          … -- --case long [--minutes 10] [--rate IOPS]
                                         one long run: resident memory, what workers allocate, collections
          … -- --case day [--hours 24] [--rate IOPS]
                                         a day on the modelled device in its own time: memory, timeline (1 M IOPS: 1.5 hours)
          … -- formats [--size 200MB] [--diskspd FILE]
                                         how fast old outputs are read
          … -- report [--results 10000,100000] [--program PATH[,PATH]]
                                         what a workbook of many results costs, by the library and by the program (at most 300 MB), beside ImportExcel's Export-Excel
        """;

    private readonly string[] _args;

    public BenchmarkOptions(string[] args)
    {
        _args = args;
        var full = args.Contains("--full");
        PairCount = GetCount("--pairs", full ? 15 : 3);
        Seconds = GetCount("--seconds", full ? 10 : 3);
        SelfPairCount = GetCount("--self", PairCount);
        HostCount = GetCount("--hosts", 1000);
        TestCount = GetCount("--tests", 9);
        Minutes = GetPositiveNumber("--minutes") ?? 10;
        Hours = GetPositiveNumber("--hours") ?? 24;
        TargetIops = GetPositiveNumber("--rate");
        IsDirect = args.Contains("--direct");
        FilePath = Path.GetFullPath(GetValue("--file") ?? Path.Combine(Path.GetTempPath(), "iobench-benchmark.dat"));
        Size = IoSize.Parse(GetValue("--size") ?? "1GB");
        Cases = GetList("--case");
        UringPath = GetValue("--uring");
        ProgramPaths = GetList("--program");
    }

    public int PairCount { get; }

    /// <summary>Number of runs that compare the peer with itself.</summary>
    public int SelfPairCount { get; }

    /// <summary>Measured seconds of each run.</summary>
    public int Seconds { get; }

    public int HostCount { get; }

    public int TestCount { get; }

    /// <summary>Duration of the long run, in minutes.</summary>
    public double Minutes { get; }

    public double Hours { get; }

    /// <summary>I/Os per second of the long run and the day run; null = no limit.</summary>
    public double? TargetIops { get; }

    public bool IsDirect { get; }

    public string FilePath { get; }

    public IoSize Size { get; }

    /// <summary>Path of <c>t/io_uring</c>; null = the group <c>uring</c> is skipped.</summary>
    public string? UringPath { get; }

    /// <summary>Builds of the program to start; empty = measure how long large runs take to start.</summary>
    public string[] ProgramPaths { get; }

    /// <summary>Groups or parts of names; empty = all comparisons.</summary>
    public string[] Cases { get; }

    public bool IsSelected(BenchmarkCase @case) =>
        (
            Cases.Length == 0
            || Cases.Any(c =>
                c == @case.Group || (!BenchmarkCase.Groups.Contains(c) && @case.Name.Contains(c, StringComparison.OrdinalIgnoreCase))
            )
        )
        && IsEmptyOrContains(GetList("--engine"), @case.FioEngine)
        && IsEmptyOrContains(GetList("--qd"), @case.Depth)
        && IsEmptyOrContains(GetList("--threads"), @case.Threads);

    private static bool IsEmptyOrContains(string[] list, object value) =>
        list.Length == 0 || list.Contains(Convert.ToString(value, CultureInfo.InvariantCulture), StringComparer.OrdinalIgnoreCase);

    private int GetCount(string name, int otherwise) =>
        GetValue(name) is not { } text ? otherwise
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0 ? number
        : throw CreateInvalidValueError(name, text);

    private double? GetPositiveNumber(string name) =>
        GetValue(name) is not { } text ? null
        : double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number > 0 ? number
        : throw CreateInvalidValueError(name, text);

    private static IoBenchException CreateInvalidValueError(string name, string text) =>
        IoBenchException.Usage("IoBench.BadOption", $"{name} {text}: a number above 0 is needed.");

    private string[] GetList(string name) =>
        GetValue(name)?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];

    private string? GetValue(string name) => Array.IndexOf(_args, name) is >= 0 and var at && at + 1 < _args.Length ? _args[at + 1] : null;
}
