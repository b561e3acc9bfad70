using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Reads single 4 KB blocks of a file, past the file cache where that is possible, so that looking leaves no trace in it.</summary>
internal sealed unsafe class BlockSampler : IDisposable
{
    /// <summary>Bytes of a sampled block.</summary>
    public const int BlockSize = 4096;

    private readonly SafeFileHandle _handle;
    private readonly SafeFileHandle? _unbuffered;
    private readonly string _path;
    private readonly byte* _buffer;

    /// <summary>A sampler for an open file; the handle stays the caller's.</summary>
    public BlockSampler(SafeFileHandle handle, string path)
    {
        _handle = handle;
        _path = path;
        _unbuffered = PlatformFiles.Current.TryReopenUnbuffered(handle, path, write: false);
        _buffer = (byte*)NativeMemory.AlignedAlloc(BlockSize, BlockSize);
    }

    /// <summary>Reads the block at an offset (a multiple of <see cref="BlockSize"/>); shorter at the end of the file. Holds until the next call.</summary>
    public ReadOnlySpan<byte> Read(long offset)
    {
        var buffer = new Span<byte>(_buffer, BlockSize);
        // A last block that is no multiple of the sector, or a sector size above 4 KB, is refused unbuffered: the cache's way always works.
        var length = _unbuffered is null ? -1 : TryRead(_unbuffered, buffer, offset);
        if (length < 0)
            length = TryRead(_handle, buffer, offset);
        return length >= 0 ? buffer[..length]
            : throw IoBenchException.Failure("IoBench.FileFailed", $"read of {BlockSize} bytes at offset {offset} of {_path} failed. Check the device, or name another file.", _path);
    }

    /// <summary>So many block offsets spread over a file: the first, the last and others drawn from a key.</summary>
    public static IEnumerable<long> Offsets(long size, int count, ulong key)
    {
        var blocks = (size + BlockSize - 1) / BlockSize;
        if (blocks <= 0)
            yield break;
        yield return 0;
        if (blocks > 1)
            yield return (blocks - 1) * BlockSize;
        for (var i = 0; i < count - 2 && i < blocks - 2; i++)
            yield return (long)(BlockStamp.Mix(key + (ulong)i) % (ulong)blocks) * BlockSize;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _unbuffered?.Dispose();
        NativeMemory.AlignedFree(_buffer);
    }

    private static int TryRead(SafeFileHandle handle, Span<byte> buffer, long offset)
    {
        try
        {
            var length = 0;
            // Whole sectors only: an unbuffered read that is continued within one would be refused.
            for (int read; length < buffer.Length && (read = RandomAccess.Read(handle, buffer[length..], offset + length)) > 0;)
                length += read;
            return length;
        }
        catch (Exception e) when (e is IOException or ArgumentException or UnauthorizedAccessException)
        {
            return -1;
        }
    }
}
