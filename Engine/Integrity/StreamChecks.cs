using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>
/// The checks of one thread's work on one target: notes before each read what it must bring, claims the place of each write and makes its content, and looks at
/// what came back. Takes no lock and allocates nothing as long as all is right.
/// </summary>
internal sealed unsafe class StreamChecks
{
    private const ulong NumberMask = (1UL << CheckedContent.NumberBits) - 1;

    private readonly IntegrityMap _map;
    private readonly CheckedContent _content;
    private readonly IntegrityJudge _judge;
    private readonly WitnessQueue? _witness;
    private readonly int _groupSize;
    private readonly ulong _thread;
    private ulong _count;

    /// <summary>Checks of a thread's work.</summary>
    /// <param name="target">The target.</param>
    /// <param name="log">Receives what is wrong.</param>
    /// <param name="thread">Number of the thread.</param>
    /// <param name="witness">Told each acknowledged write; null = nobody is.</param>
    public StreamChecks(TargetIntegrity target, IntegrityLog log, int thread, WitnessQueue? witness)
    {
        _map = target.Map;
        _content = target.Content;
        _groupSize = target.Map.GroupSize;
        _judge = new IntegrityJudge(target, log);
        _thread = (ulong)thread;
        _witness = witness;
    }

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

    private void CheckRead(IoSlot* slot)
    {
        var length = slot->Length + slot->Moved;
        var buffer = slot->Buffer - slot->Moved;
        var checks = slot->Checks;
        var isRight = true;
        for (int at = 0, i = 0; at < length; at += _groupSize, i++)
            isRight &= BlockSum.Of(buffer + at, _groupSize) == checks[i].Sum;
        if (!isRight)
            _judge.Judge(new ReadOnlySpan<byte>(buffer, length), slot->Offset - slot->Moved, checks, IoIntegrityPhase.Test);
        Poison.Put(buffer, length);
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
