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
    public void Mismatch_with_the_requested_buffering_is_described(
        IoBuffering buffering,
        bool isUnbuffered,
        bool isWriteThrough,
        string? words
    ) => Assert.Equal(words, new OpenFlags(isUnbuffered, isWriteThrough, IsSynchronous: false).DescribeMismatch(buffering));

    [LinuxTheory]
    [InlineData(IoBuffering.Software, "O_DSYNC")]
    [InlineData(IoBuffering.Both, "none")]
    public void Result_contains_the_open_flags(IoBuffering buffering, string flags)
    {
        using var file = new TemporaryTestFile(1 << 20);
        var result = TemporaryTestFile.RunWithSeed(file.CreateSpecification(s => s.Buffering = buffering), 1);
        Assert.Equal(flags, result.Host["Open flags"]);
        Assert.DoesNotContain(result.GetWarnings(), warning => warning.Code == WarningCodes.OpenFlags);
    }
}
