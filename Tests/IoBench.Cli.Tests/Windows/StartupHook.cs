using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

/// <summary>
/// Test code within the Windows program. .NET loads this assembly because DOTNET_STARTUP_HOOKS names it, and it calls
/// <see cref="Initialize"/>, whose name and namespace .NET prescribes. The hook starts the program again in a new console and sends it a
/// Ctrl+C, so the event comes from the system and no other Windows program must be built. Wine 8 delivers neither Ctrl+Break nor the close
/// event of a console.
/// </summary>
internal static unsafe class StartupHook
{
    public const string CommandVariable = "IOBENCH_TEST_CONSOLE_COMMAND",
        ReadyVariable = "IOBENCH_TEST_CONSOLE_READY";

    private const uint ExtendedStartup = 0x80000,
        WaitTimeout = 0x102,
        MaxWaitMilliseconds = 60_000;
    private const nint PseudoConsoleAttribute = 0x20016;

    public static void Initialize()
    {
        if (Environment.GetEnvironmentVariable(CommandVariable) is not { } command)
            return;
        // The started program must not run this hook.
        Environment.SetEnvironmentVariable(CommandVariable, null);
        Environment.SetEnvironmentVariable("DOTNET_STARTUP_HOOKS", null);
        Environment.Exit(RunInConsole(command, Environment.GetEnvironmentVariable(ReadyVariable)!));
    }

    /// <summary>Writes the exit code of the program and the milliseconds between the event and its end.</summary>
    private static int RunInConsole(string command, string ready)
    {
        ThrowIfFailed(CreatePipe(out var input, out var keyboard, 0, 0));
        ThrowIfFailed(CreatePipe(out var screen, out var output, 0, 0));
        var made = CreatePseudoConsole(80 | 25 << 16, input, output, 0, out var console);
        if (made < 0)
            Marshal.ThrowExceptionForHR(made);
        // A console whose output is not read blocks its programs.
        var drain = new Thread(() => DrainScreen(screen)) { IsBackground = true };
        drain.Start();
        var (process, id) = StartInConsole(console, command);
        for (var waited = Stopwatch.StartNew(); !File.Exists(ready); Thread.Sleep(20))
        {
            if (WaitForSingleObject(process, 0) != WaitTimeout || waited.ElapsedMilliseconds > MaxWaitMilliseconds)
                throw new InvalidOperationException("The program was not ready.");
        }
        var clock = Stopwatch.StartNew();
        SendCtrlC(id);
        if (WaitForSingleObject(process, MaxWaitMilliseconds) == WaitTimeout)
            throw new InvalidOperationException("The program did not end.");
        var milliseconds = clock.ElapsedMilliseconds;
        ThrowIfFailed(GetExitCodeProcess(process, out var code));
        File.WriteAllText(ready + ".ended", FormattableString.Invariant($"{code} {milliseconds}"));
        // Keep the input open until here. Wine ends all programs of a console without input, including this one.
        GC.KeepAlive(keyboard);
        return 0;
    }

    private static void SendCtrlC(uint process)
    {
        // The event goes to all programs of a console, and this process must be attached to it. This process ignores the event.
        _ = FreeConsole();
        ThrowIfFailed(AttachConsole(process));
        ThrowIfFailed(SetConsoleCtrlHandler(&IgnoreEvent, true));
        ThrowIfFailed(GenerateConsoleCtrlEvent(0, 0));
    }

    [UnmanagedCallersOnly]
    private static int IgnoreEvent(uint happening) => 1;

    private static void DrainScreen(SafeFileHandle screen)
    {
        using var stream = new FileStream(screen, FileAccess.Read, 1);
        var buffer = new byte[4096];
        try
        {
            while (stream.Read(buffer) > 0) { }
        }
        catch (IOException)
        {
            // The console was closed.
        }
    }

    private static (nint Process, uint Id) StartInConsole(nint console, string command)
    {
        nint size = 0;
        _ = InitializeProcThreadAttributeList(0, 1, 0, ref size);
        var attributes = Marshal.AllocHGlobal(size);
        ThrowIfFailed(InitializeProcThreadAttributeList(attributes, 1, 0, ref size));
        ThrowIfFailed(UpdateProcThreadAttribute(attributes, 0, PseudoConsoleAttribute, console, sizeof(nint), 0, 0));
        var startup = new StartupInfo { Size = (uint)sizeof(StartupInfo), Attributes = attributes };
        ThrowIfFailed(CreateProcessW(null, command.ToCharArray(), 0, 0, false, ExtendedStartup, 0, null, startup, out var started));
        return (started.Process, started.ProcessId);
    }

    private static void ThrowIfFailed(bool worked)
    {
        if (!worked)
            throw new System.ComponentModel.Win32Exception(Marshal.GetLastPInvokeError());
    }

    // STARTUPINFOEXW; the fields in the middle stay zero.
    [StructLayout(LayoutKind.Sequential)]
    private struct StartupInfo
    {
        public uint Size;
        private fixed byte _middle[100];
        public nint Attributes;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct ProcessInformation
    {
        public nint Process,
            Thread;
        public uint ProcessId,
            ThreadId;
    }

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool CreatePipe(out SafeFileHandle read, out SafeFileHandle write, nint security, uint size);

    [DllImport("kernel32")]
    private static extern int CreatePseudoConsole(int size, SafeFileHandle input, SafeFileHandle output, uint flags, out nint console);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool InitializeProcThreadAttributeList(nint list, int count, uint flags, ref nint size);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool UpdateProcThreadAttribute(
        nint list,
        uint flags,
        nint attribute,
        nint value,
        nint size,
        nint previous,
        nint returned
    );

    [DllImport("kernel32", SetLastError = true, CharSet = CharSet.Unicode)]
    private static extern bool CreateProcessW(
        string? program,
        char[] command,
        nint process,
        nint thread,
        bool inherit,
        uint flags,
        nint environment,
        string? folder,
        in StartupInfo startup,
        out ProcessInformation started
    );

    [DllImport("kernel32")]
    private static extern uint WaitForSingleObject(nint handle, uint milliseconds);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool GetExitCodeProcess(nint process, out uint code);

    [DllImport("kernel32")]
    private static extern bool FreeConsole();

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool AttachConsole(uint process);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool SetConsoleCtrlHandler(delegate* unmanaged<uint, int> handler, bool add);

    [DllImport("kernel32", SetLastError = true)]
    private static extern bool GenerateConsoleCtrlEvent(uint happening, uint group);
}
