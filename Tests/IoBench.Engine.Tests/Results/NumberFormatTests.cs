using System.Globalization;

namespace IoBench.Engine.Tests;

public class NumberFormatTests
{
    [Theory]
    [InlineData(0.0824, "0.082", "0.1", "0.082 ms")]
    [InlineData(2.5, "2.5", "2.5", "2.5 ms")]
    [InlineData(95.12, "95.12", "95.1", "95.1 ms")]
    [InlineData(112640.4, "112,640", "112,640", "112.6 s")]
    [InlineData(-112640.4, "-112,640", "-112,640", null)]
    [InlineData(0, "0", "0", "0 ms")]
    public void Numbers_have_the_same_digits_in_every_culture(double value, string text, string rate, string? milliseconds)
    {
        var culture = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = new CultureInfo("de-DE");
        try
        {
            Assert.Equal((text, rate), (NumberFormat.Short(value), NumberFormat.Rate(value)));
            if (milliseconds is not null)
                Assert.Equal(milliseconds, NumberFormat.Milliseconds(value));
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
        }
    }

    [Fact]
    public void Decimals_are_fixed_or_grouped_and_null_has_its_own_text()
    {
        Assert.Equal(
            ("1234.500", "1,234.5", "1,235"),
            (NumberFormat.Fixed(1234.5, 3), NumberFormat.Grouped(1234.5, 1), NumberFormat.Grouped(1234.56))
        );
        Assert.Equal(("", "?", ""), (NumberFormat.Fixed(null, 3), NumberFormat.Grouped(null, 0, "?"), NumberFormat.Integer(null)));
        Assert.Equal(("0.05", "12.3", "?"), (NumberFormat.Latency(0.05)[..4], NumberFormat.Latency(12.34), NumberFormat.Latency(null)));
    }

    [Fact]
    public void Count_of_one_is_singular()
    {
        Assert.Equal(
            ("1 host", "1204 hosts", "0 hosts"),
            (NumberFormat.Pluralize(1, "host"), NumberFormat.Pluralize(1204, "host"), NumberFormat.Pluralize(0, "host"))
        );
        Assert.Equal(("1 read", "1,204 reads"), (NumberFormat.PluralizeGrouped(1, "read"), NumberFormat.PluralizeGrouped(1204, "read")));
        Assert.Equal("1 error in 1,204 reads", new IoIntegrity { ErrorCount = 1, ReadCount = 1204 }.ToString());
    }

    [Theory]
    [InlineData("rate", "a rate")]
    [InlineData("access pattern", "an access pattern")]
    [InlineData("IoSize", "an IoSize")]
    [InlineData("UInt64", "a UInt64")]
    public void Article_matches_the_word(string word, string text) => Assert.Equal(text, NumberFormat.WithArticle(word));

    [Fact]
    public void Sizes_and_durations_use_common_units()
    {
        Assert.Equal(["64 KB", "256 MB", "90 GB", "1.5 TB"], new[] { 0.0625, 256, 92160, 1.5 * 1024 * 1024 }.Select(NumberFormat.Size));
        Assert.Equal(["30 s", "5 min", "2 h"], new[] { 30.0, 300, 7200 }.Select(NumberFormat.Duration));
    }
}
