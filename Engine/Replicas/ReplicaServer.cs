using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine;

/// <summary>
/// The other side of a commit test: receives log records, writes records of the same size to its own test file, and acknowledges each with
/// the time of its write. What it writes, and where, does not depend on received bytes.
/// </summary>
public sealed class ReplicaServer
{
    internal const string Service = "replica1";

    /// <summary>Connections with the secret. A test has one for each committer, and one more.</summary>
    internal const int MaxConnections = 512;

    // A port scanner must not fill the screen.
    private const int MaxReportedRefusals = 10;

    private readonly CommitTarget _target;
    private readonly ChannelSettings _settings;
    private readonly Action<string> _say;
    private readonly RedoLoad _redo;
    private readonly long _logEnd;
    private readonly object _gate = new();
    private readonly List<SecretChannel> _connections = [];
    private Session? _session;
    private long _nextRecord = -1;
    private int _refusals;
    private bool _isStopped;

    private ReplicaServer(CommitTarget target, Action<string> say, ChannelSettings settings)
    {
        _target = target;
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
    public static void Run(CommitTarget target, ReplicaEndpoint listen, SharedSecret secret, Action<string> say, CancellationToken token) =>
        Run(target, listen, secret, say, new ChannelSettings(), token);

    internal static void Run(
        CommitTarget target,
        ReplicaEndpoint listen,
        SharedSecret secret,
        Action<string> say,
        ChannelSettings settings,
        CancellationToken token
    )
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(listen);
        ArgumentNullException.ThrowIfNull(secret);
        ArgumentNullException.ThrowIfNull(say);
        var server = new ReplicaServer(target, say, settings);
        using var listener = new SecretListener(ParseAddress(listen), listen.Port, $"{listen}");
        try
        {
            say($"Listening on {listen with { Port = listener.Port }}. Press Ctrl+C to stop the replica.");
            settings.OnListening?.Invoke(listener.Port);
            listener.AcceptAll(Service, secret, settings, server.Serve, server.ReportRefusal, () => token.IsCancellationRequested);
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
                $"{listen.Host} is not an IP address. Specify an IP address of this computer, such as 192.0.2.7:{listen.Port}, so that IoBench listens only on that address."
            );
    }

    private void Stop()
    {
        lock (_gate)
        {
            _isStopped = true;
            _redo.Dispose();
            _connections.ForEach(channel => channel.Dispose());
        }
    }

    private void Serve(SecretChannel channel, string from)
    {
        bool isFull;
        lock (_gate)
        {
            isFull = _connections.Count == MaxConnections;
            if (!isFull && !_isStopped)
                _connections.Add(channel);
        }
        try
        {
            if (isFull)
                ReportRefusal(from, $"the replica already has {MaxConnections} connections");
            else if (!_isStopped)
                Serve(channel, channel.Receive(), from);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or ArgumentException or IoBenchException)
        {
            // A test that ended without a goodbye, or the end of the replica. The session reports its own end.
        }
        finally
        {
            channel.Dispose();
            lock (_gate)
                _connections.Remove(channel);
        }
    }

    private void Serve(SecretChannel channel, ChannelFrameKind kind, string from)
    {
        if (kind == ChannelFrameKind.Session)
            ServeSession(channel, new Guid(channel.Payload), from);
        else if (kind == ChannelFrameKind.Begin)
            ServeCommitter(channel, ReplicaStream.Parse(channel.Payload));
    }

    private void ReportRefusal(string from, string reason)
    {
        lock (_gate)
        {
            if (_isStopped || ++_refusals > MaxReportedRefusals)
                return;
        }
        _say(
            $"A connection from {from} was refused: {reason}."
                + (_refusals == MaxReportedRefusals ? " Further refusals are not printed." : "")
        );
    }

