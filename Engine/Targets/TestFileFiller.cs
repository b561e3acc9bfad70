using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Writes every byte, unbuffered if possible, with several large writes outstanding.</summary>
internal static unsafe class TestFileFiller
{
    // Buffered content is flushed in steps, so that it does not fill the memory.
    private const long FlushEveryBytes = 256L << 20;

    private const int BufferAlignment = 4096;

    /// <param name="checkFreeSpace">Gets the bytes that the file has yet to take; 0 if the file system reserved all of them.</param>
    /// <param name="progress">Receives existing and total bytes; null = not needed.</param>
    /// <returns>Why the fill took longer than the disk needs; null if it did not.</returns>
    public static string? Fill(
        SafeFileHandle handle,
        string path,
        ulong seed,
        long from,
        long size,
        Action<long> checkFreeSpace,
        Action<long, long>? progress,
        CancellationToken token
    )
    {
        token.ThrowIfCancellationRequested();
        var files = PlatformFiles.Current;
        // Content is generated in whole blocks, so a partial last block is written again.
        var start = TestFileSizeRules.RoundDown(from, TestFileContent.BlockSize);
        var reservation = files.ReserveSpace(handle, path, size);
        checkFreeSpace(reservation.IsReserved ? 0 : size - start);
        using var unbuffered = files.TryReopenUnbuffered(handle, path, write: true);
        using var beside = files.OpenSeparateHandle(handle, path, write: true);
        var changed = beside ?? handle;
        var work = new ParallelFileWork(start, size);
        work.Run("IoBench fill", FillChunks, Look, token);
        files.Flush(changed, path);
        files.DropCache(changed);
        progress?.Invoke(size, size);
        return reservation.SlowFillReason;

        void Look()
        {
            var done = work.AddDone(0);
            progress?.Invoke(done, size);
            if (!reservation.IsReserved)
                checkFreeSpace(size - done);
        }

        void FillChunks()
        {
            var memory = (byte*)NativeMemory.AlignedAlloc(ParallelFileWork.ChunkSize, BufferAlignment);
            try
            {
                while (work.TryTakeChunk(out var offset))
                {
                    var chunk = new Span<byte>(memory, (int)Math.Min(ParallelFileWork.ChunkSize, size - offset));
                    TestFileContent.Generate(chunk, seed, offset);
                    // A chunk that ends within a sector cannot be written unbuffered.
                    files.Write(unbuffered is not null && chunk.Length % BufferAlignment == 0 ? unbuffered : changed, path, chunk, offset);
                    var written = work.AddDone(chunk.Length) - start;
                    if (unbuffered is null && written / FlushEveryBytes != (written - chunk.Length) / FlushEveryBytes)
                    {
                        files.Flush(changed, path);
                        files.DropCache(changed);
                    }
                }
            }
            finally
            {
                NativeMemory.AlignedFree(memory);
            }
        }
    }
}
