using System.Text;

namespace IoBench.Formats.Tests;

public class Windows1252Tests
{
    [Fact]
    public void Bytes_that_are_not_UTF_8_are_read_as_Windows_1252()
    {
        var known = CodePagesEncodingProvider.Instance.GetEncoding(1252)!;
        for (var letter = 0x80; letter <= 0xFF; letter++)
        {
            byte[] text = [(byte)'x', (byte)letter, (byte)'y'];
            Assert.Equal(known.GetString(text), TextEncodings.Utf8Or1252.GetString(text));
        }
    }

    [Fact]
    public void UTF_8_and_Windows_1252_in_one_line_are_read() =>
        Assert.Equal("ü € und ü", TextEncodings.Utf8Or1252.GetString([0xFC, 0x20, 0x80, 0x20, .. "und ü"u8]));
}
