using System.Buffers.Binary;
using System.Numerics;

namespace IoBench.Engine.Integrity.Witnesses;

/// <summary>What a witness receives.</summary>
internal enum WitnessKind : byte
{
    /// <summary>A write was acknowledged.</summary>
    Write = 1,

    /// <summary>A thread is about to start a flush: it covers the writes whose records stand before this one.</summary>
    FlushBegun = 2,

    /// <summary>The oldest flush of the thread that had begun was acknowledged.</summary>
    FlushDone = 3,

    /// <summary>The run ended by itself; nothing follows.</summary>
    End = 4,
}

/// <summary>A line of a witness.</summary>
/// <param name="Kind">What happened.</param>
/// <param name="Target">Number of the target.</param>
/// <param name="Thread">Number of the thread.</param>
/// <param name="Length">Of a write: bytes.</param>
/// <param name="Offset">Of a write: offset in bytes.</param>
/// <param name="Number">Of a write: its number.</param>
internal readonly record struct WitnessRecord(WitnessKind Kind, ushort Target, ushort Thread, int Length, long Offset, ulong Number)
{
    /// <summary>Bytes of a record.</summary>
    public const int Size = 32;

    /// <summary>Writes it; little endian, with a CRC32C at the end, so that one that was cut off is known.</summary>
    public void WriteTo(Span<byte> to)
    {
        to[..Size].Clear();
        to[0] = (byte)Kind;
        BinaryPrimitives.WriteUInt16LittleEndian(to[2..], Target);
        BinaryPrimitives.WriteUInt16LittleEndian(to[4..], Thread);
        BinaryPrimitives.WriteInt32LittleEndian(to[8..], Length);
        BinaryPrimitives.WriteInt64LittleEndian(to[12..], Offset);
        BinaryPrimitives.WriteUInt64LittleEndian(to[20..], Number);
        BinaryPrimitives.WriteUInt32LittleEndian(to[28..], Crc(to));
    }

    /// <summary>Reads one; null when it is no whole record.</summary>
    public static WitnessRecord? Read(ReadOnlySpan<byte> from)
    {
        if (
            from.Length < Size
            || BinaryPrimitives.ReadUInt32LittleEndian(from[28..]) != Crc(from)
            || from[0] is < (byte)WitnessKind.Write or > (byte)WitnessKind.End
        )
            return null;
        return new WitnessRecord(
            (WitnessKind)from[0],
            BinaryPrimitives.ReadUInt16LittleEndian(from[2..]),
            BinaryPrimitives.ReadUInt16LittleEndian(from[4..]),
            BinaryPrimitives.ReadInt32LittleEndian(from[8..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[12..]),
            BinaryPrimitives.ReadUInt64LittleEndian(from[20..])
        );
    }

    private static uint Crc(ReadOnlySpan<byte> record)
    {
        var crc = uint.MaxValue;
        for (var at = 0; at < 28; at += sizeof(uint))
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt32LittleEndian(record[at..]));
        return ~crc;
    }
}
