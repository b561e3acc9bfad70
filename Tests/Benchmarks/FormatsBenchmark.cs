using System.Diagnostics;
using System.Globalization;
using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Benchmarks;

/// <summary>
/// Measures how fast the output of other tools is read: a log of SQLIO runs, compared with the rules of SQLIOResult2Excel.ps1 in PowerShell
/// (if pwsh is available), and many DiskSpd texts. Rates are per second of CPU time, so they are also valid on a busy computer.
/// </summary>
internal static class FormatsBenchmark
{
    private const int Rounds = 3;

    private const int SmallFiles = 10_000;

    /// <summary>
    /// Runs <c>formats [--size 200MB] [--diskspd FILE] [--fio FILE]</c>: reads 10,000 copies of the DiskSpd file, or copies of the fio
    /// output up to the size.
    /// </summary>
    public static int Run(string[] args)
    {
        var size = IoSize.Parse(GetOption(args, "--size") ?? "200MB").Bytes;
        var log = Path.Combine(Path.GetTempPath(), $"iobench-benchmark-{Environment.ProcessId}.txt");
        try
        {
            if (GetOption(args, "--fio") is { } fio)
            {
                WriteCopies(log, fio, size);
                MeasureBest("fio's output", new FileInfo(log).Length, () => ResultReader.ReadFile(log).LongCount());
                Console.WriteLine($"peak memory of the process: {Process.GetCurrentProcess().PeakWorkingSet64 / 1e6:0} MB");
                return 0;
            }
            WriteLog(log, size);
            Console.WriteLine($"{Environment.ProcessorCount} processors, {Environment.OSVersion}, .NET {Environment.Version}");
            var sqlio = MeasureBest("SQLIO log", new FileInfo(log).Length, () => ResultReader.ReadFile(log).LongCount());
            Console.WriteLine($"peak memory of the process: {Process.GetCurrentProcess().PeakWorkingSet64 / 1e6:0} MB");
            if (GetOption(args, "--diskspd") is { } diskSpd)
                ReadSmallFiles(diskSpd);
            CompareWithScript(log, sqlio);
            return 0;
        }
        finally
        {
            File.Delete(log);
        }
    }

    private static void WriteCopies(string log, string file, long size)
    {
        var bytes = File.ReadAllBytes(file);
        using var stream = File.Create(log);
        while (stream.Length < size)
            stream.Write(bytes);
    }

