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
    private readonly Func<uint, bool> _setMode;
    private readonly uint? _mode;

    public TerminalMode(bool hasTerminal)
        : this(OperatingSystem.IsWindows() && hasTerminal ? GetStandardErrorMode : () => null, SetStandardErrorMode)
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

    /// <param name="getMode">Returns null if standard error is not a console.</param>
    internal TerminalMode(Func<uint?> getMode, Func<uint, bool> setMode)
    {
        _setMode = setMode;
        _mode = getMode();
        if (_mode is { } mode)
            HasEscapeSequences = (mode & VirtualTerminalProcessing) != 0 || setMode(mode | VirtualTerminalProcessing);
    }

    /// <summary>Whether the process's console supports escape sequences. If not, a line is cleared with spaces.</summary>
    public static bool SupportsEscapeSequences { get; private set; } = true;

    internal bool HasEscapeSequences { get; } = true;

    public void Dispose()
    {
        if (_mode is { } mode)
            _ = _setMode(mode);
        if (_encoding is not null)
            Console.OutputEncoding = _encoding;
    }

    private static uint? GetStandardErrorMode()
    {
        uint mode;
        return GetConsoleMode(GetStdHandle(StandardError), &mode) != 0 ? mode : null;
    }

    private static bool SetStandardErrorMode(uint mode) => SetConsoleMode(GetStdHandle(StandardError), mode) != 0;

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(int number);

    [LibraryImport("kernel32")]
    private static partial int GetConsoleMode(nint console, uint* mode);

    [LibraryImport("kernel32")]
    private static partial int SetConsoleMode(nint console, uint mode);
}
