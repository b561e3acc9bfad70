using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine;

/// <summary>Replaces values in tests.</summary>
internal sealed record ReplicaServerSettings
{
    public ReplicaTimeouts Timeouts { get; init; } = new();

    /// <summary>Called within the measured time of each write.</summary>
    public Action? OnWrite { get; init; }

    /// <summary>Receives the port.</summary>
    public Action<int>? OnListening { get; init; }
}

/// <summary>
/// The other side of a commit test: receives log records, writes records of the same size to its own test file, and acknowledges each with
/// the time of its write. What it writes, and where, does not depend on received bytes.
/// </summary>
public sealed class ReplicaServer
{
    /// <summary>Connections that have not proved the secret yet. For one more, the oldest is closed, so that a test can always
    /// connect.</summary>
    internal const int MaxPendingConnections = 64;

    /// <summary>Connections with the secret. A test has one for each committer, and one more.</summary>
    internal const int MaxConnections = 512;

    private const int StackBytes = 256 << 10;

    // A port scanner must not fill the screen.
    private const int MaxReportedRefusals = 10;
    private static readonly TimeSpan s_endTimeout = TimeSpan.FromSeconds(2);

    private readonly CommitTarget _target;
    private readonly ReplicaSecret _secret;
    private readonly ReplicaServerSettings _settings;
    private readonly Action<string> _say;
    private readonly RedoLoad _redo;
    private readonly long _logEnd;
    private readonly object _gate = new();
    private readonly List<Socket> _pending = [];
    private readonly List<Socket> _connections = [];
    private readonly List<Thread> _threads = [];
    private Session? _session;
    private long _nextRecord = -1;
    private int _refusals;
    private bool _isStopped;

    private ReplicaServer(CommitTarget target, ReplicaSecret secret, Action<string> say, ReplicaServerSettings settings)
    {
        _target = target;
        _secret = secret;
        _say = say;
        _settings = settings;
        // The first half is the log, the second half has the pages of the redo load.
        _logEnd = target.Target.Size / 2 / BlockHeader.BlockSize * BlockHeader.BlockSize;
        _redo = target.CreateRedoLoad(_logEnd, target.Target.Size);
    }

    /// <summary>Serves one test after the other until the token is canceled.</summary>
    /// <param name="listen">An address of this computer.</param>
    /// <param name="say">Receives what happens, line by line, from several threads.</param>
    /// <exception cref="IoBenchException">The port cannot be opened.</exception>
    public static void Run(
        CommitTarget target,
        ReplicaEndpoint listen,
        ReplicaSecret secret,
        Action<string> say,
        CancellationToken token
    ) => Run(target, listen, secret, say, new ReplicaServerSettings(), token);

