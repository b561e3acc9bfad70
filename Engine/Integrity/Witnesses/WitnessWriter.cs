using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine;

/// <summary>
/// Sends each acknowledged write to a witness on another volume or computer, after the acknowledgment: every record is a fact, but a
/// missing record shows nothing. The records of each thread are in order; a flush covers the thread's earlier writes.
/// </summary>
internal sealed class WitnessWriter : IDisposable
{
    private const int BatchRecords = 4096;

    private static readonly TimeSpan s_cancelCheckInterval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_canceledWait = TimeSpan.FromSeconds(1);

    private readonly Dictionary<(int Thread, int Target), WitnessRecordQueue> _queues = [];
    private readonly FileStream? _file;
    private readonly SecretChannel? _channel;
    private readonly string _name;
    private readonly Thread _thread;
    private long _sentBytes;
    private long _sentRecords;
    private Action<IoBenchException>? _failed;
    private volatile bool _isOver;
    private volatile bool _isBroken;

    private WitnessWriter(FileStream? file, SecretChannel? channel, string name, WitnessHeader head)
    {
        _file = file;
        _channel = channel;
        _name = name;
        _thread = new Thread(SendRecords) { IsBackground = true, Name = "IoBench witness" };
        Send(ChannelFrameKind.Begin, Encoding.UTF8.GetBytes(head.ToText()));
    }

    /// <summary>Returns null if the run has no witness.</summary>
    /// <exception cref="IoBenchException">The witness cannot be reached, or is on the volume of a target.</exception>
    public static WitnessWriter? Open(RunPlan plan, IReadOnlyList<OpenTarget> open, IReadOnlyList<IntegrityTarget> targets, string? text)
    {
        if (text is null)
            return null;
        var place = WitnessAddress.ParseWithSecret(text);
        var isWriteThrough = HasDurableWrites(plan.Specification);
        if (place.Path is not null)
            CheckVolume(place.Path, open.Select(target => target.File?.Path).OfType<string>());
        var head = new WitnessHeader
        {
            Run = targets[0].Content.Run,
            IsFromListener = place.Path is null,
            GroupSize = targets[0].Map.GroupSize,
            IsWriteThrough = isWriteThrough,
            Computer = Environment.MachineName,
            Time = DateTimeOffset.Now,
            Targets =
            [
                .. open.Select(
                    (target, i) =>
                        new WitnessTarget(
                            target.Target.Path,
                            target.Target.Marker?.Id ?? "",
                            targets[i].Content.Seed,
                            target.Target.Size,
                            targets[i].Content.CompressiblePercent,
                            target.Target.Facts
                        )
                ),
            ],
        };
        var channel = place.Path is null ? place.Connect() : null;
        var file = channel is null ? place.CreateFile() : null;
        try
        {
            return new WitnessWriter(file, channel, place.ToString(), head);
        }
        catch (IOException e)
        {
            file?.Dispose();
            channel?.Dispose();
            throw CreateLostError(place.ToString(), e);
        }
    }

    /// <summary>Returns whether each write is durable when it is acknowledged; otherwise, writes are durable after a flush.</summary>
    /// <exception cref="IoBenchException">Writes are neither written through nor flushed, or the test does not write.</exception>
    public static bool HasDurableWrites(IoTestSpecification specification)
    {
        var patterns = specification.Targets.ConvertAll(specification.GetPattern).FindAll(p => p.WritePercent > 0 || p.Depths is not null);
        if (patterns.Count == 0)
            throw IoBenchException.Usage(
                "IoBench.NothingToWitness",
                "The test does not write, so there is nothing to verify after a power loss.",
                advice: $"Add {OptionNames.WritePercent}."
            );
        if (patterns.TrueForAll(p => p.Buffering is IoBuffering.None or IoBuffering.Software))
            return true;
        if (patterns.TrueForAll(p => p.FlushEvery > 0))
            return false;
        throw IoBenchException.Usage(
            "IoBench.NothingToWitness",
            "The writes of this test can be lost in a power loss, because they are neither write-through nor flushed.",
            advice: $"Use {OptionNames.Buffering.WithValue(IoBuffering.None)}, or {OptionNames.FlushEvery}."
        );
    }

    public WitnessRecordQueue CreateQueue(StreamPlan plan)
    {
        var queue = new WitnessRecordQueue((ushort)plan.TargetIndex, (ushort)plan.Thread);
        _queues[(plan.Thread, plan.TargetIndex)] = queue;
        return queue;
    }

    public void Start(Action<IoBenchException> failed)
    {
        _failed = failed;
        _thread.Start();
    }

