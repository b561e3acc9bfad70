using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads CSV records (RFC 4180) in bounded memory. The header shows the separator: comma, semicolon, or tab.</summary>
public sealed class CsvRecordReader(TextReader reader, string name)
{
    /// <summary>Possible field separators. Export-Csv -UseCulture uses the list separator of its culture.</summary>
    public const string Separators = ",;\t\u061B";

    private const int MaxFieldLength = 1 << 20;
    private const int MaxFields = 4096;

    private readonly StringBuilder _field = new();
    private readonly List<string> _fields = [];
    private char _separator;
    private int _line = 1;

    /// <summary>Number of the line in which the last record starts, starting at 1.</summary>
    public int RecordLine { get; private set; }

    /// <summary>Reads the next record that is not an empty line; null at the end. The list is valid until the next call.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCsv</c>: a closing quotation mark is missing, or the record is too
    /// long.</exception>
    public IReadOnlyList<string>? Read()
    {
        while (true)
        {
            RecordLine = _line;
            _fields.Clear();
            if (!ReadRecord())
                return null;
            if (_fields.Count > 1 || _fields[0].Length > 0)
                return _fields;
        }
    }

    private bool ReadRecord()
    {
        if (reader.Peek() < 0)
            return false;
        var quoted = false;
        while (true)
        {
            var c = reader.Read();
            if (c < 0)
            {
                if (quoted)
                    throw CreateError("a closing quotation mark is missing");
                EndField();
                return true;
            }
            if (c == '\n' || (c == '\r' && reader.Peek() != '\n'))
                _line++;
            if (quoted)
            {
                if (c != '"')
                    AppendChar((char)c);
                else if (reader.Peek() == '"')
                    AppendChar((char)reader.Read());
                else
                    quoted = false;
                continue;
            }
            if (c == '"' && _field.Length == 0)
            {
                quoted = true;
            }
            else if (c == '\n' || c == '\r')
            {
                if (c == '\r' && reader.Peek() == '\n')
                {
                    reader.Read();
                    _line++;
                }
                EndField();
                return true;
            }
            else if (IsSeparator((char)c))
            {
                EndField();
            }
            else
            {
                AppendChar((char)c);
            }
        }
    }

    private bool IsSeparator(char c)
    {
        if (_separator == 0 && Separators.Contains(c))
            _separator = c;
        return _separator != 0 && c == _separator;
    }

    private void AppendChar(char c)
    {
        if (_field.Length >= MaxFieldLength)
            throw CreateError("a field is longer than IoBench supports");
        _field.Append(c);
    }

    private void EndField()
    {
        if (_fields.Count >= MaxFields)
            throw CreateError("the row has more fields than IoBench supports");
        _fields.Add(_field.ToString());
        _field.Clear();
    }

    private IoBenchException CreateError(string what) =>
        IoBenchException.InvalidData("IoBench.InvalidCsv", $"{name} line {RecordLine}: {what}.", name);
}
