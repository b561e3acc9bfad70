using System.Text;

namespace IoBench.Formats.Tests;

public class Utf8LineReaderTests
{
    private static List<string> ReadLines(string text, int most, int maxLineLength = Utf8LineReader.DefaultMaxLineLength)
    {
        var reader = new Utf8LineReader(new SlowStream(Encoding.UTF8.GetBytes(text), most), maxLineLength);
        var lines = new List<string>();
        while (reader.TryRead(out var line))
            lines.Add($"{reader.LineNumber}{(reader.WasCut ? "c" : "")}{(reader.HadEnd ? "" : "e")}:{Encoding.UTF8.GetString(line)}");
        return lines;
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("a", "1e:a")]
    [InlineData("a\n", "1:a")]
    [InlineData("a\r\nb\rc\n\nd", "1:a|2:b|3:c|4:|5e:d")]
    [InlineData("a\r\r\nb\r", "1:a|2:|3:b")]
    public void Lines_end_with_LF_CRLF_or_CR_at_any_buffer_boundary(string text, string expected)
    {
        for (var most = 1; most < 9; most++)
            Assert.Equal(expected, string.Join('|', ReadLines(text, most)));
    }

    [Fact]
    public void Lines_above_the_maximum_length_are_truncated_and_counted_once()
    {
        var text = "short\n" + new string('x', 200_000) + "\r\nlast\n" + new string('y', 100);

        foreach (var most in (int[])[1000, 65536, 1 << 20])
            Assert.Equal(["1:short", "2c:" + new string('x', 50), "3:last", "4c:" + new string('y', 50)], ReadLines(text, most, 50));
    }

    [Fact]
    public void Buffer_grows_for_a_long_line() =>
        Assert.Equal(["1:a", "2:" + new string('x', 200_000), "3:b"], ReadLines("a\n" + new string('x', 200_000) + "\nb\n", 10_000));
}
