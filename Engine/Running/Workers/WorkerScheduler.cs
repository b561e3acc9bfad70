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
    public void Next(IoSlot* slot, int index)
    {
        if (_isPlain)
        {
            _pipeline.MakeRoom();
            _streams[slot->Stream].Prepare(slot);
            _pipeline.Add(index);
        }
        else
        {
            StartOrPark(slot, index);
        }
    }

    /// <summary>Prepares the I/Os of paced streams that are due. Returns the time at which to call again.</summary>
    public long StartDue(long now)
    {
        var until = _pipeline.IsIdle ? now + LongestWait : long.MaxValue;
        foreach (var stream in _streams)
        {
            var pacer = stream.Pacer;
            if (pacer is null)
                continue;
            while (stream.FreeCount > 0 && pacer.Due <= now)
            {
                var index = stream.FreeSlots[--stream.FreeCount];
                var slot = _pipeline.Slots + index;
                _pipeline.MakeRoom();
                stream.Prepare(slot);
                // A flush belongs to the writes before it and takes no place in the schedule.
                if (slot->Operation != SlotOperation.Flush)
                    slot->Intended = pacer.Take(now);
                _pipeline.Add(index);
            }
            if (stream.FreeCount > 0)
                until = Math.Min(until, pacer.Due);
        }
        return until == long.MaxValue ? until : Math.Min(until, now + LongestWait);
    }

    private void StartOrPark(IoSlot* slot, int index)
    {
        if (_pooled)
            slot->Stream = slot->Target = PickStream();
        var stream = _streams[slot->Stream];
        if (stream.Pacer is null)
        {
            _pipeline.MakeRoom();
            stream.Prepare(slot);
            _pipeline.Add(index);
        }
        else
        {
            stream.FreeSlots[stream.FreeCount++] = index;
        }
    }

    private int PickStream()
    {
        var draw = _poolRandom.Below(_weights);
        for (var i = 0; ; i++)
        {
            draw -= _streams[i].Plan.Pattern.Weight;
            if (draw < 0)
                return i;
        }
    }
}
