using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads an array, consecutive objects, or a single object in UTF-8, one object at a time.</summary>
internal sealed class JsonElementSplitter(Stream stream, string name)
{
    /// <summary>Longest object in bytes; a result with all details is much shorter.</summary>
    public const int MaxElementLength = 64 * 1024 * 1024;

    private byte[] _buffer = new byte[TextInput.GetBufferLength(stream)];
    private int _start;
    private int _end;
    private int _line = 1;
    private bool _closed;

    public int ElementLine { get; private set; }

    /// <summary>Reads the next object; false at the end. The bytes are valid until the next call.</summary>
    public bool TryRead(out ReadOnlySpan<byte> element)
    {
        element = default;
        if (!SkipToObject())
            return false;
        ElementLine = _line;
        var at = _start;
        var depth = 0;
        var inString = false;
        while (true)
        {
            if (at == _end && !ReadMore(ref at))
                throw CreateError(ElementLine, "the text ends within a result");
            var c = _buffer[at++];
            if (c == '\n')
                _line++;
            if (inString)
            {
                if (c == '\\' && (at < _end || ReadMore(ref at)))
                    at++;
                else if (c == '"')
                    inString = false;
            }
            else if (c == '"')
            {
                inString = true;
            }
            else if (c is (byte)'{' or (byte)'[')
            {
                depth++;
            }
            else if (c is (byte)'}' or (byte)']' && --depth == 0)
            {
                element = _buffer.AsSpan(_start, at - _start);
                _start = at;
                return true;
            }
        }
    }

    public IoBenchException CreateError(int line, string what, Exception? inner = null) =>
        IoBenchException.InvalidData(ErrorIds.InvalidJson, $"{name} line {line}: {what}.", name, inner);

    private bool SkipToObject()
    {
        while (true)
        {
            var at = _start;
            if (_start == _end && !ReadMore(ref at))
                return false;
            var c = _buffer[_start];
            if (c == '{' && !_closed)
                return true;
            if (c == '\n')
                _line++;
            else if (c == JsonFormat.JournalHeader[0] && _line == 1 && SkipJournalHeader(ref at))
                continue;
            else if (c == ']')
                _closed = true;
            else if (c is not ((byte)'[' or (byte)',' or (byte)' ' or (byte)'\t' or (byte)'\r'))
                throw CreateError(_line, "the text is not a list of results, because it does not have a JSON object in braces here");
            _start++;
        }
    }

    private bool SkipJournalHeader(ref int at)
    {
        while (_end - _start < JsonFormat.JournalHeader.Length && ReadMore(ref at)) { }
        var header = Encoding.ASCII.GetBytes(JsonFormat.JournalHeader);
        if (!_buffer.AsSpan(_start, _end - _start).StartsWith(header))
            return false;
        _start += header.Length;
        return true;
    }

    private bool ReadMore(ref int at)
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            at -= _start;
            _end -= _start;
            _start = 0;
        }
        if (_end == _buffer.Length)
        {
            if (_buffer.Length >= MaxElementLength)
                throw CreateError(ElementLine, "a result is longer than IoBench allows");
            Array.Resize(ref _buffer, _buffer.Length * 2);
        }
        var read = stream.Read(_buffer, _end, _buffer.Length - _end);
        _end += read;
        return read > 0;
    }
}
