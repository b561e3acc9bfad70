namespace IoBench.Engine.Tests;

internal enum InjectedCorruption
{
    Lose,
    Stale,
    Tear512,
    Tear4096,
    MisdirectWrite,
    MisdirectRead,
    FlipWrite,
    FlipRead,
    Short,
    ZeroWrite,
    ZeroRead,
}

/// <summary>
/// A device on a real file that injects a given number of corruptions of each kind at random times, and that knows which of them a run must
/// report. A corruption that is overwritten before a read returned it does not count. After a read has returned it, the block is not
/// written until the run has verified that read.
/// </summary>
internal sealed unsafe class CorruptingDevice
{
    public const int BlockSize = 8192;
    private const int MaxUnseen = 12;
    private const int MaxDelays = 200_000;

    private static readonly Dictionary<InjectedCorruption, IoIntegrityErrorKind> s_errorKinds = new()
    {
        [InjectedCorruption.Lose] = IoIntegrityErrorKind.LostWrite,
        [InjectedCorruption.Stale] = IoIntegrityErrorKind.StaleRead,
        [InjectedCorruption.Tear512] = IoIntegrityErrorKind.TornWrite,
        [InjectedCorruption.Tear4096] = IoIntegrityErrorKind.TornWrite,
        [InjectedCorruption.MisdirectWrite] = IoIntegrityErrorKind.MisdirectedWrite,
        [InjectedCorruption.MisdirectRead] = IoIntegrityErrorKind.MisdirectedRead,
        [InjectedCorruption.FlipWrite] = IoIntegrityErrorKind.BitFlip,
        [InjectedCorruption.FlipRead] = IoIntegrityErrorKind.BitFlip,
        [InjectedCorruption.Short] = IoIntegrityErrorKind.NotRead,
        [InjectedCorruption.ZeroWrite] = IoIntegrityErrorKind.Zeros,
        [InjectedCorruption.ZeroRead] = IoIntegrityErrorKind.Zeros,
    };

    private readonly object _gate = new();
    private readonly BlockHistory[] _blocks;
    private readonly int _quota;
    private readonly int[] _corruptionCounts = new int[Enum.GetValues<InjectedCorruption>().Length];
    private readonly List<Corruption> _corruptions = [];
    private readonly HashSet<Corruption> _unseen = [];
    private readonly Random _random = new(18);
    private int _seed;
    private long _time;
    private volatile bool _isFinished;

    public CorruptingDevice(int places, int quota)
    {
        _blocks = [.. Enumerable.Range(0, places).Select(_ => new BlockHistory())];
        _quota = quota;
    }

    public List<IoIntegrityError> FoundErrors { get; } = [];
    public bool IsDone => _corruptionCounts.All(count => count >= _quota);
    public IReadOnlyList<int> CorruptionCounts => _corruptionCounts;

    /// <summary>Errors that the run must report, each once.</summary>
    public IEnumerable<(IoIntegrityErrorKind Kind, long Place)> ExpectedErrors =>
        _corruptions.Where(d => d.ExpectedErrorKind is not null).Select(d => (d.ExpectedErrorKind!.Value, d.Index));

    public int GetNextSeed() => Interlocked.Increment(ref _seed);

    public long GetNextTime() => Interlocked.Increment(ref _time);

    /// <summary>From now on, writes are not delayed until a read has returned the corruption.</summary>
    public void StopDelayingWrites() => _isFinished = true;

    public void AddFoundError(IoIntegrityError error)
    {
        lock (_gate)
            if (!FoundErrors.Contains(error))
                FoundErrors.Add(error);
    }

    public SubmissionState RecordSubmission(IoSlot* slot, long returned)
    {
        lock (_gate)
            return new SubmissionState(_blocks[slot->Offset / BlockSize].Versions.Count, returned);
    }

    public void MarkVerified(List<ExecutedIO> answers)
    {
        lock (_gate)
            foreach (var (place, isWrite, brought) in answers)
            {
                if (isWrite)
                    place.AcknowledgedAt = GetNextTime();
                else if (brought == ReadOutcome.Damage)
                    place.UnverifiedReadsOfCorruption--;
                else if (brought == ReadOutcome.Lie)
                    place.UnverifiedCorruptedReads--;
            }
    }

    public ExecutedIO? TryExecute(IoSlot* slot, TargetHandle target, SubmissionState submission, bool isAlone)
    {
        lock (_gate)
        {
            var index = slot->Offset / BlockSize;
            var place = _blocks[index];
            var bytes = new Span<byte>(slot->Buffer, slot->Length);
            if (slot->Operation == IoRequestKind.Read)
                return new ExecutedIO(place, IsWrite: false, ReadBlock(bytes, target, index, place, submission));
            // The content must not change while the run verifies a read of it. A write also waits for a read of a corruption that no read
            // has returned yet, but not forever.
            if (
                place.UnverifiedReadsOfCorruption > 0
                || (
                    !_isFinished && !isAlone && place.Corruption is { } unseen && _unseen.Contains(unseen) && place.DelayCount++ < MaxDelays
                )
            )
                return null;
            WriteBlock(bytes, target, index, place);
            return new ExecutedIO(place, IsWrite: true, ReadOutcome.Truth);
        }
    }

