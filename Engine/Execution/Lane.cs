using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>One thread's work on one target: what comes next, and what came of it.</summary>
internal sealed unsafe class Lane
{
    private readonly int _blockSize;
    private readonly int _writePercent;
    private readonly int _flushEvery;
    private readonly WriteContent? _content;
    private readonly OffsetGenerator _offsets;
    private readonly TimelineInterval[] _timeline;
    private readonly LaneDetails? _details;
    private RandomSource _random;
    private int _writesSinceFlush;

    /// <summary>A lane as planned.</summary>
    public Lane(LanePlan plan, int handle, int intervals, ulong seed, bool keepsIntervals)
    {
        Plan = plan;
        Handle = handle;
        var pattern = plan.Pattern;
        _blockSize = (int)pattern.BlockSize;
        _writePercent = pattern.WritePercent;
        _flushEvery = pattern.FlushEvery;
        _random = new RandomSource(seed, plan.Thread, plan.TargetIndex);
        _offsets = new OffsetGenerator(pattern, plan.Range, plan.ThreadOfTarget, plan.ThreadsOfTarget, plan.Outstanding);
        _content = _writePercent == 0 ? null : new WriteContent(pattern, plan.ContentSeed, plan.ContentSource);
        _timeline = new TimelineInterval[intervals];
        Pacer = Pacer.For(pattern, plan.ThreadOfTarget, plan.ThreadsOfTarget);
        Reads = _writePercent == 100 ? null : new LatencyHistogram();
        Writes = _writePercent == 0 ? null : new LatencyHistogram();
        _details = LaneDetails.For(pattern, Pacer is { IsOpenLoop: true }, keepsIntervals, intervals);
        Flushes = _flushEvery == 0 ? null : new LatencyHistogram();
        FreeSlots = new int[plan.SlotCount];
    }

    /// <summary>What it shall do.</summary>
    public LanePlan Plan { get; }
    /// <summary>Number of its target among the worker's open ones.</summary>
    public int Handle { get; }
    /// <summary>When it may start I/Os; null = as soon as a slot is free.</summary>
    public Pacer? Pacer { get; }
    /// <summary>Slots of a paced lane that wait for their moment.</summary>
    public int[] FreeSlots { get; }
    /// <summary>How many wait.</summary>
    public int FreeCount { get; set; }
    /// <summary>Latencies of measured reads; null when there can be none.</summary>
    public LatencyHistogram? Reads { get; }
    /// <summary>Latencies of measured writes; null when there can be none.</summary>
    public LatencyHistogram? Writes { get; }
    /// <summary>What else is kept of each I/O; null for most tests.</summary>
    public LaneDetails? Details => _details;
    /// <summary>Times of flushes.</summary>
    public LatencyHistogram? Flushes { get; }
    /// <summary>Share of its distribution that has a place in the target, in percent.</summary>
    public int PlacedPercent => _offsets.PlacedPercent;
    /// <summary>Where its distribution's I/Os go: shares of <see cref="PlacedPercent"/>, and bytes.</summary>
    public IEnumerable<(int Percent, long From, long To)> EffectiveParts => _offsets.EffectiveParts;
    /// <summary>Measured time by interval.</summary>
    public ReadOnlySpan<TimelineInterval> Timeline => _timeline;

    /// <summary>Fills a slot's write buffer before the run.</summary>
    public void FillBuffer(IoSlot* slot, ref RandomSource random)
        => _content?.Fill(new Span<byte>(slot->WriteBuffer, _blockSize), ref random);

    /// <summary>Puts the next I/O into a slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prepare(IoSlot* slot)
    {
        if (_writePercent == 0)
        {
            slot->Operation = SlotOperation.Read;
            slot->Buffer = slot->ReadBuffer;
            slot->Offset = _offsets.Next(ref _random);
            slot->Length = _blockSize;
        }
        else
        {
            PrepareMixed(slot);
        }
    }

    /// <summary>Counts a completed I/O of the measured time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(IoSlot* slot, long now, int interval)
    {
        var latency = now - slot->Started;
        ref var point = ref _timeline[interval];
        if (slot->Operation == SlotOperation.Read)
        {
            Reads!.Add(latency);
            point.Reads++;
            _details?.AddRead(latency, now - slot->Intended, interval);
        }
        else if (slot->Operation == SlotOperation.Write)
        {
            Writes!.Add(latency);
            point.Writes++;
            _details?.AddWrite(latency, now - slot->Intended, interval);
        }
        else
        {
            Flushes!.Add(latency);
            return;
        }
        point.LatencySum += latency;
        if (latency > point.LatencyMax)
            point.LatencyMax = latency;
    }

    private void PrepareMixed(IoSlot* slot)
    {
        if (_flushEvery > 0 && _writesSinceFlush >= _flushEvery)
        {
            _writesSinceFlush = 0;
            slot->Operation = SlotOperation.Flush;
            slot->Length = 0;
            return;
        }
        var write = _writePercent == 100 || _random.Below(100) < _writePercent;
        slot->Offset = _offsets.Next(ref _random);
        slot->Length = _blockSize;
        if (write)
        {
            slot->Operation = SlotOperation.Write;
            slot->Buffer = slot->WriteBuffer;
            _content!.Prepare(new Span<byte>(slot->Buffer, _blockSize), slot->Offset);
            _writesSinceFlush++;
        }
        else
        {
            slot->Operation = SlotOperation.Read;
            slot->Buffer = slot->ReadBuffer;
        }
    }
}
