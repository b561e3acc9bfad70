namespace IoBench.Engine;

/// <summary>
/// Positions of the I/O buffers in a worker's memory: one buffer per slot, or two if the slot both reads and writes, so that reads do not
/// overwrite the write content. Size and positions come from the same groups, so that the kernel never writes past the memory.
/// </summary>
internal sealed class BufferLayout
{
    private const int PageSize = 4096;
    private readonly List<SlotGroup> _groups = [];

    public BufferLayout(IReadOnlyList<StreamPlan> streams, int? pool)
    {
        if (pool is { } count)
            _groups.Add(CreatePoolGroup(streams, count));
        else
            for (var i = 0; i < streams.Count; i++)
                AddStream(i, streams[i]);
    }

    public long Bytes => _groups.Sum(g => g.Slots * g.Stride);

    public IEnumerable<SlotBuffers> Slots
    {
        get
        {
            var slot = 0;
            var at = 0L;
            foreach (var group in _groups)
            {
                for (var i = 0; i < group.Slots; i++, at += group.Stride)
                    yield return new SlotBuffers(
                        slot++,
                        group.Stream,
                        ReadAt: at,
                        WriteAt: group.HasTwo ? at + group.BufferBytes : at,
                        Length: (int)group.BlockSize,
                        group.WriteParts,
                        PartBytes: group.BufferBytes,
                        group.IsForWrites
                    );
            }
        }
    }

    private void AddStream(int number, StreamPlan stream)
    {
        var pattern = stream.Pattern;
        if (pattern.Depths is not { } depths)
        {
            _groups.Add(
                new SlotGroup(number, stream.Outstanding, pattern.BlockSize, pattern.Operation == IoOperation.Mixed, GetWriteParts(stream))
            );
            return;
        }
        _groups.Add(
            new SlotGroup(
                number,
                depths.Reads,
                pattern.BlockMix?.Reads.Max(share => share.Size) ?? pattern.BlockSize,
                HasTwo: false,
                WriteParts: 1
            )
        );
        _groups.Add(
            new SlotGroup(
                number,
                depths.Writes,
                pattern.BlockMix?.Writes.Max(share => share.Size) ?? pattern.BlockSize,
                HasTwo: false,
                WriteParts: 1
            )
            {
                IsForWrites = true,
            }
        );
    }

    /// <summary>
    /// A slot of a pool serves every stream: the largest block size, the content of the first writer, random content preferred.
    /// </summary>
    private static SlotGroup CreatePoolGroup(IReadOnlyList<StreamPlan> streams, int count)
    {
        var patterns = streams.Select(l => l.Pattern).ToList();
        var content = patterns.FindIndex(p => p is { WritePercent: > 0, WriteContent: IoWriteContentKind.Random });
        if (content < 0)
            content = Math.Max(0, patterns.FindIndex(p => p.WritePercent > 0));
        var largest = patterns.Max(p => p.BlockSize);
        var operations = patterns.Select(p => p.Operation).Distinct().ToList();
        return new SlotGroup(content, count, largest, operations is not ([IoOperation.Read] or [IoOperation.Write]), WriteParts: 1);
    }

    // Large writes rotate between several parts, so that the buffers of a target hold enough content before the content repeats.
    private static int GetWriteParts(StreamPlan stream)
    {
        var block = stream.Pattern.BlockSize;
        var inFlight = (Int128)block * stream.Outstanding * stream.TargetThreadCount;
        return WriteContent.IsLarge(stream.Pattern) && inFlight < WriteContent.MinContent
            ? (int)((WriteContent.MinContent + inFlight - 1) / inFlight)
            : 1;
    }

    /// <param name="Stream">Stream whose content fills the write buffer; in a pool, the stream that the slot starts with.</param>
    /// <param name="ReadAt">Start of the read buffer, in bytes from the start of the memory; page-aligned.</param>
    /// <param name="WriteAt">Start of the write buffer; the same position if the slot only reads or only writes.</param>
    /// <param name="WriteParts">Number of consecutive write buffers, used in turn.</param>
    /// <param name="PartBytes">Distance between two of them in bytes.</param>
    /// <param name="IsForWrites">Whether the slot is for writes, if reads and writes have separate outstanding I/Os.</param>
    public readonly record struct SlotBuffers(
        int Slot,
        int Stream,
        long ReadAt,
        long WriteAt,
        int Length,
        int WriteParts,
        long PartBytes,
        bool IsForWrites
    )
    {
        public int WriteLength => (int)(PartBytes * (WriteParts - 1)) + Length;
    }

    private sealed record SlotGroup(int Stream, int Slots, long BlockSize, bool HasTwo, int WriteParts)
    {
        public long BufferBytes => (BlockSize + PageSize - 1) / PageSize * PageSize;

        public bool IsForWrites { get; init; }

        public long Stride => BufferBytes * (WriteParts + (HasTwo ? 1 : 0));
    }
}
