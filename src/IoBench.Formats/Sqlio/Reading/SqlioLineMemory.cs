namespace IoBench.Formats.Sqlio.Reading;

/// <summary>
/// Lines of a log with what they say, and which one came behind which: a log repeats most lines run by run, in the same order, so that a line is
/// mostly the expected one and is known by comparing it. Of fixed size.
/// </summary>
internal sealed class SqlioLineMemory
{
    private const int Slots = 256;
    private const int LongestLine = 512;
    private readonly Entry?[] _slots = new Entry?[Slots];
    private readonly Entry?[] _figures = new Entry?[32];
    private Entry? _last;

    /// <summary>A line, or the words that a line with figures begins with.</summary>
    /// <param name="Line">Its bytes, without the line's end.</param>
    /// <param name="Statement">What the line says; null for a line with figures, which differ from run to run.</param>
    /// <param name="Figures">What the figures are; none for a line of words.</param>
    public sealed record Entry(byte[] Line, SqlioStatement? Statement, SqlioLineKind Figures)
    {
        /// <summary>The line that came behind this one the last time.</summary>
        public Entry? Next { get; set; }
    }

    /// <summary>The line that came behind the last one before; null when there is none.</summary>
    public Entry? Expected => _last?.Next;

    /// <summary>The line as it was kept; null when it was not.</summary>
    public Entry? Find(ReadOnlySpan<byte> line) => _slots[Slot(line)] is { } entry && line.SequenceEqual(entry.Line) ? entry : null;

    /// <summary>Keeps a line, which is the next of the text.</summary>
    /// <param name="line">The whole line without its end.</param>
    /// <param name="statement">What it says.</param>
    public void Keep(ReadOnlySpan<byte> line, SqlioStatement statement)
    {
        if (line.Length <= LongestLine)
            Follow(_slots[Slot(line)] = new Entry(line.ToArray(), statement, SqlioLineKind.None));
    }

    /// <summary>A line with figures is the next of the text.</summary>
    /// <param name="kind">What the figures are.</param>
    /// <param name="name">The words before them, as SQLIO prints them.</param>
    public void FollowFigures(SqlioLineKind kind, ReadOnlySpan<byte> name) =>
        Follow(_figures[System.Numerics.BitOperations.TrailingZeroCount((int)kind)] ??= new Entry(name.ToArray(), null, kind));

    /// <summary>An entry is the next of the text.</summary>
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