    private void ServeSession(SecretChannel channel, Guid id, string from)
    {
        var session = new Session(id);
        lock (_gate)
        {
            if (_session is null)
                _session = session;
        }
        if (_session != session)
        {
            Refuse(channel, "another test is using the replica. Wait until that test ends");
            return;
        }
        var isEnded = false;
        try
        {
            _say($"The test on {from} has started.");
            channel.Send(ChannelFrameKind.Facts, _target.GetReplicaFacts().ToBytes());
            ChannelFrameKind kind;
            while ((kind = channel.Receive()) == ChannelFrameKind.Alive) { }
            isEnded = kind == ChannelFrameKind.End;
        }
        finally
        {
            lock (_gate)
            {
                _session = null;
                session.Committers.ForEach(committer => committer.Dispose());
            }
            _say(
                $"The test on {from} has ended{(isEnded ? "" : ", because the connection was lost")}: {NumberFormat.PluralizeGrouped(Interlocked.Read(ref session.Commits), "commit")}."
            );
        }
    }

    private void ServeCommitter(SecretChannel channel, ReplicaStream stream)
    {
        Session? session;
        lock (_gate)
        {
            session = _session?.Id == stream.Session ? _session : null;
            session?.Committers.Add(channel);
        }
        if (session is null)
        {
            Refuse(channel, "the replica has no session for this test");
            return;
        }
        try
        {
            var sector = _target.Target.LogicalSectorSize;
            if (stream.WriteSize % sector != 0)
                Refuse(channel, $"the storage of the replica accepts only writes in multiples of {sector} bytes");
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

    private void AcknowledgeCommits(SecretChannel channel, ReplicaStream stream, Session session)
    {
        channel.Reserve(stream.WriteSize);
        using var writer = _target.CreateWriter(
            stream.Method,
            session.Group,
            CommitTarget.CreatePattern(stream.Method, stream.WriteSize),
            Interlocked.Increment(ref session.Writers)
        );
        var acknowledgment = new byte[SecretChannel.GetFrameSize(ReplicaAcknowledgment.Size)];
        var slots = _logEnd / stream.WriteSize;
        if (stream.HasRedo)
            _redo.AddUser();
        try
        {
            channel.Send(ChannelFrameKind.Ready, []);
            while (channel.Receive(stream.WriteSize) is ChannelFrameKind.Write)
            {
                if (channel.Payload.Length != stream.WriteSize)
                    throw new IOException("the remote host sent a record of the wrong size");
                writer.Prepare(Interlocked.Increment(ref _nextRecord) % slots * stream.WriteSize);
                var began = Clock.Now;
                _settings.OnWrite?.Invoke();
                if (!writer.TryCommit() || _redo.Failure is not null)
                {
                    Fail(channel, writer.Failure ?? _redo.Failure!);
                    return;
                }
                var ended = Clock.Now;
                new ReplicaAcknowledgment(ended - began, began - channel.ReceivedAt).WriteTo(
                    acknowledgment.AsSpan(SecretChannel.HeaderBytes)
                );
                channel.Seal(acknowledgment, ChannelFrameKind.Acknowledgment);
                channel.Send(acknowledgment);
                Interlocked.Increment(ref session.Commits);
            }
        }
        finally
        {
            if (stream.HasRedo)
                _redo.RemoveUser();
        }
    }

    private static void Refuse(SecretChannel channel, string reason) =>
        channel.Send(ChannelFrameKind.Failure, Encoding.UTF8.GetBytes(reason));

    private void Fail(SecretChannel channel, IoBenchException error)
    {
        _say($"A write failed. {error.Message}");
        var text = Encoding.UTF8.GetBytes(error.Message.TrimEnd('.'));
        channel.Send(ChannelFrameKind.Failure, text.AsSpan(0, Math.Min(text.Length, SecretChannel.MaxControlPayload)));
    }

    private sealed class Session(Guid id)
    {
        public Guid Id => id;

        public List<SecretChannel> Committers { get; } = [];

        /// <summary>Committers of one test share their flushes, as those of SQL Server do.</summary>
        public FlushGroup Group { get; } = new();

        public long Commits;
        public int Writers;
    }
}
