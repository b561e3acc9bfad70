using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace IoBench.Benchmarks;

internal sealed class FioRunner(string program, string file) : IPeerProgram
{
    public static FioRunner? FindOnPath(string file) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator)
            .Select(f => Path.Combine(f, "fio"))
            .FirstOrDefault(File.Exists)
            is { } program
            ? new FioRunner(program, file)
            : null;

    public string Version => RunProcess(["--version"]).Trim();

    public string Name => "fio";

    public BenchmarkSample RunCase(BenchmarkCase @case, int seconds)
    {
        string[] arguments =
        [
            "--name=peer",
            $"--filename={file}",
            "--rw=randread",
            "--bs=8k",
            $"--ioengine={@case.FioEngine}",
            $"--iodepth={@case.Depth}",
            $"--numjobs={@case.Threads}",
            "--thread",
            "--group_reporting",
            $"--direct={(@case.IsDirect ? 1 : 0)}",
            "--invalidate=0",
            "--time_based",
            $"--runtime={seconds}",
            "--ramp_time=1",
            "--norandommap",
            "--randrepeat=0",
            "--lat_percentiles=1",
            "--clat_percentiles=0",
            "--output-format=json",
            .. @case.FioOptions,
        ];
        using var json = JsonDocument.Parse(RunProcess(arguments));
        var job = json.RootElement.GetProperty("jobs")[0];
        var read = job.GetProperty("read");
        var count = read.GetProperty("total_ios").GetDouble();
        var runtime = read.GetProperty("runtime").GetDouble() / 1000;
        // fio averages the percentages over the run times of the threads, so each applies to one thread.
        var user = job.GetProperty("usr_cpu").GetDouble() / 100 * runtime * @case.Threads;
        var system = job.GetProperty("sys_cpu").GetDouble() / 100 * runtime * @case.Threads;
        return new BenchmarkSample(
            read.GetProperty("iops").GetDouble(),
            (user + system) / count * 1e6,
            read.GetProperty("lat_ns").GetProperty("mean").GetDouble() / 1e6,
            user / count * 1e6
        );
    }

    private string RunProcess(string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
            throw new InvalidOperationException(
                string.Create(CultureInfo.InvariantCulture, $"fio ended with {process.ExitCode}: {output}")
            );
        return output;
    }
}
