using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using IoBench.Analysis;
using IoBench.Engine;
using Microsoft.Win32;

namespace IoBench.Application;

/// <summary>Checks the backend, the priority (a job scheduler can start processes with a low one), and the limits and privileges of the
/// process.</summary>
internal static class HostChecks
{
    public static HostCheck CheckPriority(HostCheckContext context)
    {
        var priority = ProcessPriority.GetCurrent();
        return priority.IsLow switch
        {
            true => HostCheck.Fail(priority.Text + ". Results are lower than at normal priority.", ProcessPriority.Advice),
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
            $"locked memory {(locked is { } bytes ? new IoSize(bytes).ToDisplayString() : "unlimited")}, open files {FormatLimit(files)}, free native asynchronous requests {FormatLimit(requests)}.";
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
}
