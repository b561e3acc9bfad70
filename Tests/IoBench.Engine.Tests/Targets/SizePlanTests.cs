namespace IoBench.Engine.Tests;

public class SizePlanTests
{
    private const long GB = 1L << 30;

    [Theory]
    [InlineData(2000, 1000, 20 * GB)]
    [InlineData(2000, 100, GB)] // 10 % would leave 90 of the 200 GB that must stay: 1 %
    [InlineData(200, 100, 10 * GB)]
    [InlineData(50, 11, 11 * GB / 100)] // less than 10 GB would stay
    public void Default_is_20_GB_at_most_a_tenth_of_the_free_space(long totalGB, long freeGB, long expected) =>
        Assert.Equal(expected / (1 << 20) * (1 << 20), SizePlan.Default(new VolumeSpace(totalGB * GB, freeGB * GB), 512));

    [Fact]
    public void Default_is_20_GB_where_the_free_space_is_unknown() => Assert.Equal(20 * GB, SizePlan.Default(null, 512));

    [Theory]
    [InlineData(1000, 300, 190, null)]
    [InlineData(1000, 300, 201, "IoBench.VolumeTooFull")] // 99 of 100 GB
    [InlineData(1000, 300, 301, "IoBench.NotEnoughSpace")]
    [InlineData(50, 12, 2, null)]
    [InlineData(50, 12, 3, "IoBench.VolumeTooFull")] // 9 of 10 GB
    [InlineData(1000, 100, 1, null)] // a hundredth of the free space is always allowed
    [InlineData(1000, 99, 1, "IoBench.VolumeTooFull")]
    public void A_volume_keeps_a_tenth_or_10_GB_free(long totalGB, long freeGB, long sizeGB, string? error)
    {
        var refusal = Record.Exception(() =>
            SizePlan.CheckRoom("T:\\x.dat", sizeGB * GB, sizeGB * GB, new VolumeSpace(totalGB * GB, freeGB * GB), "T:", force: false)
        );
        Assert.Equal(error, (refusal as IoBenchException)?.ErrorId);
    }

    [Fact]
    public void Force_fills_a_volume_but_never_beyond_its_room()
    {
        var space = new VolumeSpace(100 * GB, 12 * GB);
        SizePlan.CheckRoom("x", 11 * GB, 11 * GB, space, "T:", force: true);
        var refusal = Assert.Throws<IoBenchException>(() =>
            SizePlan.CheckRoom("T:\\iotest.dat", 20 * GB, 20 * GB, new VolumeSpace(100 * GB, (long)(11.3 * GB)), "T:", force: true)
        );
        Assert.StartsWith("T:\\iotest.dat needs 20 GB and T: has 11.3 GB free.", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_size_that_a_refusal_names_is_allowed()
    {
        var space = new VolumeSpace(1000 * GB, 300 * GB);
        var refusal = Assert.Throws<IoBenchException>(() => SizePlan.CheckRoom("x", 250 * GB, 250 * GB, space, "T:", force: false));
        Assert.Contains("FileSize 200GB", refusal.Message, StringComparison.Ordinal);
        SizePlan.CheckRoom("x", 200 * GB, 200 * GB, space, "T:", force: false);
    }

    [Fact]
    public void A_volume_that_does_not_tell_its_room_refuses_nothing() =>
        SizePlan.CheckRoom("x", 20 * GB, 20 * GB, null, "T:", force: false);
}
