using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace IoBench.Engine.Running.Workers;

/// <summary>
/// What writes consist of. Buffers are filled once, before the run. Before each write random content is turned into other random content by
/// a new 64-bit mask, which costs a tenth of making it anew and leaves no bytes in common with earlier writes, and gets its stamps
/// (<see cref="BlockStamp"/>): so nothing compresses across blocks, and no two blocks are alike.
/// </summary>
/// <remarks>
/// A large block is not rewritten: that would take longer than many a device takes to write it. Every sector of it gets a stamp, so that no sector is like any
/// other; a 32nd of it gets a new mask, another one each time; and it comes from another part of the buffer than the last one. So
/// <see cref="MinContent"/> bytes are written before any are written again, and all of them were replaced after 32 times as many.
/// </remarks>
internal sealed unsafe class WriteContent
{
    /// <summary>
    /// Bytes of different content that a target's large writes have at least: far more than storage compresses as one (ZFS: 1 MB), twice what a
    /// compressor such as zstd looks back at any usual level.
    /// </summary>
    public const long MinContent = 16L << 20;

    // Up to here a mask costs less than a system call.
    private const int LargestRewritten = 64 << 10;
    private const int Pieces = 32;

    // Few, so that a small file's copies meet; a power of two.
    private const int CopyCount = 16;

    private readonly IoWriteContentKind _kind;
    private readonly ulong _seed;
    private readonly byte[]? _source;
    private readonly int _compressible;
    private readonly byte[] _copies = [];
    private readonly uint _copiedBelow;
    private long _sourceAt;
    private ulong _sequence;
    private readonly bool _isLarge;
    private readonly bool _partsByPlace;
    private long _writes;
    private int _slots = 1;
    private int _parts = 1;
    private long _partBytes;

    /// <summary>The content of a pattern's writes by one thread.</summary>
    /// <param name="pattern">Says what content.</param>
    /// <param name="seed">Seed of the target's content, which stamps prove.</param>
    /// <param name="source">For <see cref="IoWriteContentKind.File"/> or a source of given size: the bytes writes are cut from.</param>
    public WriteContent(IoPattern pattern, ulong seed, byte[]? source)
    {
        _kind = pattern.Content.Kind;
        _compressible = pattern.Content is IoContent.Random random
            ? (int)(BlockStamp.BlockSize * (long)random.CompressiblePercent / 100)
            : 0;
        _isLarge = IsLarge(pattern);
        _partsByPlace = pattern.AccessPattern == IoAccessPattern.Random;
        _seed = seed;
        if (pattern.Content is IoContent.Random { DedupablePercent: > 0 and var percent })
        {
            _copiedBelow = (uint)(uint.MaxValue * (percent / 100.0));
            _copies = Copies(seed, _compressible);
        }
        // Far from any other thread's or run's numbers, so that no two writes to a place are ever the same.
        _sequence = (ulong)Random.Shared.NextInt64();
        _source = source;
    }

    /// <summary>Whether the blocks of a pattern's writes are too large to be rewritten each time.</summary>
    // In parts of sectors it would not be known again whose they are; zeros at the end of each 4 KB and copies must stay; parts are of one size and for all slots.
    public static bool IsLarge(IoPattern pattern) =>
        pattern
            is {
                WritePercent: > 0,
                Content: IoContent.Random { CompressiblePercent: 0, DedupablePercent: 0 },
                BlockMix: null,
                Depths: null,
                BlockSize: > LargestRewritten
            }
        && pattern.BlockSize % WriteBody.SectorSize == 0;

