namespace IoBench.Cli.Output;

/// <summary>The one live line on a terminal's standard error; writes nothing where there is no terminal.</summary>
/// <param name="error">Standard error.</param>
/// <param name="isTerminal">It is a terminal.</param>
/// <param name="hasEscapes">That understands escape sequences; null = as the process's own does.</param>
internal sealed class ProgressLine(TextWriter error, bool isTerminal, bool? hasEscapes = null)
{
    private readonly bool _hasEscapes = hasEscapes ?? TerminalMode.HasEscapes;
    private readonly TextWriter _error = error is ConsoleWriter console ? console.ForControl : error;
    private bool _shown;

    /// <summary>Shows a text, as much of it as fits.</summary>
    public void Show(string text)
    {
        if (!isTerminal)
            return;
        // A line that wraps would leave its beginning behind.
        var width = TerminalWidth() - 1;
        text = SafeText.Escape(text);
        text = text.Length > width ? text[..width] : text;
        _error.Write("\r" + (_hasEscapes ? text + "\u001b[K" : text.PadRight(width)));
        _error.Flush();
        _shown = true;
    }

    /// <summary>Takes the line away, before anything else is written.</summary>
    public void Clear()
    {
        if (!_shown)
            return;
        _error.Write(_hasEscapes ? "\r\u001b[K" : "\r" + new string(' ', TerminalWidth() - 1) + "\r");
        _error.Flush();
        _shown = false;
    }

    /// <summary>Columns of the terminal.</summary>
    internal static int TerminalWidth()
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
