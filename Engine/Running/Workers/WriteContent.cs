using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace IoBench.Engine;

/// <summary>Content of writes: filled once, then changed by a new 64-bit mask and block headers before each write.</summary>
/// <remarks>Changing a large block completely takes longer than writing it. Every sector gets a header, another 32nd of the block gets
/// a mask, and each write uses another part of the buffer: <see cref="MinContent"/> bytes pass before content repeats.</remarks>
internal sealed unsafe class WriteContent
{
    /// <summary>Far more than storage compresses together (ZFS: 1 MB), and twice the window of zstd at usual levels.</summary>
    public const long MinContent = 16L << 20;

    // Up to this size, a mask costs less than a system call.
    private const int LargestRewritten = 64 << 10;
    private const int SectionsPerPart = 32;

    // Few, so that the duplicates repeat in a small file too. A power of two.
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
    private readonly bool _partsByOffset;
    private long _writes;
    private int _slots = 1;
    private int _parts = 1;
    private long _partBytes;

    /// <param name="source">Bytes to write, for content with a source; otherwise null.</param>
    public WriteContent(IoPattern pattern, ulong seed, byte[]? source)
    {
        _kind = pattern.WriteContent;
        _compressible = _kind == IoWriteContentKind.Random ? (int)(BlockHeader.BlockSize * (long)pattern.CompressiblePercent / 100) : 0;
        _isLarge = IsLarge(pattern);
        _partsByOffset = pattern.AccessPattern == IoAccessPattern.Random;
        _seed = seed;
        if (_kind == IoWriteContentKind.Random && pattern.DedupablePercent > 0)
        {
            _copiedBelow = (uint)(uint.MaxValue * (pattern.DedupablePercent / 100.0));
            _copies = CreateDuplicateBlocks(seed, _compressible);
        }
        // Far from the numbers of any other thread or run, so that two writes to one place never have the same content.
        _sequence = (ulong)Random.Shared.NextInt64();
        _source = source;
    }

    // Parts of sectors are not recognizable. Zeros at the end of each 4 KB and duplicates must remain.
    public static bool IsLarge(IoPattern pattern) =>
        pattern
            is {
                WritePercent: > 0,
                WriteContent: IoWriteContentKind.Random,
                CompressiblePercent: 0,
                DedupablePercent: 0,
                BlockMix: null,
                Depths: null,
                BlockSize: > LargestRewritten
            }
        && pattern.BlockSize % TestFileContent.SectorSize == 0;

    /// <summary>Loads the bytes of writes, once per run; null if each buffer has its own content.</summary>
    public static byte[]? LoadSource(IoPattern pattern)
    {
        if (pattern.WritePercent == 0 || pattern.WriteContent != IoWriteContentKind.File)
            return null;
        var path = pattern.WriteContentFile ?? "";
        try
        {
            using var file = InputFiles.Open(path);
            var size = Math.Min(file.Length, pattern.WriteContentSize ?? Math.Max(pattern.BlockSize, 20L << 20));
            if (size == 0)
                throw IoBenchException.Usage("IoBench.EmptyFile", $"{path} is empty, so IoBench cannot use it as write content.", path);
            var bytes = new byte[size];
            file.ReadExactly(bytes);
            return bytes;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFiles.CreateReadError(path, e);
        }
        catch (OutOfMemoryException e)
        {
            throw IoBenchException.Failure(
                ErrorIds.NotEnoughMemory,
                $"{path}: the write content does not fit into memory.",
                path,
                e,
                advice: "Use a smaller part of the file."
            );
        }
    }

