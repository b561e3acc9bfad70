using System.Runtime.ExceptionServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Several threads that process a file in chunks, so that the device is always busy. Each instance runs once.</summary>
/// <param name="start">In bytes; a multiple of 4,096.</param>
internal sealed class ParallelFileWork(long start, long end)
{
    // 1 MB reaches the bandwidth of disks, arrays, and flash. While one thread computes, the others do I/O.
    public const int ChunkSize = 1 << 20;
    private const int Threads = 4;

    private static readonly TimeSpan s_progressInterval = TimeSpan.FromMilliseconds(100);
    private long _next = start;
    private long _done = start;
    private volatile Exception? _failure;
    private volatile bool _isStopped;

    /// <param name="isUnbuffered">Whether the chunk was read past the file cache.</param>
    /// <returns>False to stop all threads.</returns>
    public delegate bool ChunkProcessor(ReadOnlySpan<byte> chunk, long offset, bool isUnbuffered);

    /// <summary>Reads a file, past the file cache if possible. The processor gets each chunk once, on several threads.</summary>
    /// <param name="progress">Receives read and total bytes on the calling thread; null = not needed.</param>
    public static void Read(
        SafeFileHandle handle,
        string path,
        long size,
        string name,
        ChunkProcessor process,
        Action<long, long>? progress,
        CancellationToken token
    )
    {
        // Report progress once before any thread starts, so that a short pass is also reported and can be canceled here.
        progress?.Invoke(0, size);
        token.ThrowIfCancellationRequested();
        var work = new ParallelFileWork(0, size);
        work.Run(name, ReadChunks, () => progress?.Invoke(Volatile.Read(ref work._done), size), token);
        progress?.Invoke(work._done, size);

        void ReadChunks()
        {
            using var reader = new BlockReader(handle, path, ChunkSize);
            while (work.TryTakeChunk(out var offset))
            {
                var chunk = reader.Read(offset);
                if (!process(chunk, offset, reader.IsUnbuffered))
                    work._isStopped = true;
                work.AddDone(Math.Min(chunk.Length, size - offset));
            }
        }
    }

    /// <summary>Returns false if all chunks are taken or the work is stopped.</summary>
    public bool TryTakeChunk(out long offset)
    {
        offset = Interlocked.Add(ref _next, ChunkSize) - ChunkSize;
        return !_isStopped && offset < end;
    }

    /// <summary>Returns the end of the bytes that are done, as if they were done in order.</summary>
    public long AddDone(long bytes) => Interlocked.Add(ref _done, bytes);

    /// <param name="work">Runs on each thread until no chunk is left. An exception stops all threads.</param>
    /// <param name="look">Called about ten times per second on the calling thread. An exception stops all threads.</param>
    public void Run(string name, Action work, Action look, CancellationToken token)
    {
        var threads = new List<Thread>();
        var count = Math.Min(Threads, (end - _next + ChunkSize - 1) / ChunkSize);
        // Registering the token stops the threads at once, not only at the next progress call.
        using var stop = token.Register(() => _isStopped = true);
        try
        {
            for (var i = 0; i < count; i++)
            {
                var thread = new Thread(() => RunGuarded(work)) { IsBackground = true, Name = name };
                thread.Start();
                threads.Add(thread);
            }
            while (threads.Exists(t => t.IsAlive) && !token.IsCancellationRequested)
            {
                look();
                threads.Find(t => t.IsAlive)?.Join(s_progressInterval);
            }
        }
        finally
        {
            // Also stop the threads if the progress callback throws: no thread may outlive the file's handle.
            _isStopped = true;
            threads.ForEach(t => t.Join());
        }
        token.ThrowIfCancellationRequested();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    private void RunGuarded(Action work)
    {
        try
        {
            work();
        }
        catch (Exception e)
        {
            // Rethrown on the caller's thread.
            _failure ??= e;
            _isStopped = true;
        }
    }
}
