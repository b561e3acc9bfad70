namespace IoBench.Engine.Tests;

internal enum Lie
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
internal sealed unsafe class LyingDevice
{
    public const int Block = 8192;
    private const int MostUnseen = 12;
    private const int MostWaits = 200_000;

    private static readonly Dictionary<Lie, IoIntegrityErrorKind> s_names = new()
    {
        [Lie.Lose] = IoIntegrityErrorKind.LostWrite,
        [Lie.Stale] = IoIntegrityErrorKind.StaleRead,
        [Lie.Tear512] = IoIntegrityErrorKind.TornWrite,
        [Lie.Tear4096] = IoIntegrityErrorKind.TornWrite,
        [Lie.MisdirectWrite] = IoIntegrityErrorKind.MisdirectedWrite,
        [Lie.MisdirectRead] = IoIntegrityErrorKind.MisdirectedRead,
        [Lie.FlipWrite] = IoIntegrityErrorKind.BitFlip,
        [Lie.FlipRead] = IoIntegrityErrorKind.BitFlip,
        [Lie.Short] = IoIntegrityErrorKind.NotRead,
        [Lie.ZeroWrite] = IoIntegrityErrorKind.Zeros,
        [Lie.ZeroRead] = IoIntegrityErrorKind.Zeros,
    };

    private readonly object _gate = new();
    private readonly Place[] _places;
    private readonly int _quota;
    private readonly int[] _lies = new int[Enum.GetValues<Lie>().Length];
    private readonly List<Damage> _damages = [];
    private readonly HashSet<Damage> _unseen = [];
    private readonly Random _random = new(18);
    private int _seed;
    private long _time;
    private volatile bool _isOver;

    public LyingDevice(int places, int quota)
    {
        _places = [.. Enumerable.Range(0, places).Select(_ => new Place())];
        _quota = quota;
    }

    public List<IoIntegrityError> Found { get; } = [];
    public bool IsDone => _lies.All(count => count >= _quota);
    public IReadOnlyList<int> Lies => _lies;

    /// <summary>Errors that the run must report, each once.</summary>
    public IEnumerable<(IoIntegrityErrorKind Kind, long Place)> Expected =>
        _damages.Where(d => d.Name is not null).Select(d => (d.Name!.Value, d.Index));

    public int Seed() => Interlocked.Increment(ref _seed);

    public long Tick() => Interlocked.Increment(ref _time);

    /// <summary>From now on, writes are not delayed until a read has returned the corruption.</summary>
    public void LetGo() => _isOver = true;

    public void Named(IoIntegrityError error)
    {
        lock (_gate)
            if (!Found.Contains(error))
                Found.Add(error);
    }

    public Submission Submitted(IoSlot* slot, long returned)
    {
        lock (_gate)
            return new Submission(_places[slot->Offset / Block].Versions.Count, returned);
    }

    public void Judged(List<Answer> answers)
    {
        lock (_gate)
            foreach (var (place, isWrite, brought) in answers)
            {
                if (isWrite)
                    place.AcknowledgedAt = Tick();
                else if (brought == Brought.Damage)
                    place.Unjudged--;
                else if (brought == Brought.Lie)
                    place.UnjudgedLies--;
            }
    }

    public Answer? TryDo(IoSlot* slot, TargetHandle target, Submission submission, bool isAlone)
    {
        lock (_gate)
        {
            var index = slot->Offset / Block;
            var place = _places[index];
            var bytes = new Span<byte>(slot->Buffer, slot->Length);
            if (slot->Operation == SlotOperation.Read)
                return new Answer(place, IsWrite: false, Read(bytes, target, index, place, submission));
            // The content must not change while the run verifies a read of it. A write also waits for a read of a corruption that no read
            // has returned yet, but not forever.
            if (
                place.Unjudged > 0
                || (!_isOver && !isAlone && place.Damage is { } unseen && _unseen.Contains(unseen) && place.Waits++ < MostWaits)
            )
                return null;
            Write(bytes, target, index, place);
            return new Answer(place, IsWrite: true, Brought.Truth);
        }
    }

