using System.Buffers.Binary;

namespace IoBench.Engine;

internal static class NvmeCharacterDevice
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
        GetBytes(one, Size, 16).SequenceEqual(GetBytes(other, Size, 16))
        && GetBytes(one, Formats, Shared + 1).SequenceEqual(GetBytes(other, Formats, Shared + 1))
        && GetBytes(one, UniqueFrom, UniqueTo).SequenceEqual(GetBytes(other, UniqueFrom, UniqueTo));

    /// <summary>
    /// Compares serial number, model, and subsystem name. The controller id is ignored, because a namespace with several paths can respond
    /// on each of them.
    /// </summary>
    public static bool IsSameController(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other) =>
        GetBytes(one, SerialFrom, ModelTo).SequenceEqual(GetBytes(other, SerialFrom, ModelTo))
        && GetBytes(one, SubsystemFrom, SubsystemTo).SequenceEqual(GetBytes(other, SubsystemFrom, SubsystemTo));

    public static string? GetUnsupportedReason(ReadOnlySpan<byte> identity, int sectorSize, long size)
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

    private static ReadOnlySpan<byte> GetBytes(ReadOnlySpan<byte> identity, int from, int to) => identity[from..to];
}
