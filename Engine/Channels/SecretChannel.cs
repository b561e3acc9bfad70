using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;

namespace IoBench.Engine;

/// <summary>How long a side of a channel waits for the other.</summary>
internal sealed record ChannelSettings
{
    public TimeSpan Connect { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For the proof of the secret, from the connection on.</summary>
    public TimeSpan Handshake { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>For each frame. SQL Server also ends a session after 10 s without a response by default, but a disk can stall for
    /// longer.</summary>
    public TimeSpan Frame { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Between signs of life of a session.</summary>
    public TimeSpan Alive { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>For tests: called within the measured time of each write of a replica.</summary>
    public Action? OnWrite { get; init; }

    /// <summary>For tests: receives the port of a replica.</summary>
    public Action<int>? OnListening { get; init; }
}

/// <summary>
/// Connection between a client and its server (a replica, a witness) after both have proved that they know the secret. All calls block,
/// because asynchronous calls add the latency of a thread switch. Disposing ends the calls of other threads.
/// </summary>
internal sealed partial class SecretChannel : IDisposable
{
    private const int NonceBytes = 32;

    private readonly Stream _stream;
    private readonly byte[] _sendKey;
    private readonly byte[] _receiveKey;
    private readonly TimeSpan _timeout;
    private byte[] _sent = [];
    private byte[] _received = new byte[GetFrameSize(MaxControlPayload)];

    // Bytes in the buffer, and bytes of the last received frame at its start.
    private int _length;
    private int _frame;
    private ulong _sentFrames;
    private ulong _receivedFrames;

    /// <param name="timeout">For a frame of which a part has arrived. For the first part, the time is that of the stream.</param>
    internal SecretChannel(Stream stream, byte[] sendKey, byte[] receiveKey, TimeSpan timeout)
    {
        _stream = stream;
        _sendKey = sendKey;
        _receiveKey = receiveKey;
        _timeout = timeout;
    }

    /// <summary>Time at which the last part of the last received frame arrived, in nanoseconds.</summary>
    public long ReceivedAt { get; private set; }

    /// <summary>Payload of the last received frame. The next call of <see cref="Receive"/> overwrites it.</summary>
    public ReadOnlySpan<byte> Payload => _received.AsSpan(HeaderBytes, _frame - GetFrameSize(0));

    /// <summary>Whether a part of a frame has arrived.</summary>
    public bool HasData => _length > _frame || _stream is NetworkStream { DataAvailable: true };

    /// <summary>Connects to a server, and identifies both sides.</summary>
    /// <param name="service">Name and version of the protocol, of 8 letters, such as <c>replica1</c>.</param>
    /// <returns>The channel; null if the server has another secret.</returns>
    /// <exception cref="IOException">Why the server cannot be reached, as a clause for users.</exception>
    public static SecretChannel? Open(
        string host,
        int port,
        string service,
        SharedSecret secret,
        ChannelSettings timeouts,
        CancellationToken token,
        out bool isLoopback
    )
    {
        isLoopback = false;
        Socket? socket = null;
        // Only disposal ends a blocking call.
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(token);
        patience.CancelAfter(timeouts.Connect);
        try
        {
            socket = Connect(host, port, patience.Token);
            isLoopback = socket.RemoteEndPoint is IPEndPoint { Address: var address } && IPAddress.IsLoopback(address);
            using var end = patience.Token.Register(socket.Dispose);
            var channel = Identify(socket, service, secret, timeouts);
            token.ThrowIfCancellationRequested();
            if (channel is null)
                socket.Dispose();
            return channel;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            socket?.Dispose();
            token.ThrowIfCancellationRequested();
            throw new IOException(
                patience.IsCancellationRequested
                    ? FormattableString.Invariant($"no response within {timeouts.Connect.TotalSeconds:0.#} s")
                    : Describe(e, timeouts),
                e
            );
        }
    }

    /// <summary>Identifies the server, and this side to the server.</summary>
    /// <returns>The channel; null if the server has another secret.</returns>
    /// <exception cref="IOException">The connection was lost, or the peer is not such a server.</exception>
    public static SecretChannel? Identify(Socket socket, string service, SharedSecret secret, ChannelSettings timeouts)
    {
        var expected = GetGreeting(service);
        var stream = Prepare(socket, timeouts);
        var end = Clock.Now + Clock.ToNanoseconds(timeouts.Handshake);
        var greeting = new byte[expected.Length + NonceBytes];
        ReadAll(stream, greeting, end);
        if (!greeting.AsSpan(0, expected.Length).SequenceEqual(expected))
            throw new IOException($"the remote host does not run iobench {service[..^1]}, or runs a different version of IoBench");
        var own = CryptoLibrary.GetRandomBytes(NonceBytes);
        byte[] nonces = [.. greeting.AsSpan(expected.Length), .. own];
        stream.Write([.. own, .. secret.Sign("test", nonces)]);
        var proof = new byte[SignatureBytes];
        try
        {
            ReadAll(stream, proof, end);
        }
        catch (EndOfStreamException)
        {
            // The server closes the connection of a client with another secret.
            return null;
        }
        if (!CryptographicOperations.FixedTimeEquals(proof, secret.Sign("replica", nonces)))
            return null;
        return Create(stream, secret, nonces, isServer: false, timeouts);
    }

    /// <summary>Identifies a client that connected to a server.</summary>
    /// <returns>The channel; null if the client does not know the secret.</returns>
    /// <exception cref="IOException">The connection was lost, or the client did not answer in time.</exception>
    public static SecretChannel? IdentifyClient(Socket socket, string service, SharedSecret secret, ChannelSettings timeouts)
    {
        var stream = Prepare(socket, timeouts);
        var end = Clock.Now + Clock.ToNanoseconds(timeouts.Handshake);
        var own = CryptoLibrary.GetRandomBytes(NonceBytes);
        stream.Write([.. GetGreeting(service), .. own]);
        var answer = new byte[NonceBytes + SignatureBytes];
        ReadAll(stream, answer, end);
        byte[] nonces = [.. own, .. answer.AsSpan(0, NonceBytes)];
        if (!CryptographicOperations.FixedTimeEquals(answer.AsSpan(NonceBytes), secret.Sign("test", nonces)))
            return null;
        stream.Write(secret.Sign("replica", nonces));
        return Create(stream, secret, nonces, isServer: true, timeouts);
    }

    public void Send(ChannelFrameKind kind, ReadOnlySpan<byte> payload)
    {
        var size = GetFrameSize(payload.Length);
        if (_sent.Length < size)
            _sent = new byte[size];
        payload.CopyTo(_sent.AsSpan(HeaderBytes));
        SealFrame(_sent.AsSpan(0, size), kind, _sentFrames++, _sendKey);
        _stream.Write(_sent, 0, size);
    }

    /// <summary>Signs the next frame to send. Its payload is in its place already.</summary>
    public void Seal(byte[] frame, ChannelFrameKind kind) => SealFrame(frame, kind, _sentFrames++, _sendKey);

    /// <param name="frame">A frame that <see cref="Seal"/> signed, in the order of signing.</param>
    public void Send(byte[] frame) => _stream.Write(frame);

    /// <summary>Provides memory for frames of this payload.</summary>
    public void Reserve(int payload)
    {
        if (GetFrameSize(payload) > _received.Length)
            Array.Resize(ref _received, GetFrameSize(payload));
    }

    /// <summary>Waits for the first part of each next frame without a limit.</summary>
    public void WaitWithoutLimit() => _stream.ReadTimeout = Timeout.Infinite;

    /// <summary>Waits for the next frame.</summary>
    /// <param name="maxPayload">Largest payload that is accepted; at most the reserved size.</param>
    /// <exception cref="IOException">The connection was lost, nothing arrived in time, or the peer sent anything but the next
    /// frame.</exception>
    public ChannelFrameKind Receive(int maxPayload = MaxControlPayload)
    {
        // The start of the next frame can have arrived with the last frame.
        _received.AsSpan(_frame, _length - _frame).CopyTo(_received);
        _length -= _frame;
        _frame = 0;
        var end = long.MaxValue;
        while (_length < HeaderBytes)
            ReadPart(ref end);
        var (kind, payload) = ParseHeader(
            _received.AsSpan(0, HeaderBytes),
            _receivedFrames,
            Math.Min(maxPayload, _received.Length - GetFrameSize(0))
        );
        var whole = GetFrameSize(payload);
        while (_length < whole)
            ReadPart(ref end);
        ReceivedAt = Clock.Now;
        CheckSignature(_received.AsSpan(0, whole), _receiveKey);
        _receivedFrames++;
        _frame = whole;
        return kind;
    }

    /// <exception cref="IOException">As <see cref="Receive"/>, or the frame is of another kind.</exception>
    public void Expect(ChannelFrameKind kind)
    {
        var received = Receive();
        if (received == kind)
            return;
        throw received == ChannelFrameKind.Failure
            ? new ChannelRefusal(Encoding.UTF8.GetString(Payload))
            : new IOException("the remote host sent an unexpected message");
    }

    /// <summary>Why the connection failed, as a clause for users.</summary>
    public static string Describe(Exception error, ChannelSettings timeouts) =>
        error.InnerException is SocketException { SocketErrorCode: SocketError.TimedOut or SocketError.WouldBlock }
            ? FormattableString.Invariant($"no response within {timeouts.Frame.TotalSeconds:0.#} s")
            : FileErrors.GetMessage(error);

    public void Dispose() => _stream.Dispose();

    private static SecretChannel Create(Stream stream, SharedSecret secret, byte[] nonces, bool isServer, ChannelSettings timeouts)
    {
        var (test, replica) = (secret.Sign("key of the test", nonces), secret.Sign("key of the replica", nonces));
        if (stream.CanTimeout)
            stream.ReadTimeout = (int)timeouts.Frame.TotalMilliseconds;
        return new(stream, isServer ? replica : test, isServer ? test : replica, timeouts.Frame);
    }

    private static NetworkStream Prepare(Socket socket, ChannelSettings timeouts)
    {
        socket.NoDelay = true;
        // A frame is sent at once, so that the local write does not wait for the network.
        socket.SendBufferSize = 2 * ReplicaStream.MaxWriteSize;
        socket.SendTimeout = (int)timeouts.Frame.TotalMilliseconds;
        EnableKeepAlive(socket.SetSocketOption);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static Socket Connect(string host, int port, CancellationToken token)
    {
        SocketException? failure = null;
        foreach (var address in Dns.GetHostAddresses(host))
        {
            var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            using var end = token.Register(socket.Dispose);
            try
            {
                socket.Connect(new IPEndPoint(address, port));
                return socket;
            }
            catch (SocketException e)
            {
                socket.Dispose();
                failure = e;
            }
        }
        throw failure ?? new SocketException((int)SocketError.HostNotFound);
    }

    /// <summary>
    /// Detects the dead connection of a host without power, which sends nothing. Windows supports the retry count since version 1703; older
    /// versions always send ten probes.
    /// </summary>
    internal static void EnableKeepAlive(Action<SocketOptionLevel, SocketOptionName, int> set)
    {
        set(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, 1);
        set(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, 10);
        set(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, 5);
        try
        {
            set(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, 3);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ProtocolOption)
        {
            // The system's own retry count applies: a dead connection is detected after a minute instead of 25 s.
        }
    }

    // A server of another protocol or version has another text of the same length.
    private static byte[] GetGreeting(string service) => Encoding.ASCII.GetBytes("IoBench " + service);

    // The timeout of a socket applies to each part, and a slow peer could send one byte at a time.
    private static void ReadAll(NetworkStream stream, Span<byte> bytes, long end)
    {
        while (bytes.Length > 0)
        {
            stream.ReadTimeout = (int)Math.Max(1, (end - Clock.Now) / 1_000_000);
            var count = stream.Read(bytes);
            if (count == 0)
                throw new EndOfStreamException("the remote host closed the connection");
            bytes = bytes[count..];
            if (bytes.Length > 0 && Clock.Now >= end)
                throw new IOException("the remote host did not respond in time");
        }
    }

    private void ReadPart(ref long end)
    {
        var count = _stream.Read(_received.AsSpan(_length));
        if (count == 0)
            throw new EndOfStreamException("the remote host closed the connection");
        _length += count;
        if (end == long.MaxValue)
            end = Clock.Now + Clock.ToNanoseconds(_timeout);
        else if (Clock.Now > end)
            throw new IOException("the remote host did not send a whole message in time");
    }
}

/// <summary>The server answered that it cannot do what was requested.</summary>
internal sealed class ChannelRefusal(string reason) : IOException(reason);
