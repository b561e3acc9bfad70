using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Cli;

internal enum ConsoleTextKind
{
    /// <summary>Lines for people: every control character is escaped, including those from labels, paths, and imported results.</summary>
    Lines,

    /// <summary>A data format of several lines: escaped on a terminal, unchanged in a file or a pipe.</summary>
    Data,

    /// <summary>Like Data. Optionally, non-ASCII characters are escaped, so that a reader with another code page decodes them
    /// correctly.</summary>
    Json,

    /// <summary>IoBench's own control sequences: nothing is escaped.</summary>
    Control,
}

/// <summary>All text goes to the console through this class, so that labels, paths, and imported results cannot control the
/// terminal.</summary>
internal sealed class ConsoleWriter(ConsoleStream stream, ConsoleTextKind text, bool asAscii = false) : TextWriter
{
    public override Encoding Encoding => Encoding.UTF8;

    /// <summary>Maximum width of a table in characters.</summary>
    public int TableWidth { get; init; } = TextTable.MaxWidth;

    public ConsoleWriter ControlWriter => new(stream, ConsoleTextKind.Control);

    public override void Write(char value) => Write(value.ToString());

    public override void Write(string? value)
    {
        if (!string.IsNullOrEmpty(value))
            stream.Write(EscapeText(value));
    }

    // The base class ends lines with this array.
    public override void Write(char[]? buffer)
    {
        if (ReferenceEquals(buffer, CoreNewLine))
            stream.Write(NewLine);
        else
            base.Write(buffer);
    }

    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    public override void Write(ReadOnlySpan<char> buffer) => Write(new string(buffer));

    public override void WriteLine() => stream.Write(NewLine);

    // One write per line, so that lines of two threads do not mix.
    public override void WriteLine(string? value) => stream.Write(EscapeText(value ?? "") + NewLine);

    private string EscapeText(string value) =>
        text switch
        {
            ConsoleTextKind.Lines => SafeText.Escape(value),
            ConsoleTextKind.Data or ConsoleTextKind.Json when stream.IsTerminal => SafeText.EscapeLines(value),
            ConsoleTextKind.Json when asAscii && !Ascii.IsValid(value) => EscapeNonAscii(value),
            _ => value,
        };

    private static string EscapeNonAscii(string json)
    {
        var text = new StringBuilder(json.Length + 64);
        foreach (var letter in json)
            _ = char.IsAscii(letter) ? text.Append(letter) : text.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:x4}");
        return text.ToString();
    }
}
