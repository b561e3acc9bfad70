namespace IoBench.Engine.Tests;

public class BufferLayoutTests
{
    private const int Page = 4096;

    public static TheoryData<int?, long[], int[], int> GetLayouts()
    {
        var data = new TheoryData<int?, long[], int[], int>();
        long[] sizes = [512, 4096, 8192, 61440, 65536 + 512];
        foreach (var first in sizes)
        foreach (var second in sizes)
        foreach (
            var writes in (int[][])
                [
                    [0, 0],
                    [100, 100],
                    [30, 0],
                    [0, 100],
                    [100, 30],
                ]
        )
        foreach (var pool in (int?[])[null, 1, 7])
            data.Add(pool, [first, second], writes, 5);
        return data;
    }

    [Theory]
    [MemberData(nameof(GetLayouts))]
    public void Buffers_do_not_overlap_or_exceed_the_memory(int? pool, long[] sizes, int[] writes, int outstanding)
    {
        var streams = CreateStreams(sizes, writes, outstanding);
        var layout = new BufferLayout(streams, pool);
        var places = layout.Slots.ToList();

        Assert.Equal(Enumerable.Range(0, pool ?? 2 * outstanding), places.Select(p => p.Slot));
        var end = 0L;
        foreach (var place in places)
        {
            Assert.Equal(0, place.ReadAt % Page);
            Assert.Equal(0, place.WriteAt % Page);
            Assert.True(place.ReadAt >= end);
            if (place.WriteAt != place.ReadAt)
                Assert.True(place.WriteAt >= place.ReadAt + place.Length);
            end = place.WriteAt + place.WriteLength;
        }
        Assert.InRange(layout.Bytes, end, end + Page - 1);
    }

    [Fact]
    public void Separate_read_and_write_slots_fit_their_largest_block()
    {
        var pattern = new IoPattern();
        pattern.SetBlockMix(IoBlockMix.Parse("read 8K,64K / write 4K:90,12K:10"));
        pattern.SetDepths(new IoDepths(3, 2));
        var range = new TargetRange(new IoTargetSpecification("x"), pattern, 1 << 20, "x");
        var stream = new StreamPlan
        {
            Thread = 0,
            TargetIndex = 0,
            TargetThreadIndex = 0,
            TargetThreadCount = 1,
            Outstanding = 5,
            Pattern = pattern,
            Range = range,
        };
        var layout = new BufferLayout([stream], null);
        Assert.Equal(
            [(0, 65536, false), (1, 65536, false), (2, 65536, false), (3, 12288, true), (4, 12288, true)],
            layout.Slots.Select(p => (p.Slot, p.Length, p.IsForWrites))
        );
        Assert.Equal(3 * 65536 + 2 * 12288, layout.Bytes);
    }

    [Theory]
    [MemberData(nameof(GetLayouts))]
    public void Slot_fits_every_block_that_it_can_transfer(int? pool, long[] sizes, int[] writes, int outstanding)
    {
        var streams = CreateStreams(sizes, writes, outstanding);
        foreach (var place in new BufferLayout(streams, pool).Slots)
        {
            // The slots of a pool serve every stream.
            var served = pool is null ? [streams[place.Stream]] : streams;
            Assert.All(served, stream => Assert.True(place.Length >= stream.Pattern.BlockSize));
            var readsAndWrites =
                served.Any(stream => stream.Pattern.WritePercent < 100) && served.Any(stream => stream.Pattern.WritePercent > 0);
            Assert.Equal(readsAndWrites, place.ReadAt != place.WriteAt);
        }
    }

    [Fact]
    public void Pool_has_random_content_if_a_stream_writes_it()
    {
        var streams = CreateStreams([8192, 8192, 8192], [0, 100, 100], 1);
        streams[1].Pattern.WriteContent = IoWriteContentKind.Zero;
        Assert.All(new BufferLayout(streams, 3).Slots, place => Assert.Equal(2, place.Stream));
        streams[2].Pattern.WriteContent = IoWriteContentKind.Pattern;
        Assert.All(new BufferLayout(streams, 3).Slots, place => Assert.Equal(1, place.Stream));
    }

    [Fact]
    public void Size_of_a_huge_pool_is_computed_without_enumerating_slots() =>
        Assert.Equal((1L << 20) * 2 * (64L << 20), new BufferLayout(CreateStreams([64L << 20], [50], 1), 1 << 20).Bytes);

    private static StreamPlan[] CreateStreams(long[] sizes, int[] writes, int outstanding) =>
        [
            .. sizes.Select(
                (size, i) =>
                    new StreamPlan
                    {
                        Thread = 0,
                        TargetIndex = i,
                        TargetThreadIndex = 0,
                        TargetThreadCount = 1,
                        Outstanding = outstanding,
                        Pattern = new IoPattern { BlockSize = size, WritePercent = writes[i] },
                        Range = new TargetRange(new IoTargetSpecification("x"), new IoPattern(), 1 << 30, "x"),
                    }
            ),
        ];
}
