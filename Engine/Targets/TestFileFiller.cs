using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Writes every byte, unbuffered if possible, with several large writes outstanding. One range per instance.</summary>
internal sealed unsafe class TestFileFiller
{
    // Writes of 1 MB reach the bandwidth of disks, arrays, and flash. Four threads need 4 MB of memory in total.
    private const int ChunkSize = 1 << 20;
    private const int Writers = 4;

    // Buffered content is flushed in steps, so that it does not fill the memory.
    private const long FlushEveryBytes = 256L << 20;

    private const int BufferAlignment = 4096;

    private readonly string _path;
    private readonly SafeFileHandle _handle;
    private readonly SafeFileHandle? _unbuffered;
    private readonly ulong _seed;
    private readonly long _start;
    private readonly long _end;
    private long _next;
    private long _written;
    private readonly ParallelFileWork _work = new();

    private TestFileFiller(string path, SafeFileHandle handle, SafeFileHandle? unbuffered, ulong seed, long start, long end)
    {
        _path = path;
        _handle = handle;
        _unbuffered = unbuffered;
        _seed = seed;
        _start = start;
        _next = start;
        _end = end;
    }

    /// <param name="progress">Receives existing and total bytes; null = not needed.</param>
    /// <returns>Why the fill took longer than the disk needs; null if it did not.</returns>
    public static string? Fill(
        SafeFileHandle handle,
        string path,
        ulong seed,
        long from,
        long size,
        FreeSpaceGuard room,
        Action<long, long>? progress,
        CancellationToken token
    )
    {
        token.ThrowIfCancellationRequested();
        // Content is generated in whole blocks, so a partial last block is written again.
        var start = TestFileSizeRules.RoundDown(from, TestFileContent.BlockSize);
        var reservation = PlatformFiles.Current.ReserveSpace(handle, path, size);
        room.CheckFreeSpace(left: reservation.IsReserved ? 0 : size - start);
        using var unbuffered = PlatformFiles.Current.TryReopenUnbuffered(handle, path, write: true);
        using var beside = PlatformFiles.Current.OpenSeparateHandle(handle, path, write: true);
        var changed = beside ?? handle;
        var maker = new TestFileFiller(path, changed, unbuffered, seed, start, size);
        maker.Run(reservation.IsReserved ? null : room, progress, token);
        PlatformFiles.Current.Flush(changed, path);
        PlatformFiles.Current.DropCache(changed);
        progress?.Invoke(size, size);
        return reservation.SlowFillReason;
    }

    private void Run(FreeSpaceGuard? room, Action<long, long>? progress, CancellationToken token) =>
        _work.Run(
            "IoBench fill",
            (int)Math.Min(Writers, (_end - _start + ChunkSize - 1) / ChunkSize),
            FillChunks,
            () =>
            {
                var written = Volatile.Read(ref _written);
                progress?.Invoke(_start + written, _end);
                room?.CheckFreeSpace(_end - _start - written);
            },
            token
        );

    private void FillChunks()
    {
        var memory = (byte*)NativeMemory.AlignedAlloc(ChunkSize, BufferAlignment);
        try
        {
            while (!_work.IsStopped)
            {
                var offset = Interlocked.Add(ref _next, ChunkSize) - ChunkSize;
                if (offset >= _end)
                    return;
                var chunk = new Span<byte>(memory, (int)Math.Min(ChunkSize, _end - offset));
                TestFileContent.Generate(chunk, _seed, offset);
                WriteChunk(chunk, offset);
                var written = Interlocked.Add(ref _written, chunk.Length);
                if (_unbuffered is null && written / FlushEveryBytes != (written - chunk.Length) / FlushEveryBytes)
                {
                    PlatformFiles.Current.Flush(_handle, _path);
                    PlatformFiles.Current.DropCache(_handle);
                }
            }
        }
        finally
        {
            NativeMemory.AlignedFree(memory);
        }
    }

    private void WriteChunk(ReadOnlySpan<byte> chunk, long offset)
    {
        // A chunk that ends within a sector cannot be written unbuffered.
        var target = _unbuffered is not null && chunk.Length % BufferAlignment == 0 ? _unbuffered : _handle;
        PlatformFiles.Current.Write(target, _path, chunk, offset);
    }
}
