using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;

namespace IoBench.Engine;

/// <summary>How long a side of a replica waits for the other.</summary>
internal sealed record ReplicaTimeouts
{
    public TimeSpan Connect { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For the proof of the secret, from the connection on.</summary>
    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>For each frame. SQL Server also ends a session after 10 s without a response by default, but a disk can stall for
    /// longer.</summary>
    public TimeSpan Frame { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Between signs of life of a session.</summary>
    public TimeSpan Alive { get; init; } = TimeSpan.FromSeconds(5);
}

/// <summary>
/// Connection between a test and its replica after both have proved that they know the secret. All calls block, because asynchronous calls
/// add the latency of a thread switch. Disposing ends the calls of other threads.
/// </summary>
internal sealed class ReplicaChannel : IDisposable
{
    private const int NonceBytes = 32;

    private readonly Stream _stream;
    private readonly byte[] _sendKey;
    private readonly byte[] _receiveKey;
    private readonly TimeSpan _timeout;
    private byte[] _received = new byte[ReplicaFrame.GetSize(ReplicaFrame.MaxControlPayload)];

    // Bytes in the buffer, and bytes of the last received frame at its start.
    private int _length;
    private int _frame;
    private ulong _sentFrames;
    private ulong _receivedFrames;

    /// <param name="timeout">For a frame of which a part has arrived. For the first part, the time is that of the stream.</param>
    internal ReplicaChannel(Stream stream, byte[] sendKey, byte[] receiveKey, TimeSpan timeout)
    {
        _stream = stream;
        _sendKey = sendKey;
        _receiveKey = receiveKey;
        _timeout = timeout;
    }

    // Version of the protocol. Another version has another text of the same length.
    private static ReadOnlySpan<byte> Greeting => "IoBench replica1"u8;

    /// <summary>Time at which the last part of the last received frame arrived, in nanoseconds.</summary>
    public long ReceivedAt { get; private set; }

    /// <summary>Payload of the last received frame. The next call of <see cref="Receive"/> overwrites it.</summary>
    public ReadOnlySpan<byte> Payload => _received.AsSpan(ReplicaFrame.HeaderBytes, _frame - ReplicaFrame.GetSize(0));

    /// <summary>Identifies the replica, and this side to the replica.</summary>
    /// <returns>The channel; null if the replica has another secret.</returns>
    /// <exception cref="IOException">The connection was lost, or the peer is not a replica.</exception>
    public static ReplicaChannel? Identify(Socket socket, ReplicaSecret secret, ReplicaTimeouts timeouts)
    {
        var stream = Prepare(socket, timeouts);
        var end = Clock.Now + Clock.ToNanoseconds(timeouts.Handshake);
        var greeting = new byte[Greeting.Length + NonceBytes];
        ReadAll(stream, greeting, end);
        if (!greeting.AsSpan(0, Greeting.Length).SequenceEqual(Greeting))
            throw new ReplicaProtocolException("it is not an iobench replica of this version");
        var own = CryptoLibrary.GetRandomBytes(NonceBytes);
        byte[] nonces = [.. greeting.AsSpan(Greeting.Length), .. own];
        stream.Write([.. own, .. secret.Sign("test", nonces)]);
        var proof = new byte[ReplicaFrame.SignatureBytes];
        try
        {
            ReadAll(stream, proof, end);
        }
        catch (EndOfStreamException)
        {
            // The replica closes the connection of a client with another secret.
            return null;
        }
        if (!CryptographicOperations.FixedTimeEquals(proof, secret.Sign("replica", nonces)))
            return null;
        return Create(stream, secret, nonces, isReplica: false, timeouts);
    }

    /// <summary>Identifies a client that connected to a replica.</summary>
    /// <returns>The channel; null if the client does not know the secret.</returns>
    /// <exception cref="IOException">The connection was lost, or the client did not answer in time.</exception>
    public static ReplicaChannel? IdentifyClient(Socket socket, ReplicaSecret secret, ReplicaTimeouts timeouts)
    {
        var stream = Prepare(socket, timeouts);
        var end = Clock.Now + Clock.ToNanoseconds(timeouts.Handshake);
        var own = CryptoLibrary.GetRandomBytes(NonceBytes);
        stream.Write([.. Greeting, .. own]);
        var answer = new byte[NonceBytes + ReplicaFrame.SignatureBytes];
        ReadAll(stream, answer, end);
        byte[] nonces = [.. own, .. answer.AsSpan(0, NonceBytes)];
        if (!CryptographicOperations.FixedTimeEquals(answer.AsSpan(NonceBytes), secret.Sign("test", nonces)))
            return null;
        stream.Write(secret.Sign("replica", nonces));
        return Create(stream, secret, nonces, isReplica: true, timeouts);
    }

    public void Send(ReplicaFrameKind kind, ReadOnlySpan<byte> payload)
    {
        var frame = new byte[ReplicaFrame.GetSize(payload.Length)];
        payload.CopyTo(frame.AsSpan(ReplicaFrame.HeaderBytes));
        Seal(frame, kind);
        Send(frame);
    }

    /// <summary>Signs the next frame to send. Its payload is in its place already.</summary>
    public void Seal(byte[] frame, ReplicaFrameKind kind) => ReplicaFrame.Seal(frame, kind, _sentFrames++, _sendKey);

    /// <param name="frame">A frame that <see cref="Seal"/> signed, in the order of signing.</param>
    public void Send(byte[] frame) => _stream.Write(frame);

    /// <summary>Provides memory for frames of this payload.</summary>
    public void Reserve(int payload)
    {
        if (ReplicaFrame.GetSize(payload) > _received.Length)
            Array.Resize(ref _received, ReplicaFrame.GetSize(payload));
    }

    /// <summary>Waits for the next frame.</summary>
    /// <param name="maxPayload">Largest payload that is accepted; at most the reserved size.</param>
    /// <exception cref="IOException">The connection was lost, nothing arrived in time, or the peer sent anything but the next
    /// frame.</exception>
    public ReplicaFrameKind Receive(int maxPayload = ReplicaFrame.MaxControlPayload)
    {
        // The start of the next frame can have arrived with the last frame.
        _received.AsSpan(_frame, _length - _frame).CopyTo(_received);
        _length -= _frame;
        _frame = 0;
        var end = long.MaxValue;
        while (_length < ReplicaFrame.HeaderBytes)
            ReadPart(ref end);
        var (kind, payload) = ReplicaFrame.ParseHeader(
            _received.AsSpan(0, ReplicaFrame.HeaderBytes),
            _receivedFrames,
            Math.Min(maxPayload, _received.Length - ReplicaFrame.GetSize(0))
        );
        var whole = ReplicaFrame.GetSize(payload);
        while (_length < whole)
            ReadPart(ref end);
        ReceivedAt = Clock.Now;
        ReplicaFrame.CheckSignature(_received.AsSpan(0, whole), _receiveKey);
        _receivedFrames++;
        _frame = whole;
        return kind;
    }

    /// <exception cref="IOException">As <see cref="Receive"/>, or the frame is of another kind.</exception>
    public void Expect(ReplicaFrameKind kind)
    {
        var received = Receive();
        if (received == kind)
            return;
        throw received == ReplicaFrameKind.Failure
            ? new ReplicaRefusal(Encoding.UTF8.GetString(Payload))
            : new ReplicaProtocolException("it sent an unexpected frame");
    }

    /// <summary>Why the connection failed, as a clause for users.</summary>
    public static string Describe(Exception error, ReplicaTimeouts timeouts) =>
        error.InnerException is SocketException { SocketErrorCode: SocketError.TimedOut or SocketError.WouldBlock }
            ? FormattableString.Invariant($"no response within {timeouts.Frame.TotalSeconds:0.#} s")
            : FileErrors.GetMessage(error);

    public void Dispose() => _stream.Dispose();

    private static ReplicaChannel Create(Stream stream, ReplicaSecret secret, byte[] nonces, bool isReplica, ReplicaTimeouts timeouts)
    {
        var (test, replica) = (secret.Sign("key of the test", nonces), secret.Sign("key of the replica", nonces));
        if (stream.CanTimeout)
            stream.ReadTimeout = (int)timeouts.Frame.TotalMilliseconds;
        return new(stream, isReplica ? replica : test, isReplica ? test : replica, timeouts.Frame);
    }

    private static NetworkStream Prepare(Socket socket, ReplicaTimeouts timeouts)
    {
        socket.NoDelay = true;
        // A frame is sent at once, so that the local write does not wait for the network.
        socket.SendBufferSize = 2 * ReplicaStream.MaxWriteSize;
        socket.SendTimeout = (int)timeouts.Frame.TotalMilliseconds;
        WitnessServer.EnableKeepAlive(socket.SetSocketOption);
        return new NetworkStream(socket, ownsSocket: true);
    }

    // The timeout of a socket applies to each part, and a slow peer could send one byte at a time.
    private static void ReadAll(NetworkStream stream, Span<byte> bytes, long end)
    {
        while (bytes.Length > 0)
        {
            stream.ReadTimeout = (int)Math.Max(1, (end - Clock.Now) / 1_000_000);
            var count = stream.Read(bytes);
            if (count == 0)
                throw new EndOfStreamException("it closed the connection");
            bytes = bytes[count..];
            if (bytes.Length > 0 && Clock.Now >= end)
                throw new IOException("it did not respond in time");
        }
    }

    private void ReadPart(ref long end)
    {
        var count = _stream.Read(_received.AsSpan(_length));
        if (count == 0)
            throw new EndOfStreamException("it closed the connection");
        _length += count;
        if (end == long.MaxValue)
            end = Clock.Now + Clock.ToNanoseconds(_timeout);
        else if (Clock.Now > end)
            throw new IOException("it did not send a whole frame in time");
    }
}

/// <summary>The replica answered that it cannot do what was requested.</summary>
internal sealed class ReplicaRefusal(string reason) : IOException(reason);
