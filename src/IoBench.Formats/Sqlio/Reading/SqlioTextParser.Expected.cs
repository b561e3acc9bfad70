namespace IoBench.Formats;

internal sealed partial class SqlioTextParser
{
    private SqlioLineMemory? _memory;

    /// <summary>
    /// Processes lines as long as they match the expected ones: repeated words, or values after the same words. Stops when a result is
    /// ready, at an unexpected line, and at a line that is only partly in the buffer. The caller passes such a line to <see cref="Feed"/>.
    /// </summary>
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

    /// <summary>Length of the line end at the start of a text; 0 if there is none or if it is incomplete.</summary>
    private static int EndLength(ReadOnlySpan<byte> text) =>
        text switch
        {
            [(byte)'\n', ..] => 1,
            [(byte)'\r', (byte)'\n', ..] => 2,
            _ => 0,
        };
}
