using System.ComponentModel;
using System.Runtime.InteropServices;

namespace IoBench.Cli;

internal static unsafe partial class ConsoleSignalSender
{
    internal const uint CtrlC = 0,
        CtrlBreak = 1;

    /// <summary>Sends an event to all programs of a process's console. This process leaves its own console and ignores the event.</summary>
    /// <exception cref="Win32Exception">The process has no console, or Windows refused the event.</exception>
    public static void SendEvent(uint process, uint happening)
    {
        // A program can have only one console.
        _ = FreeConsole();
        ThrowIfFailed(AttachConsole(process));
        ThrowIfFailed(SetConsoleCtrlHandler((nint)(delegate* unmanaged<uint, int>)&IgnoreEvent, 1));
        ThrowIfFailed(GenerateConsoleCtrlEvent(happening, 0));
    }

    [UnmanagedCallersOnly]
    private static int IgnoreEvent(uint happening) => 1;

    private static void ThrowIfFailed(int worked)
    {
        if (worked == 0)
            throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    [LibraryImport("kernel32")]
    private static partial int FreeConsole();

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int AttachConsole(uint process);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int SetConsoleCtrlHandler(nint handler, int add);

    [LibraryImport("kernel32", SetLastError = true)]
    private static partial int GenerateConsoleCtrlEvent(uint happening, uint group);
}
