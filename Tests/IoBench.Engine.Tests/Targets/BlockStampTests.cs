namespace IoBench.Engine.Tests;

public class BlockStampTests
{
    [Fact]
    public void A_stamp_is_known_again_with_its_sequence()
    {
        var block = new byte[4096];
        BlockStamp.StampAll(block, 42, 81920, 7);
        Assert.True(BlockStamp.IsOurs(block, 42, 81920, out var sequence));
        Assert.Equal(7UL, sequence);
    }

    [Theory]
    [InlineData(43UL, 81920L)]
    [InlineData(42UL, 81920L + 4096)]
    [InlineData(42UL, 0L)]
    public void Another_seed_or_place_is_not_ours(ulong seed, long offset)
    {
        var block = new byte[4096];
        BlockStamp.StampAll(block, 42, 81920, 7);
        Assert.False(BlockStamp.IsOurs(block, seed, offset));
    }

    [Fact]
    public void One_changed_bit_anywhere_in_the_stamp_is_seen()
    {
        var block = new byte[4096];
        BlockStamp.StampAll(block, 1, 0, ulong.MaxValue);
        for (var bit = 0; bit < BlockStamp.Size * 8; bit++)
        {
            block[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(BlockStamp.IsOurs(block, 1, 0));
            block[bit / 8] ^= (byte)(1 << (bit % 8));
        }
        Assert.True(BlockStamp.IsOurs(block, 1, 0));
    }

    [Fact]
    public void Zeros_and_short_blocks_are_not_ours()
    {
        Assert.False(BlockStamp.IsOurs(new byte[4096], 0, 0));
        Assert.False(BlockStamp.IsOurs(new byte[8], 0, 0));
    }

    [Fact]
    public void Every_4_KB_of_a_write_is_stamped_and_the_rest_stays()
    {
        var buffer = new byte[60 * 1024 + 512];
        Array.Fill(buffer, (byte)0x5A);
        BlockStamp.StampAll(buffer, 9, 512, 3);
        for (var at = 0; at < buffer.Length; at += 4096)
        {
            Assert.True(BlockStamp.IsOurs(buffer.AsSpan(at), 9, 512 + at));
            var end = Math.Min(at + 4096, buffer.Length);
            Assert.All(buffer[(at + BlockStamp.Size)..end], b => Assert.Equal(0x5A, b));
        }
    }

    [Theory]
    [InlineData(512)]
    [InlineData(512 * 7 + 24)]
    [InlineData(512 * 8 + 23)]
    [InlineData(64 * 1024 + 512)]
    [InlineData(1 << 20)]
    public void Every_sector_of_a_large_write_is_stamped_as_one_would_be_alone(int length)
    {
        var expected = new byte[length];
        for (var at = 0; at + BlockStamp.Size <= length; at += 512)
            BlockStamp.StampAll(expected.AsSpan(at, BlockStamp.Size), ulong.MaxValue - 5, (1L << 40) + at, 0x8000_0000_0000_0003);
        var buffer = new byte[length];
        BlockStamp.StampAll(buffer, ulong.MaxValue - 5, 1L << 40, 0x8000_0000_0000_0003, 512);
        Assert.True(buffer.AsSpan().SequenceEqual(expected));
    }

    [Fact]
    public void Two_writes_to_one_place_differ()
    {
        var first = new byte[4096];
        var second = new byte[4096];
        BlockStamp.StampAll(first, 0, 0, 1);
        BlockStamp.StampAll(second, 0, 0, 2);
        Assert.NotEqual(first, second);
    }
}