    internal static void Run(
        CommitTarget target,
        ReplicaEndpoint listen,
        ReplicaSecret secret,
        Action<string> say,
        ReplicaServerSettings settings,
        CancellationToken token
    )
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(listen);
        ArgumentNullException.ThrowIfNull(secret);
        ArgumentNullException.ThrowIfNull(say);
        var server = new ReplicaServer(target, secret, say, settings);
        using var listener = StartListener(listen);
        try
        {
            var port = ((IPEndPoint)listener.LocalEndPoint!).Port;
            say($"Listening on {listen with { Port = port }}. Ctrl+C ends the replica.");
            settings.OnListening?.Invoke(port);
            server.AcceptAll(listener, token);
        }
        finally
        {
            server.Stop();
        }
    }

    /// <summary>Checks that an address can be listened on, before the test file is created.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidReplica</c>.</exception>
    public static IPAddress ParseAddress(ReplicaEndpoint listen)
    {
        ArgumentNullException.ThrowIfNull(listen);
        if (listen.Host == "localhost")
            return IPAddress.Loopback;
        return IPAddress.TryParse(listen.Host, out var address)
            ? address
            : throw IoBenchException.Usage(
                "IoBench.InvalidReplica",
                $"{listen.Host} is not an address. Specify an address of this computer, such as 192.0.2.7:{listen.Port}, so that IoBench listens only there."
            );
    }

    private static Socket StartListener(ReplicaEndpoint listen)
    {
        var address = ParseAddress(listen);
        Socket? listener = null;
        try
        {
            listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(address, listen.Port));
            listener.Listen(MaxConnections);
            return listener;
        }
        catch (SocketException e)
        {
            listener?.Dispose();
            throw IoBenchException.Failure(
                "IoBench.CannotListen",
                $"{listen}: {FileErrors.GetMessage(e)}.",
                null,
                e,
                advice: "Specify an address of this host and a free port."
            );
        }
    }

    private void AcceptAll(Socket listener, CancellationToken token)
    {
        while (!token.IsCancellationRequested)
        {
            // Polling, because not every system ends a waiting call when the socket is closed.
            if (!listener.Poll(TimeSpan.FromMilliseconds(100), SelectMode.SelectRead))
                continue;
            Socket client;
            try
            {
                client = listener.Accept();
            }
            catch (SocketException)
            {
                // The client was gone before it was accepted, or the process has too many open files.
                token.WaitHandle.WaitOne(100);
                continue;
            }
            var thread = new Thread(() => Serve(client), StackBytes) { IsBackground = true, Name = "IoBench replica" };
            lock (_gate)
            {
                if (_pending.Count == MaxPendingConnections)
                {
                    _pending[0].Dispose();
                    _pending.RemoveAt(0);
                }
                _pending.Add(client);
                _threads.RemoveAll(ended => !ended.IsAlive);
                _threads.Add(thread);
                thread.Start();
            }
        }
    }

    private void Stop()
    {
        List<Thread> threads;
        lock (_gate)
        {
            _isStopped = true;
            _redo.Dispose();
            _pending.ForEach(socket => socket.Dispose());
            _connections.ForEach(socket => socket.Dispose());
            threads = [.. _threads];
        }
        var end = Clock.Now + Clock.ToNanoseconds(s_endTimeout);
        foreach (var thread in threads)
            thread.Join(TimeSpan.FromTicks(Math.Max(0, (end - Clock.Now) / 100)));
    }

    private void Serve(Socket socket)
    {
        var from = "";
        try
        {
            from = $"{socket.RemoteEndPoint}";
            using var channel = Identify(socket, from);
            if (channel is null)
                return;
            var kind = channel.Receive();
            if (kind == ReplicaFrameKind.Session)
                ServeSession(channel, new Guid(channel.Payload), from);
            else if (kind == ReplicaFrameKind.Begin)
                ServeCommitter(channel, ReplicaStream.Parse(channel.Payload));
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or ArgumentException or IoBenchException)
        {
            // A test that ended without a goodbye, a port scanner, or the end of the replica. The session reports its own end.
        }
        finally
        {
            socket.Dispose();
            lock (_gate)
            {
                _pending.Remove(socket);
                _connections.Remove(socket);
            }
        }
    }

    private ReplicaChannel? Identify(Socket socket, string from)
    {
        ReplicaChannel? channel = null;
        var reason = "the secret is wrong";
        try
        {
            channel = ReplicaChannel.IdentifyClient(socket, _secret, _settings.Timeouts);
        }
        catch (IOException)
        {
            reason = "it did not identify itself";
        }
        lock (_gate)
        {
            _pending.Remove(socket);
            if (_connections.Count == MaxConnections)
            {
                channel?.Dispose();
                channel = null;
                reason = $"it has {MaxConnections} connections";
            }
            if (channel is not null && !_isStopped)
            {
                _connections.Add(socket);
                return channel;
            }
            channel?.Dispose();
            if (_isStopped || ++_refusals > MaxReportedRefusals)
                return null;
        }
        _say(
            $"A connection from {from} was refused: {reason}."
                + (_refusals == MaxReportedRefusals ? " Further refusals are not printed." : "")
        );
        return null;
    }

    private void ServeSession(ReplicaChannel channel, Guid id, string from)
    {
        var session = new Session(id);
        lock (_gate)
        {
            if (_session is null)
                _session = session;
        }
        if (_session != session)
        {
            Refuse(channel, "another test uses it. Wait until that test has ended");
            return;
        }
        var isEnded = false;
        try
        {
            _say($"The test at {from} has begun.");
            channel.Send(ReplicaFrameKind.Facts, _target.GetReplicaFacts().ToBytes());
            ReplicaFrameKind kind;
            while ((kind = channel.Receive()) == ReplicaFrameKind.Alive) { }
            isEnded = kind == ReplicaFrameKind.End;
        }
        finally
        {
            lock (_gate)
            {
                _session = null;
                session.Committers.ForEach(committer => committer.Dispose());
            }
            _say(
                $"The test at {from} has ended{(isEnded ? "" : ", because the connection was lost")}: {NumberFormat.PluralizeGrouped(Interlocked.Read(ref session.Commits), "commit")}."
            );
        }
    }

    private void ServeCommitter(ReplicaChannel channel, ReplicaStream stream)
    {
        Session? session;
        lock (_gate)
        {
            session = _session?.Id == stream.Session ? _session : null;
            session?.Committers.Add(channel);
        }
        if (session is null)
        {
            Refuse(channel, "it has no session of this test");
            return;
        }
        try
        {
            var sector = _target.Target.LogicalSectorSize;
            if (stream.WriteSize % sector != 0)
                Refuse(channel, $"its storage accepts only multiples of {sector} bytes");
            else
                AcknowledgeCommits(channel, stream, session);
        }
        catch (IoBenchException e)
        {
            Fail(channel, e);
        }
        finally
        {
            lock (_gate)
                session.Committers.Remove(channel);
        }
    }

    private void AcknowledgeCommits(ReplicaChannel channel, ReplicaStream stream, Session session)
    {
        channel.Reserve(stream.WriteSize);
        using var writer = _target.CreateWriter(
            stream.Method,
            session.Group,
            CommitTarget.CreatePattern(stream.Method, stream.WriteSize),
            Interlocked.Increment(ref session.Writers)
        );
        var acknowledgement = new byte[ReplicaFrame.GetSize(ReplicaAcknowledgement.Size)];
        var slots = _logEnd / stream.WriteSize;
        if (stream.HasRedo)
            _redo.AddUser();
        try
        {
            channel.Send(ReplicaFrameKind.Ready, []);
            while (channel.Receive(stream.WriteSize) is ReplicaFrameKind.Write)
            {
                if (channel.Payload.Length != stream.WriteSize)
                    throw new ReplicaProtocolException("it sent a record of another size");
                writer.Prepare(Interlocked.Increment(ref _nextRecord) % slots * stream.WriteSize);
                var began = Clock.Now;
                _settings.OnWrite?.Invoke();
                if (!writer.TryCommit() || _redo.Failure is not null)
                {
                    Fail(channel, writer.Failure ?? _redo.Failure!);
                    return;
                }
                var ended = Clock.Now;
                new ReplicaAcknowledgement(ended - began, began - channel.ReceivedAt).WriteTo(
                    acknowledgement.AsSpan(ReplicaFrame.HeaderBytes)
                );
                channel.Seal(acknowledgement, ReplicaFrameKind.Acknowledgement);
                channel.Send(acknowledgement);
                Interlocked.Increment(ref session.Commits);
            }
        }
        finally
        {
            if (stream.HasRedo)
                _redo.RemoveUser();
        }
    }

    private static void Refuse(ReplicaChannel channel, string reason) =>
        channel.Send(ReplicaFrameKind.Failure, Encoding.UTF8.GetBytes(reason));

    private void Fail(ReplicaChannel channel, IoBenchException error)
    {
        _say($"A write failed. {error.Message}");
        var text = Encoding.UTF8.GetBytes(error.Message.TrimEnd('.'));
        channel.Send(ReplicaFrameKind.Failure, text.AsSpan(0, Math.Min(text.Length, ReplicaFrame.MaxControlPayload)));
    }

    private sealed class Session(Guid id)
    {
        public Guid Id => id;

        public List<ReplicaChannel> Committers { get; } = [];

        /// <summary>Committers of one test share their flushes, as those of SQL Server do.</summary>
        public FlushGroup Group { get; } = new();

        public long Commits;
        public int Writers;
    }
}
