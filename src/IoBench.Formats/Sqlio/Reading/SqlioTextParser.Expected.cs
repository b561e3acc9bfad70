namespace IoBench.Formats.Sqlio.Reading;

/// <summary>Lines as the run before had them: known by comparing them, without being read again.</summary>
internal sealed partial class SqlioTextParser
{
    /// <summary>Made when the first run has ended: most files hold one.</summary>
    private SqlioLineMemory? _memory;

    /// <summary>
    /// Takes lines as long as they are those that are expected: words that are repeated byte by byte, and figures behind the same words. Ends when a
    /// result is ready, at a line that is not the expected one, and at one that is in memory in part only: <see cref="Feed"/> takes it.
    /// </summary>
    /// <param name="lines">The text.</param>
    public void TakeExpected(Utf8LineReader lines)
    {
        while (_memory?.Expected is { } expected && _ready.Count == 0 && lines.Ahead.StartsWith(expected.Line))
        {
            var rest = lines.Ahead[expected.Line.Length..];
            double figure = 0;
            var length = expected.Figures switch
            {
                SqlioLineKind.None => 0,
                SqlioLineKind.Percents => SqlioPercents.TryColumns(rest, _columns),
                _ => SqlioLine.TryFigure(rest, out figure),
            };
            var end = length < 0 ? 0 : EndLength(rest[length..]);
            if (end == 0)
                return;
            lines.Take(expected.Line.Length + length + end);
            _memory.Follow(expected);
            if (expected.Statement is { } statement)
                Say(statement, lines.LineNumber);
            else if (expected.Figures == SqlioLineKind.Percents)
                PutPercents(lines.LineNumber);
            else
                PutFigure(expected.Figures, figure, lines.LineNumber);
        }
    }

    /// <summary>Length of the line end that a text begins with; 0 when it begins with none, or with one that is not certain.</summary>
    private static int EndLength(ReadOnlySpan<byte> text) =>
        text switch
        {
            [(byte)'\n', ..] => 1,
            [(byte)'\r', (byte)'\n', ..] => 2,
            _ => 0,
        };
}
