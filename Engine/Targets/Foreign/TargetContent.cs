using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Content of a file or device, read only where a search looks.</summary>
internal sealed partial class TargetContent(long size, TargetContent.ReadPart read)
{
    /// <summary>Number of bytes at the start and at the end that must be zero for a device to count as empty.</summary>
    public const int EmptyBytes = 1 << 20;

    /// <summary>Bytes read at a sampled offset: enough for the superblocks at 64 KB (btrfs, GFS, ReiserFS).</summary>
    public const int SampleBytes = (64 << 10) + 4096;

    private const int Samples = 64;
    private const int HeadBytes = (4 << 20) + 65536;
    private const int TailBytes = 2 << 20;

    private readonly Lazy<byte[]> _head = new(() => ReadRange(size, 0, HeadBytes, read));
    private readonly Lazy<byte[]> _tail = new(() => ReadRange(size, Math.Max(0, size - TailBytes), TailBytes, read));
    private readonly Dictionary<long, byte[]> _samples = [];

    public delegate void ReadPart(long offset, Span<byte> buffer);

    public static TargetContent Open(SafeFileHandle handle, string path, long size) =>
        new(size, (offset, buffer) => ReadFully(handle, path, offset, buffer));

    public long Size => size;

    public ReadOnlySpan<byte> Start => ReadAt(0, EmptyBytes);

    public ReadOnlySpan<byte> End => ReadAt(EndOffset, EmptyBytes + 4096);

    /// <summary>Evenly spaced offsets. On large devices, they are multiples of 1 MB, where partitions and volumes begin.</summary>
    public IEnumerable<long> SampleOffsets
    {
        get
        {
            const long alignment = 1 << 20,
                page = 8192;
            var unit = size >= Samples * alignment ? alignment : page;
            return Enumerable.Range(1, Samples - 1).Select(i => TestFiles.RoundDown(size / Samples * i, unit)).Distinct();
        }
    }

    private long EndOffset => Math.Max(0, size - EmptyBytes) / 4096 * 4096;

    /// <summary>Reads at an offset. Returns fewer bytes at the end of the target, and none beyond it.</summary>
    public ReadOnlySpan<byte> ReadAt(long offset, int length)
    {
        length = (int)Math.Max(0, Math.Min(length, size - offset));
        if (offset < 0 || length == 0)
            return default;
        if (offset + length <= Math.Min(size, HeadBytes))
            return _head.Value.AsSpan((int)offset, length);
        var tailStart = Math.Max(0, size - TailBytes);
        return offset >= tailStart ? _tail.Value.AsSpan((int)(offset - tailStart), length) : ReadRange(size, offset, length, read);
    }

    /// <summary>Reads <see cref="SampleBytes"/> at an offset, once.</summary>
    public ReadOnlySpan<byte> ReadSample(long offset)
    {
        if (!_samples.TryGetValue(offset, out var sample))
            _samples.Add(offset, sample = ReadAt(offset, SampleBytes).ToArray());
        return sample;
    }

    /// <summary>Searches the first and the last <see cref="EmptyBytes"/> and the samples; null if all are zero.</summary>
    public long? FindFirstNonZeroByte()
    {
        var atStart = Start.IndexOfAnyExcept((byte)0);
        if (atStart >= 0)
            return atStart;
        foreach (var offset in SampleOffsets)
        {
            var inSample = ReadSample(offset).IndexOfAnyExcept((byte)0);
            if (inSample >= 0)
                return offset + inSample;
        }
        var atEnd = End.IndexOfAnyExcept((byte)0);
        return atEnd >= 0 ? EndOffset + atEnd : null;
    }

    private static byte[] ReadRange(long size, long offset, int length, ReadPart read)
    {
        var part = new byte[Math.Min(length, size - offset)];
        if (part.Length > 0)
            read(offset, part);
        return part;
    }

    private static void ReadFully(SafeFileHandle handle, string path, long offset, Span<byte> buffer)
    {
        try
        {
            for (int read; buffer.Length > 0 && (read = PlatformFiles.Current.Read(handle, buffer, offset)) > 0; offset += read)
                buffer = buffer[read..];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "read of", path);
        }
        // A part that cannot be read could hold anything, so refuse the target.
        if (buffer.Length > 0)
            throw IoBenchException.Failure(
                "IoBench.FileFailed",
                $"{path} ends at offset {offset}, but its reported size is larger.",
                path,
                advice: "Check the file or device."
            );
    }
}
