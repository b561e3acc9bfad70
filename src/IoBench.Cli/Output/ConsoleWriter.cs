using System.Globalization;
using System.Text;

namespace IoBench.Cli.Output;

/// <summary>What a text is that goes to a console.</summary>
internal enum ConsoleText
{
    /// <summary>Lines for people: every control character in them is escaped, wherever it came from.</summary>
    Lines,

    /// <summary>A data format of several lines: escaped on a terminal, and as it is in a file or a pipe.</summary>
    Data,

    /// <summary>JSON: as data; where asked for, what is not ASCII is escaped as JSON escapes it, so that whoever reads it by a code page reads it right.</summary>
    Json,

    /// <summary>Control sequences of our own: nothing is escaped.</summary>
    Control,
}

/// <summary>The one place where text goes to a console: what others wrote (labels, paths, imported results) cannot act on the terminal.</summary>
internal sealed class ConsoleWriter(ConsoleStream stream, ConsoleText text, bool asAscii = false) : TextWriter
{
    /// <inheritdoc/>
    public override Encoding Encoding => Encoding.UTF8;

    /// <summary>The same stream for control sequences.</summary>
    public ConsoleWriter ForControl => new(stream, ConsoleText.Control);

    /// <inheritdoc/>
    public override void Write(char value) => Write(value.ToString());

    /// <inheritdoc/>
    public override void Write(string? value)
    {
        if (!string.IsNullOrEmpty(value))
            stream.Write(Escaped(value));
    }

    /// <inheritdoc/>
    // The base class ends its lines by this very array.
    public override void Write(char[]? buffer)
    {
        if (ReferenceEquals(buffer, CoreNewLine))
            stream.Write(NewLine);
        else
            base.Write(buffer);
    }

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Write(new string(buffer, index, count));

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<char> buffer) => Write(new string(buffer));

    /// <inheritdoc/>
    public override void WriteLine() => stream.Write(NewLine);

    /// <inheritdoc/>
    // In one piece: lines of two threads do not mix.
    public override void WriteLine(string? value) => stream.Write(Escaped(value ?? "") + NewLine);

    private string Escaped(string value) =>
        text switch
        {
            ConsoleText.Lines => SafeText.Escape(value),
            ConsoleText.Data or ConsoleText.Json when stream.IsTerminal => SafeText.EscapeLines(value),
            ConsoleText.Json when asAscii && !Ascii.IsValid(value) => AsciiOf(value),
            _ => value,
        };

    private static string AsciiOf(string json)
    {
        var text = new StringBuilder(json.Length + 64);
        foreach (var letter in json)
            _ = char.IsAscii(letter) ? text.Append(letter) : text.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:x4}");
        return text.ToString();
    }
}
