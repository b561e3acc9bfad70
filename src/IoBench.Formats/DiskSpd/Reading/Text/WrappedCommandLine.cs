namespace IoBench.Formats;

/// <summary>A command line copied from a console: text directly after a line as long as a usual window width continues it.</summary>
internal sealed class WrappedCommandLine
{
    /// <summary>Default widths of old and new consoles, and common settings.</summary>
    private static readonly int[] s_widths = [80, 100, 120, 132, 150, 160, 200, 240];

    private int _number = -1;
    private int _width;
    private bool _isSpaceMissing;

    internal string Text { get; private set; } = "";

    /// <param name="length">Number of characters of the whole line.</param>
    internal string SetFirstLine(ReadOnlySpan<char> text, int length, int number)
    {
        Text = text.ToString();
        _width = 0;
        foreach (var width in s_widths)
        {
            // Copying removes a space at the edge of the window.
            if (length == width || length == width - 1)
            {
                _width = width;
                _isSpaceMissing = length == width - 1;
            }
        }
        _number = number;
        return Text;
    }

    internal bool TryAppend(ReadOnlySpan<char> line, int number)
    {
        if (_width == 0 || number != _number + 1)
            return false;
        var text = line.TrimEnd();
        if (
            text.IsEmpty
            || text.Length > _width
            || text is "Input parameters:"
            || text.StartsWith("WARNING:")
            || text.StartsWith("Experiment Flags:")
            || text.StartsWith("System info")
        )
        {
            _width = 0;
            return false;
        }
        Text = string.Concat(Text, _isSpaceMissing ? " " : "", text);
        _number = number;
        _isSpaceMissing = text.Length == _width - 1;
        if (text.Length < _width - 1)
            _width = 0;
        return true;
    }
}
