namespace IoBench.Engine.Tests;

public class SizePlanTests
{
    private const long GB = 1L << 30;
    private static readonly TestRunOptions s_fill = new() { Permissions = new TargetPermissions { FillVolume = true } };

    [Theory]
    [InlineData(2000, 1000, 20 * GB)]
    [InlineData(2000, 100, 10 * GB)]
    [InlineData(2000, 11, 11 * GB / 100)] // 10% would leave 9.9 of the 10 GB that must remain free: 1%
    [InlineData(200, 100, 10 * GB)]
    [InlineData(50, 11, 11 * GB / 10)]
    [InlineData(50, 5, 5 * GB / 100)] // 10% would leave 4.5 of the 5 GB that must remain free: 1%
    public void Default_size_is_20_GB_or_less_if_space_is_limited(long totalGB, long freeGB, long expected) =>
        Assert.Equal(expected / (1 << 20) * (1 << 20), TestFiles.GetDefaultSize((totalGB * GB, freeGB * GB), 512));

    [Fact]
    public void Default_size_is_20_GB_if_the_free_space_is_unknown() => Assert.Equal(20 * GB, TestFiles.GetDefaultSize(null, 512));

    [Theory]
    [InlineData(1000, 300, 290, null)]
    [InlineData(1000, 300, 291, "IoBench.VolumeTooFull")] // leaves 9 of 10 GB
    [InlineData(1000, 300, 301, "IoBench.NotEnoughSpace")]
    [InlineData(50, 12, 7, null)]
    [InlineData(50, 12, 8, "IoBench.VolumeTooFull")] // leaves 4 of 5 GB
    [InlineData(10_000_000, 100, 1, null)] // 1% of the free space is always allowed
    [InlineData(1000, 9, 1, "IoBench.VolumeTooFull")]
    public void Volume_keeps_10_percent_or_10_GB_free_whichever_is_less(long totalGB, long freeGB, long sizeGB, string? error)
    {
        var refusal = Record.Exception(() =>
            TestFiles.CheckFreeSpace("T:\\x.dat", sizeGB * GB, sizeGB * GB, (totalGB * GB, freeGB * GB), "T:", new TestRunOptions())
        );
        Assert.Equal(error, (refusal as IoBenchException)?.ErrorId);
    }

    [Fact]
    public void FillVolume_can_fill_a_volume_but_not_exceed_it()
    {
        var space = (100 * GB, 12 * GB);
        TestFiles.CheckFreeSpace("x", 11 * GB, 11 * GB, space, "T:", s_fill);
        var refusal = Assert.Throws<IoBenchException>(() =>
            TestFiles.CheckFreeSpace("T:\\iotest.dat", 20 * GB, 20 * GB, (100 * GB, (long)(11.3 * GB)), "T:", s_fill)
        );
        Assert.StartsWith(
            "T:\\iotest.dat needs 20 GB of additional space, but T: has only 11.3 GB free.",
            refusal.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Size_suggested_by_an_error_is_accepted()
    {
        var space = (1000 * GB, 300 * GB);
        var refusal = Assert.Throws<IoBenchException>(() =>
            TestFiles.CheckFreeSpace("x", 295 * GB, 295 * GB, space, "T:", new TestRunOptions())
        );
        Assert.Contains("FileSize 290GB or less, or add FillVolume", refusal.Message, StringComparison.Ordinal);
        TestFiles.CheckFreeSpace("x", 290 * GB, 290 * GB, space, "T:", new TestRunOptions());
    }

    [Fact]
    public void Unknown_free_space_refuses_nothing() => TestFiles.CheckFreeSpace("x", 20 * GB, 20 * GB, null, "T:", new TestRunOptions());
}
