namespace IoBench.Engine.Tests;

public sealed class SafeTextTests
{
    [Theory]
    [InlineData("\u001b[2J", @"\e[2J")]
    [InlineData("\u001b]0;title\u0007", @"\e]0;title\a")]
    [InlineData("a\0b\bc\u007fd", @"a\0b\bc\u007fd")]
    [InlineData("\u0080\u009b31m\u009d\u009f", @"\u0080\u009b31m\u009d\u009f")]
    [InlineData("one\r\ntwo\tthree", @"one\r\ntwo\tthree")]
    [InlineData("fdp.\u202exslx", @"fdp.\u202exslx")]
    [InlineData(
        "\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029",
        @"\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2028\u2029"
    )]
    public void Terminal_control_characters_are_escaped(string text, string shown)
    {
        Assert.Equal(shown, SafeText.Escape(text));
        Assert.False(SafeText.IsSafe(text));
        Assert.True(SafeText.IsSafe(shown));
    }

    [Theory]
    [InlineData("C:\\new\\table.dat")]
    [InlineData("größer als 8 µs, 日本語, עברית, 🙂")]
    [InlineData("")]
    public void Safe_text_is_returned_unchanged(string text) => Assert.Same(text, SafeText.Escape(text));

    [Fact]
    public void Unpaired_surrogates_are_escaped()
    {
        Assert.Equal(@"a\ud83d", SafeText.Escape("a\ud83d"));
        Assert.Equal(@"\ude42\ud83d🙂", SafeText.Escape("\ude42\ud83d\ud83d\ude42"));
    }

    [Fact]
    public void EscapeLines_keeps_line_breaks_and_tabs() =>
        Assert.Equal("{\r\n\t\"a\": \"\\u202e\"\n}", SafeText.EscapeLines("{\r\n\t\"a\": \"\u202e\"\n}"));

    [Fact]
    public void Error_message_is_one_line_without_control_characters() =>
        Assert.Equal(@"a\nb\e[2J is no file", IoBenchException.Usage("IoBench.Test", "a\nb\u001b[2J is no file").Message);
}
