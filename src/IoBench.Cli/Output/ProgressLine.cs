using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>The live line on standard error. Writes nothing if standard error is not a terminal.</summary>
/// <param name="hasEscapes">Whether the terminal supports escape sequences; null to use the state of the process's console.</param>
internal sealed class ProgressLine(TextWriter error, bool isTerminal, bool? hasEscapes = null)
{
    private readonly bool _hasEscapes = hasEscapes ?? TerminalMode.SupportsEscapeSequences;
    private readonly TextWriter _error = error is ConsoleWriter console ? console.ControlWriter : error;
    private bool _shown;

    public void Show(string text)
    {
        if (!isTerminal)
            return;
        // A wrapped line cannot be cleared.
        var width = GetTerminalWidth() - 1;
        text = SafeText.Escape(text);
        text = text.Length > width ? text[..width] : text;
        _error.Write("\r" + (_hasEscapes ? text + "\u001b[K" : text.PadRight(width)));
        _error.Flush();
        _shown = true;
    }

    public void Clear()
    {
        if (!_shown)
            return;
        _error.Write(_hasEscapes ? "\r\u001b[K" : "\r" + new string(' ', GetTerminalWidth() - 1) + "\r");
        _error.Flush();
        _shown = false;
    }

    internal static int GetTerminalWidth()
    {
        try
        {
            return Console.WindowWidth > 10 ? Console.WindowWidth : 80;
        }
        catch (IOException)
        {
            return 80; // a terminal that does not say
        }
    }
}
