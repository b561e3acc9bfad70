using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using IoBench.Analysis;
using IoBench.Engine;
using Microsoft.Win32;

namespace IoBench.Application;

/// <summary>Checks priority (a job scheduler can start processes with a low one), limits of the operating system, and CPU
/// affinity.</summary>
internal static class HostChecks
{
    private const string PriorityCode = "Priority",
        PrioritySubject = "Priority";

    public static IEnumerable<SelfTestCheck> CheckPriority(SelfTestContext context)
    {
        var priority = ProcessPriority.GetCurrent();
        yield return priority.IsLow switch
        {
            true => SelfTestCheck.Fail(
                PriorityCode,
                PrioritySubject,
                priority.Text + ". Figures are lower than those of a test at normal priority.",
                ProcessPriority.Advice
            ),
            false => SelfTestCheck.Pass(PriorityCode, PrioritySubject, priority.Text + "."),
            null => SelfTestCheck.CannotTell(PriorityCode, PrioritySubject, priority.Text + "."),
        };
    }

    private const string SystemCode = "System",
        SystemSubject = "System";

    public static IEnumerable<SelfTestCheck> CheckSystem(SelfTestContext context) =>
        OperatingSystem.IsWindows() ? [DescribeWindowsProcess()] : [];

    [SupportedOSPlatform("windows")]
    private static SelfTestCheck DescribeWindowsProcess()
    {
        using var process = Process.GetCurrentProcess();
        var facts = HostFacts.All;
        string?[] words =
        [
            $"session {process.SessionId}",
            Environment.IsPrivilegedProcess ? "elevated" : "not elevated",
            $"code page {Console.OutputEncoding.CodePage}",
            AreLongPathsEnabled() is { } on ? $"long paths {(on ? "on" : "off")}" : null,
            facts.GetValueOrDefault("File system filters") is { } filters ? "filters " + filters : "no filters seen",
            facts.GetValueOrDefault("Defender real-time") is { } defender ? "Defender's real-time protection " + defender : null,
            facts.GetValueOrDefault("Memory integrity") is { } integrity ? "memory integrity " + integrity : null,
        ];
        return SelfTestCheck.Pass(SystemCode, SystemSubject, string.Join(", ", words.OfType<string>()) + ".");
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
        var locked = Environment.IsPrivilegedProcess ? null : LinuxResourceLimits.GetMaxLockedMemory();
        var files = LinuxResourceLimits.GetMaxOpenFiles();
        var requests = LinuxResourceLimits.GetFreeAioRequests();
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

    private const string ProcessorsCode = "Processors",
        ProcessorsSubject = "Processors";
    private const int HandleCount = 100;

    public static IEnumerable<SelfTestCheck> CheckProcessors(SelfTestContext context)
    {
        var all = ThreadAffinity.GetAvailableProcessors();
        var ends = new[] { all[0], all[^1] }.Distinct().ToArray();
        var wrong = ends.Where(processor => GetBoundProcessor(processor) != processor).ToArray();
        var hints = OperatingSystem.IsWindows() ? SetPriorityHints(context) : "";
        var names = string.Join(" and ", ends);
        yield return wrong.Length == 0
            ? SelfTestCheck.Pass(
                ProcessorsCode,
                ProcessorsSubject,
                ends.Length == 1
                    ? $"a thread that is bound to processor {names} runs there{hints}."
                    : $"threads that are bound to processors {names} run there{hints}."
            )
            : SelfTestCheck.Fail(
                ProcessorsCode,
                ProcessorsSubject,
                wrong.Length == 1
                    ? $"a thread that is bound to processor {wrong[0]} runs elsewhere{hints}."
                    : $"threads that are bound to processors {string.Join(" and ", wrong)} run elsewhere{hints}.",
                "Do not use affinity here, and report it"
            );
    }

    // Use a separate thread, so that the affinity of the calling thread does not change.
    private static int GetBoundProcessor(int processor)
    {
        var found = -1;
        IoBenchException? error = null;
        var thread = new Thread(() =>
        {
            try
            {
                ThreadAffinity.Bind([processor]);
                found = Thread.GetCurrentProcessorId();
            }
            catch (IoBenchException e)
            {
                error = e;
            }
        });
        thread.Start();
        thread.Join();
        return error is null ? found : throw error;
    }

    // The priority hint must be aligned to 8 bytes. Otherwise, some of the handles refuse it.
    private static string SetPriorityHints(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Priority = IoPriority.Low;
        using var target = context.OpenTestFile(test);
        for (var i = 0; i < HandleCount; i++)
            target.OpenHandle(test, context.Backend).Dispose();
        return $"; each of {HandleCount} handles took an I/O priority";
    }
}