    /// <summary>Sends the remaining records and waits until the witness has acknowledged all of them.</summary>
    /// <param name="token">If canceled, a witness that does not answer within a second is lost.</param>
    public void Finish(CancellationToken token = default)
    {
        _isOver = true;
        if (!_thread.IsAlive)
            return;
        while (!_thread.Join(s_cancelCheckInterval))
        {
            if (token.IsCancellationRequested && !_thread.Join(s_canceledWait))
                _channel?.Dispose();
        }
    }

    public void Dispose()
    {
        Finish();
        _file?.Dispose();
        _channel?.Dispose();
    }

    private void SendRecords()
    {
        var batch = new byte[BatchRecords * WitnessRecord.Size];
        try
        {
            while (true)
            {
                // Read the flag before the queues, so that all records that were added before it are sent.
                var isLast = _isOver;
                var count = 0;
                foreach (var queue in _queues.Values)
                    count += queue.Dequeue(batch.AsSpan(count * WitnessRecord.Size));
                _sentRecords += count;
                if (count > 0)
                    Send(ChannelFrameKind.Write, batch.AsSpan(0, count * WitnessRecord.Size));
                else if (isLast)
                    break;
                else
                    Thread.Sleep(1);
            }
            new WitnessRecord(WitnessRecordKind.End, 0, 0, 0, 0, 0).WriteTo(batch);
            Send(ChannelFrameKind.Write, batch.AsSpan(0, WitnessRecord.Size));
            if (_channel is not null)
                WaitForReceipt(_channel, _sentRecords);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            _isBroken = true;
            foreach (var queue in _queues.Values)
                queue.Close();
            _failed?.Invoke(CreateLostError(_name, FindReportedFailure() ?? e));
        }
    }

    private void Send(ChannelFrameKind kind, ReadOnlySpan<byte> bytes)
    {
        if (_isBroken)
            return;
        if (_channel is not null)
        {
            // A witness only sends during the run if it cannot record any more.
            if (_channel.HasData)
                _channel.Expect(ChannelFrameKind.Acknowledgment);
            _channel.Send(kind, bytes);
            return;
        }
        if (_sentBytes + bytes.Length > WitnessLog.MaxBytes)
            throw new IOException($"its log has reached the maximum size of {IoSize.Format(WitnessLog.MaxBytes)}");
        _file!.Write(bytes);
        _sentBytes += bytes.Length;
        // Flush to disk, because a power failure would also lose the file cache.
        _file.Flush(flushToDisk: true);
    }

    /// <summary>Waits until the witness confirms that all records are on its disk.</summary>
    /// <exception cref="IOException">The witness failed, or recorded another number of records.</exception>
    internal static void WaitForReceipt(SecretChannel channel, long records)
    {
        channel.Expect(ChannelFrameKind.Acknowledgment);
        if (channel.Payload.Length != sizeof(long) || BinaryPrimitives.ReadInt64LittleEndian(channel.Payload) != records)
            throw new IOException("the number of writes that it recorded differs from the number that the run sent");
    }

    /// <summary>Returns the failure that the witness reported before it closed the connection; null if there is none.</summary>
    private IOException? FindReportedFailure()
    {
        try
        {
            if (_channel is { HasData: true })
                _channel.Expect(ChannelFrameKind.Acknowledgment);
            return null;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            return e as ChannelRefusal;
        }
    }

    /// <summary>Refuses the volume of a target, whatever its name: a drive letter, a mount folder, or the volume name.</summary>
    internal static void CheckVolume(string path, IEnumerable<string> targets)
    {
        if (FindVolume(path) is not { } volume)
            return;
        foreach (var target in targets)
            if (FindVolume(target) == volume)
                throw IoBenchException.Refused(
                    "IoBench.WitnessOnTarget",
                    $"The log of the write witness ({path}) is on the volume of {target}, so a power loss affects it too.",
                    path,
                    advice: "Specify a file on another volume, or the host and port of an iobench witness."
                );
    }

    private static string? FindVolume(string path) =>
        Path.GetDirectoryName(path) is { Length: > 0 } folder ? PlatformFiles.Current.GetVolumeId(folder) : null;

    private static IoBenchException CreateLostError(string name, Exception e) =>
        IoBenchException.Failure(
            "IoBench.WitnessLost",
            $"The write witness {name} did not record all writes: {FileErrors.GetMessage(e)}. Its earlier records are valid.",
            null,
            e,
            advice: "Correct the cause, and repeat the test with a new write witness."
        );
}
