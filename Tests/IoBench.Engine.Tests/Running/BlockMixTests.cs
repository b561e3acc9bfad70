namespace IoBench.Engine.Tests;

public class BlockMixTests
{
    [Theory]
    [InlineData("8K:60,64K:30,512K:10", "8KB:60,64KB:30,512KB:10")]
    [InlineData("8K 64K", "8KB:50,64KB:50")]
    [InlineData("4K:40, 8K, 64K, 512K", "4KB:40,8KB:20,64KB:20,512KB:20")]
    [InlineData("8K,64K,512K", "8KB:34,64KB:33,512KB:33")]
    [InlineData("read 8K / write 64K:90,1M:10", "read 8KB:100 / write 64KB:90,1MB:10")]
    [InlineData("writes 64K:100 / reads 8K:100%", "read 8KB:100 / write 64KB:100")]
    [InlineData("8K:100,64K:0", "8KB:100")]
    public void Mix_is_parsed_and_formatted(string text, string written)
    {
        var mix = IoBlockMix.Parse(text);
        Assert.Equal(written, mix.ToString());
        Assert.Equal(mix, IoBlockMix.Parse(written));
        Assert.Equal(mix.GetHashCode(), IoBlockMix.Parse(written).GetHashCode());
    }

    [Theory]
    [InlineData("8K:60,64K:30")]
    [InlineData("8K:60,64K:50")]
    [InlineData("8K:x")]
    [InlineData("8K:60:40")]
    [InlineData("")]
    [InlineData("write 64K")]
    [InlineData("8K / 64K")]
    [InlineData("read 8K / read 64K")]
    [InlineData("read 8K / write 64K / read 4K")]
    [InlineData("read / write 64K")]
    public void Invalid_mix_is_refused(string text)
    {
        var error = Assert.Throws<IoBenchException>(() => IoBlockMix.Parse(text));
        Assert.Equal("IoBench.InvalidBlockMix", error.ErrorId);
    }

    [Fact]
    public void Mix_has_the_requested_shares_and_offsets()
    {
        var pattern = new IoPattern { WritePercent = 30 };
        pattern.SetBlockMix(IoBlockMix.Parse("read 8K:60,64K:40 / write 12K:100"));
        var range = new TargetRange(new IoTargetSpecification("x") { BaseOffset = 4096 }, pattern, (1 << 20) + 4096, "x");
        var offsets = new OffsetGenerator(pattern, range, 0, 1, 1);
        var reads = TargetStream.CreateSizeTable(pattern.BlockMix!.Reads)!;
        var writes = TargetStream.CreateSizeTable(pattern.BlockMix.Writes)!;
        var random = new RandomSource(1, 0, 0);
        var seen = new Dictionary<int, HashSet<long>>();
        var counts = new Dictionary<int, int>();
        for (var i = 0; i < 100_000; i++)
        {
            var length = TargetStream.NextSize(i % 10 < 3 ? writes : reads, ref random);
            var offset = offsets.Next(ref random, length);
            Assert.Equal(0, (offset - 4096) % length);
            Assert.InRange(offset, 4096, 4096 + (1 << 20) - length);
            (seen.TryGetValue(length, out var set) ? set : seen[length] = []).Add(offset);
            counts[length] = counts.GetValueOrDefault(length) + 1;
        }
        Assert.Equal(30_000, counts[12288]);
        Assert.InRange(counts[8192], 41_400, 42_600);
        Assert.InRange(counts[65536], 27_400, 28_600);
        // Every possible offset of each size is reached.
        Assert.Equal((128, 16, 85), (seen[8192].Count, seen[65536].Count, seen[12288].Count));
    }

    [Fact]
    public void Sequential_mix_has_no_gaps_and_wraps_within_its_range()
    {
        var pattern = new IoPattern { AccessPattern = IoAccessPattern.Sequential };
        pattern.SetBlockMix(IoBlockMix.Parse("8K:50,64K:50"));
        var offsets = new OffsetGenerator(pattern, new TargetRange(new IoTargetSpecification("x"), pattern, 1 << 20, "x"), 1, 2, 1);
        var random = new RandomSource(1, 0, 0);
        long next = 512 << 10;
        for (var i = 0; i < 1000; i++)
        {
            var length = i % 3 == 0 ? 65536 : 8192;
            var offset = offsets.Next(ref random, length);
            Assert.Equal(next + length > 1 << 20 ? 512 << 10 : next, offset);
            next = offset + length;
        }
    }