    /// <summary>Random content comes from <see cref="TestFileContent"/>, so that written data can be recognized.</summary>
    public void FillBuffer(Span<byte> buffer, ref RandomSource random)
    {
        switch (_kind)
        {
            case IoWriteContentKind.Random:
                TestFileContent.FillPayload(buffer, (uint)random.Next());
                // Parts of the same stream can start in several buffers, so make them different.
                for (var at = 0; _compressible == 0 && at < buffer.Length; at += BlockHeader.BlockSize)
                    ApplyMask(buffer.Slice(at, Math.Min(BlockHeader.BlockSize, buffer.Length - at)), SplitMix64.Mix(_seed + ++_sequence));
                for (var at = 0; _compressible > 0 && at < buffer.Length; at += BlockHeader.BlockSize)
                {
                    // Zeros at the end of each 4 KB, because the headers are at the beginning.
                    var part = buffer.Slice(at, Math.Min(BlockHeader.BlockSize, buffer.Length - at));
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

    public void SetLayout(int slots, int parts, long partBytes) => (_slots, _parts, _partBytes) = (slots, parts, partBytes);

    public void PrepareWrite(IoSlot* slot)
    {
        slot->Buffer = slot->WriteBuffer;
        if (_isLarge)
            PrepareLargeWrite(slot);
        else
            PrepareWrite(new Span<byte>(slot->Buffer, slot->Length), slot->Offset);
    }

    private void PrepareLargeWrite(IoSlot* slot)
    {
        // Slots take turns, and each turn uses the next part. In random order, the offset selects the part, so that neighbors differ.
        var turn = _writes++ / _slots;
        slot->Buffer += (_partsByOffset ? slot->Offset / slot->Length : turn) % _parts * _partBytes;
        var buffer = new Span<byte>(slot->Buffer, slot->Length);
        var sequence = ++_sequence;
        var sectors = (slot->Length / TestFileContent.SectorSize + SectionsPerPart - 1) / SectionsPerPart;
        var from = (int)Math.Min(slot->Length, turn / _parts % SectionsPerPart * sectors * TestFileContent.SectorSize);
        ApplyMask(buffer[from..Math.Min(slot->Length, from + sectors * TestFileContent.SectorSize)], SplitMix64.Mix(_seed + sequence));
        BlockHeader.WriteHeaders(buffer, _seed, slot->Offset, sequence, TestFileContent.SectorSize);
    }

    private void PrepareWrite(Span<byte> buffer, long offset)
    {
        if (_kind == IoWriteContentKind.Random)
        {
            var mask = SplitMix64.Mix(_seed + ++_sequence);
            if (_compressible == 0 && _copiedBelow == 0)
                ApplyMask(buffer, mask);
            else
                ApplyBlockMasks(buffer, mask);
            BlockHeader.WriteHeaders(buffer, _seed, offset, _sequence);
            if (_copiedBelow > 0)
                InsertDuplicates(buffer, mask);
        }
        else if (_kind == IoWriteContentKind.File)
            CopyFromSource(buffer);
    }

    /// <summary>Masked parts of the known stream, so that sectors are recognized and files do not deduplicate.</summary>
    private static byte[] CreateDuplicateBlocks(ulong seed, int compressible)
    {
        var copies = new byte[CopyCount * BlockHeader.BlockSize];
        for (var i = 0; i < CopyCount; i++)
        {
            var block = copies.AsSpan(i * BlockHeader.BlockSize, BlockHeader.BlockSize);
            TestFileContent.FillPayload(block, (uint)i);
            block[(BlockHeader.BlockSize - compressible)..].Clear();
            ApplyMask(block[..(BlockHeader.BlockSize - compressible)], SplitMix64.Mix(~seed + (ulong)i));
        }
        return copies;
    }

    private void ApplyBlockMasks(Span<byte> buffer, ulong mask)
    {
        for (var at = 0; at < buffer.Length; at += BlockHeader.BlockSize)
        {
            // Under inserted duplicates, the blocks of a buffer are equal. With one mask, they would stay equal, and compress.
            var own = _copiedBelow == 0 ? mask : SplitMix64.Mix(~mask + (ulong)at);
            ApplyMask(buffer.Slice(at, Math.Max(0, Math.Min(BlockHeader.BlockSize, buffer.Length - at) - _compressible)), own);
        }
    }

    private void InsertDuplicates(Span<byte> buffer, ulong mask)
    {
        for (var at = 0; at < buffer.Length; at += BlockHeader.BlockSize)
        {
            var draw = SplitMix64.Mix(mask + (ulong)at);
            if ((uint)draw > _copiedBelow)
                continue;
            var count = Math.Min(BlockHeader.BlockSize, buffer.Length - at);
            _copies.AsSpan((int)(draw >> 32 & (CopyCount - 1)) * BlockHeader.BlockSize, count).CopyTo(buffer.Slice(at, count));
        }
    }

    private static void ApplyMask(Span<byte> bytes, ulong mask)
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
