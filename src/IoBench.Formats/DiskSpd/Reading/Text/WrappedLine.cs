namespace IoBench.Formats.DiskSpd.Reading.Text;

/// <summary>
/// The command line in a text that was copied from a console: one longer than the window goes on in the next line. DiskSpd has an empty line behind it, so
/// what follows at once a line as long as a window is wide is its rest.
/// </summary>
internal sealed class WrappedLine
{
    /// <summary>Windows of the old console, of the new one, and what people set.</summary>
    private static readonly int[] s_widths = [80, 100, 120, 132, 150, 160, 200, 240];

    private int _number = -1;
    private int _width;
    private bool _lostBlank;

    /// <summary>The text so far.</summary>
    internal string Text { get; private set; } = "";

    /// <summary>Takes the first line.</summary>
    /// <param name="text">The command line in it.</param>
    /// <param name="length">Characters of the whole line.</param>
    internal string Begin(ReadOnlySpan<char> text, int length, int number)
    {
        (Text, _width) = (text.ToString(), 0);
        foreach (var width in s_widths)
        {
            // A blank at the window's edge is lost in copying.
            if (length == width || length == width - 1)
                (_width, _lostBlank) = (width, length == width - 1);
        }
        _number = number;
        return Text;
    }

    /// <summary>Whether a line is the rest of it; then it is taken.</summary>
    internal bool Continues(ReadOnlySpan<char> line, int number)
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
        Text = string.Concat(Text, _lostBlank ? " " : "", text);
        _number = number;
        _lostBlank = text.Length == _width - 1;
        if (text.Length < _width - 1)
            _width = 0;
        return true;
    }
}
