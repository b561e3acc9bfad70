namespace IoBench.Formats;

internal sealed partial class SqlioTextParser
{
    private SqlioLineCache? _lineCache;

    /// <summary>
    /// Processes lines as long as they match the expected ones: repeated words, or values after the same words. Stops when a result is
    /// ready, at an unexpected line, and at a line that is only partly in the buffer. The caller passes such a line to <see cref="ParseLine"/>.
    /// </summary>
    public void ParseExpectedLines(Utf8LineReader lines)
    {
        while (_lineCache?.Expected is { } expected && _ready.Count == 0 && lines.BufferedText.StartsWith(expected.Line))
        {
            var rest = lines.BufferedText[expected.Line.Length..];
            double figure = 0;
            var length = expected.ValueKind switch
            {
                SqlioLineKind.None => 0,
                SqlioLineKind.Percents => SqlioHistogram.MatchColumns(rest, _columns),
                _ => SqlioLineScanner.MatchValue(rest, out figure),
            };
            var end = length < 0 ? 0 : GetLineEndLength(rest[length..]);
            if (end == 0)
                return;
            lines.ConsumeLine(expected.Line.Length + length + end);
            _lineCache.MoveTo(expected);
            if (expected.Statement is { } statement)
                ApplyLine(statement, lines.LineNumber);
            else if (expected.ValueKind == SqlioLineKind.Percents)
                SetPercents(lines.LineNumber);
            else
                SetValue(expected.ValueKind, figure, lines.LineNumber);
        }
    }

    /// <summary>Length of the line end at the start of a text; 0 if there is none or if it is incomplete.</summary>
    private static int GetLineEndLength(ReadOnlySpan<byte> text) =>
        text switch
        {
            [(byte)'\n', ..] => 1,
            [(byte)'\r', (byte)'\n', ..] => 2,
            _ => 0,
        };
}
