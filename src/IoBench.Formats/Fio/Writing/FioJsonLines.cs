using System.Globalization;
using System.Text.Encodings.Web;

namespace IoBench.Formats;

internal sealed class FioJsonLines(TextWriter writer)
{
    private readonly Stack<bool> _hasItems = new();

    internal void Begin(string? name = null) => Open(name, '{');

    internal void BeginArray(string name) => Open(name, '[');

    internal void End() => Close('}');

    internal void EndArray() => Close(']');

    internal void Text(string name, string value)
    {
        Item(name);
        writer.Write('"');
        writer.Write(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(value));
        writer.Write('"');
    }

    internal void Number(string name, long value)
    {
        Item(name);
        writer.Write(value.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>
    /// Writes a number with at least six decimals, as fio does, and with as many as are needed to restore the same value.
    /// </summary>
    internal void Real(string name, double value)
    {
        Item(name);
        if (!double.IsFinite(value))
            value = 0;
        var text = value.ToString("F6", CultureInfo.InvariantCulture);
        if (double.Parse(text, CultureInfo.InvariantCulture) != value)
            text = value.ToString("R", CultureInfo.InvariantCulture);
        writer.Write(text);
    }

    private void Open(string? name, char bracket)
    {
        Item(name);
        writer.Write(bracket);
        _hasItems.Push(false);
    }

    private void Close(char bracket)
    {
        // fio also writes the closing bracket of an empty object on a new line.
        _hasItems.Pop();
        Line();
        writer.Write(bracket);
    }

    private void Item(string? name)
    {
        if (_hasItems.Count > 0)
        {
            if (_hasItems.Pop())
                writer.Write(',');
            _hasItems.Push(true);
            Line();
        }
        if (name is null)
            return;
        writer.Write('"');
        writer.Write(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(name));
        writer.Write("\" : ");
    }

    private void Line()
    {
        writer.Write('\n');
        for (var i = _hasItems.Count; i > 0; i--)
            writer.Write("  ");
    }
}
