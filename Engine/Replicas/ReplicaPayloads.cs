using System.Buffers.Binary;

namespace IoBench.Engine;

/// <param name="Disk">Time from the start of the replica's write until it was on stable storage, in nanoseconds.</param>
/// <param name="Overhead">Time between the arrival of the frame and the start of the write, in which IoBench checked the
/// signature.</param>
internal readonly record struct ReplicaAcknowledgment(long Disk, long Overhead)
{
    public const int Size = 16;

    public void WriteTo(Span<byte> payload)
    {
        BinaryPrimitives.WriteInt64LittleEndian(payload, Disk);
        BinaryPrimitives.WriteInt64LittleEndian(payload[8..], Overhead);
    }

    /// <exception cref="IOException">A time is negative, or the payload has another size.</exception>
    public static ReplicaAcknowledgment Parse(ReadOnlySpan<byte> payload)
    {
        if (payload.Length != Size)
            throw new IOException("the replica sent an acknowledgment of the wrong size");
        var (disk, overhead) = (BinaryPrimitives.ReadInt64LittleEndian(payload), BinaryPrimitives.ReadInt64LittleEndian(payload[8..]));
        return disk >= 0 && overhead >= 0
            ? new(disk, overhead)
            : throw new IOException("the replica sent an acknowledgment with a negative time");
    }
}

/// <summary>What a committer requests of the replica.</summary>
/// <param name="Session">Id of the session; 16 bytes.</param>
/// <param name="HasRedo">Whether the replica writes to data pages meanwhile.</param>
internal readonly record struct ReplicaStream(Guid Session, CommitMethod Method, int WriteSize, bool HasRedo)
{
    public const int Size = 16 + 8;

    public byte[] ToBytes()
    {
        var bytes = new byte[Size];
        Session.TryWriteBytes(bytes);
        bytes[16] = (byte)Method;
        bytes[17] = HasRedo ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(20), WriteSize);
        return bytes;
    }

    /// <exception cref="IOException">The payload has another size, or a value is out of range.</exception>
    public static ReplicaStream Parse(ReadOnlySpan<byte> payload)
    {
        if (payload.Length != Size)
            throw new IOException("the remote host sent a request of the wrong size");
        var method = (CommitMethod)payload[16];
        var size = BinaryPrimitives.ReadInt32LittleEndian(payload[20..]);
        return Enum.IsDefined(method) && payload[17] <= 1 && size is >= 512 and <= MaxWriteSize && size % 512 == 0
            ? new(new Guid(payload[..16]), method, size, payload[17] == 1)
            : throw new IOException("the remote host sent a request with invalid values");
    }

    public const int MaxWriteSize = 1 << 20;
}
