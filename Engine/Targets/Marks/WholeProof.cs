using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Marks;

/// <summary>
/// Proves a test file block by block, as after a run was killed: by several readers with large reads, so that it goes at the device's speed. One use
/// proves one file.
/// </summary>
internal sealed class WholeProof
{
    // As the file was filled: 1 MB reaches the bandwidth of disks, arrays and flash, four readers cover the time in which a block is looked at.
    private const int ChunkSize = 1 << 20;
    private const int Readers = 4;

    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly SectorProof _proof;
    private readonly long _size;
    private readonly long _filled;
    private long _next;
    private long _read;
    private long _foreign = long.MaxValue;
    private readonly BackgroundWork _work = new();

    private WholeProof(SafeFileHandle handle, string path, FileMark mark, long size)
    {
        _handle = handle;
        _path = path;
        _proof = new SectorProof(mark);
        _size = size;
        // Only while a file is made there are parts that nothing was written to.
        _filled = mark.State == MarkState.Making ? mark.Filled : long.MaxValue;
    }

    /// <summary>Offset of the first sector found that is not ours; null when all are.</summary>
    /// <param name="handle">The file, open for reading.</param>
    /// <param name="path">Its path, for messages.</param>
    /// <param name="size">Size of the file in bytes.</param>
    /// <param name="progress">Receives bytes proved and in all; null = nobody listens.</param>
    /// <param name="token">Ends it between two reads.</param>
    public static long? FirstForeign(
        SafeFileHandle handle,
        string path,
        FileMark mark,
        long size,
        Action<long, long>? progress,
        CancellationToken token
    ) => new WholeProof(handle, path, mark, size).Run(progress, token);

    private long? Run(Action<long, long>? progress, CancellationToken token)
    {
        // Told once however short the proof is, and before a reader runs: who ends it here has it ended.
        progress?.Invoke(0, _size);
        token.ThrowIfCancellationRequested();
        _work.Run(
            "IoBench proof",
            (int)Math.Min(Readers, (_size + ChunkSize - 1) / ChunkSize),
            Work,
            () => progress?.Invoke(Volatile.Read(ref _read), _size),
            token
        );
        progress?.Invoke(Volatile.Read(ref _read), _size);
        return _foreign == long.MaxValue ? null : _foreign;
    }

    private void Work()
    {
        using var reader = new BlockReader(_handle, _path, ChunkSize);
        while (!_work.IsStopped)
        {
            var offset = Interlocked.Add(ref _next, ChunkSize) - ChunkSize;
            if (offset >= _size)
                return;
            var chunk = reader.Read(offset);
            // A file that became shorter meanwhile is another's doing.
            if (chunk.Length < Math.Min(ChunkSize, _size - offset))
                Found(offset + chunk.Length);
            Look(chunk, offset);
            Interlocked.Add(ref _read, chunk.Length);
        }
    }

    private void Look(ReadOnlySpan<byte> chunk, long offset)
    {
        for (var at = 0; at < chunk.Length; at += BlockReader.BlockSize)
        {
            var block = chunk.Slice(at, Math.Min(BlockReader.BlockSize, chunk.Length - at));
            var foreign = _proof.FirstForeign(block, offset + at, zerosToo: offset + at + block.Length > _filled);
            if (foreign < 0)
                continue;
            Found(foreign);
            return;
        }
    }

    private void Found(long offset)
    {
        long seen;
        while (offset < (seen = Volatile.Read(ref _foreign)) && Interlocked.CompareExchange(ref _foreign, offset, seen) != seen) { }
        _work.Stop();
    }
}
