using System.Globalization;
using IoBench.Benchmarks;
using IoBench.Engine;

// Compares IoBench's engine with fio on this computer, in interleaved pairs, and prints a table of ratios.
//   dotnet run -c Release --project Tests/Benchmarks -- formats [--size 200MB] [--diskspd FILE]     how fast old outputs are read
//   dotnet run -c Release --project Tests/Benchmarks [-- [--full] [--pairs N] [--seconds N] [--file PATH] [--size SIZE] [--case TEXT]]
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is ["formats", .. var formatArgs])
    return FormatsBenchmark.Run(formatArgs);
var full = args.Contains("--full");
var pairs = int.Parse(Option("--pairs") ?? (full ? "15" : "3"), CultureInfo.InvariantCulture);
var seconds = int.Parse(Option("--seconds") ?? (full ? "10" : "3"), CultureInfo.InvariantCulture);
var file = Path.GetFullPath(Option("--file") ?? Path.Combine(Path.GetTempPath(), "iobench-benchmark.dat"));
var size = IoSize.Parse(Option("--size") ?? "1GB");
var wanted = Option("--case") ?? "";
var program = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Select(f => Path.Combine(f, "fio")).FirstOrDefault(File.Exists);

var specification = new IoTestSpecification { Targets = [new IoTargetSpecification(file)], FileSize = size.Bytes };
TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, CancellationToken.None);
var fio = program is null ? null : new FioRunner(program, file);
Console.WriteLine($"{Environment.ProcessorCount} processors, {Environment.OSVersion}, .NET {Environment.Version}; {file} {size}; {fio?.Version ?? "no fio on the PATH: only our own figures"}; {pairs} pairs of {seconds} s");
Console.WriteLine();
Console.WriteLine("| 8 KiB random reads | IOPS | CPU us/IO (user) | avg ms | fio IOPS | fio CPU us/IO (user) | fio avg ms | IOPS ratio (95 %) | CPU ratio (95 %) | latency ratio | fio against itself | |");
Console.WriteLine("|---|---|---|---|---|---|---|---|---|---|---|---|");

var missed = 0;
foreach (var @case in BenchmarkCase.All().Where(c => c.Name.Contains(wanted, StringComparison.OrdinalIgnoreCase)))
{
    if (!@case.Direct)
        ReadIntoPageCache(file);
    var own = new List<Sample>();
    var peer = new List<Sample>();
    var again = new List<Sample>();
    for (var i = 0; i < pairs; i++)
    {
        // Whoever goes first has an advantage or a disadvantage: they take turns.
        if (i % 2 == 0)
            own.Add(OwnRunner.Run(@case, file, seconds));
        if (fio is not null)
            peer.Add(fio.Run(@case, seconds));
        if (i % 2 != 0)
            own.Add(OwnRunner.Run(@case, file, seconds));
        if (full && fio is not null)
            again.Add(fio.Run(@case, seconds));
    }
    missed += Print(@case, own, peer, again) ? 0 : 1;
}
return missed == 0 ? 0 : 1;

string? Option(string name) => Array.IndexOf(args, name) is >= 0 and var at && at + 1 < args.Length ? args[at + 1] : null;

static bool Print(BenchmarkCase @case, List<Sample> own, List<Sample> peer, List<Sample> again)
{
    Console.Write($"| {@case.Name} | {Median(own, s => s.Iops):0} | {Median(own, s => s.CpuUs):0.00} ({Median(own, s => s.UserUs ?? 0):0.00}) | {Median(own, s => s.LatencyMs):0.0000} |");
    if (peer.Count == 0)
    {
        Console.WriteLine(" | | | | | | | |");
        return true;
    }
    var iops = Ratios(own, peer, s => s.Iops);
    var cpu = Ratios(own, peer, s => s.CpuUs);
    var latency = Ratios(own, peer, s => s.LatencyMs);
    var self = Ratios(again, peer, s => s.Iops);
    var (iopsLow, iopsHigh) = Statistics.Interval(iops);
    var (cpuLow, cpuHigh) = Statistics.Interval(cpu);
    var noisy = self.Length > 0 && Statistics.Interval(self) is var (low, high) && (low < 0.97 || high > 1.03);
    // Missed only when it is surely missed: a short run's wide interval decides nothing.
    var good = iopsHigh >= @case.IopsBound && cpuLow <= @case.CpuBound;
    Console.WriteLine($" {Median(peer, s => s.Iops):0} | {Median(peer, s => s.CpuUs):0.00} ({Median(peer, s => s.UserUs ?? 0):0.00}) | {Median(peer, s => s.LatencyMs):0.0000} |"
        + $" {Statistics.Median(iops):0.00} ({iopsLow:0.00}-{iopsHigh:0.00}) | {Statistics.Median(cpu):0.00} ({cpuLow:0.00}-{cpuHigh:0.00}) | {Statistics.Median(latency):0.00} |"
        + $" {(self.Length == 0 ? "" : Statistics.Median(self).ToString("0.00", CultureInfo.InvariantCulture))} | {(noisy ? "too noisy" : good ? "ok" : "missed")} |");
    return good || noisy;
}

static double Median(List<Sample> samples, Func<Sample, double> part) => Statistics.Median(samples.Select(part));

static double[] Ratios(List<Sample> own, List<Sample> peer, Func<Sample, double> part) => [.. own.Zip(peer, (a, b) => part(a) / part(b))];

static void ReadIntoPageCache(string file)
{
    var buffer = new byte[1 << 20];
    using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 0);
    while (stream.Read(buffer) > 0)
    {
    }
}
