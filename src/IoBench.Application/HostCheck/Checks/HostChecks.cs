using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using IoBench.Analysis;
using IoBench.Engine;
using Microsoft.Win32;

namespace IoBench.Application;

/// <summary>Checks the process (backend, priority, limits, and privileges), the clock, starts with a target rate, and the CPU time per
/// I/O.</summary>
internal static class HostChecks
{
    public static HostCheck CheckPriority(HostCheckContext context)
    {
        var priority = ProcessPriority.GetCurrent();
        return priority.IsLow switch
        {
            true => HostCheck.Fail(
                priority.Text + ". At this priority, the measured performance is lower than at normal priority.",
                ProcessPriority.Advice
            ),
            false => HostCheck.Pass(priority.Text + "."),
            null => HostCheck.NotRated(priority.Text + "."),
        };
    }

    public static HostCheck? CheckSystem(HostCheckContext context) => OperatingSystem.IsWindows() ? DescribeWindowsProcess() : null;

    [SupportedOSPlatform("windows")]
    private static HostCheck DescribeWindowsProcess()
    {
        using var process = Process.GetCurrentProcess();
        var facts = HostFacts.All;
        string?[] words =
        [
            $"session {process.SessionId}",
            Environment.IsPrivilegedProcess ? "elevated" : "not elevated",
            $"code page {Console.OutputEncoding.CodePage}",
            AreLongPathsEnabled() is { } on ? $"long paths {(on ? "on" : "off")}" : null,
            facts.GetValueOrDefault("File system filters") is { } filters ? "filter drivers " + filters : "no filter drivers found",
            facts.GetValueOrDefault("Defender real-time") is { } defender ? "Defender real-time protection " + defender : null,
            facts.GetValueOrDefault("Memory integrity") is { } integrity ? "memory integrity " + integrity : null,
        ];
        return HostCheck.Pass(string.Join(", ", words.OfType<string>()) + ".");
    }

    [SupportedOSPlatform("windows")]
    private static bool? AreLongPathsEnabled()
    {
        try
        {
            using var key = Registry.LocalMachine.OpenSubKey(@"SYSTEM\CurrentControlSet\Control\FileSystem");
            return key?.GetValue("LongPathsEnabled") is int value ? value != 0 : null;
        }
        catch (Exception e) when (e is System.Security.SecurityException or IOException or UnauthorizedAccessException)
        {
            // The account may not read the registry key.
            return null;
        }
    }

    private const long EnoughLockedMemory = 64L << 20,
        EnoughFiles = 4096,
        EnoughRequests = 8192;

    public static HostCheck CheckLimits(HostCheckContext context) =>
        OperatingSystem.IsWindows() ? CheckWindowsRights() : CheckLinuxLimits();

    private static HostCheck CheckLinuxLimits()
    {
        // A process with root privileges has no limit.
        var locked = Environment.IsPrivilegedProcess ? null : LinuxResourceLimits.GetMaxLockedMemory();
        var files = LinuxResourceLimits.GetMaxOpenFiles();
        var requests = LinuxResourceLimits.GetFreeAioRequests();
        var advice = new[]
        {
            locked < EnoughLockedMemory
                ? "raise the locked-memory limit (ulimit -l), so that large tests can register their buffers"
                : null,
            files < EnoughFiles ? "raise the open-file limit (ulimit -n) for tests with many threads and targets" : null,
            requests < EnoughRequests ? "raise fs.aio-max-nr for tests with native asynchronous I/O" : null,
        }
            .OfType<string>()
            .ToList();
        var what =
            $"locked memory {(locked is { } bytes ? IoSize.Format(bytes) : "unlimited")}, open files {FormatLimit(files)}, free requests for native asynchronous I/O {FormatLimit(requests)}.";
        return HostCheck.Pass(
            what,
            advice.Count == 0 ? null : CapitalizeFirst(string.Join("; ", advice)),
            new FindingEvidence("Locked memory", locked, "bytes"),
            new FindingEvidence("Open files", files),
            new FindingEvidence("Native asynchronous requests", requests)
        );
    }

    private static HostCheck CheckWindowsRights()
    {
        var canSkipZeros = WindowsPrivileges.TryEnable("SeManageVolumePrivilege");
        var canLock = WindowsPrivileges.TryEnable("SeLockMemoryPrivilege");
        return HostCheck.Pass(
            $"{(canSkipZeros ? "several threads fill test files" : "one thread fills test files, because the account does not have SeManageVolumePrivilege")}; large pages are {(canLock ? "" : "not ")}allowed.",
            canSkipZeros ? null : "Grant the account 'Perform volume maintenance tasks' to create large test files faster"
        );
    }

    private static string FormatLimit(long? limit) => limit?.ToString("#,0", CultureInfo.InvariantCulture) ?? "unlimited";