    private void WriteBlock(Span<byte> bytes, TargetHandle target, long index, BlockHistory place)
    {
        var before = new byte[BlockSize];
        RandomAccess.Read(target.File, before, index * BlockSize);
        var wasDamaged = place.Corruption is not null;
        // Content that a corruption left is not a version of its own.
        place.AddVersion(wasDamaged ? null : before);
        if (place.Corruption is { } over)
            EndCorruption(over, place);
        place.Corruption = null;
        (place.DelayCount, place.AcknowledgedAt) = (0, 0);
        var lie = wasDamaged
            ? null
            : ChooseCorruption(
                InjectedCorruption.Lose,
                InjectedCorruption.Tear512,
                InjectedCorruption.Tear4096,
                InjectedCorruption.MisdirectWrite,
                InjectedCorruption.FlipWrite,
                InjectedCorruption.ZeroWrite
            );
        var copy = bytes.ToArray();
        var length = BlockSize;
        var other = -1L;
        switch (lie)
        {
            case null:
                break;
            case InjectedCorruption.Lose:
                length = 0;
                break;
            case InjectedCorruption.Tear512:
                length = 512 * _random.Next(1, 16);
                break;
            case InjectedCorruption.Tear4096:
                length = 4096;
                break;
            case InjectedCorruption.FlipWrite:
                copy[_random.Next(BlockSize)] ^= (byte)(1 << _random.Next(8));
                break;
            case InjectedCorruption.ZeroWrite:
                copy.AsSpan().Clear();
                break;
            default:
                other = _random.Next(_blocks.Length);
                // A block whose read is being verified must not change.
                if (
                    other == index
                    || _blocks[other].Corruption is not null
                    || _blocks[other].UnverifiedReadsOfCorruption > 0
                    || _blocks[other].UnverifiedCorruptedReads > 0
                )
                    (lie, other) = (null, -1);
                else
                {
                    RandomAccess.Write(target.File, copy, other * BlockSize);
                    length = 0;
                }
                break;
        }
        RandomAccess.Write(target.File, copy.AsSpan(0, length), index * BlockSize);
        if (lie is { } told)
            AddCorruption(new Corruption(told, index, place, bytes.ToArray()) { Stray = other < 0 ? null : _blocks[other] });
    }

    private ReadOutcome ReadBlock(Span<byte> bytes, TargetHandle target, long index, BlockHistory place, SubmissionState submission)
    {
        var before = bytes.ToArray();
        RandomAccess.Read(target.File, bytes, index * BlockSize);
        if (place.Corruption is { } damage)
            return ReadCorruptedBlock(bytes, damage, place, submission);
        var lie = ChooseCorruption(
            InjectedCorruption.Stale,
            InjectedCorruption.MisdirectRead,
            InjectedCorruption.FlipRead,
            InjectedCorruption.Short,
            InjectedCorruption.ZeroRead
        );
        switch (lie)
        {
            case InjectedCorruption.Stale:
                // The third-last version is returned, and the last write was acknowledged before the read started.
                if (
                    submission.Version < 3
                    || submission.Version != place.Versions.Count
                    || !place.IsAcknowledgedBefore(submission)
                    || place.Versions[submission.Version - 3] is not { } old
                )
                    return ReadOutcome.Truth;
                old.CopyTo(bytes);
                break;
            case InjectedCorruption.MisdirectRead:
                var other = _random.Next(_blocks.Length);
                // A block that was never written has no header, so only the checksum of its current content identifies it.
                if (other == index || _blocks[other].Corruption is not null || _blocks[other].Versions.Count == 0)
                    return ReadOutcome.Truth;
                RandomAccess.Read(target.File, bytes, (long)other * BlockSize);
                break;
            case InjectedCorruption.FlipRead:
                bytes[_random.Next(BlockSize)] ^= (byte)(1 << _random.Next(8));
                break;
            case InjectedCorruption.Short:
                var left = 512 * _random.Next(1, 16);
                before.AsSpan(left).CopyTo(bytes[left..]);
                break;
            case InjectedCorruption.ZeroRead:
                // A read that started before the last acknowledgment can legitimately return the zeros of an earlier write.
                if (place.Versions.Count > 0 && !place.IsAcknowledgedBefore(submission))
                    return ReadOutcome.Truth;
                bytes.Clear();
                break;
            default:
                return ReadOutcome.Truth;
        }
        _corruptionCounts[(int)lie.Value]++;
        _corruptions.Add(new Corruption(lie.Value, index, place, []) { IsSeen = true });
        place.UnverifiedCorruptedReads++;
        return ReadOutcome.Lie;
    }

