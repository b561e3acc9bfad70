using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Benchmarks;

/// <summary>
/// Measures memory and CPU time of a controller with many hosts. The controller is real. The members are shell processes on this computer
/// that speak the member protocol and return a recorded result.
/// </summary>
internal static class FleetBenchmark
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(200);

    private const string MemberScript = """
        #!/bin/sh
        d=${0%/*}
        while [ $# -gt 1 ]; do case $1 in --group) g=$2;; --member) m=$2;; esac; shift; done
        read -r plan
        clock() { read -r up rest < /proc/uptime; c=${up%.*}${up#*.}0000000; }
        say() { printf '{"member":"%s","group":"%s",%s}\n' "$m" "$g" "$1"; }
        clock; say "\"state\":\"Hello\",\"computer\":\"$m\",\"machine\":\"$m\",\"version\":\"VERSION\",\"count\":TESTS,\"clock\":$c"
        t=1
        say "\"state\":\"Ready\",\"test\":1"
        while read -r order; do
          case $order in
            *'"order":"Clock"'*) n=${order#*'"number":'}; n=${n%%[!0-9]*}; clock; say "\"state\":\"Clock\",\"number\":$n,\"clock\":$c";;
            *'"order":"Go"'*)
              say "\"state\":\"Running\",\"test\":$t,\"percent\":50,\"iops\":1000,\"mBps\":8"
              sleep 1
              printf '{"member":"%s","group":"%s","state":"Done","test":%s,"result":' "$m" "$g" "$t"; cat "$d/result.json"; echo '}'
              t=$((t+1))
              if [ $t -gt TESTS ]; then say '"state":"End"'; exit 0; fi
              say "\"state\":\"Ready\",\"test\":$t";;
            *'"order":"Alive"'*) say '"state":"Alive"';;
            *) exit 1;;
          esac
        done
        """;

    public static int Run(BenchmarkOptions options)
    {
        if (!OperatingSystem.IsLinux() || options.ProgramPaths.Length == 0)
            throw IoBenchException.Usage("IoBench.BadOption", $"--case fleet needs --program PATH, and Linux.");
        var folder = Directory.CreateTempSubdirectory("iobench-benchmark-").FullName;
        try
        {
            var (hosts, tests) = (options.HostCount, options.TestCount);
            var inventory = Path.Combine(folder, "hosts.ini");
            var member = Path.Combine(folder, "member");
            File.WriteAllText(Path.Combine(folder, "result.json"), CreateMemberResult(options.ProgramPaths[0], folder, hosts));
            File.WriteAllText(
                member,
                MemberScript
                    .Replace("VERSION", typeof(IoTestResult).Assembly.GetName().Version!.ToString(3), StringComparison.Ordinal)
                    .Replace("TESTS", tests.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)
                    .ReplaceLineEndings("\n")
            );
            File.SetUnixFileMode(member, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
            File.WriteAllText(inventory, $"sql[1:{hosts}] ansible_connection=local iobench_program={member}\n");
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{hosts} hosts x {tests} tests, a result of {new FileInfo(Path.Combine(folder, "result.json")).Length:#,##0} bytes each; {Environment.ProcessorCount} processors"
                )
            );
            Console.WriteLine("| program | peak working set, MB | seconds | processor seconds | threads | results |");
            Console.WriteLine("|---|---|---|---|---|---|");
            for (var round = 0; round < options.PairCount; round++)
                foreach (var program in options.ProgramPaths)
                    Console.WriteLine(RunController(program, folder, inventory, hosts, tests));
            return 0;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string CreateMemberResult(string program, string folder, int hosts)
    {
        var (plan, lines) = (Path.Combine(folder, "plan.json"), Path.Combine(folder, "member.jsonl"));
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("null")],
            Backend = NullBackend.Name,
            ThreadCount = 4,
            OutstandingIO = 8,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(30),
            NullDevice = new NullDeviceModel(100, 32),
        };
        File.WriteAllText(plan, JsonResultSerializer.SerializePlan([test]));
        using (
            var process = StartProgram(
                program,
                folder,
                "run",
                "--specification",
                plan,
                "--start-at",
                "+2s",
                "--group",
                "g",
                "--member",
                "sql1"
            )
        )
            File.WriteAllText(lines, process.StandardOutput.ReadToEnd());
        var done = File.ReadAllLines(lines).First(line => line.Contains("\"state\":\"Done\"", StringComparison.Ordinal));
        using var json = JsonDocument.Parse(done);
        var result = JsonResultSerializer.DeserializeResult(json.RootElement.GetProperty("result"));
        (result.GroupMembers, result.GroupHosts) = ([.. Enumerable.Range(1, hosts).Select(n => $"sql{n}")], hosts);
        return JsonSerializer.Serialize(JsonResultSerializer.SerializeToElement(result));
    }

    private static string RunController(string program, string folder, string inventory, int hosts, int tests)
    {
        var output = Path.Combine(folder, "out.json");
        var sizes = string.Join(',', Enumerable.Range(1, tests).Select(n => $"{8 * n}K"));
        var watch = Stopwatch.StartNew();
        using var process = StartProgram(
            program,
            folder,
            "fleet",
            inventory,
            "null",
            "--backend",
            "null",
            "--block-size",
            sizes,
            "--duration",
            "1s",
            "--warm-up",
            "0",
            "--yes",
            "--output",
            output,
            "--force"
        );
        var (said, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        var (peak, threads, cpu) = (0L, 0, TimeSpan.Zero);
        while (!process.WaitForExit(s_pollInterval))
        {
            process.Refresh();
            try
            {
                (peak, threads, cpu) = (
                    Math.Max(peak, process.PeakWorkingSet64),
                    Math.Max(threads, process.Threads.Count),
                    process.TotalProcessorTime
                );
            }
            catch (InvalidOperationException)
            {
                // The process ended between two polls.
            }
        }
        if (process.ExitCode != 0)
            throw IoBenchException.Failure(
                "IoBench.BenchmarkFailed",
                $"{program} ended with {process.ExitCode}: {errors.Result[^Math.Min(2000, errors.Result.Length)..]}"
            );
        _ = said.Result;
        var results = File.ReadLines(output).Count(line => line.Contains("\"startOffsetSeconds\":", StringComparison.Ordinal));
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {program} | {peak / 1e6:0} | {watch.Elapsed.TotalSeconds:0} | {cpu.TotalSeconds:0} | {threads} | {results} |"
        );
    }

    private static Process StartProgram(string program, string folder, params string[] arguments)
    {
        var start = program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? new ProcessStartInfo("dotnet", [program, .. arguments])
            : new ProcessStartInfo(program, arguments);
        (start.RedirectStandardOutput, start.RedirectStandardError, start.RedirectStandardInput) = (true, true, true);
        start.Environment["IOBENCH_JOURNAL"] = Path.Combine(folder, "journal");
        return Process.Start(start)!;
    }
}
