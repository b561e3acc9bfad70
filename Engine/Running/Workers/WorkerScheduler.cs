using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed unsafe class WorkerScheduler
{
    // Longest time without a check whether the run is stopped.
    private const long LongestWait = 20_000_000;

    private readonly TargetStream[] _streams;
    private readonly WorkerPipeline _pipeline;
    private readonly bool _pooled;
    private readonly int _weights;
    private readonly bool _isPlain;
    private RandomSource _poolRandom;

    /// <param name="pooled">Whether each slot serves all streams.</param>
    public WorkerScheduler(TargetStream[] streams, WorkerPipeline pipeline, bool pooled, RandomSource poolRandom)
    {
        _streams = streams;
        _pipeline = pipeline;
        _pooled = pooled;
        _poolRandom = poolRandom;
        _weights = streams.Sum(l => l.Plan.Pattern.Weight);
        IsPaced = streams.Any(l => l.Pacer is not null);
        _isPlain = !IsPaced && !pooled;
    }

    public bool IsPaced { get; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PrepareNext(IoSlot* slot, int index)
    {
        if (_isPlain)
        {
            _pipeline.SubmitFullBatch();
            _streams[slot->Stream].PrepareNext(slot);
            _pipeline.AddReady(index);
        }
        else
        {
            PrepareOrPark(slot, index);
        }
    }

    /// <summary>Prepares the I/Os of paced streams that are due. Returns the time at which to call again.</summary>
    public long PrepareDue(long now)
    {
        var until = _pipeline.IsIdle ? now + LongestWait : long.MaxValue;
        foreach (var stream in _streams)
        {
            var pacer = stream.Pacer;
            if (pacer is null)
                continue;
            while (stream.FreeCount > 0 && pacer.NextDue <= now)
            {
                var index = stream.FreeSlots[--stream.FreeCount];
                var slot = _pipeline.Slots + index;
                _pipeline.SubmitFullBatch();
                stream.PrepareNext(slot);
                // A flush belongs to the writes before it and takes no place in the schedule.
                if (slot->Operation != IoRequestKind.Flush)
                    slot->Intended = pacer.StartNext(now);
                _pipeline.AddReady(index);
            }
            if (stream.FreeCount > 0)
                until = Math.Min(until, pacer.NextDue);
        }
        return until == long.MaxValue ? until : Math.Min(until, now + LongestWait);
    }

    private void PrepareOrPark(IoSlot* slot, int index)
    {
        if (_pooled)
            slot->Stream = slot->HandleIndex = PickStream();
        var stream = _streams[slot->Stream];
        if (stream.Pacer is null)
        {
            _pipeline.SubmitFullBatch();
            stream.PrepareNext(slot);
            _pipeline.AddReady(index);
        }
        else
        {
            stream.FreeSlots[stream.FreeCount++] = index;
        }
    }

    private int PickStream()
    {
        var draw = _poolRandom.NextBelow(_weights);
        for (var i = 0; ; i++)
        {
            draw -= _streams[i].Plan.Pattern.Weight;
            if (draw < 0)
                return i;
        }
    }
}
