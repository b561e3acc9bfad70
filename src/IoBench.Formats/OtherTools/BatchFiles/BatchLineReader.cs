using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads the lines of a batch file. Joins a line with the next one if it continues there.</summary>
internal sealed class BatchLineReader(TextReader reader, string? sourceFile)
{
    private const int MaxLines = 100_000;

    private readonly TextLineReader _lines = new(reader);

    internal bool TryRead(out BatchLine line)
    {
        line = default;
        if (!TryReadRawLine(out var text))
            return false;
        var number = _lines.LineNumber;
        if (IsContinued(text))
        {
            var command = new StringBuilder();
            while (IsContinued(text) && command.Length < TextLineReader.MaxLineLength)
            {
                command.Append(text, 0, text.Length - 1);
                if (!TryReadRawLine(out text))
                    break;
            }
            text = command.Append(text).ToString();
        }
        line = new BatchLine(number, text);
        return true;
    }

    /// <summary>In a batch file, a circumflex continues the line; in PowerShell a backtick, and in Linux shells a backslash.</summary>
    private static bool IsContinued(string text) =>
        text.EndsWith('^') || text.EndsWith(" `", StringComparison.Ordinal) || text.EndsWith(" \\", StringComparison.Ordinal);

    private bool TryReadRawLine(out string text)
    {
        text = "";
        if (!_lines.MoveNext())
            return false;
        if (_lines.WasCut || _lines.LineNumber > MaxLines)
            throw BatchLineReader.CreateError(
                sourceFile,
                _lines.LineNumber,
                _lines.WasCut ? "the line exceeds the maximum length of a command line" : "the batch file has too many lines"
            );
        text = CommandLineSplitter.ReplacePlaceholderSigns(_lines.CurrentLine.Trim("\uFEFF\0").TrimEnd().ToString());
        return true;
    }

    internal static IoBenchException CreateError(string? sourceFile, int line, string what) =>
        IoBenchException.Usage("IoBench.InvalidBatchFile", $"{DescribeLocation(sourceFile, line)}: {what}.", sourceFile);

    internal static string DescribeLocation(string? sourceFile, int line) =>
        sourceFile is null ? $"Line {line}" : $"{sourceFile} line {line}";
}

/// <param name="Line">Line number, from 1. For a continued line, the first one.</param>
internal readonly record struct BatchLine(int Line, string Text);
