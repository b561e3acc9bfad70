using System.Buffers.Binary;
using System.Security.Cryptography;

namespace IoBench.Engine;

internal enum ChannelFrameKind : byte
{
    /// <summary>Commit test: begins a session. Payload: id of the session.</summary>
    Session = 1,

    /// <summary>Replica: accepts the session. Payload: <see cref="ReplicaFacts"/>.</summary>
    Facts,

    /// <summary>Test: the session still exists.</summary>
    Alive,

    /// <summary>Commit test: begins a connection of a committer. Payload: <see cref="ReplicaStream"/>. Run: payload is the <see
    /// cref="WitnessHeader"/>.</summary>
    Begin,

    /// <summary>Replica: accepts the committer.</summary>
    Ready,

    /// <summary>Commit test: a log record, with the bytes that SQL Server would send. Run: several <see cref="WitnessRecord"/>.</summary>
    Write,

    /// <summary>Replica: the record is on stable storage. Payload: <see cref="ReplicaAcknowledgment"/>. Witness: all records are. Payload:
    /// their number.</summary>
    Acknowledgment,

    /// <summary>Test: the connection ends as planned.</summary>
    End,

    /// <summary>Server: refuses the connection, or cannot write. Payload: the reason in UTF-8.</summary>
    Failure,
}

// A frame is a header, a payload, and the HMAC-SHA256 of both. The header is the magic number, the kind, the length of the payload (32
// bits each), and the sequence number (64 bits), in little-endian order. Each direction has its own key and counts from 0, so a frame
// that is repeated, omitted, reflected, or from another connection is refused.
internal sealed partial class SecretChannel
{
    public const int HeaderBytes = 20;
    public const int SignatureBytes = 32;
    private const uint Magic = 0x52424F49;

    /// <summary>Largest payload of all frames except <see cref="ChannelFrameKind.Write"/>.</summary>
    public const int MaxControlPayload = 4096;

    public static int GetFrameSize(int payload) => HeaderBytes + payload + SignatureBytes;

    /// <summary>Writes a frame around the payload, which is in its place already.</summary>
    internal static void SealFrame(Span<byte> frame, ChannelFrameKind kind, ulong sequence, ReadOnlySpan<byte> key)
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
    /// <exception cref="IOException">It is not the header of the next frame.</exception>
    public static (ChannelFrameKind Kind, int Payload) ParseHeader(ReadOnlySpan<byte> header, ulong sequence, int maxPayload)
    {
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != Magic)
            throw new IOException("the remote host sent data that is not a valid message");
        var kind = BinaryPrimitives.ReadUInt32LittleEndian(header[4..]);
        if (kind is < (byte)ChannelFrameKind.Session or > (byte)ChannelFrameKind.Failure)
            throw new IOException("the remote host sent a message of an unknown kind");
        var payload = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]);
        if (payload > maxPayload)
            throw new IOException("the remote host sent a message that is too large");
        if (BinaryPrimitives.ReadUInt64LittleEndian(header[12..]) != sequence)
            throw new IOException("the remote host sent its messages in the wrong order");
        return ((ChannelFrameKind)kind, (int)payload);
    }

    /// <exception cref="IOException">The frame was not signed with the key.</exception>
    public static void CheckSignature(ReadOnlySpan<byte> frame, ReadOnlySpan<byte> key)
    {
        Span<byte> signature = stackalloc byte[SignatureBytes];
        HMACSHA256.HashData(key, frame[..^SignatureBytes], signature);
        if (!CryptographicOperations.FixedTimeEquals(signature, frame[^SignatureBytes..]))
            throw new IOException("the remote host sent a message that is not signed with the secret");
    }
}
