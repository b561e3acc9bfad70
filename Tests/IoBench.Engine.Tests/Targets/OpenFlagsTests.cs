namespace IoBench.Engine.Tests;

public class OpenFlagsTests
{
    [Theory]
    [InlineData(IoBuffering.None, true, true, null)]
    [InlineData(IoBuffering.None, false, true, "buffered")]
    [InlineData(IoBuffering.None, false, false, "buffered, not write-through")]
    [InlineData(IoBuffering.Hardware, true, true, "write-through")]
    [InlineData(IoBuffering.Software, false, true, null)]
    [InlineData(IoBuffering.Both, false, false, null)]
    [InlineData(IoBuffering.Both, true, false, "unbuffered")]
    public void What_is_not_as_the_buffering_asks_for_is_named(
        IoBuffering buffering,
        bool isUnbuffered,
        bool isWriteThrough,
        string? words
    ) => Assert.Equal(words, new OpenFlags(isUnbuffered, isWriteThrough, IsSynchronous: false).Against(buffering));

    [LinuxTheory]
    [InlineData(IoBuffering.Software, "O_DSYNC")]
    [InlineData(IoBuffering.Both, "none")]
    public void A_result_shows_how_its_file_was_open(IoBuffering buffering, string flags)
    {
        using var file = new TestFile(1 << 20);
        var result = TestFile.RunWithSeed(file.Specification(s => s.Buffering = buffering), 1);
        Assert.Equal(flags, result.Host["Open flags"]);
        Assert.DoesNotContain(result.GetWarnings(), warning => warning.Code == WarningCodes.OpenFlags);
    }
}
