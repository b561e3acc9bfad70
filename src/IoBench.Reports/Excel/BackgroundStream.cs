using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace IoBench.Reports.Excel;

/// <summary>
/// Hands what is written on to another thread: a sheet is compressed while its next cells are made. What fails there is thrown by the next
/// write or flush.
/// </summary>
internal sealed class BackgroundStream : Stream
{
    /// <summary>Pieces that wait at most: so much memory it takes, and no more.</summary>
    private const int MaxWaiting = 8;

    private readonly Stream _target;
    private readonly BlockingCollection<(byte[]? Bytes, int Length)> _pieces = new(MaxWaiting);
    private readonly Task _writer;
    private readonly SemaphoreSlim _drained = new(0);
    private volatile ExceptionDispatchInfo? _failure;

    /// <summary>Writes to a stream that nobody else touches before this one is disposed, and that stays open.</summary>
    public BackgroundStream(Stream target)
    {
        _target = target;
        _writer = Task.Factory.StartNew(WritePieces, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _failure?.Throw();
        if (buffer.Length == 0)
            return;
        var piece = ArrayPool<byte>.Shared.Rent(buffer.Length);
        buffer.CopyTo(piece);
        _pieces.Add((piece, buffer.Length));
    }

    /// <summary>Waits until all that was written has arrived.</summary>
    public override void Flush()
    {
        _pieces.Add((null, 0));
        _drained.Wait();
        _failure?.Throw();
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && !_pieces.IsAddingCompleted)
        {
            _pieces.CompleteAdding();
            _writer.Wait();
            _pieces.Dispose();
            _drained.Dispose();
        }
        base.Dispose(disposing);
    }

    private void WritePieces()
    {
        foreach (var (bytes, length) in _pieces.GetConsumingEnumerable())
        {
            if (bytes is null)
            {
                _drained.Release();
                continue;
            }
            try
            {
                // After a failure the rest is taken and thrown away, so that nobody waits for room.
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
