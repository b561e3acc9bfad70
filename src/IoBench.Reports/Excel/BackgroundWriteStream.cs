using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace IoBench.Reports;

/// <summary>A sheet is compressed while its next cells are created. The next write or flush throws the failures.</summary>
internal sealed class BackgroundWriteStream : Stream
{
    private const int MaxQueuedChunks = 8;

    private readonly Stream _target;
    private readonly BlockingCollection<(byte[]? Bytes, int Length)> _chunks = new(MaxQueuedChunks);
    private readonly Task _writer;
    private readonly SemaphoreSlim _drained = new(0);
    private volatile ExceptionDispatchInfo? _failure;

    /// <param name="target">No other code uses it before this stream is disposed. It stays open.</param>
    public BackgroundWriteStream(Stream target)
    {
        _target = target;
        _writer = Task.Factory.StartNew(WriteChunks, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _failure?.Throw();
        if (buffer.Length == 0)
            return;
        var piece = ArrayPool<byte>.Shared.Rent(buffer.Length);
        buffer.CopyTo(piece);
        _chunks.Add((piece, buffer.Length));
    }

    public override void Flush()
    {
        _chunks.Add((null, 0));
        _drained.Wait();
        _failure?.Throw();
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_chunks.IsAddingCompleted)
        {
            _chunks.CompleteAdding();
            _writer.Wait();
            _chunks.Dispose();
            _drained.Dispose();
        }
        base.Dispose(disposing);
    }

    private void WriteChunks()
    {
        foreach (var (bytes, length) in _chunks.GetConsumingEnumerable())
        {
            if (bytes is null)
            {
                _drained.Release();
                continue;
            }
            try
            {
                // After a failure, discard the rest, so that no write waits for the queue.
                if (_failure is null)
                    _target.Write(bytes, 0, length);
            }
            catch (Exception exception)
            {
                _failure = ExceptionDispatchInfo.Capture(exception);
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(bytes);
            }
        }
    }
}
