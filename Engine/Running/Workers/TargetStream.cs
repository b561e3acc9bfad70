using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed unsafe class TargetStream
{
    // Arrivals have their own random numbers, so that the same seed gives the same offsets at any rate.
    private const ulong ArrivalStream = 0xA881_7A15;
    private const ulong StartStream = 0x57A8_7000;
    private const ulong HotStream = 0x4075_B10C;
    private const int MaxDraws = 16;

    private readonly int _blockSize;
    private readonly int _writePercent;
    private readonly int _flushEvery;
    private bool _isPlainRead;
    private StreamVerifier? _checks;
    private readonly bool _hasDepths;

    // Block sizes of a mix: an entry for each percent.
    private readonly int[]? _readSizes;
    private readonly int[]? _writeSizes;
    private readonly WriteContent? _content;
    private readonly OffsetGenerator _offsets;
    private readonly TimelineInterval[] _timeline;
    private readonly IntervalLatency[]? _readIntervals;
    private readonly IntervalLatency[]? _writeIntervals;
    private readonly LatencyHistogram? _reads;
    private readonly LatencyHistogram? _writes;
    private readonly ResponseTimes? _responses;
    private RandomSource _random;
    private int _writesSinceFlush;

    public TargetStream(StreamPlan plan, int intervals, ulong seed, ulong contentSeed, bool keepsIntervals)
    {
        Plan = plan;
        var pattern = plan.Pattern;
        _blockSize = (int)pattern.BlockSize;
        _writePercent = pattern.WritePercent;
        _flushEvery = pattern.FlushEvery;
        _hasDepths = pattern.Depths is not null;
        _readSizes = CreateSizeTable(pattern.BlockMix?.Reads);
        _writeSizes = CreateSizeTable(pattern.BlockMix?.Writes);
        _isPlainRead = _writePercent == 0 && _readSizes is null;
        _random = new RandomSource(seed, plan.Thread, plan.TargetIndex);
        _offsets = new OffsetGenerator(
            pattern,
            plan.Range,
            plan.TargetThreadIndex,
            plan.TargetThreadCount,
            plan.Outstanding,
            plan.HasRandomStart
                ? new RandomSource(
                    SplitMix64.Mix(seed ^ StartStream),
                    pattern.AccessPattern == IoAccessPattern.Interlocked ? 0 : plan.Thread,
                    plan.TargetIndex
                )
                : null,
            SplitMix64.Mix(seed ^ HotStream) + (ulong)plan.TargetIndex
        );
        _content = _writePercent == 0 ? null : new WriteContent(pattern, contentSeed, plan.ContentSource);
        _timeline = new TimelineInterval[intervals];
        Pacer = Pacer.Create(
            pattern,
            plan.TargetThreadIndex,
            plan.TargetThreadCount,
            new RandomSource(SplitMix64.Mix(seed ^ ArrivalStream), plan.Thread, plan.TargetIndex)
        );
        Latencies = new LatencyDistributions(_writePercent < 100, _writePercent > 0, Pacer is { IsOpenLoop: true }, _flushEvery > 0);
        _reads = Latencies.Service.Reads;
        _writes = Latencies.Service.Writes;
        _responses = Latencies.Response;
        _readIntervals = keepsIntervals && _writePercent < 100 ? new IntervalLatency[intervals] : null;
        _writeIntervals = keepsIntervals && _writePercent > 0 ? new IntervalLatency[intervals] : null;
        FreeSlots = new int[plan.Outstanding];
    }

    public StreamPlan Plan { get; }

    /// <summary>Flags that the system reports; null before the file is open, and if it does not report them.</summary>
    public OpenFlags? OpenedAs { get; set; }

    /// <summary>Null = I/Os start as soon as a slot is free.</summary>
    public Pacer? Pacer { get; }

    public int[] FreeSlots { get; }

    public int FreeCount { get; set; }

    public LatencyDistributions Latencies { get; }

    /// <summary>Empty if the stream does not read, or if the test does not request them.</summary>
    public ReadOnlySpan<IntervalLatency> ReadIntervals => _readIntervals;

    /// <summary>Empty if the stream does not write, or if the test does not request them.</summary>
    public ReadOnlySpan<IntervalLatency> WriteIntervals => _writeIntervals;

    /// <summary>Longest service time of an I/O that completed after the measured time, in nanoseconds; 0 if there is none.</summary>
    public long MaxLateLatency { get; private set; }

    public int PlacedPercent => _offsets.PlacedPercent;

    public ReadOnlySpan<TimelineInterval> Timeline => _timeline;

    public void SetTimes(RunControl control, IntervalHistograms intervals)
    {
        Pacer?.SetStart(control.IoStart);
        intervals.SetIntervalLength(control.Interval);
        _responses?.SetMeasuredTime(control.MeasureFrom, control.MeasureTo, intervals);
    }

    /// <param name="place">Buffers of the slot; in a pool, with room for the largest block of all streams.</param>
    public void FillBuffer(IoSlot* slot, BufferLayout.SlotBuffers place, ref RandomSource random)
    {
        _content?.FillBuffer(new Span<byte>(slot->WriteBuffer, place.WriteLength), ref random);
        _content?.SetLayout(Plan.Outstanding, place.WriteParts, place.PartBytes);
    }

    /// <summary>Enables the verification of every read. Must be called before the run.</summary>
    public void EnableChecks(StreamVerifier checks)
    {
        _checks = checks;
        _isPlainRead = false;
    }

    /// <summary>Null if reads are not verified.</summary>
    public StreamVerifier? Checks => _checks;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PrepareNext(IoSlot* slot)
    {
        if (_isPlainRead)
        {
            slot->Operation = IoRequestKind.Read;
            slot->Buffer = slot->ReadBuffer;
            slot->Offset = _offsets.Next(ref _random);
            slot->Length = _blockSize;
        }
        else
        {
            PrepareMixed(slot);
        }
    }

    /// <summary>Counts I/Os of the same operation and latency. <paramref name="bytes"/> is the total of all of them.</summary>
    public void Record(IoRequestKind operation, long latency, int count, long bytes, int interval)
    {
        ref var point = ref _timeline[interval];
        if (operation == IoRequestKind.Read)
        {
            _reads!.Add(latency, count);
            point.Reads += count;
            point.ReadBytes += bytes;
            if (_readIntervals is not null)
                _readIntervals[interval].Add(latency, count);
        }
        else if (operation == IoRequestKind.Write)
        {
            _writes!.Add(latency, count);
            point.Writes += count;
            point.WriteBytes += bytes;
            if (_writeIntervals is not null)
                _writeIntervals[interval].Add(latency, count);
        }
        else
        {
            Latencies.Flushes!.Add(latency, count);
            return;
        }
        point.LatencySum += latency * count;
        if (latency > point.LatencyMax)
            point.LatencyMax = latency;
    }

    /// <summary>Records the response time of an I/O that completed in or after the measured time. Does nothing in a closed loop.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void RecordResponse(IoSlot* slot, long now) => _responses?.RecordCompletion(slot->Operation, slot->Intended, now);

    /// <summary>Records an I/O of the measured time that completed after it or never. Only the highest latency includes it.</summary>
    public void RecordLate(IoRequestKind operation, long latency)
    {
        if (operation == IoRequestKind.Flush)
            return;
        MaxLateLatency = Math.Max(MaxLateLatency, latency);
        (operation == IoRequestKind.Read ? _reads : _writes)!.RaiseMax(latency);
    }

    private void PrepareMixed(IoSlot* slot)
    {
        if (_flushEvery > 0 && _writesSinceFlush >= _flushEvery && (slot->IsForWrites || !_hasDepths))
        {
            _writesSinceFlush = 0;
            slot->Operation = IoRequestKind.Flush;
            slot->Length = 0;
            _checks?.BeginFlush();
            return;
        }
        var write = _hasDepths ? slot->IsForWrites : _writePercent == 100 || (_writePercent > 0 && _random.NextBelow(100) < _writePercent);
        var length = _readSizes is null ? _blockSize : NextSize(write ? _writeSizes! : _readSizes, ref _random);
        slot->Offset = _readSizes is null ? _offsets.Next(ref _random) : _offsets.Next(ref _random, length);
        slot->Length = length;
        if (write)
        {
            slot->Operation = IoRequestKind.Write;
            if (_checks is null)
                _content!.PrepareWrite(slot);
            else
                PrepareChecked(slot);
            _writesSinceFlush++;
        }
        else
        {
            slot->Operation = IoRequestKind.Read;
            slot->Buffer = slot->ReadBuffer;
            _checks?.PrefetchRead(slot);
        }
    }

    /// <summary>Verified writes must not overlap, because a read could not tell which of two to expect.</summary>
    private void PrepareChecked(IoSlot* slot)
    {
        slot->Buffer = slot->WriteBuffer;
        for (var tries = 0; !_checks!.TryBeginWrite(slot); tries++)
        {
            if (tries < MaxDraws)
            {
                slot->Offset = _readSizes is null ? _offsets.Next(ref _random) : _offsets.Next(ref _random, slot->Length);
                continue;
            }
            // If random offsets only hit busy blocks, use the next free one. The file is at least twice as large as the outstanding I/Os.
            slot->Offset += slot->Length;
            if (slot->Offset + slot->Length > Plan.Range.End)
                slot->Offset = Plan.Range.Start;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int NextSize(int[] table, ref RandomSource random) => table[random.NextBelow(table.Length)];

    internal static int[]? CreateSizeTable(IReadOnlyList<IoBlockShare>? shares) =>
        shares is null ? null : [.. shares.SelectMany(share => Enumerable.Repeat((int)share.Size, share.Percent))];
}
