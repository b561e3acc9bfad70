using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class ProgramStartBenchmark
{
    private const int Rounds = 15;

    private const string SmallFile = """
        sqlio v1.5.SG
        2 threads reading for 60 secs from file E:\testfile.dat
        	using 8KB random IOs
        	enabling multiple I/Os per thread with 8 outstanding
        using specified size: 20480 MB for file: E:\testfile.dat
        initialization done
        CUMULATIVE DATA:
        throughput metrics:
        IOs/sec: 11520.25
        MBs/sec:    90.00
        latency metrics:
        Min_Latency(ms): 0
        Avg_Latency(ms): 0
        Max_Latency(ms): 37
        """;

    /// <summary>Runs the programs in turns. Returns 0 if all medians are within the limits of native programs.</summary>
    public static int Run(BenchmarkOptions options)
    {
        var file = Path.Combine(Path.GetTempPath(), $"iobench-start-{Environment.ProcessId}.txt");
        File.WriteAllText(file, SmallFile);
        try
        {
            (string Name, string[] Arguments, double NativeMs)[] verbs =
            [
                ("--version", ["--version"], 30),
                ("workloads", ["workloads"], 50),
                ("import", ["import", file], 50),
            ];
            Console.WriteLine("| program | " + string.Join(" | ", verbs.Select(verb => verb.Name + ", ms (lowest to highest)")) + " |");
            Console.WriteLine("|---|" + string.Concat(verbs.Select(_ => "---|")));
            var times = new Dictionary<(string Program, string Verb), List<double>>();
            // The first round loads the files into memory and does not count.
            for (var round = -1; round < Rounds; round++)
                foreach (var program in options.ProgramPaths)
                foreach (var (name, arguments, _) in verbs)
                    AddTime(times, (program, name), MeasureOnce(program, arguments), round >= 0);
            foreach (var program in options.ProgramPaths)
                Console.WriteLine(
                    $"| {program} | " + string.Join(" | ", verbs.Select(verb => FormatTimes(times[(program, verb.Name)]))) + " |"
                );
            return options.ProgramPaths.All(program =>
                verbs.All(verb => Statistics.ComputeMedian(times[(program, verb.Name)]) <= verb.NativeMs)
            )
                ? 0
                : 1;
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static void AddTime(Dictionary<(string, string), List<double>> times, (string, string) key, double milliseconds, bool isKept)
    {
        if (!times.TryGetValue(key, out var list))
            times[key] = list = [];
        if (isKept)
            list.Add(milliseconds);
    }

    private static double MeasureOnce(string program, string[] arguments)
    {
        var start = program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? new ProcessStartInfo("dotnet", [program, .. arguments])
            : new ProcessStartInfo(program, arguments);
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        var watch = Stopwatch.StartNew();
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        _ = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        var milliseconds = watch.Elapsed.TotalMilliseconds;
        return process.ExitCode == 0
            ? milliseconds
            : throw IoBenchException.Failure(
                "IoBench.BenchmarkFailed",
                $"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}: {error.Result}"
            );
    }

    private static string FormatTimes(List<double> values) =>
        string.Create(CultureInfo.InvariantCulture, $"{Statistics.ComputeMedian(values):0} ({values.Min():0}-{values.Max():0})");
}
