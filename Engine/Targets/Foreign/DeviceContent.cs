namespace IoBench.Engine;

internal sealed class DeviceContent(long size, DeviceContent.ReadPart read)
{
    /// <summary>Number of bytes at the start and at the end that must be zero for a device to count as empty.</summary>
    public const int EmptyBytes = 1 << 20;

    private const int HeadBytes = (4 << 20) + 65536;
    private const int TailBytes = 2 << 20;

    private readonly Lazy<byte[]> _head = new(() => ReadRange(size, 0, HeadBytes, read));
    private readonly Lazy<byte[]> _tail = new(() => ReadRange(size, Math.Max(0, size - TailBytes), TailBytes, read));

    public delegate void ReadPart(long offset, Span<byte> buffer);

    public long Size => size;

    public ReadOnlySpan<byte> Start => ReadAt(0, EmptyBytes);

    public ReadOnlySpan<byte> End => ReadAt(EndOffset, EmptyBytes + 4096);

    private long EndOffset => Math.Max(0, size - EmptyBytes) / 4096 * 4096;

    /// <summary>Reads at an offset. Returns fewer bytes at the end of the device, and none beyond it.</summary>
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

    /// <summary>Searches the first and the last <see cref="EmptyBytes"/>; null if all are zero.</summary>
    public long? FindFirstNonZeroByte()
    {
        var atStart = Start.IndexOfAnyExcept((byte)0);
        if (atStart >= 0)
            return atStart;
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
}
