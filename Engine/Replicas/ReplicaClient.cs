using System.Net.Sockets;

namespace IoBench.Engine;

/// <summary>Session of a commit test with its replica. Only one test at a time can use a replica.</summary>
public sealed class ReplicaClient : IDisposable
{
    private readonly SharedSecret _secret;
    private readonly ChannelSettings _timeouts;
    private readonly SecretChannel _channel;
    private readonly Guid _session;
    private readonly Timer _alive;

    private ReplicaClient(ReplicaEndpoint endpoint, SharedSecret secret, ChannelSettings timeouts, SecretChannel channel)
    {
        Endpoint = endpoint;
        _secret = secret;
        _timeouts = timeouts;
        _channel = channel;
        _session = new Guid(CryptoLibrary.GetRandomBytes(16));
        channel.Send(ChannelFrameKind.Session, _session.ToByteArray());
        channel.Expect(ChannelFrameKind.Facts);
        Replica = ReplicaFacts.Parse(channel.Payload);
        _alive = new Timer(_ => SendAlive());
        _alive.Change(timeouts.Alive, timeouts.Alive);
    }

    public ReplicaEndpoint Endpoint { get; }

    public ReplicaFacts Replica { get; }

    /// <summary>Whether the replica is on this computer, so that the network is not measured.</summary>
    public bool IsLocal { get; private init; }

    /// <exception cref="IoBenchException"><c>IoBench.ReplicaUnreachable</c>, <c>IoBench.ReplicaRefused</c>.</exception>
    public static ReplicaClient Open(ReplicaEndpoint endpoint, SharedSecret secret, CancellationToken token) =>
        Open(endpoint, secret, new ChannelSettings(), token);

    internal static ReplicaClient Open(ReplicaEndpoint endpoint, SharedSecret secret, ChannelSettings timeouts, CancellationToken token)
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
    internal SecretChannel OpenStream(CommitCase what, CancellationToken token)
    {
        var channel = Connect(Endpoint, _secret, _timeouts, token, out _);
        try
        {
            using var end = token.Register(channel.Dispose);
            channel.Send(ChannelFrameKind.Begin, new ReplicaStream(_session, what.Method, what.WriteSize, what.HasRedo).ToBytes());
            channel.Expect(ChannelFrameKind.Ready);
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
            _channel.Send(ChannelFrameKind.End, []);
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
            _channel.Send(ChannelFrameKind.Alive, []);
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

    private static SecretChannel Connect(
        ReplicaEndpoint endpoint,
        SharedSecret secret,
        ChannelSettings timeouts,
        CancellationToken token,
        out bool isLoopback
    )
    {
        try
        {
            if (
                SecretChannel.Open(endpoint.Host, endpoint.Port, ReplicaServer.Service, secret, timeouts, token, out isLoopback) is
                { } channel
            )
                return channel;
        }
        catch (IOException e)
        {
            throw IoBenchException.Failure(
                "IoBench.ReplicaUnreachable",
                $"IoBench cannot reach the replica {endpoint}: {e.Message}.",
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

    private static IoBenchException CreateError(ReplicaEndpoint endpoint, Exception error, ChannelSettings timeouts) =>
        error is ChannelRefusal
            ? IoBenchException.Failure(
                "IoBench.ReplicaFailed",
                $"The replica {endpoint} failed: {error.Message}.",
                null,
                error,
                "Correct the cause on the replica, and repeat the test."
            )
            : IoBenchException.Failure(
                "IoBench.ReplicaLost",
                $"The connection to the replica {endpoint} was lost: {SecretChannel.Describe(error, timeouts)}.",
                null,
                error,
                "Check that iobench replica is still running and that the network works, and repeat the test."
            );
}
