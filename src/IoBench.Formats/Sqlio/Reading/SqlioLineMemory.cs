namespace IoBench.Formats;

/// <summary>
/// Cache of parsed lines with a fixed size. A log repeats most of its lines for each run in the same order, so each line refers to the line
/// that followed it, and comparing with that line is usually enough.
/// </summary>
internal sealed class SqlioLineMemory
{
    private const int Slots = 256;
    private const int LongestLine = 512;
    private readonly Entry?[] _slots = new Entry?[Slots];
    private readonly Entry?[] _figures = new Entry?[32];
    private Entry? _last;

    /// <summary>A line, or the constant words at the start of a line with values.</summary>
    /// <param name="Line">Bytes without the line end.</param>
    /// <param name="Statement">Parsed line; null for a line with values, which differ from run to run.</param>
    /// <param name="Figures">Kind of the values; None for a line without values.</param>
    public sealed record Entry(byte[] Line, SqlioStatement? Statement, SqlioLineKind Figures)
    {
        public Entry? Next { get; set; }
    }

    public Entry? Expected => _last?.Next;

    public Entry? Find(ReadOnlySpan<byte> line) => _slots[Slot(line)] is { } entry && line.SequenceEqual(entry.Line) ? entry : null;

    public void Keep(ReadOnlySpan<byte> line, SqlioStatement statement)
    {
        if (line.Length <= LongestLine)
            Follow(_slots[Slot(line)] = new Entry(line.ToArray(), statement, SqlioLineKind.None));
    }

    public void FollowFigures(SqlioLineKind kind, ReadOnlySpan<byte> name) =>
        Follow(_figures[System.Numerics.BitOperations.TrailingZeroCount((int)kind)] ??= new Entry(name.ToArray(), null, kind));

    public void Follow(Entry entry)
    {
        if (_last is not null)
            _last.Next = entry;
        _last = entry;
    }

    private static int Slot(ReadOnlySpan<byte> line)
    {
        var hash = new HashCode();
        hash.AddBytes(line);
        return (int)((uint)hash.ToHashCode() % Slots);
    }
}
