using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class EmbeddedDiskSpdParser(string? sourceFile)
{
    private readonly DiskSpdTextParser _parser = new(sourceFile);
    private char[] _chars = new char[1024];
    private string? _warning;

    public void Begin(int number) => _warning = $"Line {number}: DiskSpd output starts here, in a text that started as SQLIO output.";

    /// <summary>Parses a line; false if SQLIO's output starts again with this line, which is then not parsed.</summary>
    public bool TryParseLine(ReadOnlySpan<byte> line, int number)
    {
        if (line.Length > _chars.Length)
            _chars = new char[line.Length];
        var text = _chars.AsSpan(0, TextEncodings.Utf8Or1252.GetChars(line, _chars));
        if (EmbeddedToolSection.IsSqlioStart(text))
            return false;
        _parser.ParseLine(text, number);
        return true;
    }

    public void End() => _parser.EndText();

    public bool TryDequeueResult(out IoTestResult result)
    {
        if (!_parser.TryDequeueResult(out result))
            return false;
        if (_warning is not null)
            result.Warnings.Insert(0, _warning);
        _warning = null;
        return true;
    }
}
