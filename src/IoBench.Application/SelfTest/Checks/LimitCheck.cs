using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class HostChecks
{
    private const string LimitsCode = "Limits",
        LimitsSubject = "Limits";
    private const long EnoughLockedMemory = 64L << 20,
        EnoughFiles = 4096,
        EnoughRequests = 8192;

    public static IEnumerable<SelfTestCheck> CheckLimits(SelfTestContext context) =>
        [OperatingSystem.IsWindows() ? CheckWindowsRights() : CheckLinuxLimits()];

    private static SelfTestCheck CheckLinuxLimits()
    {
        // A process with root privileges has no limit.
        var locked = Environment.IsPrivilegedProcess ? null : LinuxLimits.GetMaxLockedMemory();
        var files = LinuxLimits.GetMaxOpenFiles();
        var requests = LinuxLimits.GetFreeAioRequests();
        var advice = new[]
        {
            locked < EnoughLockedMemory
                ? "raise the limit of locked memory (ulimit -l), so that large tests can register their buffers"
                : null,
            files < EnoughFiles ? "raise the limit of open files (ulimit -n) for tests of many threads and targets" : null,
            requests < EnoughRequests ? "raise fs.aio-max-nr for tests by native asynchronous I/O" : null,
        }
            .OfType<string>()
            .ToList();
        var what =
            $"locked memory {(locked is { } bytes ? new IoSize(bytes).ToDisplayString() : "unlimited")}, open files {FormatLimit(files)}, native asynchronous requests left {FormatLimit(requests)}.";
        return SelfTestCheck.Pass(
            LimitsCode,
            LimitsSubject,
            what,
            advice.Count == 0 ? null : CapitalizeFirst(string.Join("; ", advice)),
            new FindingEvidence("Locked memory", locked, "bytes"),
            new FindingEvidence("Open files", files),
            new FindingEvidence("Native asynchronous requests", requests)
        );
    }

    private static SelfTestCheck CheckWindowsRights()
    {
        var canSkipZeros = WindowsPrivileges.TryEnable("SeManageVolumePrivilege");
        var canLock = WindowsPrivileges.TryEnable("SeLockMemoryPrivilege");
        return SelfTestCheck.Pass(
            LimitsCode,
            LimitsSubject,
            $"{(canSkipZeros ? "test files are filled by several writers" : "test files are filled by one writer, since the account lacks SeManageVolumePrivilege")}; large pages are {(canLock ? "" : "not ")}allowed.",
            canSkipZeros ? null : "Give the account 'Perform volume maintenance tasks' to make large test files faster"
        );
    }

    private static string FormatLimit(long? limit) => limit?.ToString("#,0", CultureInfo.InvariantCulture) ?? "unlimited";

    private static string CapitalizeFirst(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
