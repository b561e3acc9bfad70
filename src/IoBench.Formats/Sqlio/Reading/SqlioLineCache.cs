namespace IoBench.Formats;

/// <summary>A log repeats its lines in the same order, so each line refers to the line that followed it before.</summary>
internal sealed class SqlioLineCache
{
    private const int Slots = 256;
    private const int MaxLineLength = 512;
    private readonly CachedLine?[] _slots = new CachedLine?[Slots];
    private readonly CachedLine?[] _valueLines = new CachedLine?[32];
    private CachedLine? _last;

    /// <param name="Line">Bytes without the line end.</param>
    /// <param name="Statement">Parsed line; null for a line with values, which differ from run to run.</param>
    public sealed record CachedLine(byte[] Line, SqlioParsedLine? Statement, SqlioLineKind ValueKind)
    {
        public CachedLine? Next { get; set; }
    }

    public CachedLine? Expected => _last?.Next;

    public CachedLine? Find(ReadOnlySpan<byte> line) => _slots[GetSlot(line)] is { } entry && line.SequenceEqual(entry.Line) ? entry : null;

    public void AddNext(ReadOnlySpan<byte> line, SqlioParsedLine statement)
    {
        if (line.Length <= MaxLineLength)
            MoveTo(_slots[GetSlot(line)] = new CachedLine(line.ToArray(), statement, SqlioLineKind.None));
    }

    public void MoveToValues(SqlioLineKind kind, ReadOnlySpan<byte> name) =>
        MoveTo(_valueLines[System.Numerics.BitOperations.TrailingZeroCount((int)kind)] ??= new CachedLine(name.ToArray(), null, kind));

    public void MoveTo(CachedLine entry)
    {
        if (_last is not null)
            _last.Next = entry;
        _last = entry;
    }

    private static int GetSlot(ReadOnlySpan<byte> line)
    {
        var hash = new HashCode();
        hash.AddBytes(line);
        return (int)((uint)hash.ToHashCode() % Slots);
    }
}
