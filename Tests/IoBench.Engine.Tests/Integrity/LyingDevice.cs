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
/// A device over a real file that lies so many times in each way, at random moments, and knows what of it a run must name. Damage that is written over before a read
/// brought it is none; once a read brought it, its place is not written before that read was judged.
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

    /// <summary>All that the run has named.</summary>
    public List<IoIntegrityError> Found { get; } = [];
    public bool IsDone => _lies.All(count => count >= _quota);
    public IReadOnlyList<int> Lies => _lies;

    /// <summary>What the run must name, each once.</summary>
    public IEnumerable<(IoIntegrityErrorKind Kind, long Place)> Expected =>
        _damages.Where(d => d.Name is not null).Select(d => (d.Name!.Value, d.Index));

    public int Seed() => Interlocked.Increment(ref _seed);

    /// <summary>A moment later than all before.</summary>
    public long Tick() => Interlocked.Increment(ref _time);

    /// <summary>Writes wait for no read any more.</summary>
    public void LetGo() => _isOver = true;

    /// <summary>The run has named something.</summary>
    public void Named(IoIntegrityError error)
    {
        lock (_gate)
            if (!Found.Contains(error))
                Found.Add(error);
    }

    /// <summary>An I/O is submitted by a worker that got its last answers at a moment.</summary>
    public Submission Submitted(IoSlot* slot, long returned)
    {
        lock (_gate)
            return new Submission(_places[slot->Offset / Block].Versions.Count, returned);
    }

    /// <summary>The answers were judged, and the writes among them are acknowledged.</summary>
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

    /// <summary>Carries out an I/O; null when it has to wait.</summary>
    public Answer? TryDo(IoSlot* slot, TargetHandle target, Submission submission, bool isAlone)
    {
        lock (_gate)
        {
            var index = slot->Offset / Block;
            var place = _places[index];
            var bytes = new Span<byte>(slot->Buffer, slot->Length);
            if (slot->Operation == SlotOperation.Read)
                return new Answer(place, IsWrite: false, Read(bytes, target, index, place, submission));
            // What a read is judged by must not change meanwhile. What no read brought yet waits for one, but not for ever.
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
        // What damage left there is no generation of its own.
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
                // Where a read is being judged nothing changes.
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

    /// <summary>Answers a read; says with what.</summary>
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
                // Three writes ago, and the last one was acknowledged before the read began.
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
                // What was never written has no stamp: it is known by its checksum only, as long as it stands there.
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
                // A read that began before the last acknowledgement may bring the zeros that an earlier write had left.
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

    /// <summary>A read comes to damage and brings it.</summary>
    private Brought Bring(Span<byte> bytes, Damage damage, Place place, Submission submission)
    {
        if (damage.Stray == place)
            damage.IsStraySeen = true;
        else if (damage is { IsOldContent: true, IsSeen: false, IsStraySeen: false } && !place.IsAcknowledgedBefore(submission))
        {
            // A read that began before the acknowledgement may bring what was there before, so that nothing could be said of it: it gets what was written. Not once the
            // damage was seen: the run may expect it by now.
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
        // Few at a time are unseen, so that the writes which wait for them leave room for reads.
        if (_random.Next(40) != 0 || _unseen.Count > MostUnseen)
            return null;
        var lie = lies[_random.Next(lies.Length)];
        return _lies[(int)lie] < _quota ? lie : null;
    }

    /// <summary>What was known of an I/O when it was submitted.</summary>
    /// <param name="Version">Writes that its place had had.</param>
    /// <param name="Returned">When its worker got its last answers: the I/O began after that.</param>
    internal readonly record struct Submission(int Version, long Returned);

    /// <summary>An I/O that was carried out.</summary>
    /// <param name="Place">Its place.</param>
    /// <param name="IsWrite">What it did.</param>
    /// <param name="Brought">What a read brought.</param>
    internal readonly record struct Answer(Place Place, bool IsWrite, Brought Brought);

    internal enum Brought
    {
        Truth,
        Lie,
        Damage,
    }

    /// <summary>A lie, and what was seen of it.</summary>
    internal sealed class Damage(Lie lie, long index, Place place, byte[] written)
    {
        public Lie Lie => lie;
        public long Index => index;
        public Place Place => place;
        public byte[] Written => written;

        /// <summary>Where a write went instead.</summary>
        public Place? Stray { get; init; }
        public bool IsSeen { get; set; }
        public bool IsOver { get; set; }
        public bool IsStraySeen { get; set; }
        public bool IsStrayOver { get; set; }
        public bool IsOldContent => lie is Lie.Lose or Lie.Tear512 or Lie.Tear4096 or Lie.MisdirectWrite;

        /// <summary>What it is to be named; null when it was written over unseen. A stray write that only its own place shows is a lost one.</summary>
        public IoIntegrityErrorKind? Name =>
            Stray is not null && (IsStraySeen || !IsStrayOver) ? IoIntegrityErrorKind.MisdirectedWrite
            : !IsSeen && IsOver ? null
            : Stray is not null ? IoIntegrityErrorKind.LostWrite
            : s_names[lie];
    }

    internal sealed class Place
    {
        public Damage? Damage { get; set; }

        /// <summary>Reads that brought damage and are not judged yet.</summary>
        public int Unjudged { get; set; }

        /// <summary>Reads that the device lied to, and that are not judged yet.</summary>
        public int UnjudgedLies { get; set; }
        public int Waits { get; set; }

        /// <summary>When the last write was acknowledged; 0 = not yet.</summary>
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
