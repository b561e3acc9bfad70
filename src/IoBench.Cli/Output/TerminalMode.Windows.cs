using System.Runtime.InteropServices;
using System.Text;

namespace IoBench.Cli;

/// <summary>Sets a Windows console to UTF-8 and turns on escape sequences, then restores both. Consoles of Windows Server 2012 R2 and
/// earlier have no escape sequences.</summary>
internal sealed unsafe partial class TerminalMode : IDisposable
{
    internal const int StandardError = -12;
    internal const uint VirtualTerminalProcessing = 4;

    private readonly Encoding? _encoding;
    private readonly IConsoleMode? _console;
    private readonly uint? _mode;

    public TerminalMode(bool hasTerminal)
        : this(OperatingSystem.IsWindows() && hasTerminal ? new StandardErrorMode() : null)
    {
        SupportsEscapeSequences = HasEscapeSequences;
        if (!OperatingSystem.IsWindows() || !hasTerminal)
            return;
        try
        {
            _encoding = Console.OutputEncoding;
            Console.OutputEncoding = new UTF8Encoding(false);
        }
        catch (IOException)
        {
            // The process has no console.
            _encoding = null;
        }
    }

    internal TerminalMode(IConsoleMode? console)
    {
        if (console?.GetMode() is not { } mode)
            return;
        _console = console;
        _mode = mode;
        HasEscapeSequences = (mode & VirtualTerminalProcessing) != 0 || console.SetMode(mode | VirtualTerminalProcessing);
    }

    /// <summary>Whether the process's console supports escape sequences. If not, a line is cleared with spaces.</summary>
    public static bool SupportsEscapeSequences { get; private set; } = true;

    internal bool HasEscapeSequences { get; } = true;

    public void Dispose()
    {
        if (_mode is { } mode)
            _ = _console!.SetMode(mode);
        if (_encoding is not null)
            Console.OutputEncoding = _encoding;
    }

    private sealed class StandardErrorMode : IConsoleMode
    {
        private readonly nint _handle = GetStdHandle(StandardError);

        public uint? GetMode()
        {
            uint mode;
            return GetConsoleMode(_handle, &mode) != 0 ? mode : null;
        }

        public bool SetMode(uint mode) => SetConsoleMode(_handle, mode) != 0;
    }

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(int number);

    [LibraryImport("kernel32")]
    private static partial int GetConsoleMode(nint console, uint* mode);

    [LibraryImport("kernel32")]
    private static partial int SetConsoleMode(nint console, uint mode);
}

internal interface IConsoleMode
{
    /// <returns>GetConsoleMode; null if standard error is not a console.</returns>
    uint? GetMode();

    bool SetMode(uint mode);
}
