using System.Net;
using System.Net.Sockets;

namespace IoBench.Engine;

/// <summary>Session of a commit test with its replica. Only one test at a time can use a replica.</summary>
public sealed class ReplicaClient : IDisposable
{
    private readonly ReplicaSecret _secret;
    private readonly ReplicaTimeouts _timeouts;
    private readonly ReplicaChannel _channel;
    private readonly Guid _session;
    private readonly Timer _alive;

    private ReplicaClient(ReplicaEndpoint endpoint, ReplicaSecret secret, ReplicaTimeouts timeouts, ReplicaChannel channel)
    {
        Endpoint = endpoint;
        _secret = secret;
        _timeouts = timeouts;
        _channel = channel;
        _session = new Guid(CryptoLibrary.GetRandomBytes(16));
        channel.Send(ReplicaFrameKind.Session, _session.ToByteArray());
        channel.Expect(ReplicaFrameKind.Facts);
        Replica = ReplicaFacts.Parse(channel.Payload);
        _alive = new Timer(_ => SendAlive());
        _alive.Change(timeouts.Alive, timeouts.Alive);
    }

    public ReplicaEndpoint Endpoint { get; }

    public ReplicaFacts Replica { get; }

    /// <summary>Whether the replica is on this computer, so that the network is not measured.</summary>
    public bool IsLocal { get; private init; }

    /// <exception cref="IoBenchException"><c>IoBench.ReplicaUnreachable</c>, <c>IoBench.ReplicaRefused</c>.</exception>
    public static ReplicaClient Open(ReplicaEndpoint endpoint, ReplicaSecret secret, CancellationToken token) =>
        Open(endpoint, secret, new ReplicaTimeouts(), token);

    internal static ReplicaClient Open(ReplicaEndpoint endpoint, ReplicaSecret secret, ReplicaTimeouts timeouts, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(secret);
        var channel = Connect(endpoint, secret, timeouts, token, out var isLoopback);
        try
        {
            using (token.Register(channel.Dispose))
                return new ReplicaClient(endpoint, secret, timeouts, channel) { IsLocal = isLoopback };
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            channel.Dispose();
            token.ThrowIfCancellationRequested();
            throw CreateError(endpoint, e, timeouts);
        }
    }

    /// <summary>Opens the connection of a committer.</summary>
    /// <exception cref="IoBenchException">The replica cannot be reached, or refuses the committer.</exception>
    internal ReplicaChannel OpenStream(CommitCase what, CancellationToken token)
    {
        var channel = Connect(Endpoint, _secret, _timeouts, token, out _);
        try
        {
            using var end = token.Register(channel.Dispose);
            channel.Send(ReplicaFrameKind.Begin, new ReplicaStream(_session, what.Method, what.WriteSize, what.HasRedo).ToBytes());
            channel.Expect(ReplicaFrameKind.Ready);
            return channel;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            channel.Dispose();
            token.ThrowIfCancellationRequested();
            throw CreateError(e);
        }
    }

    internal IoBenchException CreateError(Exception error) => CreateError(Endpoint, error, _timeouts);

    public void Dispose()
    {
        using (var stopped = new ManualResetEvent(false))
            if (_alive.Dispose(stopped))
                stopped.WaitOne();
        try
        {
            _channel.Send(ReplicaFrameKind.End, []);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // The replica notices the closed connection.
        }
        _channel.Dispose();
    }

    private void SendAlive()
    {
        // If the last one still waits for the network, another one helps nothing.
        if (!Monitor.TryEnter(_alive))
            return;
        try
        {
            _channel.Send(ReplicaFrameKind.Alive, []);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // The next round reports it.
        }
        finally
        {
            Monitor.Exit(_alive);
        }
    }

    private static ReplicaChannel Connect(
        ReplicaEndpoint endpoint,
        ReplicaSecret secret,
        ReplicaTimeouts timeouts,
        CancellationToken token,
        out bool isLoopback
    )
    {
        Socket? socket = null;
        // Only disposal ends a blocking call.
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(token);
        patience.CancelAfter(timeouts.Connect);
        try
        {
            socket = OpenSocket(endpoint, patience.Token);
            isLoopback = socket.RemoteEndPoint is IPEndPoint { Address: var address } && IPAddress.IsLoopback(address);
            using var end = patience.Token.Register(socket.Dispose);
            var channel = ReplicaChannel.Identify(socket, secret, timeouts);
            token.ThrowIfCancellationRequested();
            if (channel is not null)
                return channel;
            socket.Dispose();
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            socket?.Dispose();
            token.ThrowIfCancellationRequested();
            throw IoBenchException.Failure(
                "IoBench.ReplicaUnreachable",
                $"IoBench cannot reach the replica {endpoint}: {(patience.IsCancellationRequested ? FormattableString.Invariant($"no response within {timeouts.Connect.TotalSeconds:0.#} s") : ReplicaChannel.Describe(e, timeouts))}.",
                null,
                e,
                "Start iobench replica on that host, and check that the port is open."
            );
        }
        throw IoBenchException.Failure(
            "IoBench.ReplicaRefused",
            $"The replica {endpoint} refused the connection, because the secrets differ.",
            advice: "Use the same secret on both computers."
        );
    }

    private static Socket OpenSocket(ReplicaEndpoint endpoint, CancellationToken token)
    {
        SocketException? failure = null;
        foreach (var address in Dns.GetHostAddresses(endpoint.Host))
        {
            var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            using var end = token.Register(socket.Dispose);
            try
            {
                socket.Connect(new IPEndPoint(address, endpoint.Port));
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

    private static IoBenchException CreateError(ReplicaEndpoint endpoint, Exception error, ReplicaTimeouts timeouts) =>
        error is ReplicaRefusal
            ? IoBenchException.Failure(
                "IoBench.ReplicaFailed",
                $"The replica {endpoint} failed: {error.Message}.",
                null,
                error,
                "Correct the cause on the replica, and repeat the test."
            )
            : IoBenchException.Failure(
                "IoBench.ReplicaLost",
                $"The connection to the replica {endpoint} was lost: {ReplicaChannel.Describe(error, timeouts)}.",
                null,
                error,
                "Check that iobench replica still runs and that the network works, and repeat the test."
            );
}