    private ReadOutcome ReadCorruptedBlock(Span<byte> bytes, Corruption damage, BlockHistory place, SubmissionState submission)
    {
        if (damage.Stray == place)
            damage.IsStraySeen = true;
        else if (damage is { IsOldContent: true, IsSeen: false, IsStraySeen: false } && !place.IsAcknowledgedBefore(submission))
        {
            // A read that started before the acknowledgment can legitimately return old content, so it gets the written data instead. This
            // does not apply after a read has returned the corruption, because the run can expect it by then.
            damage.Written.CopyTo(bytes);
            return ReadOutcome.Truth;
        }
        else
            damage.IsSeen = true;
        _unseen.Remove(damage);
        place.UnverifiedReadsOfCorruption++;
        return ReadOutcome.Damage;
    }

    private void EndCorruption(Corruption damage, BlockHistory place)
    {
        if (damage.Stray == place)
            damage.IsStrayOverwritten = true;
        else
            damage.IsOverwritten = true;
        _unseen.Remove(damage);
    }

    private void AddCorruption(Corruption damage)
    {
        _corruptionCounts[(int)damage.Kind]++;
        _corruptions.Add(damage);
        _unseen.Add(damage);
        damage.Block.Corruption = damage;
        if (damage.Stray is { } stray)
            stray.Corruption = damage;
    }

    private InjectedCorruption? ChooseCorruption(params InjectedCorruption[] lies)
    {
        // Only a few corruptions wait for a read at a time, so that the writes that wait for them do not block all reads.
        if (_random.Next(40) != 0 || _unseen.Count > MaxUnseen)
            return null;
        var lie = lies[_random.Next(lies.Length)];
        return _corruptionCounts[(int)lie] < _quota ? lie : null;
    }

    /// <summary>State of a block when an I/O was submitted.</summary>
    /// <param name="Version">Number of writes of the block so far.</param>
    /// <param name="LastCompletionTime">Time of the worker's last completions. The I/O started after that.</param>
    internal readonly record struct SubmissionState(int Version, long LastCompletionTime);

    internal readonly record struct ExecutedIO(BlockHistory Block, bool IsWrite, ReadOutcome Outcome);

    internal enum ReadOutcome
    {
        Truth,
        Lie,
        Damage,
    }

    internal sealed class Corruption(InjectedCorruption lie, long index, BlockHistory place, byte[] written)
    {
        public InjectedCorruption Kind => lie;
        public long Index => index;
        public BlockHistory Block => place;
        public byte[] Written => written;

        public BlockHistory? Stray { get; init; }
        public bool IsSeen { get; set; }
        public bool IsOverwritten { get; set; }
        public bool IsStraySeen { get; set; }
        public bool IsStrayOverwritten { get; set; }
        public bool IsOldContent =>
            lie
                is InjectedCorruption.Lose
                    or InjectedCorruption.Tear512
                    or InjectedCorruption.Tear4096
                    or InjectedCorruption.MisdirectWrite;

        /// <summary>
        /// Error kind that the run must report; null if the corruption was overwritten before a read returned it. A misdirected write is a
        /// lost write if no read returned the wrong location.
        /// </summary>
        public IoIntegrityErrorKind? ExpectedErrorKind =>
            Stray is not null && (IsStraySeen || !IsStrayOverwritten) ? IoIntegrityErrorKind.MisdirectedWrite
            : !IsSeen && IsOverwritten ? null
            : Stray is not null ? IoIntegrityErrorKind.LostWrite
            : s_errorKinds[lie];
    }

    internal sealed class BlockHistory
    {
        public Corruption? Corruption { get; set; }

        /// <summary>Number of reads that returned a corrupted block and are not yet verified.</summary>
        public int UnverifiedReadsOfCorruption { get; set; }

        /// <summary>Number of reads that the device corrupted and that are not yet verified.</summary>
        public int UnverifiedCorruptedReads { get; set; }
        public int DelayCount { get; set; }

        /// <summary>Logical time at which the last write was acknowledged; 0 = not yet.</summary>
        public long AcknowledgedAt { get; set; }
        public List<byte[]?> Versions { get; } = [];

        public bool IsAcknowledgedBefore(SubmissionState submission) =>
            AcknowledgedAt > 0 && AcknowledgedAt < submission.LastCompletionTime;

        public void AddVersion(byte[]? content)
        {
            Versions.Add(content);
            if (Versions.Count > 4)
                Versions[^5] = null;
        }
    }
}