    private void Write(Span<byte> bytes, TargetHandle target, long index, Place place)
    {
        var before = new byte[Block];
        RandomAccess.Read(target.File, before, index * Block);
        var wasDamaged = place.Damage is not null;
        // Content that a corruption left is not a version of its own.
        place.Keep(wasDamaged ? null : before);
        if (place.Damage is { } over)
            End(over, place);
        place.Damage = null;
        (place.Waits, place.AcknowledgedAt) = (0, 0);
        var lie = wasDamaged ? null : Draw(Lie.Lose, Lie.Tear512, Lie.Tear4096, Lie.MisdirectWrite, Lie.FlipWrite, Lie.ZeroWrite);
        var copy = bytes.ToArray();
        var length = Block;
        var other = -1L;
        switch (lie)
        {
            case null:
                break;
            case Lie.Lose:
                length = 0;
                break;
            case Lie.Tear512:
                length = 512 * _random.Next(1, 16);
                break;
            case Lie.Tear4096:
                length = 4096;
                break;
            case Lie.FlipWrite:
                copy[_random.Next(Block)] ^= (byte)(1 << _random.Next(8));
                break;
            case Lie.ZeroWrite:
                copy.AsSpan().Clear();
                break;
            default:
                other = _random.Next(_places.Length);
                // A block whose read is being verified must not change.
                if (other == index || _places[other].Damage is not null || _places[other].Unjudged > 0 || _places[other].UnjudgedLies > 0)
                    (lie, other) = (null, -1);
                else
                {
                    RandomAccess.Write(target.File, copy, other * Block);
                    length = 0;
                }
                break;
        }
        RandomAccess.Write(target.File, copy.AsSpan(0, length), index * Block);
        if (lie is { } told)
            Note(new Damage(told, index, place, bytes.ToArray()) { Stray = other < 0 ? null : _places[other] });
    }

    private Brought Read(Span<byte> bytes, TargetHandle target, long index, Place place, Submission submission)
    {
        var before = bytes.ToArray();
        RandomAccess.Read(target.File, bytes, index * Block);
        if (place.Damage is { } damage)
            return Bring(bytes, damage, place, submission);
        var lie = Draw(Lie.Stale, Lie.MisdirectRead, Lie.FlipRead, Lie.Short, Lie.ZeroRead);
        switch (lie)
        {
            case Lie.Stale:
                // The third-last version is returned, and the last write was acknowledged before the read started.
                if (
                    submission.Version < 3
                    || submission.Version != place.Versions.Count
                    || !place.IsAcknowledgedBefore(submission)
                    || place.Versions[submission.Version - 3] is not { } old
                )
                    return Brought.Truth;
                old.CopyTo(bytes);
                break;
            case Lie.MisdirectRead:
                var other = _random.Next(_places.Length);
                // A block that was never written has no header, so only the checksum of its current content identifies it.
                if (other == index || _places[other].Damage is not null || _places[other].Versions.Count == 0)
                    return Brought.Truth;
                RandomAccess.Read(target.File, bytes, (long)other * Block);
                break;
            case Lie.FlipRead:
                bytes[_random.Next(Block)] ^= (byte)(1 << _random.Next(8));
                break;
            case Lie.Short:
                var left = 512 * _random.Next(1, 16);
                before.AsSpan(left).CopyTo(bytes[left..]);
                break;
            case Lie.ZeroRead:
                // A read that started before the last acknowledgment can legitimately return the zeros of an earlier write.
                if (place.Versions.Count > 0 && !place.IsAcknowledgedBefore(submission))
                    return Brought.Truth;
                bytes.Clear();
                break;
            default:
                return Brought.Truth;
        }
        _lies[(int)lie.Value]++;
        _damages.Add(new Damage(lie.Value, index, place, []) { IsSeen = true });
        place.UnjudgedLies++;
        return Brought.Lie;
    }

