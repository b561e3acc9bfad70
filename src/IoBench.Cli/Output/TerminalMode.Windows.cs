using System.Runtime.InteropServices;
using System.Text;

namespace IoBench.Cli.Output;

/// <summary>
/// A console of Windows while the program runs: text in UTF-8, whatever its code page, and escape sequences where it knows them (they have to be asked for; consoles of Windows
/// Server 2012 R2 and older know none). Both are put back in the end.
/// </summary>
internal sealed unsafe partial class TerminalMode : IDisposable
{
    internal const int StandardError = -12;
    internal const uint VirtualTerminal = 4;

    private readonly Encoding? _encoding;
    private readonly IConsoleMode? _console;
    private readonly uint? _mode;

    /// <summary>Sets the process's console up.</summary>
    /// <param name="hasTerminal">Output or error is one.</param>
    public TerminalMode(bool hasTerminal)
        : this(OperatingSystem.IsWindows() && hasTerminal ? new ErrorConsole() : null)
    {
        HasEscapes = TakesEscapes;
        if (!OperatingSystem.IsWindows() || !hasTerminal)
            return;
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

    /// <summary>Asks a console for escape sequences; null where nobody has to be asked.</summary>
    internal TerminalMode(IConsoleMode? console)
    {
        if (console?.Get() is not { } mode)
            return;
        (_console, _mode) = (console, mode);
        TakesEscapes = (mode & VirtualTerminal) != 0 || console.Set(mode | VirtualTerminal);
    }

    /// <summary>The process's console understands escape sequences; where it does not, a line is cleared with blanks.</summary>
    public static bool HasEscapes { get; private set; } = true;

    /// <summary>This console understands them.</summary>
    internal bool TakesEscapes { get; } = true;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_mode is { } mode)
            _ = _console!.Set(mode);
        if (_encoding is not null)
            Console.OutputEncoding = _encoding;
    }

    /// <summary>The calls themselves.</summary>
    private sealed class ErrorConsole : IConsoleMode
    {
        private readonly nint _handle = GetStdHandle(StandardError);

        /// <inheritdoc/>
        public uint? Get()
        {
            uint mode;
            return GetConsoleMode(_handle, &mode) != 0 ? mode : null;
        }

        /// <inheritdoc/>
        public bool Set(uint mode) => SetConsoleMode(_handle, mode) != 0;
    }

    [LibraryImport("kernel32")]
    private static partial nint GetStdHandle(int number);

    [LibraryImport("kernel32")]
    private static partial int GetConsoleMode(nint console, uint* mode);

    [LibraryImport("kernel32")]
    private static partial int SetConsoleMode(nint console, uint mode);
}
