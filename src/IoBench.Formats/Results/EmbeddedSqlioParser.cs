using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class EmbeddedSqlioParser(string? sourceFile)
{
    private readonly SqlioTextParser _parser = new(sourceFile);
    private byte[] _bytes = new byte[1024];
    private string? _warning;

    public void Begin(int number) => _warning = $"line {number}: SQLIO output starts here, in a text that started as DiskSpd output.";

    /// <summary>Parses a line; false if DiskSpd's output starts again with this line, which is then not parsed.</summary>
    public bool TryParseLine(ReadOnlySpan<char> line, int number, bool wasCut)
    {
        var max = Encoding.UTF8.GetMaxByteCount(line.Length);
        if (max > _bytes.Length)
            _bytes = new byte[max];
        var bytes = _bytes.AsSpan(0, Encoding.UTF8.GetBytes(line, _bytes));
        if (EmbeddedToolSection.IsDiskSpdStart(bytes))
            return false;
        _parser.ParseLine(bytes, number, wasCut, isWhole: true);
        return true;
    }

    public void End() => _parser.EndText();

    public bool TryDequeueResult(out IoTestResult result)
    {
        if (!_parser.TryDequeueResult(out var next))
        {
            result = null!;
            return false;
        }
        result = next!;
        if (_warning is not null)
            result.Warnings.Insert(0, _warning);
        _warning = null;
        return true;
    }
}
