namespace IoBench.Engine.Tests;

public class IoRateTests
{
    [Theory]
    [InlineData("500 IOPS", 500d, null)]
    [InlineData("500iops", 500d, null)]
    [InlineData("200 MB/s", null, 200e6)]
    [InlineData("200MiB/s", null, 209715200d)]
    [InlineData("1.5 GB/s", null, 1.5e9)]
    [InlineData("125MBps", null, 125e6)]
    public void Rate_is_parsed_with_its_unit(string text, double? iops, double? bytes)
    {
        var rate = IoRate.Parse(text);
        Assert.Equal(iops, rate.Iops);
        Assert.Equal(bytes, rate.BytesPerSecond);
    }

    [Theory]
    [InlineData("500")]
    [InlineData("MB/s")]
    [InlineData("0 IOPS")]
    [InlineData("-1 IOPS")]
    [InlineData("200 MB")]
    [InlineData("")]
    public void Rate_without_a_value_or_unit_is_refused(string text) =>
        Assert.Equal("IoBench.InvalidRate", Assert.Throws<IoBenchException>(() => IoRate.Parse(text)).ErrorId);
}