    private Brought Bring(Span<byte> bytes, Damage damage, Place place, Submission submission)
    {
        if (damage.Stray == place)
            damage.IsStraySeen = true;
        else if (damage is { IsOldContent: true, IsSeen: false, IsStraySeen: false } && !place.IsAcknowledgedBefore(submission))
        {
            // A read that started before the acknowledgment can legitimately return old content, so it gets the written data instead. This
            // does not apply after a read has returned the corruption, because the run can expect it by then.
            damage.Written.CopyTo(bytes);
            return Brought.Truth;
        }
        else
            damage.IsSeen = true;
        _unseen.Remove(damage);
        place.Unjudged++;
        return Brought.Damage;
    }

    private void End(Damage damage, Place place)
    {
        if (damage.Stray == place)
            damage.IsStrayOver = true;
        else
            damage.IsOver = true;
        _unseen.Remove(damage);
    }

    private void Note(Damage damage)
    {
        _lies[(int)damage.Lie]++;
        _damages.Add(damage);
        _unseen.Add(damage);
        damage.Place.Damage = damage;
        if (damage.Stray is { } stray)
            stray.Damage = damage;
    }

    private Lie? Draw(params Lie[] lies)
    {
        // Only a few corruptions wait for a read at a time, so that the writes that wait for them do not block all reads.
        if (_random.Next(40) != 0 || _unseen.Count > MostUnseen)
            return null;
        var lie = lies[_random.Next(lies.Length)];
        return _lies[(int)lie] < _quota ? lie : null;
    }

    /// <summary>State of a block when an I/O was submitted.</summary>
    /// <param name="Version">Number of writes of the block so far.</param>
    /// <param name="Returned">Time of the worker's last completions. The I/O started after that.</param>
    internal readonly record struct Submission(int Version, long Returned);

    internal readonly record struct Answer(Place Place, bool IsWrite, Brought Brought);

    internal enum Brought
    {
        Truth,
        Lie,
        Damage,
    }

    internal sealed class Damage(Lie lie, long index, Place place, byte[] written)
    {
        public Lie Lie => lie;
        public long Index => index;
        public Place Place => place;
        public byte[] Written => written;

        public Place? Stray { get; init; }
        public bool IsSeen { get; set; }
        public bool IsOver { get; set; }
        public bool IsStraySeen { get; set; }
        public bool IsStrayOver { get; set; }
        public bool IsOldContent => lie is Lie.Lose or Lie.Tear512 or Lie.Tear4096 or Lie.MisdirectWrite;

        /// <summary>
        /// Error kind that the run must report; null if the corruption was overwritten before a read returned it. A misdirected write is a
        /// lost write if no read returned the wrong location.
        /// </summary>
        public IoIntegrityErrorKind? Name =>
            Stray is not null && (IsStraySeen || !IsStrayOver) ? IoIntegrityErrorKind.MisdirectedWrite
            : !IsSeen && IsOver ? null
            : Stray is not null ? IoIntegrityErrorKind.LostWrite
            : s_names[lie];
    }

    internal sealed class Place
    {
        public Damage? Damage { get; set; }

        /// <summary>Number of reads that returned a corrupted block and are not yet verified.</summary>
        public int Unjudged { get; set; }

        /// <summary>Number of reads that the device corrupted and that are not yet verified.</summary>
        public int UnjudgedLies { get; set; }
        public int Waits { get; set; }

        /// <summary>Logical time at which the last write was acknowledged; 0 = not yet.</summary>
        public long AcknowledgedAt { get; set; }
        public List<byte[]?> Versions { get; } = [];

        public bool IsAcknowledgedBefore(Submission submission) => AcknowledgedAt > 0 && AcknowledgedAt < submission.Returned;

        public void Keep(byte[]? content)
        {
            Versions.Add(content);
            if (Versions.Count > 4)
                Versions[^5] = null;
        }
    }
}
