namespace IoBench.Engine.Planning;

/// <summary>
/// Where in a worker's memory the buffers of its I/Os lie: one buffer per slot, two where a slot both reads and writes, so that reads do not spoil what is
/// written. Size and places come from the same groups of equal slots: a kernel that writes a block never writes past the memory.
/// </summary>
internal sealed class BufferLayout
{
    private const int PageSize = 4096;
    private readonly List<Group> _groups = [];

    /// <summary>The layout of a worker's streams.</summary>
    /// <param name="streams">Its work.</param>
    /// <param name="pool">Outstanding I/Os that all streams share; null when each has its own.</param>
    public BufferLayout(IReadOnlyList<StreamPlan> streams, int? pool)
    {
        if (pool is { } count)
            _groups.Add(Shared(streams, count));
        else
            for (var i = 0; i < streams.Count; i++)
                AddOwn(i, streams[i]);
    }

    /// <summary>Bytes of all buffers together.</summary>
    public long Bytes => _groups.Sum(g => g.Slots * g.Stride);

    /// <summary>The slots in order, each with its buffers.</summary>
    public IEnumerable<Place> Places
    {
        get
        {
            var slot = 0;
            var at = 0L;
            foreach (var group in _groups)
            {
                for (var i = 0; i < group.Slots; i++, at += group.Stride)
                    yield return new Place(
                        slot++,
                        group.Stream,
                        at,
                        group.HasTwo ? at + group.BufferBytes : at,
                        (int)group.BlockSize,
                        group.WriteParts,
                        group.BufferBytes,
                        group.IsForWrites
                    );
            }
        }
    }

    /// <summary>Slots of a stream: all alike, or some that only read and some that only write.</summary>
    private void AddOwn(int number, StreamPlan stream)
    {
        var pattern = stream.Pattern;
        if (pattern.Depths is not { } depths)
        {
            _groups.Add(new Group(number, stream.Outstanding, pattern.BlockSize, pattern.Operation == IoOperation.Mixed, PartsOf(stream)));
            return;
        }
        _groups.Add(
            new Group(
                number,
                depths.Reads,
                pattern.BlockMix?.Reads.Max(share => share.Size) ?? pattern.BlockSize,
                HasTwo: false,
                WriteParts: 1
            )
        );
        _groups.Add(
            new Group(
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

    /// <summary>A pool's slot serves every stream: it has room for the largest block, and content of the first stream that writes, random content before other.</summary>
    private static Group Shared(IReadOnlyList<StreamPlan> streams, int count)
    {
        var patterns = streams.Select(l => l.Pattern).ToList();
        var content = patterns.FindIndex(p => p.WritePercent > 0 && p.Content is IoContent.Random);
        if (content < 0)
            content = Math.Max(0, patterns.FindIndex(p => p.WritePercent > 0));
        var largest = patterns.Max(p => p.BlockSize);
        var operations = patterns.Select(p => p.Operation).Distinct().ToList();
        return new Group(content, count, largest, operations is not ([IoOperation.Read] or [IoOperation.Write]), WriteParts: 1);
    }

    // Large writes come from different parts in turn, so that all buffers of a target together hold enough content before some of it is used again.
    private static int PartsOf(StreamPlan stream)
    {
        var block = stream.Pattern.BlockSize;
        var inFlight = (Int128)block * stream.Outstanding * stream.ThreadsOfTarget;
        return WriteContent.IsLarge(stream.Pattern) && inFlight < WriteContent.MinContent
            ? (int)((WriteContent.MinContent + inFlight - 1) / inFlight)
            : 1;
    }

    /// <summary>A slot and its buffers.</summary>
    /// <param name="Slot">Its number.</param>
    /// <param name="Stream">Number of the stream it works for, and whose content fills its write buffer; in a pool, the one it begins with.</param>
    /// <param name="ReadAt">Where reads go, in bytes from the start of the memory; on a page.</param>
    /// <param name="WriteAt">Where writes come from; the same place where the slot only reads or only writes.</param>
    /// <param name="Length">Bytes of each buffer: the largest block of the slot.</param>
    /// <param name="WriteParts">Buffers of its writes, one after the other, used in turn.</param>
    /// <param name="PartBytes">Bytes from one of them to the next.</param>
    /// <param name="IsForWrites">Of reads and writes with outstanding I/Os of their own: one of the writes.</param>
    public readonly record struct Place(
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
        /// <summary>Bytes of all buffers of its writes.</summary>
        public int WriteLength => (int)(PartBytes * (WriteParts - 1)) + Length;
    }

    private sealed record Group(int Stream, int Slots, long BlockSize, bool HasTwo, int WriteParts)
    {
        /// <summary>Whole pages, so that each buffer begins on one.</summary>
        public long BufferBytes => (BlockSize + PageSize - 1) / PageSize * PageSize;

        public bool IsForWrites { get; init; }

        public long Stride => BufferBytes * (WriteParts + (HasTwo ? 1 : 0));
    }
}