    [Fact]
    public void Totals_of_a_mix_count_the_transferred_bytes()
    {
        using var file = new TemporaryTestFile(4 << 20);
        var result = TestRun.Run(
            file.CreateSpecification(s =>
            {
                s.Backend = NullBackend.Name;
                s.NullDevice = new NullDeviceModel(0, 0.05);
                s.FileSize = 4 << 20;
                s.WritePercent = 50;
                s.SetBlockMix(IoBlockMix.Parse("read 8K / write 64K"));
            })
        );
        var totals = result.Totals!;
        Assert.True(totals.Read.IOCount > 100 && totals.Write.IOCount > 100);
        Assert.Equal(totals.Read.IOCount * 8192, totals.Read.ByteCount);
        Assert.Equal(totals.Write.IOCount * 65536, totals.Write.ByteCount);
        Assert.Null(result.BlockSizeKB);
        Assert.Equal("read 8KB:100, write 64KB:100 random 50% write", result.IOPattern);
    }

    [Fact]
    public void Own_file_is_recognized_after_writes_of_a_mix()
    {
        using var file = new TemporaryTestFile(4 << 20);
        File.Delete(file.Path);
        var result = TestRun.Run(
            file.CreateSpecification(s =>
            {
                s.FileSize = 4 << 20;
                s.WritePercent = 60;
                s.SetBlockMix(IoBlockMix.Parse("512:20,4K:40,60K:30,512K:10"));
            })
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.True(result.Totals!.Total.ByteCount > 0);
        Assert.True(TestFiles.IsOwnTestFile(file.Path, out var reason), reason);
        Assert.DoesNotContain(result.Warnings, w => w.Contains("mark", StringComparison.Ordinal));
    }

    [Fact]
    public void Separate_read_and_write_depths_are_kept()
    {
        // Unlimited servers of 1 ms: in each millisecond, as many reads and writes complete as are outstanding.
        var test = new IoTestSpecification
        {
            Targets = [new("x")],
            FileSize = 1 << 30,
            Backend = NullBackend.Name,
            NullDevice = new NullDeviceModel(0, 1),
            ThreadCount = 1,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(1),
        };
        test.SetDepths(new IoDepths(6, 2));
        var result = ModeledRun.RunToEnd(test);
        Assert.Equal(8, result.TotalOutstanding);
        var (reads, writes) = (result.Totals!.Read, result.Totals.Write);
        // Little's law for reads and for writes: outstanding = rate x latency.
        Assert.Equal(6, reads.IOPS!.Value * reads.AverageLatencyMs!.Value / 1000, 0.05);
        Assert.Equal(2, writes.IOPS!.Value * writes.AverageLatencyMs!.Value / 1000, 0.05);
        Assert.Equal((null, IoOperation.Mixed, "8KB random 6 reads + 2 writes"), (result.WritePercent, result.Operation, result.IOPattern));
    }

    [Fact]
    public void Validation_rejects_conflicting_mixes_and_depths()
    {
        Refuses(
            "IoBench.ConflictingOptions",
            s =>
            {
                s.SetBlockMix(IoBlockMix.Parse("8K,64K"));
                s.AccessPattern = IoAccessPattern.Interlocked;
            }
        );
        Refuses(
            "IoBench.ConflictingOptions",
            s =>
            {
                s.SetBlockMix(IoBlockMix.Parse("8K,64K"));
                s.AccessPattern = IoAccessPattern.Sequential;
                s.Stride = 1 << 20;
            }
        );
        Refuses("IoBench.InvalidBlockMix", s => s.SetBlockMix(IoBlockMix.Parse("8K,100")));
        Refuses("IoBench.InvalidBlockMix", s => s.SetBlockMix(IoBlockMix.Parse("16K,8200")));
        Refuses(
            "IoBench.InvalidBlockMix",
            s =>
            {
                s.SetBlockMix(IoBlockMix.Parse("8K,64K"));
                s.BlockSize = 8192;
            }
        );
        Refuses("IoBench.InvalidOutstanding", s => s.SetDepths(new IoDepths(8, 0)));
        Refuses("IoBench.InvalidOutstanding", s => s.SetDepths(new IoDepths(4000, 100)));
        Refuses(
            "IoBench.ConflictingOptions",
            s =>
            {
                s.SetDepths(new IoDepths(8, 8));
                s.TargetIops = 100;
            }
        );
        Refuses(
            "IoBench.ConflictingOptions",
            s =>
            {
                s.SetDepths(new IoDepths(8, 8));
                s.WritePercent = 0;
            }
        );

        static void Refuses(string id, Action<IoTestSpecification> change)
        {
            var test = new IoTestSpecification { Targets = [new("x")] };
            change(test);
            Assert.Equal(id, Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(test)).ErrorId);
        }
    }
}
