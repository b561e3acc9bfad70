using System.Globalization;
using IoBench.Benchmarks;
using IoBench.Engine;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is ["formats", .. var formatArgs])
    return FormatsBenchmark.Run(formatArgs);
if (args is ["report", .. var reportArgs])
    return ReportBenchmark.Run(reportArgs);
if (args is [ReportBenchmark.OneReportCommand, .. var onceArgs])
    return ReportBenchmark.WriteOneReport(onceArgs);
if (args.Contains("--help"))
{
    Console.WriteLine(BenchmarkOptions.Help);
    return 0;
}
try
{
    var options = new BenchmarkOptions(args);
    if (options is { Cases: ["start"], ProgramPaths.Length: > 0 })
        return ProgramStartBenchmark.Run(options);
    if (options.Cases is ["fleet"])
        return FleetBenchmark.Run(options);
    if (options.Cases is ["day"])
        return DayRunBenchmark.Run(options);
    var specification = new IoTestSpecification { Targets = [new IoTargetSpecification(options.FilePath)], FileSize = options.Size.Bytes };
    TestFiles.Prepare(specification, specification.Targets[0], new TestRunOptions(), null, CancellationToken.None);
    var fio = FioRunner.FindOnPath(options.FilePath);
    Console.WriteLine(
        $"{Processor()}, {Environment.OSVersion}, .NET {Environment.Version}; {options.FilePath} {options.Size}; {fio?.Version ?? "no fio on the PATH: only our own figures"}; {options.PairCount} pairs of {options.Seconds} s"
    );
    Console.WriteLine();
    if (options.Cases is ["long"])
        return LongRunBenchmark.Run(options);
    if (options.Cases is ["own"])
        return EngineCostBenchmark.Run(options);
    if (options.Cases is ["verify"])
        return VerificationBenchmark.Run(options);
    if (options.Cases is ["start"])
        return RunStartBenchmark.Run(options);
    return PeerComparison.Run(options, fio, UringRunner.Create(options.UringPath, options.FilePath)) == 0 ? 0 : 1;
}
catch (IoBenchException e)
{
    Console.Error.WriteLine("benchmarks: " + e.Message);
    return 2;
}

static string Processor() => $"{Environment.ProcessorCount} processors ({HostFacts.All.GetValueOrDefault("Processor", "unknown")})";
