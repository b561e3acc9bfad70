using System.Text;

namespace IoBench.Engine;

/// <summary>
/// Sends each acknowledged write to a witness on another volume or computer, after the acknowledgment. Every record is therefore a fact,
/// but a missing record
/// shows nothing. The records of each thread are in order; a flush covers the thread's earlier writes.
/// </summary>
internal sealed class Witness : IDisposable
{
    private const int BatchRecords = 4096;

    private readonly Dictionary<(int Thread, int Target), WitnessQueue> _queues = [];
    private readonly Stream _stream;
    private readonly string _name;
    private readonly Thread _thread;
    private Action<IoBenchException>? _failed;
    private volatile bool _isOver;
    private volatile bool _isBroken;

    private Witness(Stream stream, string name, WitnessHead head)
    {
        (_stream, _name) = (stream, name);
        _thread = new Thread(Work) { IsBackground = true, Name = "IoBench witness" };
        Send(Encoding.UTF8.GetBytes(head.ToText()));
    }

    /// <summary>Opens the witness of a run; null if the run has none.</summary>
    /// <exception cref="IoBenchException">The witness cannot be reached, or is on the volume of a target.</exception>
    public static Witness? Open(RunPlan plan, IReadOnlyList<OpenTarget> open, IReadOnlyList<TargetIntegrity> targets, string? text)
    {
        if (text is null)
            return null;
        var place = WitnessPlace.Parse(text);
        var promise = PromiseOf(plan.Specification);
        if (place.Path is not null)
            CheckVolume(place.Path, open.Select(target => target.File?.Path).OfType<string>());
        var head = new WitnessHead
        {
            Run = targets[0].Content.Run,
            GroupSize = targets[0].Map.GroupSize,
            Promise = promise,
            Computer = Environment.MachineName,
            Time = DateTimeOffset.Now,
            Targets =
            [
                .. open.Select(
                    (target, i) =>
                        new WitnessTarget(
                            target.Target.Path,
                            target.Target.Mark?.Id ?? "",
                            targets[i].Content.Seed,
                            target.Target.Size,
                            targets[i].Content.CompressiblePercent,
                            target.Target.Facts
                        )
                ),
            ],
        };
        var stream = place.Open();
        try
        {
            return new Witness(stream, place.ToString(), head);
        }
        catch (IOException e)
        {
            stream.Dispose();
            throw Lost(place.ToString(), e);
        }
    }

    /// <summary>Returns when the writes of a test are durable.</summary>
    /// <exception cref="IoBenchException">They are neither written through nor flushed, or the test does not write.</exception>
    public static WritePromise PromiseOf(IoTestSpecification specification)
    {
        var patterns = specification.Targets.ConvertAll(specification.PatternOf).FindAll(p => p.WritePercent > 0 || p.Depths is not null);
        if (patterns.Count == 0)
            throw IoBenchException.Usage(
                "IoBench.NothingToWitness",
                "the test writes nothing: there is nothing to find again.",
                advice: $"Add {Opt.WritePercent}."
            );
        if (patterns.TrueForAll(p => p.Buffering is IoBuffering.None or IoBuffering.Software))
            return WritePromise.WriteThrough;
        if (patterns.TrueForAll(p => p.FlushEvery > 0))
            return WritePromise.Flush;
        throw IoBenchException.Usage(
            "IoBench.NothingToWitness",
            "nobody promised that these writes survive: they are neither written through nor flushed.",
            advice: $"Use {Opt.Buffering.With(IoBuffering.None)}, or {Opt.FlushEvery}."
        );
    }

    public WitnessQueue QueueOf(StreamPlan plan)
    {
        var queue = new WitnessQueue((ushort)plan.TargetIndex, (ushort)plan.Thread);
        _queues[(plan.Thread, plan.TargetIndex)] = queue;
        return queue;
    }

    public void Begin(Action<IoBenchException> failed)
    {
        _failed = failed;
        _thread.Start();
    }

    public void End()
    {
        _isOver = true;
        if (_thread.IsAlive)
            _thread.Join();
    }

    public void Dispose()
    {
        End();
        _stream.Dispose();
    }

    private void Work()
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
                    count += queue.Take(batch.AsSpan(count * WitnessRecord.Size));
                if (count > 0)
                    Send(batch.AsSpan(0, count * WitnessRecord.Size));
                else if (isLast)
                    break;
                else
                    Thread.Sleep(1);
            }
            new WitnessRecord(WitnessKind.End, 0, 0, 0, 0, 0).WriteTo(batch);
            Send(batch.AsSpan(0, WitnessRecord.Size));
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            _isBroken = true;
            foreach (var queue in _queues.Values)
                queue.Close();
            _failed?.Invoke(Lost(_name, e));
        }
    }

    private void Send(ReadOnlySpan<byte> bytes)
    {
        if (_isBroken)
            return;
        _stream.Write(bytes);
        // Flush to disk, because a power failure would also lose the file cache.
        if (_stream is FileStream file)
            file.Flush(flushToDisk: true);
    }

    /// <summary>
    /// Refuses a witness on the volume of a target, whatever its name: a drive letter, a mount folder, or the volume name.
    /// </summary>
    internal static void CheckVolume(string path, IEnumerable<string> targets)
    {
        if (VolumeOf(path) is not { } volume)
            return;
        foreach (var target in targets)
            if (VolumeOf(target) == volume)
                throw IoBenchException.Refused(
                    "IoBench.WitnessOnTarget",
                    $"the witness {path} lies on the volume of {target}: what is to be found out would take it along.",
                    path,
                    advice: "Name a file on another volume, or the host and port of an iobench witness."
                );
    }

    private static string? VolumeOf(string path) =>
        Path.GetDirectoryName(path) is { Length: > 0 } folder ? PlatformFiles.Current.VolumeOf(folder) : null;

    private static IoBenchException Lost(string name, Exception e) =>
        IoBenchException.Failure(
            "IoBench.WitnessLost",
            $"the witness {name} is lost: {FileErrors.Message(e)}. What it has noted so far holds.",
            null,
            e
        );
}
