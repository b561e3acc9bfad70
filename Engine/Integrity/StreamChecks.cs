using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>
/// Verifies the I/Os of one thread on one target: notes the expected content before each read, claims the offset of each write and creates
/// its content, and verifies
/// completed reads. Without errors, it takes no lock and allocates nothing.
/// </summary>
internal sealed unsafe class StreamChecks
{
    private const ulong NumberMask = (1UL << CheckedContent.NumberBits) - 1;

    private readonly IntegrityMap _map;
    private readonly CheckedContent _content;
    private readonly IReadJudge _judge;
    private readonly WitnessQueue? _witness;
    private readonly int _groupSize;
    private readonly ulong _thread;
    private ulong _count;

    /// <param name="witness">Receives each acknowledged write; null = none.</param>
    /// <param name="judge">Verifies suspect reads; null = on the calling thread.</param>
    public StreamChecks(TargetIntegrity target, IntegrityLog log, int thread, WitnessQueue? witness, IReadJudge? judge = null)
    {
        _map = target.Map;
        _content = target.Content;
        _groupSize = target.Map.GroupSize;
        _judge = judge ?? new IntegrityJudge(target, log);
        _thread = (ulong)thread;
        _witness = witness;
    }

    public IoIntegrityPhase Phase { get; set; } = IoIntegrityPhase.Test;

    public long Reads { get; private set; }

    public long ReadBytes { get; private set; }

    public long Writes { get; private set; }

    public long WriteBytes { get; private set; }

    public static long BytesPerSlot(long block, int groupSize) => block / groupSize * sizeof(MapEntry);

    /// <summary>
    /// Prefetches the expected content while the read is prepared. The map of a large file does not fit into the CPU cache, and waiting for
    /// memory is most of the
    /// cost of verifying a small read.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Expect(IoSlot* slot) => _map.Fetch(_map.GroupAt(slot->Offset), slot->Length / _groupSize);

    /// <summary>Notes the expected content. Call directly before the read starts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginRead(IoSlot* slot)
    {
        var group = _map.GroupAt(slot->Offset);
        var count = slot->Length / _groupSize;
        for (var i = 0; i < count; i++)
            slot->Checks[i] = _map.Read(group + i);
    }

    /// <summary>
    /// Claims the offset and creates the content. Call directly before the write starts. Returns false if another write to the offset is
    /// pending.
    /// </summary>
    public bool TryBeginWrite(IoSlot* slot)
    {
        var group = _map.GroupAt(slot->Offset);
        var count = slot->Length / _groupSize;
        if (!_map.TryClaim(group, count, out var newest))
            return false;
        // Greater than the number of every earlier write at this offset, from any thread, without a shared counter.
        _count = Math.Max(_count, newest >> CheckedContent.ThreadBits) + 1;
        var number = (_count << CheckedContent.ThreadBits | _thread) & NumberMask;
        _map.Announce(group, count, number);
        var checks = slot->Checks;
        var buffer = slot->Buffer;
        for (var i = 0; i < count; i++, buffer += _groupSize)
        {
            _content.Make(new Span<byte>(buffer, _groupSize), (group + i) * _groupSize, number);
            checks[i] = new MapEntry { Sum = BlockSum.Of(buffer, _groupSize), Number = number };
        }
        return true;
    }

    public void BeginFlush() => _witness?.Add(WitnessKind.FlushBegun, 0, 0, 0);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Completed(IoSlot* slot)
    {
        if (slot->Operation == SlotOperation.Read)
            CheckRead(slot);
        else if (slot->Operation == SlotOperation.Write)
            Acknowledge(slot);
        else
            _witness?.Add(WitnessKind.FlushDone, 0, 0, 0);
    }

    /// <summary>Call for an I/O that failed in whole or in part. The content at the offset of a failed write is unknown.</summary>
    public void Failed(IoSlot* slot)
    {
        if (slot->Operation == SlotOperation.Write)
            _map.Abandon(_map.GroupAt(slot->Offset - slot->Moved), (slot->Length + slot->Moved) / _groupSize);
    }

    private void CheckRead(IoSlot* slot)
    {
        var length = slot->Length + slot->Moved;
        var buffer = slot->Buffer - slot->Moved;
        var checks = slot->Checks;
        for (int at = 0, i = 0; at < length; at += _groupSize, i++)
        {
            if (BlockSum.Of(buffer + at, _groupSize) == checks[i].Sum)
            {
                // Mark the buffer now, because its bytes are still in the CPU's first-level cache.
                Poison.Put(buffer + at, _groupSize);
                continue;
            }
            _judge.Judge(new ReadOnlySpan<byte>(buffer + at, length - at), slot->Offset - slot->Moved + at, checks + i, Phase);
            Poison.Put(buffer + at, length - at);
            break;
        }
        Reads++;
        ReadBytes += length;
    }

    private void Acknowledge(IoSlot* slot)
    {
        var length = slot->Length + slot->Moved;
        var offset = slot->Offset - slot->Moved;
        var group = _map.GroupAt(offset);
        var checks = slot->Checks;
        for (var i = 0; i < length / _groupSize; i++)
            _map.Acknowledge(group + i, checks[i].Sum, checks[i].Number);
        Writes++;
        WriteBytes += length;
        _witness?.Add(WitnessKind.Write, offset, length, checks[0].Number);
    }
}
