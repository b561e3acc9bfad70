using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Reads parts of a file, unbuffered if possible, so that reading does not change the file cache.</summary>
internal sealed unsafe class BlockReader : IDisposable
{
    public const int BlockSize = 4096;

    private readonly SafeFileHandle _handle;
    private readonly SafeFileHandle? _unbuffered;
    private readonly string _path;
    private readonly byte* _buffer;
    private readonly int _length;
    private SafeFileHandle? _cached;

    /// <param name="length">Maximum bytes per read; a multiple of <see cref="BlockSize"/>. The caller keeps the handle.</param>
    public BlockReader(SafeFileHandle handle, string path, int length = BlockSize)
    {
        _handle = handle;
        _path = path;
        _length = length;
        _unbuffered = PlatformFiles.Current.TryReopenUnbuffered(handle, path, write: false);
        _buffer = (byte*)NativeMemory.AlignedAlloc((nuint)length, BlockSize);
    }

    public bool IsUnbuffered { get; private set; }

    /// <summary>Offsets are multiples of <see cref="BlockSize"/>. The result is shorter at the end, valid until the next call.</summary>
    public ReadOnlySpan<byte> Read(long offset)
    {
        var buffer = new Span<byte>(_buffer, _length);
        // Unbuffered reads fail for a partial last sector or a sector size above 4 KB; buffered reads always work.
        if (_unbuffered is not null)
        {
            var unbufferedLength = TryRead(_unbuffered, buffer, offset, out _);
            if (unbufferedLength >= 0)
            {
                IsUnbuffered = true;
                return buffer[..unbufferedLength];
            }
        }
        IsUnbuffered = false;
        _cached ??= PlatformFiles.Current.OpenSeparateHandle(_handle, _path, write: false);
        var length = TryRead(_cached ?? _handle, buffer, offset, out var error);
        if (length >= 0)
        {
            if (_length > BlockSize)
                PlatformFiles.Current.DropCache(_cached ?? _handle);
            return buffer[..length];
        }
        throw FileErrors.FromException(error!, $"read of {_length} bytes at offset {offset} of", _path);
    }

    public static IEnumerable<long> SelectSampleOffsets(long size, int count, ulong key)
    {
        var blocks = (size + BlockSize - 1) / BlockSize;
        if (blocks <= count)
            return Enumerable.Range(0, (int)blocks).Select(i => (long)i * BlockSize);
        var drawn = Enumerable.Range(0, count - 2).Select(i => (long)(SplitMix64.Mix(key + (ulong)i) % (ulong)blocks));
        return drawn.Append(0).Append(blocks - 1).Distinct().Order().Select(i => i * BlockSize);
    }

    public void Dispose()
    {
        _unbuffered?.Dispose();
        _cached?.Dispose();
        NativeMemory.AlignedFree(_buffer);
    }

    private static int TryRead(SafeFileHandle handle, Span<byte> buffer, long offset, out Exception? error)
    {
        error = null;
        try
        {
            var length = 0;
            // Read whole sectors only, because an unbuffered read cannot continue within a sector.
            for (int read; length < buffer.Length && (read = PlatformFiles.Current.Read(handle, buffer[length..], offset + length)) > 0; )
                length += read;
            return length;
        }
        catch (Exception e) when (e is IOException or ArgumentException or UnauthorizedAccessException)
        {
            error = e;
            return -1;
        }
    }
}
