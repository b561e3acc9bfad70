namespace IoBench.Engine.Tests;

public class FileMarkTests
{
    private static FileMark Sample() =>
        FileMark.New("inode 7 born 1.000000002", 4096).WithWriteSeed(5).WithWriteSeed(ulong.MaxValue) with
        {
            State = MarkState.Closed,
            Filled = 4096,
            Modified = -5,
            Proof = "AB",
            Opaque = true,
        };

    [Fact]
    public void What_is_stored_is_read_again()
    {
        var mark = Sample();
        var read = FileMark.Parse(mark.ToText());
        Assert.NotNull(read);
        Assert.Equal(mark.WriteSeeds, read.WriteSeeds);
        Assert.Equal(mark with { WriteSeeds = [] }, read with { WriteSeeds = [] });
    }

    [Fact]
    public void A_mark_that_was_cut_anywhere_is_none()
    {
        var text = Sample().ToText();
        for (var length = 0; length < text.Length; length++)
            Assert.Null(FileMark.Parse(text[..length]));
    }

    [Theory]
    [InlineData("state=Closed", "state=9")]
    [InlineData("size=4096", "size=x")]
    [InlineData("seed=", "sead=")]
    [InlineData("id=", "size=1\nid=")]
    public void A_damaged_mark_is_none(string from, string to) =>
        Assert.Null(FileMark.Parse(Sample().ToText().Replace(from, to, StringComparison.Ordinal)));

    [Fact]
    public void Seeds_are_kept_once_and_not_for_ever()
    {
        var mark = Sample();
        for (ulong seed = 0; seed < 100; seed++)
            mark = mark.WithWriteSeed(~seed).WithWriteSeed(~seed);
        Assert.Equal(32, mark.WriteSeeds.Count);
        Assert.Equal(~99UL, mark.WriteSeeds[^1]);
        Assert.Equal(mark.WriteSeeds.Distinct(), mark.WriteSeeds);
        Assert.True(mark.ToText().Length < 1024, "an extended attribute of ext4 holds little");
    }
}
