using System.Net.Sockets;

namespace IoBench.Engine;

/// <summary>Each record is written locally while it is sent to a replica. A second thread waits for the acknowledgment, so that its time of
/// arrival does not depend on the local write.</summary>
internal sealed class ReplicatedCommitter(CommitRound round, LogWriter writer, ReplicaClient client, SecretChannel channel, int writeSize)
    : Committer(round, writer)
{
    private readonly byte[] _frame = new byte[SecretChannel.GetFrameSize(writeSize)];
    private readonly SemaphoreSlim _acknowledged = new(0);
    private ReplicaAcknowledgment _acknowledgment;
    private long _receivedAt;
    private long _localTime;
    private long _roundTrip;
    private Exception? _lost;
    private IoBenchException? _failure;

    public override ReplicaLatencies Replica { get; } = new();

    public override IoBenchException? Failure => _failure ?? base.Failure;

    public override void Run()
    {
        var receiver = new Thread(ReceiveAll) { IsBackground = true, Name = "IoBench acknowledgments" };
        receiver.Start();
        base.Run();
        // The receiver ends with the connection.
        channel.Dispose();
        receiver.Join();
    }

    public override void Cancel() => channel.Dispose();

    public override void Dispose()
    {
        channel.Dispose();
        base.Dispose();
        _acknowledged.Dispose();
    }

    protected override void Prepare(long offset)
    {
        base.Prepare(offset);
        Writer.Record.CopyTo(_frame.AsSpan(SecretChannel.HeaderBytes));
        channel.Seal(_frame, ChannelFrameKind.Write);
    }

    protected override void AddLatency(long latency)
    {
        var remote = Math.Min(_acknowledgment.Disk, _roundTrip);
        Replica.Add(_localTime, Math.Max(0, _roundTrip - remote - _acknowledgment.Overhead), remote);
    }

    protected override bool TryCommit(long began)
    {
        try
        {
            channel.Send(_frame);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // The replica can have sent the reason before it closed the connection.
            _acknowledged.Wait();
            _failure = client.CreateError(_lost ?? e);
            return false;
        }
        var localBegan = Clock.Now;
        if (!Writer.TryCommit())
            return false;
        _localTime = Clock.Now - localBegan;
        _acknowledged.Wait();
        if (_lost is { } error)
        {
            _failure = client.CreateError(error);
            return false;
        }
        _roundTrip = _receivedAt - began;
        return true;
    }

    private void ReceiveAll()
    {
        try
        {
            while (true)
            {
                channel.Expect(ChannelFrameKind.Acknowledgment);
                _acknowledgment = ReplicaAcknowledgment.Parse(channel.Payload);
                _receivedAt = channel.ReceivedAt;
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
