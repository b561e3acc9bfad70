using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.Benchmarks;

/// <summary>
/// Measures a workbook of many results, each size in a new process, because a user's first report starts cold. Also measures <c>iobench
/// report</c> from start to end, and Export-Excel with the rows of the Results sheet (if pwsh and ImportExcel are available).
/// </summary>
internal static class ReportBenchmark
{
    public const string OneReportCommand = "report-once";

    private const int Rounds = 3;

    private sealed record ReportCost(double Seconds, double CpuSeconds, double PeakMB, double FileMB)
    {
        public string Text =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Seconds:0.00} s, {CpuSeconds:0.00} s of processor time, peak working set {PeakMB:0} MB, file {FileMB:0.0} MB"
            );
    }

    /// <summary>Limit of the program's memory for 100,000 results.</summary>
    private const double MaxPeakMB = 300;

    private const int MaxResults = 100_000;

    /// <summary>
    /// Runs <c>report [--results 10000,100000] [--program PATH[,PATH]]</c>. Returns 0 if the programs stay within their memory limit.
    /// </summary>
    public static int Run(string[] args)
    {
        var counts = (GetOption(args, "--results") ?? "10000,100000")
            .Split(',')
            .Select(text => int.Parse(text, CultureInfo.InvariantCulture))
            .ToList();
        Console.WriteLine(
            $"{Environment.ProcessorCount} processors, {Environment.OSVersion}, .NET {Environment.Version}; best of {Rounds} fresh processes"
        );
        string[] programs = GetOption(args, "--program")?.Split(',') ?? [Path.Combine(AppContext.BaseDirectory, "iobench.dll")];
        List<double> peaks = [];
        var costs = counts.ConvertAll(count => MeasureBest(count, programs, peaks));
        for (var index = 1; index < counts.Count; index++)
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{counts[index] / (double)counts[index - 1]:0.#} times the results take {costs[index].Seconds / costs[index - 1].Seconds:0.0} times as long"
                )
            );
        CompareWithExportExcel(counts[0], costs[0]);
        return peaks.TrueForAll(peak => peak <= MaxPeakMB) ? 0 : 1;
    }

    public static int WriteOneReport(string[] args)
    {
        var results = ResultReader.ReadFile(args[0]).ToList();
        using var process = Process.GetCurrentProcess();
        var cpu = process.TotalProcessorTime;
        var watch = Stopwatch.StartNew();
        using (var stream = File.Create(args[1]))
            Report.Write(stream, args[1], results, new ReportOptions());
        watch.Stop();
        process.Refresh();
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{watch.Elapsed.TotalSeconds:R} {(process.TotalProcessorTime - cpu).TotalSeconds:R} {process.PeakWorkingSet64 / 1e6:R} {new FileInfo(args[1]).Length / 1e6:R}"
            )
        );
        return 0;
    }

    private static ReportCost MeasureBest(int count, string[] programs, List<double> peaks)
    {
        var path = Path.Combine(Path.GetTempPath(), $"iobench-benchmark-{Environment.ProcessId}.xlsx");
        var log = Path.ChangeExtension(path, ".txt");
        try
        {
            using (var writer = new StreamWriter(log))
                ResultWriter.Write(writer, CreateResults(count), ResultFormat.Sqlio);
            var best = Enumerable
                .Range(0, Rounds)
                .Select(_ => ParseCost(RunSelf(OneReportCommand, log, path)))
                .MinBy(cost => cost.Seconds)!;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"report of {count:#,##0} results: {best.Text}"));
            foreach (var program in programs)
            {
                var costs = Enumerable.Range(0, Rounds).Select(_ => MeasureProgram(program, log, path)).ToList();
                Console.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"  {program} report, from its start to its end: {costs.MinBy(cost => cost.Seconds)!.Text}, highest peak {costs.Max(cost => cost.PeakMB):0} MB"
                    )
                );
                if (count <= MaxResults)
                    peaks.Add(costs.Max(cost => cost.PeakMB));
            }
            return best;
        }
        finally
        {
            File.Delete(path);
            File.Delete(log);
        }
    }

    private static ReportCost MeasureProgram(string program, string log, string path)
    {
        File.Delete(path);
        string[] arguments = ["report", log, "--output", path, "--quiet"];
        var start = program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? new ProcessStartInfo("dotnet", [program, .. arguments])
            : new ProcessStartInfo(program, arguments);
        var watch = Stopwatch.StartNew();
        using var process = Process.Start(start)!;
        var (cpu, peak) = (TimeSpan.Zero, 0L);
        // The operating system reports both values only while the process runs. The peak never decreases, so polling every few milliseconds
        // is enough.
        while (!process.WaitForExit(TimeSpan.FromMilliseconds(5)))
        {
            try
            {
                process.Refresh();
                (cpu, peak) = (process.TotalProcessorTime, Math.Max(peak, process.PeakWorkingSet64));
            }
            catch (Exception e) when (e is InvalidOperationException or System.ComponentModel.Win32Exception && process.HasExited)
            {
                // The process ended between two polls.
            }
        }
        return process.ExitCode == 0
            ? new(watch.Elapsed.TotalSeconds, cpu.TotalSeconds, peak / 1e6, new FileInfo(path).Length / 1e6)
            : throw new InvalidOperationException(
                string.Create(CultureInfo.InvariantCulture, $"{program} report ended with {process.ExitCode}.")
            );
    }

    private static void CompareWithExportExcel(int count, ReportCost ours)
    {
        const string script = """
            $WarningPreference = 'SilentlyContinue'
            Import-Module ImportExcel -ErrorAction Stop 3>$null
            $ErrorActionPreference = 'Stop'
            $rows, $path = (Get-Content -Raw -LiteralPath $args[0] | ConvertFrom-Json), $args[1]
            $process = Get-Process -Id $PID; $cpu = $process.TotalProcessorTime
            $time = Measure-Command { $rows | Export-Excel -Path $path -WorksheetName Results -TableName Results -AutoSize:$false }
            $process.Refresh()
            $numbers = $time.TotalSeconds, ($process.TotalProcessorTime - $cpu).TotalSeconds, ($process.PeakWorkingSet64 / 1e6), ((Get-Item -LiteralPath $path).Length / 1e6)
            $numbers.ForEach({ $_.ToString('R', [cultureinfo]::InvariantCulture) }) -join ' '
            """;
        var stem = Path.Combine(Path.GetTempPath(), $"iobench-benchmark-{Environment.ProcessId}");
        string[] files = [stem + ".json", stem + ".ps1", stem + ".export.xlsx"];
        try
        {
            File.WriteAllText(
                files[0],
                JsonSerializer.Serialize(
                    CreateResults(count)
                        .Select(run => new
                        {
                            Threadcount = run.ThreadCount,
                            OutstandingIO = run.OutstandingIO,
                            TestfilePath = run.Path,
                            DatafileSize = run.FileSizeMB + " MB",
                            Duration = run.DurationSeconds,
                            IOPattern = run.IOPattern,
                            Bandwidth = run.BandwidthMBps,
                            IOPs = run.IOPS,
                            AverageLatency = run.AverageLatencyMs,
                        })
                )
            );
            File.WriteAllText(files[1], script);
            var costs = new List<ReportCost>();
            for (var round = 0; round < Rounds; round++)
            {
                File.Delete(files[2]);
                if (RunProgram("pwsh", "-NoProfile", "-NonInteractive", "-File", files[1], files[0], files[2]) is not { } said)
                    return;
                costs.Add(ParseCost(said));
            }
            var theirs = costs.MinBy(cost => cost.Seconds)!;
            Console.WriteLine($"Export-Excel, the rows of Results alone: {theirs.Text}");
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"our whole report takes {ours.Seconds / theirs.Seconds:0.00} of its time, {ours.CpuSeconds / theirs.CpuSeconds:0.00} of its processor time and {ours.PeakMB / theirs.PeakMB:0.00} of its memory"
                )
            );
        }
        finally
        {
            foreach (var file in files)
                File.Delete(file);
        }
    }

    private static ReportCost ParseCost(string said) =>
        said.Trim().Split('\n')[^1].Split(' ').Select(word => double.Parse(word, CultureInfo.InvariantCulture)).ToArray()
            is [var wall, var cpu, var peak, var file]
            ? new(wall, cpu, peak, file)
            : throw new FormatException(said);

    /// <summary>Returns the output of a new process of this program, also if <c>dotnet</c> runs it as a library.</summary>
    private static string RunSelf(params string[] arguments)
    {
        var program = Environment.ProcessPath!;
        var library = typeof(ReportBenchmark).Assembly.Location;
        return RunProgram(program, Path.GetFileNameWithoutExtension(program) == "dotnet" ? [library, .. arguments] : arguments)
            ?? throw new InvalidOperationException("The report was not written.");
    }

    /// <summary>Returns the output of a program; null, with the reason printed, if the program cannot be run.</summary>
    private static string? RunProgram(string program, params string[] arguments)
    {
        try
        {
            using var process = Process.Start(
                new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
            )!;
            var error = process.StandardError.ReadToEndAsync();
            var output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            if (process.ExitCode == 0 && output.Length > 0)
                return output;
            Console.WriteLine($"{program} failed: {error.Result.Trim()}");
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Console.WriteLine($"{program} is not on the PATH: no comparison with Export-Excel");
        }
        return null;
    }

    private static IEnumerable<IoTestResult> CreateResults(int count)
    {
        var random = new Random(1);
        double[] blocks = [8, 64, 128, 256];
        for (var index = 0; index < count; index++)
        {
            var block = blocks[index % blocks.Length];
            var writes = index / 4 % 2 * 100;
            var access = index / 8 % 2 == 0 ? IoAccessPattern.Random : IoAccessPattern.Sequential;
            var outstanding = 1 << index / 16 % 8;
            var iops = Math.Round(random.NextDouble() * 50_000, 2) + 1;
            yield return new()
            {
                Source = SqlioFormat.Source,
                SourceFile = $@"D:\old\array-{index / 128 % 40}\sqlio.txt",
                SourceLine = index % 128 * 30,
                ToolVersion = "1.5.SG",
                Status = IoResultStatus.Complete,
                Path = $@"E:\mount\array-{index / 128 % 40}\testfile.dat",
                TargetCount = 1,
                ThreadCount = 2,
                OutstandingIO = outstanding,
                TotalOutstanding = 2 * outstanding,
                FileSizeMB = 92160,
                BlockSizeKB = block,
                AccessPattern = access,
                WritePercent = writes,
                Operation = writes == 0 ? IoOperation.Read : IoOperation.Write,
                IOPattern = PatternText.Describe(block, access, writes),
                LoadModel = IoLoadModel.Closed,
                DurationSeconds = 300,
                IOPS = iops,
                BandwidthMBps = Math.Round(iops * block / 1024, 2),
                MinLatencyMs = 0,
                AverageLatencyMs = Math.Floor(2000 * outstanding / iops),
                MaxLatencyMs = random.Next(5000),
                LittlesLawLatencyMs = 2000 * outstanding / iops,
                Histogram = new()
                {
                    Kind = "sqlio",
                    Buckets =
                    [
                        .. Enumerable
                            .Range(0, 25)
                            .Select(ms => new IoHistogramBucket
                            {
                                FromMs = ms,
                                ToMs = ms == 24 ? null : ms + 1,
                                Percent = ms == 24 ? 100 - 24 * 3 : 3,
                            }),
                    ],
                },
            };
        }
    }

    private static string? GetOption(string[] args, string name) =>
        Array.IndexOf(args, name) is >= 0 and var at && at + 1 < args.Length ? args[at + 1] : null;
}