    private static string CapitalizeFirst(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    public static HostCheck CheckBackend(HostCheckContext context)
    {
        var result = context.RunTest(context.CreateShortTest(context.SupportsUnbufferedIO ? IoBuffering.None : IoBuffering.Both));
        var what = $"IoBench uses {result.Host.GetValueOrDefault("Backend", result.Backend ?? "")}.";
        return !result.Host.TryGetValue("Better backends", out var reasons)
            ? HostCheck.Pass(what)
            : HostCheck.Pass(
                $"{what} {reasons}",
                "Correct the problem that prevents IoBench from using the better backend. That backend uses less CPU time per I/O"
            );
    }

    // Each I/O needs about two readings.
    private const int ClockReadings = 100_000;

    public static HostCheck CheckClock(HostCheckContext context)
    {
        var clock = ClockCost.Measure(ClockReadings);
        var (cost, step) = clock;
        var name =
            ClockCost.Source
            ?? (
                OperatingSystem.IsWindows()
                    ? Invariant($"the performance counter ({Stopwatch.Frequency / 1e6:0.##} MHz)")
                    : "the system's clock"
            );
        var what = Invariant($"{name}: reading the clock takes {cost:0} ns, and its resolution is {step} ns.");
        var figures = new[] { new FindingEvidence("Cost of a reading", cost, "ns"), new FindingEvidence("Resolution", step, "ns") };
        return !clock.IsSlow && step <= 1000
            ? HostCheck.Pass(what, null, figures)
            : HostCheck.Fail(what + " Short latencies are therefore overstated.", ClockCost.Advice, figures);
    }

    // The delay of a start with a target rate is part of the response time.
    private const int TargetIops = 500;

    // The coarsest system timer (15.6 ms) causes a much larger delay.
    private const double MaxStartDelayMs = 1;

    public static HostCheck CheckTargetRate(HostCheckContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.TargetIops = TargetIops;
        test.Duration = TimeSpan.FromSeconds(1);
        var result = context.RunTest(test);
        if (result.ResponseAverageMs - result.AverageLatencyMs is not { } late)
            return HostCheck.NotRated("the test at a fixed rate completed no I/O.");
        var what = Invariant($"at {TargetIops} IOPS, I/Os start {Math.Max(0, late) * 1000:0} us late on average.");
        var figure = new FindingEvidence("Late", late * 1000, "us");
        return late <= MaxStartDelayMs ? HostCheck.Pass(what, null, figure)
            : HostCheckContext.IsBusy(result)
                ? HostCheck.NotRated(what + " All CPUs were busy.", "Repeat the check when no other program uses the CPUs", figure)
            : HostCheck.Fail(
                what + " Response times of tests at a fixed rate include this delay.",
                "Check power saving and timer settings",
                figure
            );
    }

    private const int Outstanding = 32;
    private const double HighShare = 0.5;
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(0.5);

    public static HostCheck CheckOwnCost(HostCheckContext context) =>
        DescribeCost("IoBench alone, without a device", MeasureCpuTime(context, BackendCatalog.Null));

    public static HostCheck CheckPageCache(HostCheckContext context)
    {
        ReadIntoPageCache(context.Path);
        var cached = MeasureCpuTime(context, BackendCatalog.Auto);
        context.IopsPerCore = GetIopsPerCore(cached);
        return DescribeCost("IoBench and the kernel, 8 KB reads from the page cache", cached);
    }

    public static HostCheck? CheckCapacity(HostCheckContext context)
    {
        if (context.IopsPerCore is not { } capacity)
            return null;
        var reached = context.SupportsUnbufferedIO ? MeasureStorageIops(context) : null;
        return HostCheck.Pass(
            $"IoBench can drive about {FormatMillions(capacity)} M IOPS per core on this computer{DescribeStorageShare(reached / capacity)}. If the rate per thread in a test comes close to this rate, the test measures the computer instead of the storage.",
            reached / capacity >= HighShare ? "Use several threads on this storage" : null,
            new FindingEvidence("IOPS per core", capacity),
            new FindingEvidence("Storage IOPS", reached)
        );
    }

    private static double? MeasureStorageIops(HostCheckContext context)
    {
        var test = context.CreateTest(IoBuffering.None);
        test.OutstandingIO = Outstanding;
        return context.RunTest(test).IOPS;
    }

    private static string DescribeStorageShare(double? share) =>
        share is null ? "" : Invariant($"; this storage reached {100 * share:0}% of this rate with {Outstanding} outstanding reads");

    private static HostCheck DescribeCost(string what, double microseconds) =>
        HostCheck.Pass(
            Invariant(
                $"{what}: {microseconds:0.000} us of CPU time per I/O, or {FormatMillions(GetIopsPerCore(microseconds))} M IOPS per core."
            ),
            null,
            new FindingEvidence("CpuUsPerIO", microseconds, "us")
        );

    // CPU time instead of elapsed time, because other programs then hardly affect the result.
    private static double MeasureCpuTime(HostCheckContext context, string backend)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Backend = backend;
        test.OutstandingIO = Outstanding;
        test.Duration = s_duration;
        // During the warm-up, the JIT compiler replaces the code by an optimized version.
        test.WarmUp = TimeSpan.FromSeconds(0.5);
        var result = context.RunTest(test);
        return result.CpuUsPerIO
            ?? 1e6 / result.IOPS
            ?? throw IoBenchException.Failure("IoBench.CheckFailed", "IoBench could not measure the CPU time of a test.");
    }

    // Reads from the page cache cost what reads from a drive without latency would cost.
    private static void ReadIntoPageCache(string path)
    {
        var buffer = new byte[1 << 20];
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
        while (file.Read(buffer) > 0) { }
    }

    private static double GetIopsPerCore(double microseconds) => 1e6 / microseconds;

    private static string FormatMillions(double iops) => Invariant($"{iops / 1e6:0.##}");
}
