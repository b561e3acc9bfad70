namespace IoBench.Engine.Tests;

public class BlockHeaderTests
{
    [Fact]
    public void Header_is_recognized_with_its_sequence()
    {
        var block = new byte[4096];
        BlockHeader.WriteHeaders(block, 42, 81920, 7);
        Assert.True(BlockHeader.Matches(block, 42, 81920, out var sequence));
        Assert.Equal(7UL, sequence);
    }

    [Theory]
    [InlineData(43UL, 81920L)]
    [InlineData(42UL, 81920L + 4096)]
    [InlineData(42UL, 0L)]
    public void Header_with_another_seed_or_offset_does_not_match(ulong seed, long offset)
    {
        var block = new byte[4096];
        BlockHeader.WriteHeaders(block, 42, 81920, 7);
        Assert.False(BlockHeader.Matches(block, seed, offset));
    }

    [Fact]
    public void Any_flipped_bit_invalidates_the_header()
    {
        var block = new byte[4096];
        BlockHeader.WriteHeaders(block, 1, 0, ulong.MaxValue);
        for (var bit = 0; bit < BlockHeader.Size * 8; bit++)
        {
            block[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(BlockHeader.Matches(block, 1, 0));
            block[bit / 8] ^= (byte)(1 << (bit % 8));
        }
        Assert.True(BlockHeader.Matches(block, 1, 0));
    }

    [Fact]
    public void Zeros_and_short_blocks_do_not_match()
    {
        Assert.False(BlockHeader.Matches(new byte[4096], 0, 0));
        Assert.False(BlockHeader.Matches(new byte[8], 0, 0));
    }

    [Fact]
    public void Every_4_KB_of_a_write_has_a_header_and_other_bytes_stay()
    {
        var buffer = new byte[60 * 1024 + 512];
        Array.Fill(buffer, (byte)0x5A);
        BlockHeader.WriteHeaders(buffer, 9, 512, 3);
        for (var at = 0; at < buffer.Length; at += 4096)
        {
            Assert.True(BlockHeader.Matches(buffer.AsSpan(at), 9, 512 + at));
            var end = Math.Min(at + 4096, buffer.Length);
            Assert.All(buffer[(at + BlockHeader.Size)..end], b => Assert.Equal(0x5A, b));
        }
    }

    [Theory]
    [InlineData(512)]
    [InlineData(512 * 7 + 24)]
    [InlineData(512 * 8 + 23)]
    [InlineData(64 * 1024 + 512)]
    [InlineData(1 << 20)]
    public void Headers_of_a_large_write_equal_single_headers(int length)
    {
        var expected = new byte[length];
        for (var at = 0; at + BlockHeader.Size <= length; at += 512)
            BlockHeader.WriteHeaders(expected.AsSpan(at, BlockHeader.Size), ulong.MaxValue - 5, (1L << 40) + at, 0x8000_0000_0000_0003);
        var buffer = new byte[length];
        BlockHeader.WriteHeaders(buffer, ulong.MaxValue - 5, 1L << 40, 0x8000_0000_0000_0003, 512);
        Assert.True(buffer.AsSpan().SequenceEqual(expected));
    }

    [Fact]
    public void Two_writes_to_the_same_offset_differ()
    {
        var first = new byte[4096];
        var second = new byte[4096];
        BlockHeader.WriteHeaders(first, 0, 0, 1);
        BlockHeader.WriteHeaders(second, 0, 0, 2);
        Assert.NotEqual(first, second);
    }
}
