using System.Diagnostics;

namespace IoBench.Engine.Tests;

public class TestFileContentTests
{
    [Fact]
    public void Any_part_can_be_generated_separately()
    {
        var whole = new byte[1 << 20];
        TestFileContent.Generate(whole, 5, 8192);
        var part = new byte[12288];
        TestFileContent.Generate(part, 5, 8192 + 65536);
        Assert.Equal(whole[65536..(65536 + part.Length)], part);
    }

    [Fact]
    public void Last_block_can_be_short()
    {
        var shortEnd = new byte[4096 + 515];
        TestFileContent.Generate(shortEnd, 5, 0);
        var full = new byte[8192];
        TestFileContent.Generate(full, 5, 0);
        Assert.Equal(full[..(4096 + 512)], shortEnd[..(4096 + 512)]);
    }

    [Fact]
    public void No_4_KB_block_repeats_in_1_GB()
    {
        var content = new byte[64 << 20];
        // Blocks with different first words are different, so comparing these is enough.
        var seen = new HashSet<ulong>(1 << 18);
        for (var offset = 0L; offset < 1L << 30; offset += content.Length)
        {
            TestFileContent.Generate(content, 3, offset);
            for (var at = 0; at < content.Length; at += 4096)
                Assert.True(seen.Add(BitConverter.ToUInt64(content, at)), $"offset {offset + at}");
        }
        Assert.Equal(1 << 18, seen.Count);
    }

    [Fact]
    public void Bytes_are_uniformly_distributed()
    {
        var content = new byte[64 << 20];
        TestFileContent.Generate(content, 0, 0);
        var counts = new long[256];
        foreach (var b in content)
            counts[b]++;
        // Chi-square with 255 degrees of freedom: values above 400 have a probability below 1 in 10 million, and the seed is fixed.
        var expected = content.Length / 256.0;
        Assert.InRange(counts.Sum(c => (c - expected) * (c - expected) / expected), 150, 400);
    }

    [RequiresFact("zstd")]
    public void Content_does_not_compress()
    {
        var path = Path.Combine(Path.GetTempPath(), $"iobench-content-{Guid.NewGuid():N}");
        try
        {
            var content = new byte[32 << 20];
            TestFileContent.Generate(content, 7, 0);
            File.WriteAllBytes(path, content);
            using var zstd = Process.Start(new ProcessStartInfo("zstd", ["-q", "-3", "--long=27", path, "-o", path + ".zst"]))!;
            zstd.WaitForExit();
            Assert.Equal(0, zstd.ExitCode);
            Assert.True(content.Length / (double)new FileInfo(path + ".zst").Length < 1.01);
        }
        finally
        {
            File.Delete(path);
            File.Delete(path + ".zst");
        }
    }
}
