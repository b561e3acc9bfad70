using System.Runtime.InteropServices;
using System.Text;

namespace IoBench.Cli;

/// <summary>
/// A console of Windows while the program runs: text in UTF-8, whatever its code page, and escape sequences where it knows them (they have to be asked for; consoles of Windows
/// Server 2012 R2 and older know none). Both are put back in the end.
/// </summary>
internal sealed unsafe partial class TerminalMode : IDisposable
{
    internal const int StandardError = -12;
    internal const uint VirtualTerminal = 4;

    private readonly Encoding? _encoding;
    private readonly uint? _mode;

    /// <summary>Sets the console up.</summary>
    /// <param name="hasTerminal">Output or error is one.</param>
    public TerminalMode(bool hasTerminal)
    {
        if (!OperatingSystem.IsWindows() || !hasTerminal)
            return;
        uint mode;
        var error = GetStdHandle(StandardError);
        if (GetConsoleMode(error, &mode) != 0)
        {
            HasEscapes = (mode & VirtualTerminal) != 0 || SetConsoleMode(error, mode | VirtualTerminal) != 0;
            _mode = mode;
        }
        try
        {
            _encoding = Console.OutputEncoding;
            Console.OutputEncoding = new UTF8Encoding(false);
        }
        catch (IOException)
        {
            // No console after all.
            _encoding = null;
        }
    }

    /// <summary>Escape sequences are understood; where they are not, a line is cleared with blanks.</summary>
    public static bool HasEscapes { get; private set; } = true;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_mode is { } mode)
            _ = SetConsoleMode(GetStdHandle(StandardError), mode);
        if (_encoding is not null)
            Console.OutputEncoding = _encoding;
    }

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(int number);

    [LibraryImport("kernel32")]
    private static partial int GetConsoleMode(nint console, uint* mode);

    [LibraryImport("kernel32")]
    private static partial int SetConsoleMode(nint console, uint mode);
}
