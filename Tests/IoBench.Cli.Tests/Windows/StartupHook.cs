using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

/// <summary>
/// Code of the tests within a process of Windows' program: .NET loads this assembly there because DOTNET_STARTUP_HOOKS names it, and calls <see cref="Initialize"/>, whose
/// name and place it prescribes. It starts the program anew in a console of its own and sends that a Ctrl+C.
/// So it comes from the system, without another program that would have to be built for Windows. Wine 8 delivers neither Ctrl+Break nor the close of a console.
/// </summary>
internal static unsafe class StartupHook
{
    public const string CommandVariable = "IOBENCH_TEST_CONSOLE_COMMAND",
        ReadyVariable = "IOBENCH_TEST_CONSOLE_READY";

    private const uint ExtendedStartup = 0x80000,
        Timeout = 0x102,
        Forever = 60_000;
    private const nint PseudoConsole = 0x20016;

    public static void Initialize()
    {
        if (Environment.GetEnvironmentVariable(CommandVariable) is not { } command)
            return;
        // The program that is started is no such process.
        Environment.SetEnvironmentVariable(CommandVariable, null);
        Environment.SetEnvironmentVariable("DOTNET_STARTUP_HOOKS", null);
        Environment.Exit(Drive(command, Environment.GetEnvironmentVariable(ReadyVariable)!));
    }

    /// <summary>Writes the program's exit code and how many milliseconds after the event it ended.</summary>
    private static int Drive(string command, string ready)
    {
        Check(CreatePipe(out var input, out var keyboard, 0, 0));
        Check(CreatePipe(out var screen, out var output, 0, 0));
        var made = CreatePseudoConsole(80 | 25 << 16, input, output, 0, out var console);
        if (made < 0)
            Marshal.ThrowExceptionForHR(made);
        // A console whose screen nobody reads stops its programs.
        var drain = new Thread(() => Drain(screen)) { IsBackground = true };
        drain.Start();
        var (process, id) = StartIn(console, command);
        for (var waited = Stopwatch.StartNew(); !File.Exists(ready); Thread.Sleep(20))
        {
            if (WaitForSingleObject(process, 0) != Timeout || waited.ElapsedMilliseconds > Forever)
                throw new InvalidOperationException("The program was not ready.");
        }
        var clock = Stopwatch.StartNew();
        SendCtrlC(id);
        if (WaitForSingleObject(process, Forever) == Timeout)
            throw new InvalidOperationException("The program did not end.");
        var milliseconds = clock.ElapsedMilliseconds;
        Check(GetExitCodeProcess(process, out var code));
        File.WriteAllText(ready + ".ended", FormattableString.Invariant($"{code} {milliseconds}"));
        // Open until then: a console without a keyboard is closed, and Wine ends the programs of a closed console, of which this is one by now.
        GC.KeepAlive(keyboard);
        return 0;
    }

    private static void SendCtrlC(uint process)
    {
        // To all programs of a console, which must be one's own; this process does not hear it.
        _ = FreeConsole();
        Check(AttachConsole(process));
        Check(SetConsoleCtrlHandler(&Ignore, true));
        Check(GenerateConsoleCtrlEvent(0, 0));
    }

    [UnmanagedCallersOnly]
    private static int Ignore(uint happening) => 1;

    private static void Drain(SafeFileHandle screen)
    {
        using var stream = new FileStream(screen, FileAccess.Read, 1);
        var buffer = new byte[4096];
        try
        {
            while (stream.Read(buffer) > 0) { }
        }
        catch (IOException)
        {
            // The console is closed.
        }
    }

    private static (nint Process, uint Id) StartIn(nint console, string command)
    {
        nint size = 0;
        _ = InitializeProcThreadAttributeList(0, 1, 0, ref size);
        var attributes = Marshal.AllocHGlobal(size);
        Check(InitializeProcThreadAttributeList(attributes, 1, 0, ref size));
        Check(UpdateProcThreadAttribute(attributes, 0, PseudoConsole, console, sizeof(nint), 0, 0));
        var startup = new StartupInfo { Size = (uint)sizeof(StartupInfo), Attributes = attributes };
        Check(CreateProcessW(null, command.ToCharArray(), 0, 0, false, ExtendedStartup, 0, null, startup, out var started));
        return (started.Process, started.ProcessId);
    }

    private static void Check(bool worked)
    {
        if (!worked)
            throw new System.ComponentModel.Win32Exception(Marshal.GetLastPInvokeError());
    }

    // STARTUPINFOEXW: the middle is left to the system.
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