    private static void ReadSmallFiles(string file)
    {
        var folder = Directory.CreateTempSubdirectory("iobench-benchmark-").FullName;
        try
        {
            var files = Enumerable.Range(0, SmallFiles).Select(i => Path.Combine(folder, $"{i}.txt")).ToArray();
            foreach (var copy in files)
                File.Copy(file, copy);
            MeasureBest(
                "10,000 DiskSpd texts",
                SmallFiles * new FileInfo(file).Length,
                () => files.Sum(f => ResultReader.ReadFile(f).LongCount())
            );
            MeasureBest(
                "the same as a folder is read",
                SmallFiles * new FileInfo(file).Length,
                () => ResultReader.ReadFolder(folder, recurse: false).Sum(f => f.Results.LongCount()),
                byClock: true
            );
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static double MeasureBest(string name, long bytes, Func<long> read, bool byClock = false)
    {
        double best = 0;
        long runs = 0;
        for (var i = 0; i < Rounds; i++)
        {
            var start = Stopwatch.GetTimestamp();
            var before = Process.GetCurrentProcess().TotalProcessorTime;
            runs = read();
            var time = byClock ? Stopwatch.GetElapsedTime(start) : Process.GetCurrentProcess().TotalProcessorTime - before;
            best = Math.Max(best, bytes / 1e6 / time.TotalSeconds);
        }
        Console.WriteLine(
            $"{name}: {bytes / 1e6:0} MB, {runs} runs, {best:0} MB/s {(byClock ? "by the clock, on all processors" : "per core")} (best of {Rounds})"
        );
        return best;
    }

    private static void CompareWithScript(string log, double ours)
    {
        const string script = """
            $rows = @(); $before = (Get-Process -Id $PID).TotalProcessorTime
            foreach ($line in (Get-Content $args[0])) {
              $line = $line.TrimStart()
              if ($line -match '^\d+ threads \w*') { $w = $line.Split(' '); $threads = $w[0]; $op = $w[2]; $secs = $w[4]; $path = $w[8] }
              elseif ($line -match ' \w* (sequential|random)') { $kind = $Matches[0] }
              elseif ($line -match '\w+: \d+ \w+ ') { $size = $line.Split(':')[1] }
              elseif ($line -match ' \d+ outstanding') { $depth = $Matches[0] }
              elseif ($line -match '^MBs/sec') { $mb = $line.Split(':')[1] }
              elseif ($line -match '^Avg_Latency') { $ms = $line.Split(':')[1] }
              elseif ($line -match '^IOs/sec') { $iops = $line.Split(':')[1] }
              elseif ($line -match '^histogram') { $rows += [pscustomobject]@{ t = $threads; o = $op; s = $secs; p = $path; k = $kind; z = $size; d = $depth; mb = $mb; ms = $ms; iops = $iops } }
            }
            $process = Get-Process -Id $PID
            '{0} {1} {2}' -f $rows.Count, ($process.TotalProcessorTime - $before).TotalSeconds, $process.PeakWorkingSet64
            """;
        var part = log + ".part";
        var scriptFile = log + ".ps1";
        try
        {
            File.WriteAllText(scriptFile, script);
            File.WriteAllBytes(part, ReadFirst(log, 5_000_000));
            using var process = Process.Start(
                new ProcessStartInfo("pwsh", ["-NoProfile", "-NonInteractive", "-File", scriptFile, part]) { RedirectStandardOutput = true }
            );
            var words = process!.StandardOutput.ReadToEnd().Split();
            process.WaitForExit();
            var length = new FileInfo(part).Length;
            var rate = length / 1e6 / double.Parse(words[1], CultureInfo.InvariantCulture);
            Console.WriteLine(
                $"the old script's rules over Get-Content: {length / 1e6:0} MB, {words[0]} rows, {rate:0.0} MB/s, peak memory {long.Parse(words[2], CultureInfo.InvariantCulture) / 1e6:0} MB: we are {ours / rate:0} times as fast"
            );
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Console.WriteLine("pwsh is not on the PATH: no comparison with the old script's rules");
        }
        finally
        {
            File.Delete(part);
            File.Delete(scriptFile);
        }
    }

    private static byte[] ReadFirst(string path, int length)
    {
        using var stream = File.OpenRead(path);
        var bytes = new byte[length];
        return bytes[..stream.ReadAtLeast(bytes, length, throwOnEndOfStream: false)];
    }

    private static void WriteLog(string path, long size)
    {
        var random = new Random(1);
        using var writer = new StreamWriter(path, false, new UTF8Encoding(false)) { NewLine = "\r\n" };
        for (long written = 0; written < size; )
        {
            var block = 8 << random.Next(7);
            var iops = 1_000 + (random.NextDouble() * 100_000);
            // IOPS and latency match 128 outstanding I/Os, and the histogram adds up to 100, so the runs have no warnings.
            var latency = (int)(128_000 / iops);
            var below1Ms = random.Next(60);
            var run = string.Create(
                    CultureInfo.InvariantCulture,
                    $"""
                    sqlio v1.5.SG
                    using system counter for latency timings, 2539062 counts per second
                    parameter file used: param.txt
                    	file T:\testfile.dat with 16 threads (0-15) using mask 0x0 (0)
                    16 threads reading for 360 secs from file T:\testfile.dat
                    	using {block}KB random IOs
                    	enabling multiple I/Os per thread with 8 outstanding
                    	buffering set to not use file nor disk caches (as is SQL Server)
                    using specified size: 92160 MB for file: T:\testfile.dat
                    initialization done
                    CUMULATIVE DATA:
                    throughput metrics:
                    IOs/sec:{iops, 9:0.00}
                    MBs/sec:{iops * block / 1024, 9:0.00}
                    latency metrics:
                    Min_Latency(ms): 0
                    Avg_Latency(ms): {latency}
                    Max_Latency(ms): {latency + random.Next(5000)}
                    histogram:
                    ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+
                    %:{below1Ms, 3} 20  5  1  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0{74 - below1Ms, 3}

                    """
                )
                .ReplaceLineEndings("\r\n");
            writer.Write(run);
            written += run.Length;
        }
    }

    private static string? GetOption(string[] args, string name) =>
        Array.IndexOf(args, name) is >= 0 and var at && at + 1 < args.Length ? args[at + 1] : null;
}
