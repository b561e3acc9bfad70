using System.Net.Sockets;

namespace IoBench.Engine;

/// <summary>Commits one record after the other: each is written locally while it is sent to a replica. A second thread waits for the
/// acknowledgement, so that its time of arrival does not depend on the local write.</summary>
internal sealed class ReplicatedCommitter : IDisposable
{
    private readonly CommitRound _round;
    private readonly LogWriter _writer;
    private readonly ReplicaClient _client;
    private readonly ReplicaChannel _channel;
    private readonly byte[] _frame;
    private readonly Thread _receiver;
    private readonly SemaphoreSlim _acknowledged = new(0);
    private ReplicaAcknowledgement _acknowledgement;
    private long _receivedAt;
    private Exception? _lost;
    private IoBenchException? _failure;
    private long _first;
    private long _last;

    public ReplicatedCommitter(CommitRound round, LogWriter writer, ReplicaClient client, ReplicaChannel channel, int writeSize)
    {
        _round = round;
        _writer = writer;
        _client = client;
        _channel = channel;
        _frame = new byte[ReplicaFrame.GetSize(writeSize)];
        _receiver = new Thread(ReceiveAll) { IsBackground = true, Name = "IoBench acknowledgements" };
    }

    public ReplicaLatencies Latencies { get; } = new();

    public IoBenchException? Failure => _failure ?? _writer.Failure;

    public double Rate => _last > _first ? Latencies.Commits.Count * (double)Clock.Second / (_last - _first) : 0;

    public void Run()
    {
        _receiver.Start();
        while (_round.TryTakeOffset(out var offset))
        {
            _writer.Prepare(offset);
            _writer.Record.CopyTo(_frame.AsSpan(ReplicaFrame.HeaderBytes));
            _channel.Seal(_frame, ReplicaFrameKind.Write);
            var began = Clock.Now;
            if (began >= _round.End)
                break;
            if (!TryCommit(began, out var local, out var roundTrip))
            {
                _round.Stop();
                break;
            }
            var ended = Clock.Now;
            if (began < _round.Begin)
                continue;
            var remote = Math.Min(_acknowledgement.Disk, roundTrip);
            Latencies.Add(local, Math.Max(0, roundTrip - remote - _acknowledgement.Overhead), remote);
            if (_first == 0)
                _first = began;
            _last = ended;
        }
        // The receiver ends with the connection.
        _channel.Dispose();
        _receiver.Join();
    }

    /// <summary>Ends the calls of both threads.</summary>
    public void Cancel() => _channel.Dispose();

    public void Dispose()
    {
        _channel.Dispose();
        _writer.Dispose();
        _acknowledged.Dispose();
    }

    private bool TryCommit(long began, out long local, out long roundTrip)
    {
        local = 0;
        roundTrip = 0;
        try
        {
            _channel.Send(_frame);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // The replica can have sent the reason before it closed the connection.
            _acknowledged.Wait();
            _failure = _client.CreateError(_lost ?? e);
            return false;
        }
        var localBegan = Clock.Now;
        if (!_writer.TryCommit())
            return false;
        local = Clock.Now - localBegan;
        _acknowledged.Wait();
        if (_lost is { } error)
        {
            _failure = _client.CreateError(error);
            return false;
        }
        roundTrip = _receivedAt - began;
        return true;
    }

    private void ReceiveAll()
    {
        try
        {
            while (true)
            {
                _channel.Expect(ReplicaFrameKind.Acknowledgement);
                _acknowledgement = ReplicaAcknowledgement.Parse(_channel.Payload);
                _receivedAt = _channel.ReceivedAt;
                _acknowledged.Release();
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            _lost = e;
            _acknowledged.Release();
        }
    }
}
