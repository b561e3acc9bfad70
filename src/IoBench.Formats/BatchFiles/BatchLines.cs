using System.Text;

namespace IoBench.Formats.BatchFiles;

/// <summary>A command of a batch file with the line it stands in.</summary>
/// <param name="Line">The line, from 1; of a continued one the first.</param>
/// <param name="Text">The text without the sign of continuation.</param>
internal readonly record struct BatchLine(int Line, string Text);

/// <summary>Lines of a batch file; a line that ends with a circumflex goes on in the next one.</summary>
internal sealed class BatchLines(TextReader reader, string? sourceFile)
{
    private const int MaxLines = 100_000;

    private readonly LineSource _lines = new(reader);

    /// <summary>The next line; false at the end.</summary>
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
            throw BatchError.At(sourceFile, _lines.Number, _lines.WasCut ? "it is longer than any command line can be" : "a batch file of so many lines is not read");
        text = BatchValue.Clean(_lines.Line.Trim("\uFEFF\0").TrimEnd().ToString());
        return true;
    }
}

/// <summary>Errors of batch files: file, line and what.</summary>
internal static class BatchError
{
    /// <summary>A line that cannot be understood.</summary>
    internal static IoBenchException At(string? sourceFile, int line, string what)
        => IoBenchException.Usage("IoBench.InvalidBatchFile", $"{Place(sourceFile, line)}: {what}.", sourceFile);

    /// <summary>An error of the line's tool, with its place.</summary>
    internal static IoBenchException At(string? sourceFile, int line, IoBenchException error)
        => error.About(Place(sourceFile, line), error.Target ?? sourceFile);

    /// <summary>File and line.</summary>
    internal static string Place(string? sourceFile, int line) => sourceFile is null ? $"Line {line}" : $"{sourceFile} line {line}";
}
