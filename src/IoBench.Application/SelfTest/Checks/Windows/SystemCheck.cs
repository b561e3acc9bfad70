using System.Diagnostics;
using System.Runtime.Versioning;
using IoBench.Engine;
using Microsoft.Win32;

namespace IoBench.Application;

internal static class HostChecks
{
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
}
