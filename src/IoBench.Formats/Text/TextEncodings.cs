using System.Buffers;
using System.Text;

namespace IoBench.Formats;

internal static class TextEncodings
{
    // Characters 80 to 9F, where Windows-1252 ("ANSI") differs from Latin-1. .NET's code page provider would add 0.7 MB to the native
    // program.
    private const string Windows1252From80 =
        "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178";

    /// <summary>Decodes invalid UTF-8 as Windows-1252, so that no byte of a path becomes a question mark.</summary>
    public static readonly Encoding Utf8Or1252 = Encoding.GetEncoding(
        "utf-8",
        EncoderFallback.ReplacementFallback,
        new Windows1252Fallback()
    );

    /// <summary>Tab, line ends, form feed, and the backspaces, bells, and escapes of consoles are text.</summary>
    private static readonly SearchValues<byte> s_controlCharacters = SearchValues.Create([
        .. Enumerable
            .Range(0, 0x20)
            .Select(b => (byte)b)
            .Where(b => b is not (0x09 or 0x0A or 0x0D or 0x0C or 0x08 or 0x07 or 0x1A or 0x1B)),
    ]);

    public static (Encoding Encoding, int PreambleLength) DetectEncoding(ReadOnlySpan<byte> head)
    {
        if (head.StartsWith("\uFEFF"u8))
            return (Utf8Or1252, 3);
        if (head.StartsWith((ReadOnlySpan<byte>)[0xFF, 0xFE]))
            return (Encoding.Unicode, 2);
        if (head.StartsWith((ReadOnlySpan<byte>)[0xFE, 0xFF]))
            return (Encoding.BigEndianUnicode, 2);
        // Nearly every text has no zero byte.
        if (!head[..Math.Min(head.Length, 4096)].Contains((byte)0))
            return (Utf8Or1252, 0);
        return HasZerosInEveryOtherByte(head, 1) ? (Encoding.Unicode, 0)
            : HasZerosInEveryOtherByte(head, 0) ? (Encoding.BigEndianUnicode, 0)
            : (Utf8Or1252, 0);
    }

    public static bool LooksBinary(ReadOnlySpan<byte> head)
    {
        var (encoding, preamble) = DetectEncoding(head);
        if (encoding != Utf8Or1252)
            return false;
        var strange = 0;
        var rest = head[preamble..];
        while (rest.IndexOfAny(s_controlCharacters) is >= 0 and var at)
        {
            if (rest[at] == 0)
                return true;
            strange++;
            rest = rest[(at + 1)..];
        }
        return strange * 20 > head.Length;
    }

    /// <summary>The tool's own program contains all texts that identify its output, and is often in the same folder.</summary>
    public static bool IsExecutable(ReadOnlySpan<byte> head) =>
        (head.StartsWith("MZ"u8) && head[..Math.Min(head.Length, 64)].Contains((byte)0))
        || head.StartsWith("\u007FELF"u8)
        || head.StartsWith((ReadOnlySpan<byte>)[0xCF, 0xFA, 0xED, 0xFE])
        || head.StartsWith((ReadOnlySpan<byte>)[0xCA, 0xFE, 0xBA, 0xBE]);

    /// <summary>True for UTF-16 of western text, which has zeros in every other byte.</summary>
    private static bool HasZerosInEveryOtherByte(ReadOnlySpan<byte> head, int offset)
    {
        head = head[..Math.Min(head.Length, 4096)];
        var pairs = head.Length / 2;
        if (pairs == 0)
            return false;
        var zeros = 0;
        var others = 0;
        for (var i = 0; i + 1 < head.Length; i += 2)
        {
            zeros += head[i + offset] == 0 ? 1 : 0;
            others += head[i + 1 - offset] == 0 ? 1 : 0;
        }
        return zeros * 10 >= pairs * 7 && others * 20 <= pairs;
    }

    private sealed class Windows1252Fallback : DecoderFallback
    {
        public override int MaxCharCount => 4;

        public override DecoderFallbackBuffer CreateFallbackBuffer() => new Windows1252Buffer();

        private sealed class Windows1252Buffer : DecoderFallbackBuffer
        {
            private string _text = "";
            private int _next;

            public override int Remaining => _text.Length - _next;

            public override bool Fallback(byte[] bytesUnknown, int index)
            {
                _text = string.Concat(
                    bytesUnknown.Select(letter => letter is >= 0x80 and < 0xA0 ? Windows1252From80[letter - 0x80] : (char)letter)
                );
                _next = 0;
                return true;
            }

            public override char GetNextChar() => _next < _text.Length ? _text[_next++] : '\0';

            public override bool MovePrevious()
            {
                if (_next == 0)
                    return false;
                _next--;
                return true;
            }

            public override void Reset()
            {
                _text = "";
                _next = 0;
            }
        }
    }
}
