using System.Buffers.Binary;
using System.Globalization;
using System.Numerics;

namespace IoBench.Engine;

internal enum WitnessRecordKind : byte
{
    Write = 1,

    /// <summary>A thread is about to start a flush. The flush covers the thread's earlier records.</summary>
    FlushBegun = 2,

    /// <summary>The thread's oldest pending flush was acknowledged.</summary>
    FlushDone = 3,

    /// <summary>The run ended, and the log has all records.</summary>
    End = 4,

    /// <summary>The listener lost the connection or was stopped. Written by the listener as the last record.</summary>
    Disconnected = 5,
}

/// <param name="Number">For a write: write number.</param>
internal readonly record struct WitnessRecord(WitnessRecordKind Kind, ushort Target, ushort Thread, int Length, long Offset, ulong Number)
{
    public const int Size = 32;

    /// <summary>Little-endian, with a CRC32C at the end to detect incomplete records.</summary>
    public void WriteTo(Span<byte> to)
    {
        to[..Size].Clear();
        to[0] = (byte)Kind;
        BinaryPrimitives.WriteUInt16LittleEndian(to[2..], Target);
        BinaryPrimitives.WriteUInt16LittleEndian(to[4..], Thread);
        BinaryPrimitives.WriteInt32LittleEndian(to[8..], Length);
        BinaryPrimitives.WriteInt64LittleEndian(to[12..], Offset);
        BinaryPrimitives.WriteUInt64LittleEndian(to[20..], Number);
        BinaryPrimitives.WriteUInt32LittleEndian(to[28..], ComputeCrc(to));
    }

    public static WitnessRecord? Parse(ReadOnlySpan<byte> from)
    {
        if (
            from.Length < Size
            || BinaryPrimitives.ReadUInt32LittleEndian(from[28..]) != ComputeCrc(from)
            || from[0] is < (byte)WitnessRecordKind.Write or > (byte)WitnessRecordKind.Disconnected
        )
            return null;
        return new WitnessRecord(
            (WitnessRecordKind)from[0],
            BinaryPrimitives.ReadUInt16LittleEndian(from[2..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[4..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[12..]),
            BinaryPrimitives.ReadUInt64LittleEndian(from[20..])
        );
    }

    /// <summary>Describes why the record cannot belong to the run of the header; null for a valid record.</summary>
    public string? FindError(WitnessHeader header)
    {
        if (Kind is WitnessRecordKind.End or WitnessRecordKind.Disconnected)
            return null;
        if (Target >= header.Targets.Count)
            return string.Create(
                CultureInfo.InvariantCulture,
                $"it refers to file {Target + 1}, but the header lists {NumberFormat.Pluralize(header.Targets.Count, "file")}"
            );
        if (Kind != WitnessRecordKind.Write)
            return null;
        if (Length is < 1 or > (int)SpecificationValidator.MaxBlockSize)
            return string.Create(CultureInfo.InvariantCulture, $"it describes a write of {Length:#,##0} bytes");
        var size = header.Targets[Target].Size;
        if (Offset < 0 || Offset > size - Length)
            return string.Create(
                CultureInfo.InvariantCulture,
                $"it describes {Length:#,##0} bytes at offset {Offset:#,##0} of a file of {size:#,##0} bytes"
            );
        if (Offset % header.GroupSize != 0 || Length % header.GroupSize != 0)
            return string.Create(
                CultureInfo.InvariantCulture,
                $"it describes {Length:#,##0} bytes at offset {Offset:#,##0}, which are not multiples of {header.GroupSize:#,##0}"
            );
        return null;
    }

    private static uint ComputeCrc(ReadOnlySpan<byte> record)
    {
        var crc = uint.MaxValue;
        for (var at = 0; at < 28; at += sizeof(uint))
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt32LittleEndian(record[at..]));
        return ~crc;
    }
}
