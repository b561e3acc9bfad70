using System.Numerics;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// What writes consist of. Buffers are filled once, before the run. Before each write random content is turned into other random content by
/// a new 64-bit mask, which costs a tenth of making it anew and leaves no bytes in common with earlier writes, and gets its stamps
/// (<see cref="BlockStamp"/>): so nothing compresses across blocks, and no two blocks are alike.
/// </summary>
internal sealed class WriteContent
{
    private readonly IoWriteContentKind _kind;
    private readonly ulong _seed;
    private readonly byte[]? _source;
    private readonly int _compressible;
    private long _sourceAt;
    private ulong _sequence;

    /// <summary>The content of a pattern's writes by one thread.</summary>
    /// <param name="pattern">Says what content.</param>
    /// <param name="seed">Seed of the target's content, which stamps prove.</param>
    /// <param name="source">For <see cref="IoWriteContentKind.File"/> or a source of given size: the bytes writes are cut from.</param>
    public WriteContent(IoPattern pattern, ulong seed, byte[]? source)
    {
        _kind = pattern.Content.Kind;
        _compressible = pattern.Content is IoContent.Random random ? (int)(BlockStamp.BlockSize * (long)random.CompressiblePercent / 100) : 0;
        _seed = seed;
        // Far from any other thread's or run's numbers, so that no two writes to a place are ever the same.
        _sequence = (ulong)Random.Shared.NextInt64();
        _source = source;
    }

    /// <summary>The bytes that the writes of a pattern are cut from, read or made once per run; null when each buffer has its own.</summary>
    /// <exception cref="IoBenchException">The content file is missing or empty.</exception>
    public static byte[]? LoadSource(IoPattern pattern)
    {
        if (pattern.WritePercent == 0 || pattern.Content is not IoContent.FromFile content)
            return null;
        var path = content.Path;
        try
        {
            using var file = InputFile.Open(path);
            var size = Math.Min(file.Length, content.Size ?? Math.Max(pattern.BlockSize, 20L << 20));
            if (size == 0)
                throw IoBenchException.Usage("IoBench.EmptyFile", $"{path} is empty: test writes cannot be made of it.", path);
            var bytes = new byte[size];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"the content of writes cannot be read from {path}: {e.Message}", path);
        }
    }

    /// <summary>Fills a buffer before the run; random content from <see cref="WriteBody"/>, so that what was written can be recognised.</summary>
    public void Fill(Span<byte> buffer, ref RandomSource random)
    {
        switch (_kind)
        {
            case IoWriteContentKind.Random:
                WriteBody.Fill(buffer, (uint)random.Next());
                for (var at = 0; _compressible > 0 && at < buffer.Length; at += BlockStamp.BlockSize)
                {
                    // Zeros at the end of each 4 KB: the stamps at its beginning stay.
                    var part = buffer.Slice(at, Math.Min(BlockStamp.BlockSize, buffer.Length - at));
                    part[Math.Max(0, part.Length - _compressible)..].Clear();
                }
                break;
            case IoWriteContentKind.Pattern:
                for (var i = 0; i < buffer.Length; i++)
                    buffer[i] = (byte)i;
                break;
            case IoWriteContentKind.Zero:
                buffer.Clear();
                break;
            case IoWriteContentKind.File:
                CopyFromSource(buffer);
                break;
        }
    }

    /// <summary>Makes a buffer ready for a write at an offset.</summary>
    public void Prepare(Span<byte> buffer, long offset)
    {
        if (_kind == IoWriteContentKind.Random)
        {
            var mask = SplitMix64.Mix(_seed + ++_sequence);
            if (_compressible == 0)
                Mask(buffer, mask);
            for (var at = 0; _compressible > 0 && at < buffer.Length; at += BlockStamp.BlockSize)
                Mask(buffer.Slice(at, Math.Max(0, Math.Min(BlockStamp.BlockSize, buffer.Length - at) - _compressible)), mask);
            BlockStamp.StampAll(buffer, _seed, offset, _sequence);
        }
        else if (_kind == IoWriteContentKind.File)
            CopyFromSource(buffer);
    }

    private static void Mask(Span<byte> bytes, ulong mask)
    {
        var vectors = MemoryMarshal.Cast<byte, Vector<ulong>>(bytes);
        var wide = new Vector<ulong>(mask);
        for (var i = 0; i < vectors.Length; i++)
            vectors[i] ^= wide;
        foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(bytes[(vectors.Length * Vector<byte>.Count)..]))
            word ^= mask;
    }

    private void CopyFromSource(Span<byte> buffer)
    {
        var source = _source!;
        while (buffer.Length > 0)
        {
            if (_sourceAt == source.Length)
                _sourceAt = 0;
            var count = (int)Math.Min(buffer.Length, source.Length - _sourceAt);
            source.AsSpan((int)_sourceAt, count).CopyTo(buffer);
            buffer = buffer[count..];
            _sourceAt += count;
        }
    }
}
