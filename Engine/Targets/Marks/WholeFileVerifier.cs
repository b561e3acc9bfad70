using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Verifies every block with several threads and large reads, at the device's speed. One file per instance.</summary>
internal sealed class WholeFileVerifier
{
    // The same sizes as for filling: 1 MB reaches the bandwidth of disks, arrays, and flash, and four threads read while others verify.
    private const int ChunkSize = 1 << 20;
    private const int Readers = 4;

    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly SectorVerifier _proof;
    private readonly long _size;
    private readonly long _filled;
    private long _next;
    private long _read;
    private long _foreign = long.MaxValue;
    private readonly ParallelFileWork _work = new();

    private WholeFileVerifier(SafeFileHandle handle, string path, OwnershipMarker mark, long size)
    {
        _handle = handle;
        _path = path;
        _proof = new SectorVerifier(mark);
        _size = size;
        // Only a file that is being created has parts that were never written.
        _filled = mark.State == OwnershipMarkerState.Making ? mark.FilledBytes : long.MaxValue;
    }

    /// <summary>Returns the offset of the first sector found that IoBench did not write; null if there is none.</summary>
    public static long? FindUnknownSector(
        SafeFileHandle handle,
        string path,
        OwnershipMarker mark,
        long size,
        Action<long, long>? progress,
        CancellationToken token
    ) => new WholeFileVerifier(handle, path, mark, size).Run(progress, token);

    private long? Run(Action<long, long>? progress, CancellationToken token)
    {
        // Report progress once before any thread starts, so that a short verification is also reported and can be canceled here.
        progress?.Invoke(0, _size);
        token.ThrowIfCancellationRequested();
        _work.Run(
            "IoBench proof",
            (int)Math.Min(Readers, (_size + ChunkSize - 1) / ChunkSize),
            VerifyChunks,
            () => progress?.Invoke(Volatile.Read(ref _read), _size),
            token
        );
        progress?.Invoke(Volatile.Read(ref _read), _size);
        return _foreign == long.MaxValue ? null : _foreign;
    }

    private void VerifyChunks()
    {
        using var reader = new BlockReader(_handle, _path, ChunkSize);
        while (!_work.IsStopped)
        {
            var offset = Interlocked.Add(ref _next, ChunkSize) - ChunkSize;
            if (offset >= _size)
                return;
            var chunk = reader.Read(offset);
            // A file that became shorter was changed outside IoBench.
            if (chunk.Length < Math.Min(ChunkSize, _size - offset))
                RecordUnknownSector(offset + chunk.Length);
            VerifyChunk(chunk, offset);
            Interlocked.Add(ref _read, chunk.Length);
        }
    }

    private void VerifyChunk(ReadOnlySpan<byte> chunk, long offset)
    {
        for (var at = 0; at < chunk.Length; at += BlockReader.BlockSize)
        {
            var block = chunk.Slice(at, Math.Min(BlockReader.BlockSize, chunk.Length - at));
            var foreign = _proof.FindUnknownSector(block, offset + at, zerosToo: offset + at + block.Length > _filled);
            if (foreign < 0)
                continue;
            RecordUnknownSector(foreign);
            return;
        }
    }

    private void RecordUnknownSector(long offset)
    {
        var first = Volatile.Read(ref _foreign);
        while (offset < first)
        {
            var found = Interlocked.CompareExchange(ref _foreign, offset, first);
            if (found == first)
                break;
            first = found;
        }
        _work.Stop();
    }
}
