using System.Runtime.CompilerServices;

namespace IoBench.Engine.Integrity;

/// <summary>
/// The checks of one thread's work on one target: notes before each read what it must bring, claims the place of each write and makes its content, and looks at
/// what came back. Takes no lock and allocates nothing as long as all is right.
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

    /// <summary>Checks of a thread's work.</summary>
    /// <param name="log">Receives what is wrong.</param>
    /// <param name="thread">Number of the thread.</param>
    /// <param name="witness">Gets each acknowledged write; null = there is none.</param>
    /// <param name="judge">Looks at reads that brought something else than expected; null = at once, by the calling thread.</param>
    public StreamChecks(TargetIntegrity target, IntegrityLog log, int thread, WitnessQueue? witness, IReadJudge? judge = null)
    {
        _map = target.Map;
        _content = target.Content;
        _groupSize = target.Map.GroupSize;
        _judge = judge ?? new IntegrityJudge(target, log);
        _thread = (ulong)thread;
        _witness = witness;
    }

    /// <summary>What reads are for from now on.</summary>
    public IoIntegrityPhase Phase { get; set; } = IoIntegrityPhase.Test;

    /// <summary>Reads that were checked.</summary>
    public long Reads { get; private set; }

    /// <summary>Bytes of them.</summary>
    public long ReadBytes { get; private set; }

    /// <summary>Acknowledged writes.</summary>
    public long Writes { get; private set; }

    /// <summary>Bytes of them.</summary>
    public long WriteBytes { get; private set; }

    /// <summary>Bytes that the checks of a slot need for blocks of a size.</summary>
    public static long BytesPerSlot(long block, int groupSize) => block / groupSize * sizeof(MapEntry);

    /// <summary>
    /// A read is prepared: what its place must hold is fetched from memory meanwhile. The map of a large file is in no cache, and to wait for it is most of what the
    /// check of a small read costs.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Expect(IoSlot* slot) => _map.Fetch(_map.GroupAt(slot->Offset), slot->Length / _groupSize);

    /// <summary>A read is about to be started: notes what its place must hold now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginRead(IoSlot* slot)
    {
        var group = _map.GroupAt(slot->Offset);
        var count = slot->Length / _groupSize;
        for (var i = 0; i < count; i++)
            slot->Checks[i] = _map.Read(group + i);
    }

    /// <summary>A write is about to be started: claims its place and makes its content; false when another write is on its way there.</summary>
    public bool TryBeginWrite(IoSlot* slot)
    {
        var group = _map.GroupAt(slot->Offset);
        var count = slot->Length / _groupSize;
        if (!_map.TryClaim(group, count, out var newest))
            return false;
        // Greater than all that stand there, whichever thread wrote them, without a counter that all share.
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

    /// <summary>A flush is about to be started.</summary>
    public void BeginFlush() => _witness?.Add(WitnessKind.FlushBegun, 0, 0, 0);

    /// <summary>An I/O is back, whole.</summary>
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

    /// <summary>An I/O has failed, in whole or in part, and will not be done: of a write's place nobody knows what it holds.</summary>
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
                // While it is in the processor's first cache.
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
