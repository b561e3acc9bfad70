using System.Globalization;
using System.Text.Encodings.Web;

namespace IoBench.Formats;

internal sealed class FioJsonWriter(TextWriter writer)
{
    private readonly Stack<bool> _hasItems = new();

    internal void BeginObject(string? name = null) => WriteOpeningBracket(name, '{');

    internal void BeginArray(string name) => WriteOpeningBracket(name, '[');

    internal void EndObject() => WriteClosingBracket('}');

    internal void EndArray() => WriteClosingBracket(']');

    internal void WriteText(string name, string value)
    {
        BeginItem(name);
        writer.Write('"');
        writer.Write(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(value));
        writer.Write('"');
    }

    internal void WriteInteger(string name, long value)
    {
        BeginItem(name);
        writer.Write(value.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>At least six decimals, as in fio, and as many as are needed to restore the same value.</summary>
    internal void WriteReal(string name, double value)
    {
        BeginItem(name);
        if (!double.IsFinite(value))
            value = 0;
        var text = value.ToString("F6", CultureInfo.InvariantCulture);
        if (double.Parse(text, CultureInfo.InvariantCulture) != value)
            text = value.ToString("R", CultureInfo.InvariantCulture);
        writer.Write(text);
    }

    private void WriteOpeningBracket(string? name, char bracket)
    {
        BeginItem(name);
        writer.Write(bracket);
        _hasItems.Push(false);
    }

    private void WriteClosingBracket(char bracket)
    {
        // fio also writes the closing bracket of an empty object on a new line.
        _hasItems.Pop();
        WriteNewLine();
        writer.Write(bracket);
    }

    private void BeginItem(string? name)
    {
        if (_hasItems.Count > 0)
        {
            if (_hasItems.Pop())
                writer.Write(',');
            _hasItems.Push(true);
            WriteNewLine();
        }
        if (name is null)
            return;
        writer.Write('"');
        writer.Write(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(name));
        writer.Write("\" : ");
    }

    private void WriteNewLine()
    {
        writer.Write('\n');
        for (var i = _hasItems.Count; i > 0; i--)
            writer.Write("  ");
    }
}
