using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Benchmarks;

/// <summary>
/// Runs <c>t/io_uring</c> of fio's sources: registered buffers and files, batches of 32, no latencies recorded. Its loop around io_uring
/// costs little, so what remains is mainly kernel time.
/// </summary>
internal sealed partial class UringRunner(string program, string file) : IPeerProgram
{
    public static UringRunner? Create(string? program, string file) =>
        program is null ? null
        : File.Exists(program) ? new UringRunner(program, file)
        : throw IoBenchException.NotFound(
            "IoBench.FileNotFound",
            $"{program} does not exist: build t/io_uring of fio's sources (make t/io_uring) and give its path.",
            program
        );

    public string Name => "t/io_uring";

    public BenchmarkSample RunCase(BenchmarkCase @case, int seconds)
    {
        // t/io_uring prints a line per second except for the last second. The first line is its warm-up.
        string[] arguments =
        [
            string.Create(CultureInfo.InvariantCulture, $"-d{@case.Depth}"),
            "-s32",
            "-c32",
            "-p0",
            "-b8192",
            "-B1",
            "-F1",
            "-X1",
            "-R1",
            "-t0",
            @case.IsDirect ? "-O1" : "-O0",
            string.Create(CultureInfo.InvariantCulture, $"-n{@case.Threads}"),
            string.Create(CultureInfo.InvariantCulture, $"-r{seconds + 2}"),
            file,
        ];
        var before = ChildProcessTimes.ReadCurrent();
        var watch = Stopwatch.StartNew();
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        var wall = watch.Elapsed.TotalSeconds;
        var after = ChildProcessTimes.ReadCurrent();
        double[] rates =
        [
            .. GetRateRegex()
                .Matches(output)
                .Select(match => double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture) * GetUnitFactor(match.Groups[2].Value)),
        ];
        if (process.ExitCode != 0 || rates.Length < 2)
            throw new InvalidOperationException(
                string.Create(CultureInfo.InvariantCulture, $"{program} ended with {process.ExitCode}: {output}")
            );
        var all = rates.Average() * wall;
        var iops = rates.Skip(1).Average();
        return new BenchmarkSample(
            iops,
            (after.User + after.System - before.User - before.System) / all * 1e6,
            @case.Depth * @case.Threads / iops * 1e3,
            (after.User - before.User) / all * 1e6
        );
    }

    private static double GetUnitFactor(string letter) =>
        letter switch
        {
            "K" => 1e3,
            "M" => 1e6,
            _ => 1,
        };

    [GeneratedRegex(@"^IOPS=([0-9.]+)([KM]?),", RegexOptions.Multiline)]
    private static partial Regex GetRateRegex();

    /// <summary>CPU seconds of the child processes that have ended, because .NET no longer reports them after the exit.</summary>
    private readonly partial record struct ChildProcessTimes(double User, double System)
    {
        private const int RusageChildren = -1;

        public static ChildProcessTimes ReadCurrent()
        {
            // struct rusage: two times in seconds and microseconds, then 14 counters.
            Span<long> usage = stackalloc long[18];
            _ = GetRusage(RusageChildren, ref MemoryMarshal.GetReference(usage));
            return new(usage[0] + usage[1] / 1e6, usage[2] + usage[3] / 1e6);
        }

        [LibraryImport("libc", EntryPoint = "getrusage")]
        private static partial int GetRusage(int who, ref long usage);
    }
}
