using System.Buffers.Binary;
using System.Security.Cryptography;

namespace IoBench.Engine;

internal enum ReplicaFrameKind : byte
{
    /// <summary>Test: begins a session. Payload: id of the session.</summary>
    Session = 1,

    /// <summary>Replica: accepts the session. Payload: <see cref="ReplicaFacts"/>.</summary>
    Facts,

    /// <summary>Test: the session still exists.</summary>
    Alive,

    /// <summary>Test: begins a connection of a committer. Payload: <see cref="ReplicaStream"/>.</summary>
    Begin,

    /// <summary>Replica: accepts the committer.</summary>
    Ready,

    /// <summary>Test: a log record, with the bytes that SQL Server would send.</summary>
    Write,

    /// <summary>Replica: the record is on stable storage. Payload: <see cref="ReplicaAcknowledgement"/>.</summary>
    Acknowledgement,

    /// <summary>Test: the connection ends as planned.</summary>
    End,

    /// <summary>Replica: refuses the connection, or cannot write. Payload: the reason in UTF-8.</summary>
    Failure,
}

/// <summary>The peer does not speak the protocol: no frame, a frame of another size, order, or secret.</summary>
internal sealed class ReplicaProtocolException(string message) : IOException(message);

/// <summary>
/// A frame is a header, a payload, and the HMAC-SHA256 of both. The header is the magic number, the kind, the length of the payload (32 bits
/// each), and the sequence number (64 bits), in little-endian order. Each direction has its own key and counts from 0, so a frame that is
/// repeated, omitted, reflected, or from another connection is refused.
/// </summary>
internal static class ReplicaFrame
{
    public const int HeaderBytes = 20;
    public const int SignatureBytes = 32;
    private const uint Magic = 0x52424F49;

    /// <summary>Largest payload of all frames except <see cref="ReplicaFrameKind.Write"/>.</summary>
    public const int MaxControlPayload = 4096;

    public static int GetSize(int payload) => HeaderBytes + payload + SignatureBytes;

    /// <summary>Writes a frame around the payload, which is in its place already.</summary>
    public static void Seal(Span<byte> frame, ReplicaFrameKind kind, ulong sequence, ReadOnlySpan<byte> key)
    {
        var payload = frame.Length - HeaderBytes - SignatureBytes;
        BinaryPrimitives.WriteUInt32LittleEndian(frame, Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(frame[4..], (byte)kind);
        BinaryPrimitives.WriteInt32LittleEndian(frame[8..], payload);
        BinaryPrimitives.WriteUInt64LittleEndian(frame[12..], sequence);
        HMACSHA256.HashData(key, frame[..^SignatureBytes], frame[^SignatureBytes..]);
    }

    /// <summary>Returns the kind and the payload's length of a header, before the payload is read.</summary>
    /// <param name="maxPayload">Largest payload that the reader has memory for.</param>
    /// <exception cref="ReplicaProtocolException">It is not the header of the next frame.</exception>
    public static (ReplicaFrameKind Kind, int Payload) ParseHeader(ReadOnlySpan<byte> header, ulong sequence, int maxPayload)
    {
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != Magic)
            throw new ReplicaProtocolException("it sent something other than a frame");
        var kind = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        if (kind is < (byte)ReplicaFrameKind.Session or > (byte)ReplicaFrameKind.Failure)
            throw new ReplicaProtocolException("it sent a frame of an unknown kind");
        var payload = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]);
        if (payload > maxPayload)
            throw new ReplicaProtocolException("it sent a frame that is too large");
        if (BinaryPrimitives.ReadUInt64LittleEndian(header[12..]) != sequence)
            throw new ReplicaProtocolException("it sent a frame out of order");
        return ((ReplicaFrameKind)kind, (int)payload);
    }

    /// <exception cref="ReplicaProtocolException">The frame was not signed with the key.</exception>
    public static void CheckSignature(ReadOnlySpan<byte> frame, ReadOnlySpan<byte> key)
    {
        Span<byte> signature = stackalloc byte[SignatureBytes];
        HMACSHA256.HashData(key, frame[..^SignatureBytes], signature);
        if (!CryptographicOperations.FixedTimeEquals(signature, frame[^SignatureBytes..]))
            throw new ReplicaProtocolException("it sent a frame that is not signed with the secret");
    }
}

/// <param name="Disk">Time from the start of the replica's write until it was on stable storage, in nanoseconds.</param>
/// <param name="Overhead">Time between the arrival of the frame and the start of the write, in which IoBench checked the
/// signature.</param>
internal readonly record struct ReplicaAcknowledgement(long Disk, long Overhead)
{
    public const int Size = 16;

    public void WriteTo(Span<byte> payload)
    {
        BinaryPrimitives.WriteInt64LittleEndian(payload, Disk);
        BinaryPrimitives.WriteInt64LittleEndian(payload[8..], Overhead);
    }

    /// <exception cref="ReplicaProtocolException">A time is negative, or the payload has another size.</exception>
    public static ReplicaAcknowledgement Parse(ReadOnlySpan<byte> payload)
    {
        if (payload.Length != Size)
            throw new ReplicaProtocolException("it sent an acknowledgement of another size");
        var (disk, overhead) = (BinaryPrimitives.ReadInt64LittleEndian(payload), BinaryPrimitives.ReadInt64LittleEndian(payload[8..]));
        return disk >= 0 && overhead >= 0
            ? new(disk, overhead)
            : throw new ReplicaProtocolException("it sent an acknowledgement with a negative time");
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

    /// <exception cref="ReplicaProtocolException">The payload has another size, or a value is out of range.</exception>
    public static ReplicaStream Parse(ReadOnlySpan<byte> payload)
    {
        if (payload.Length != Size)
            throw new ReplicaProtocolException("it began a committer with another size");
        var method = (CommitMethod)payload[16];
        var size = BinaryPrimitives.ReadInt32LittleEndian(payload[20..]);
        return Enum.IsDefined(method) && payload[17] <= 1 && size is >= 512 and <= MaxWriteSize && size % 512 == 0
            ? new(new Guid(payload[..16]), method, size, payload[17] == 1)
            : throw new ReplicaProtocolException("it began a committer with invalid values");
    }

    public const int MaxWriteSize = 1 << 20;
}
