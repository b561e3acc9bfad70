using System.Globalization;
using IoBench.Benchmarks;
using IoBench.Engine;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is ["formats", .. var formatArgs])
    return FormatsBenchmark.Run(formatArgs);
if (args is ["report", .. var reportArgs])
    return ReportBenchmark.Run(reportArgs);
if (args is [ReportBenchmark.OneReport, .. var onceArgs])
    return ReportBenchmark.RunOnce(onceArgs);
if (args.Contains("--help"))
{
    Console.WriteLine(BenchmarkOptions.Help);
    return 0;
}
try
{
    var options = new BenchmarkOptions(args);
    if (options is { Cases: ["start"], Programs.Length: > 0 })
        return ProgramStart.Run(options);
    if (options.Cases is ["fleet"])
        return FleetBenchmark.Run(options);
    if (options.Cases is ["day"])
        return DayRun.Run(options);
    var specification = new IoTestSpecification { Targets = [new IoTargetSpecification(options.File)], FileSize = options.Size.Bytes };
    TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, CancellationToken.None);
    var fio = FioRunner.Find(options.File);
    Console.WriteLine(
        $"{Processor()}, {Environment.OSVersion}, .NET {Environment.Version}; {options.File} {options.Size}; {fio?.Version ?? "no fio on the PATH: only our own figures"}; {options.Pairs} pairs of {options.Seconds} s"
    );
    Console.WriteLine();
    if (options.Cases is ["long"])
        return LongRun.Run(options);
    if (options.Cases is ["own"])
        return OwnCost.Run(options);
    if (options.Cases is ["verify"])
        return VerifyCost.Run(options);
    if (options.Cases is ["start"])
        return StartRun.Run(options);
    return PeerComparison.Run(options, fio, UringRunner.At(options.Uring, options.File)) == 0 ? 0 : 1;
}
catch (IoBenchException e)
{
    Console.Error.WriteLine("benchmarks: " + e.Message);
    return 2;
}

static string Processor() => $"{Environment.ProcessorCount} processors ({HostFacts.All.GetValueOrDefault("Processor", "unknown")})";
