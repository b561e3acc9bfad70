using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Cli.Tests;

/// <summary>
/// A shell starts background commands with SIGINT ignored, and child processes inherit that. Tests that send Ctrl+C need a program that
/// handles it, however the tests were started.
/// </summary>
internal static class InterruptSignal
{
    private const int Interrupt = 2;

    public static void RestoreDefault()
    {
        if (OperatingSystem.IsLinux() && IsIgnored())
            _ = SetHandler(Interrupt, 0);
    }

    private static bool IsIgnored()
    {
        const string Name = "SigIgn:";
        var line = File.ReadLines("/proc/self/status").First(line => line.StartsWith(Name, StringComparison.Ordinal));
        return (ulong.Parse(line.AsSpan(Name.Length).Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture) >> (Interrupt - 1) & 1)
            == 1;
    }

    [DllImport("libc", EntryPoint = "signal")]
    private static extern nint SetHandler(int signal, nint handler);
}
