namespace IoBench.Engine.Tests;

public class SizePlanTests
{
    private const long GB = 1L << 30;

    [Theory]
    [InlineData(2000, 1000, 20 * GB)]
    [InlineData(2000, 100, GB)] // 10 % would leave 90 of the 200 GB that must stay: 1 %
    [InlineData(200, 100, 10 * GB)]
    [InlineData(50, 11, 11 * GB / 100)] // less than 10 GB would stay
    public void Default_size_is_20_GB_or_less_if_space_is_limited(long totalGB, long freeGB, long expected) =>
        Assert.Equal(expected / (1 << 20) * (1 << 20), TestFileSizeRules.GetDefaultSize(new VolumeSpace(totalGB * GB, freeGB * GB), 512));

    [Fact]
    public void Default_size_is_20_GB_if_the_free_space_is_unknown() => Assert.Equal(20 * GB, TestFileSizeRules.GetDefaultSize(null, 512));

    [Theory]
    [InlineData(1000, 300, 190, null)]
    [InlineData(1000, 300, 201, "IoBench.VolumeTooFull")] // 99 of 100 GB
    [InlineData(1000, 300, 301, "IoBench.NotEnoughSpace")]
    [InlineData(50, 12, 2, null)]
    [InlineData(50, 12, 3, "IoBench.VolumeTooFull")] // 9 of 10 GB
    [InlineData(1000, 100, 1, null)] // a hundredth of the free space is always allowed
    [InlineData(1000, 99, 1, "IoBench.VolumeTooFull")]
    public void Volume_keeps_10_percent_or_10_GB_free(long totalGB, long freeGB, long sizeGB, string? error)
    {
        var refusal = Record.Exception(() =>
            TestFileSizeRules.CheckFreeSpace(
                "T:\\x.dat",
                sizeGB * GB,
                sizeGB * GB,
                new VolumeSpace(totalGB * GB, freeGB * GB),
                "T:",
                force: false
            )
        );
        Assert.Equal(error, (refusal as IoBenchException)?.ErrorId);
    }

    [Fact]
    public void Force_can_fill_a_volume_but_not_exceed_it()
    {
        var space = new VolumeSpace(100 * GB, 12 * GB);
        TestFileSizeRules.CheckFreeSpace("x", 11 * GB, 11 * GB, space, "T:", force: true);
        var refusal = Assert.Throws<IoBenchException>(() =>
            TestFileSizeRules.CheckFreeSpace(
                "T:\\iotest.dat",
                20 * GB,
                20 * GB,
                new VolumeSpace(100 * GB, (long)(11.3 * GB)),
                "T:",
                force: true
            )
        );
        Assert.StartsWith("T:\\iotest.dat needs 20 GB and T: has 11.3 GB free.", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Size_suggested_by_an_error_is_accepted()
    {
        var space = new VolumeSpace(1000 * GB, 300 * GB);
        var refusal = Assert.Throws<IoBenchException>(() =>
            TestFileSizeRules.CheckFreeSpace("x", 250 * GB, 250 * GB, space, "T:", force: false)
        );
        Assert.Contains("FileSize 200GB", refusal.Message, StringComparison.Ordinal);
        TestFileSizeRules.CheckFreeSpace("x", 200 * GB, 200 * GB, space, "T:", force: false);
    }

    [Fact]
    public void Unknown_free_space_refuses_nothing() => TestFileSizeRules.CheckFreeSpace("x", 20 * GB, 20 * GB, null, "T:", force: false);
}
