using System.Buffers.Binary;

namespace IoBench.Engine;

internal static class NvmeIdentity
{
    private const int Size = 0,
        Formats = 26,
        FormatList = 128,
        Protection = 29,
        UniqueFrom = 104,
        UniqueTo = 128,
        Shared = 30;
    private const int SerialFrom = 4,
        ModelTo = 64,
        SubsystemFrom = 768,
        SubsystemTo = 1024;

    /// <summary>
    /// Tests whether two Identify results are from the same namespace. Values that can change, such as the used capacity, are ignored.
    /// </summary>
    public static bool IsSameNamespace(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other) =>
        Part(one, Size, 16).SequenceEqual(Part(other, Size, 16))
        && Part(one, Formats, Shared + 1).SequenceEqual(Part(other, Formats, Shared + 1))
        && Part(one, UniqueFrom, UniqueTo).SequenceEqual(Part(other, UniqueFrom, UniqueTo));

    /// <summary>
    /// Compares serial number, model, and subsystem name. The controller id is ignored, because a namespace with several paths can respond
    /// on each of them.
    /// </summary>
    public static bool IsSameController(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other) =>
        Part(one, SerialFrom, ModelTo).SequenceEqual(Part(other, SerialFrom, ModelTo))
        && Part(one, SubsystemFrom, SubsystemTo).SequenceEqual(Part(other, SubsystemFrom, SubsystemTo));

    public static string? WhyNot(ReadOnlySpan<byte> identity, int sectorSize, long size)
    {
        var formats = identity[Formats];
        var format = identity.Slice(FormatList + 4 * (formats & 0xF | formats >> 1 & 0x30), 4);
        var shift = format[2];
        return BinaryPrimitives.ReadUInt16LittleEndian(format) != 0 ? "has metadata beside each logical block, which IoBench does not write"
            : (identity[Protection] & 7) != 0 ? "protects its blocks end to end, which IoBench does not do"
            : shift is < 9 or > 16 || 1 << shift != sectorSize ? $"has logical blocks of 2^{shift} bytes and a block device of {sectorSize}"
            : BinaryPrimitives.ReadUInt64LittleEndian(identity) << shift != (ulong)size ? "has a different size from its block device"
            : null;
    }

    private static ReadOnlySpan<byte> Part(ReadOnlySpan<byte> identity, int from, int to) => identity[from..to];
}
