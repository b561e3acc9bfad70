using System.Text;

namespace IoBench.Formats;

/// <summary>Reads the lines of a batch file. A line that ends with a circumflex continues in the next one.</summary>
internal sealed class BatchLines(TextReader reader, string? sourceFile)
{
    private const int MaxLines = 100_000;

    private readonly LineSource _lines = new(reader);

    internal bool TryRead(out BatchLine line)
    {
        line = default;
        if (!Next(out var text))
            return false;
        var number = _lines.Number;
        if (text.EndsWith('^'))
        {
            var whole = new StringBuilder();
            while (text.EndsWith('^') && whole.Length < LineSource.LongestLine)
            {
                whole.Append(text, 0, text.Length - 1);
                if (!Next(out text))
                    break;
            }
            text = whole.Append(text).ToString();
        }
        line = new BatchLine(number, text);
        return true;
    }

    private bool Next(out string text)
    {
        text = "";
        if (!_lines.Next())
            return false;
        if (_lines.WasCut || _lines.Number > MaxLines)
            throw BatchError.At(
                sourceFile,
                _lines.Number,
                _lines.WasCut ? "it is longer than any command line can be" : "a batch file of so many lines is not read"
            );
        text = BatchValue.Clean(_lines.Line.Trim("\uFEFF\0").TrimEnd().ToString());
        return true;
    }
}