    /// <summary>The bytes that the writes of a pattern are cut from, read or made once per run; null when each buffer has its own.</summary>
    /// <exception cref="IoBenchException">The content file is missing or empty, or cannot be read.</exception>
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
            throw InputFile.CannotRead(path, e);
        }
        catch (OutOfMemoryException e)
        {
            throw IoBenchException.Failure(
                ErrorIds.NotEnoughMemory,
                $"{path}: what writes are to be made of does not fit in memory.",
                path,
                e,
                advice: "Use fewer bytes of it."
            );
        }
    }

    /// <summary>Fills a buffer before the run; random content from <see cref="WriteBody"/>, so that what was written can be recognised.</summary>
    public void Fill(Span<byte> buffer, ref RandomSource random)
    {
        switch (_kind)
        {
            case IoWriteContentKind.Random:
                WriteBody.Fill(buffer, (uint)random.Next());
                // Pieces of the same stream that begin in several buffers are made different.
                for (var at = 0; _compressible == 0 && at < buffer.Length; at += BlockStamp.BlockSize)
                    Mask(buffer.Slice(at, Math.Min(BlockStamp.BlockSize, buffer.Length - at)), SplitMix64.Mix(_seed + ++_sequence));
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

    /// <summary>Says how the buffers lie: so many slots, each with so many parts, so many bytes apart.</summary>
    public void UseParts(int slots, int parts, long partBytes) => (_slots, _parts, _partBytes) = (slots, parts, partBytes);

    /// <summary>Makes a slot's buffer ready for a write at its offset.</summary>
    public void Prepare(IoSlot* slot)
    {
        slot->Buffer = slot->WriteBuffer;
        if (_isLarge)
            PrepareLarge(slot);
        else
            Prepare(new Span<byte>(slot->Buffer, slot->Length), slot->Offset);
    }

    private void PrepareLarge(IoSlot* slot)
    {
        // The slots take turns: in each turn of theirs the next part, in each turn of the parts the next piece. In random order parts go by place, so that
        // neighbours in the file differ, whenever they were written.
        var turn = _writes++ / _slots;
        slot->Buffer += (_partsByPlace ? slot->Offset / slot->Length : turn) % _parts * _partBytes;
        var buffer = new Span<byte>(slot->Buffer, slot->Length);
        var sequence = ++_sequence;
        var sectors = (slot->Length / WriteBody.SectorSize + Pieces - 1) / Pieces;
        var from = (int)Math.Min(slot->Length, turn / _parts % Pieces * sectors * WriteBody.SectorSize);
        Mask(buffer[from..Math.Min(slot->Length, from + sectors * WriteBody.SectorSize)], SplitMix64.Mix(_seed + sequence));
        BlockStamp.StampAll(buffer, _seed, slot->Offset, sequence, WriteBody.SectorSize);
    }

    private void Prepare(Span<byte> buffer, long offset)
    {
        if (_kind == IoWriteContentKind.Random)
        {
            var mask = SplitMix64.Mix(_seed + ++_sequence);
            if (_compressible == 0 && _copiedBelow == 0)
                Mask(buffer, mask);
            else
                MaskBlocks(buffer, mask);
            BlockStamp.StampAll(buffer, _seed, offset, _sequence);
            if (_copiedBelow > 0)
                PutCopies(buffer, mask);
        }
        else if (_kind == IoWriteContentKind.File)
            CopyFromSource(buffer);
    }

    /// <summary>
    /// The blocks that dedupable content repeats: pieces of the known stream without a stamp, under masks of the target's own. So every sector of them can be told
    /// like that of any other write, and files of one test do not deduplicate among themselves.
    /// </summary>
    private static byte[] Copies(ulong seed, int compressible)
    {
        var copies = new byte[CopyCount * BlockStamp.BlockSize];
        for (var i = 0; i < CopyCount; i++)
        {
            var block = copies.AsSpan(i * BlockStamp.BlockSize, BlockStamp.BlockSize);
            WriteBody.Fill(block, (uint)i);
            block[(BlockStamp.BlockSize - compressible)..].Clear();
            Mask(block[..(BlockStamp.BlockSize - compressible)], SplitMix64.Mix(~seed + (ulong)i));
        }
        return copies;
    }

    private void MaskBlocks(Span<byte> buffer, ulong mask)
    {
        for (var at = 0; at < buffer.Length; at += BlockStamp.BlockSize)
        {
            // Where copies were put the blocks of a buffer are alike underneath: under one mask they would be so again, and compress.
            var own = _copiedBelow == 0 ? mask : SplitMix64.Mix(~mask + (ulong)at);
            Mask(buffer.Slice(at, Math.Max(0, Math.Min(BlockStamp.BlockSize, buffer.Length - at) - _compressible)), own);
        }
    }

    private void PutCopies(Span<byte> buffer, ulong mask)
    {
        for (var at = 0; at < buffer.Length; at += BlockStamp.BlockSize)
        {
            var draw = SplitMix64.Mix(mask + (ulong)at);
            if ((uint)draw > _copiedBelow)
                continue;
            var count = Math.Min(BlockStamp.BlockSize, buffer.Length - at);
            _copies.AsSpan((int)(draw >> 32 & (CopyCount - 1)) * BlockStamp.BlockSize, count).CopyTo(buffer.Slice(at, count));
        }
    }

    private static void Mask(Span<byte> bytes, ulong mask)
    {
        var wide = Vector512.Create(mask);
        var vectors = MemoryMarshal.Cast<byte, Vector512<ulong>>(bytes);
        for (var i = 0; i < vectors.Length; i++)
            vectors[i] ^= wide;
        foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(bytes[(vectors.Length * Vector512<byte>.Count)..]))
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
