using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class LimitCheck
{
    private const string Code = "Limits",
        Subject = "Limits";
    private const long EnoughLockedMemory = 64L << 20,
        EnoughFiles = 4096,
        EnoughRequests = 8192;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context) => [OperatingSystem.IsWindows() ? OfWindows() : OfLinux()];

    private static SelfTestCheck OfLinux()
    {
        // A process with root privileges has no limit.
        var locked = Environment.IsPrivilegedProcess ? null : LinuxLimits.LockedMemory();
        var files = LinuxLimits.OpenFiles();
        var requests = LinuxLimits.AioRequests();
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
            $"locked memory {(locked is { } bytes ? new IoSize(bytes).ToDisplayString() : "unlimited")}, open files {Text(files)}, native asynchronous requests left {Text(requests)}.";
        return SelfTestCheck.Pass(
            Code,
            Subject,
            what,
            advice.Count == 0 ? null : Sentence(string.Join("; ", advice)),
            new FindingFigure("Locked memory", locked, "bytes"),
            new FindingFigure("Open files", files),
            new FindingFigure("Native asynchronous requests", requests)
        );
    }

    private static SelfTestCheck OfWindows()
    {
        var canSkipZeros = WindowsPrivileges.TryEnable("SeManageVolumePrivilege");
        var canLock = WindowsPrivileges.TryEnable("SeLockMemoryPrivilege");
        return SelfTestCheck.Pass(
            Code,
            Subject,
            $"{(canSkipZeros ? "test files are filled by several writers" : "test files are filled by one writer, since the account lacks SeManageVolumePrivilege")}; large pages are {(canLock ? "" : "not ")}allowed.",
            canSkipZeros ? null : "Give the account 'Perform volume maintenance tasks' to make large test files faster"
        );
    }

    private static string Text(long? limit) => limit?.ToString("#,0", CultureInfo.InvariantCulture) ?? "unlimited";

    private static string Sentence(string text) => char.ToUpperInvariant(text[0]) + text[1..];
}
