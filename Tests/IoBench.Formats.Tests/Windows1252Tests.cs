using System.Text;

namespace IoBench.Formats.Tests;

public class Windows1252Tests
{
    [Fact]
    public void Bytes_that_are_no_UTF8_are_read_as_Windows_has_them()
    {
        var known = CodePagesEncodingProvider.Instance.GetEncoding(1252)!;
        for (var letter = 0x80; letter <= 0xFF; letter++)
        {
            byte[] text = [(byte)'x', (byte)letter, (byte)'y'];
            Assert.Equal(known.GetString(text), TextEncodings.Utf8Or1252.GetString(text));
        }
    }

    [Fact]
    public void A_line_may_have_both() =>
        Assert.Equal("ü € und ü", TextEncodings.Utf8Or1252.GetString([0xFC, 0x20, 0x80, 0x20, .. "und ü"u8]));
}
