using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Verifies the I/Os of one thread on one target. Without errors, it takes no lock and allocates nothing.</summary>
internal sealed unsafe class StreamVerifier
{
    private const ulong NumberMask = (1UL << VerifiableContent.NumberBits) - 1;

    private readonly ChecksumMap _map;
    private readonly VerifiableContent _content;
    private readonly CorruptionClassifier _classifier;
    private readonly BackgroundVerifier? _background;
    private readonly WitnessRecordQueue? _witness;
    private readonly int _groupSize;
    private readonly ulong _thread;
    private ulong _count;

    /// <param name="background">Classifies suspect reads on its own thread; null = on the calling thread.</param>
    public StreamVerifier(
        IntegrityTarget target,
        IntegrityErrorLog log,
        int thread,
        WitnessRecordQueue? witness,
        BackgroundVerifier? background = null
    )
    {
        _map = target.Map;
        _content = target.Content;
        _groupSize = target.Map.GroupSize;
        _classifier = new CorruptionClassifier(target, log);
        _background = background;
        _thread = (ulong)thread;
        _witness = witness;
    }

    public IoIntegrityPhase Phase { get; set; } = IoIntegrityPhase.Test;

    public long Reads { get; private set; }

    public long ReadBytes { get; private set; }

    public long Writes { get; private set; }

    public long WriteBytes { get; private set; }

    public static long GetBytesPerSlot(long block, int groupSize) => block / groupSize * sizeof(ChecksumMapEntry);

    /// <summary>
    /// Prefetches the expected content while the read is prepared. The map of a large file does not fit into the CPU cache, and waiting for
    /// memory is most of the cost of verifying a small read.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void PrefetchRead(IoSlot* slot) => _map.Prefetch(_map.GetGroup(slot->Offset), slot->Length / _groupSize);

    /// <summary>Call directly before the read starts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginRead(IoSlot* slot)
    {
        var group = _map.GetGroup(slot->Offset);
        var count = slot->Length / _groupSize;
        for (var i = 0; i < count; i++)
            slot->Checks[i] = _map.Read(group + i);
    }

    /// <summary>Call directly before the write starts. Returns false if another write to the offset is pending.</summary>
    public bool TryBeginWrite(IoSlot* slot)
    {
        var group = _map.GetGroup(slot->Offset);
        var count = slot->Length / _groupSize;
        if (!_map.TryClaim(group, count, out var newest))
            return false;
        // Greater than the number of every earlier write at this offset, from any thread, without a shared counter.
        _count = Math.Max(_count, newest >> VerifiableContent.ThreadBits) + 1;
        var number = (_count << VerifiableContent.ThreadBits | _thread) & NumberMask;
        _map.SetClaimNumber(group, count, number);
        var checks = slot->Checks;
        var buffer = slot->Buffer;
        for (var i = 0; i < count; i++, buffer += _groupSize)
        {
            _content.Fill(new Span<byte>(buffer, _groupSize), (group + i) * _groupSize, number);
            checks[i] = new ChecksumMapEntry { Sum = BlockChecksum.Compute(buffer, _groupSize), Number = number };
        }
        return true;
    }

    public void BeginFlush() => _witness?.Enqueue(WitnessRecordKind.FlushBegun, 0, 0, 0);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnCompleted(IoSlot* slot)
    {
        if (slot->Operation == IoRequestKind.Read)
            VerifyRead(slot);
        else if (slot->Operation == IoRequestKind.Write)
            AcknowledgeWrite(slot);
        else
            _witness?.Enqueue(WitnessRecordKind.FlushDone, 0, 0, 0);
    }

    /// <summary>Call for an I/O that failed in whole or in part. The content at the offset of a failed write is unknown.</summary>
    public void OnFailed(IoSlot* slot)
    {
        if (slot->Operation == IoRequestKind.Write)
            _map.AbandonClaim(_map.GetGroup(slot->Offset - slot->Moved), (slot->Length + slot->Moved) / _groupSize);
    }

    private void VerifyRead(IoSlot* slot)
    {
        var length = slot->Length + slot->Moved;
        var buffer = slot->Buffer - slot->Moved;
        var checks = slot->Checks;
        for (int at = 0, i = 0; at < length; at += _groupSize, i++)
        {
            if (BlockChecksum.Compute(buffer + at, _groupSize) == checks[i].Sum)
            {
                // Mark the buffer now, because its bytes are still in the CPU's first-level cache.
                MarkBuffer(buffer + at, _groupSize);
                continue;
            }
            var found = new ReadOnlySpan<byte>(buffer + at, length - at);
            if (_background is not null)
                _background.Verify(found, slot->Offset - slot->Moved + at, checks + i, Phase);
            else
                _classifier.Verify(found, slot->Offset - slot->Moved + at, checks + i, Phase);
            MarkBuffer(buffer + at, length - at);
            break;
        }
        Reads++;
        ReadBytes += length;
    }

    private void AcknowledgeWrite(IoSlot* slot)
    {
        var length = slot->Length + slot->Moved;
        var offset = slot->Offset - slot->Moved;
        var group = _map.GetGroup(offset);
        var checks = slot->Checks;
        for (var i = 0; i < length / _groupSize; i++)
            _map.Acknowledge(group + i, checks[i].Sum, checks[i].Number);
        Writes++;
        WriteBytes += length;
        _witness?.Enqueue(WitnessRecordKind.Write, offset, length, checks[0].Number);
    }

    private const int MarkOffset = TestFileContent.SectorSize - sizeof(ulong);
    private static readonly ulong s_bufferMark = (ulong)Random.Shared.NextInt64() | 1;

    /// <summary>Marks each sector of a buffer before a read, to detect sectors that the read did not fill.</summary>
    public static void MarkBuffer(byte* buffer, long length)
    {
        var word = s_bufferMark;
        for (long at = MarkOffset; at < length; at += TestFileContent.SectorSize)
            *(ulong*)(buffer + at) = word;
    }

    public static bool IsUntouched(ReadOnlySpan<byte> sector) =>
        sector.Length == TestFileContent.SectorSize && MemoryMarshal.Read<ulong>(sector[MarkOffset..]) == s_bufferMark;
}
