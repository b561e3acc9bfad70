using System.Globalization;

namespace IoBench.Engine.Tests;

public class FiguresTests
{
    [Theory]
    [InlineData(0.0824, "0.082", "0.1", "0.082 ms")]
    [InlineData(2.5, "2.5", "2.5", "2.5 ms")]
    [InlineData(95.12, "95.12", "95.1", "95.1 ms")]
    [InlineData(112640.4, "112,640", "112,640", "112.6 s")]
    [InlineData(-112640.4, "-112,640", "-112,640", null)]
    [InlineData(0, "0", "0", "0 ms")]
    public void Numbers_have_the_digits_they_need_in_every_culture(double value, string text, string rate, string? milliseconds)
    {
        var culture = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = new CultureInfo("de-DE");
        try
        {
            Assert.Equal((text, rate), (Figures.Short(value), Figures.Rate(value)));
            if (milliseconds is not null)
                Assert.Equal(milliseconds, Figures.Milliseconds(value));
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
        }
    }

    [Fact]
    public void Decimals_are_fixed_or_grouped_and_null_is_said()
    {
        Assert.Equal(("1234.500", "1,234.5", "1,235"), (Figures.Fixed(1234.5, 3), Figures.Grouped(1234.5, 1), Figures.Grouped(1234.56)));
        Assert.Equal(("", "?", ""), (Figures.Fixed(null, 3), Figures.Grouped(null, 0, "?"), Figures.Whole(null)));
        Assert.Equal(("0.05", "12.3", "?"), (Figures.Wait(0.05)[..4], Figures.Wait(12.34), Figures.Wait(null)));
    }

    [Fact]
    public void One_is_counted_as_one()
    {
        Assert.Equal(
            ("1 host", "1204 hosts", "0 hosts"),
            (Figures.Counted(1, "host"), Figures.Counted(1204, "host"), Figures.Counted(0, "host"))
        );
        Assert.Equal(("1 read", "1,204 reads"), (Figures.CountedGrouped(1, "read"), Figures.CountedGrouped(1204, "read")));
        Assert.Equal("1 error in 1,204 reads", new IoIntegrity { ErrorCount = 1, ReadCount = 1204 }.ToString());
    }

    [Theory]
    [InlineData("rate", "a rate")]
    [InlineData("access pattern", "an access pattern")]
    [InlineData("IoSize", "an IoSize")]
    [InlineData("UInt64", "a UInt64")]
    public void A_word_has_the_article_that_is_said_before_it(string word, string text) => Assert.Equal(text, Figures.WithArticle(word));

    [Fact]
    public void Sizes_and_times_have_the_unit_people_say()
    {
        Assert.Equal(["64 KB", "256 MB", "90 GB", "1.5 TB"], new[] { 0.0625, 256, 92160, 1.5 * 1024 * 1024 }.Select(Figures.Size));
        Assert.Equal(["30 s", "5 min", "2 h"], new[] { 30.0, 300, 7200 }.Select(Figures.Duration));
    }
}
