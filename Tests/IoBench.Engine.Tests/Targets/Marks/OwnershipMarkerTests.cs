namespace IoBench.Engine.Tests;

public class OwnershipMarkerTests
{
    private static OwnershipMarker CreateMarker() =>
        OwnershipMarker.CreateForNewFile("inode 7 born 1.000000002", 4096).WithWriteSeed(5).WithWriteSeed(ulong.MaxValue) with
        {
            State = OwnershipMarkerState.Closed,
            FilledBytes = 4096,
            Modified = -5,
            SampleHash = "AB",
            HasUnrecognizableContent = true,
        };

    [Fact]
    public void Marker_round_trips_through_text()
    {
        var mark = CreateMarker();
        var read = OwnershipMarker.Parse(mark.ToText());
        Assert.NotNull(read);
        Assert.Equal(mark.WriteSeeds, read.WriteSeeds);
        Assert.Equal(mark with { WriteSeeds = [] }, read with { WriteSeeds = [] });
    }

    [Fact]
    public void Truncated_marker_is_invalid()
    {
        var text = CreateMarker().ToText();
        for (var length = 0; length < text.Length; length++)
            Assert.Null(OwnershipMarker.Parse(text[..length]));
    }

    [Theory]
    [InlineData("state=Closed", "state=9")]
    [InlineData("size=4096", "size=x")]
    [InlineData("seed=", "sead=")]
    [InlineData("id=", "size=1\nid=")]
    public void Damaged_marker_is_invalid(string from, string to) =>
        Assert.Null(OwnershipMarker.Parse(CreateMarker().ToText().Replace(from, to, StringComparison.Ordinal)));

    [Fact]
    public void Marker_keeps_the_last_32_distinct_seeds()
    {
        var mark = CreateMarker();
        for (ulong seed = 0; seed < 100; seed++)
            mark = mark.WithWriteSeed(~seed).WithWriteSeed(~seed);
        Assert.Equal(32, mark.WriteSeeds.Count);
        Assert.Equal(~99UL, mark.WriteSeeds[^1]);
        Assert.Equal(mark.WriteSeeds.Distinct(), mark.WriteSeeds);
        Assert.True(mark.ToText().Length < 1024, "an extended attribute of ext4 holds little");
    }
}
