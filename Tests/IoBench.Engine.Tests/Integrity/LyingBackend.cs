namespace IoBench.Engine.Tests;

/// <summary>
/// A worker's way to a <see cref="LyingDevice"/>: I/Os are carried out in any order, some time after they were submitted, by a device that sometimes lies.
/// </summary>
internal sealed unsafe class LyingBackend(LyingDevice device) : IoBackend
{
    private readonly List<(int Slot, int Submitted)> _pending = [];
    private readonly Random _random = new(device.Seed());
    private IoSlot* _slots;
    private TargetHandle[] _targets = [];

    public override IoBackendKind Kind => IoBackendKind.Threads;

    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _targets = setup.Targets;
    }

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        for (var i = 0; i < count; i++)
            _pending.Add((ready[i], device.Submitted(_slots + ready[i])));
        var got = 0;
        for (var want = _random.Next(1, 6); want > 0 && _pending.Count > 0; want--)
        {
            var at = _random.Next(_pending.Count);
            var (slot, submitted) = _pending[at];
            if (!device.TryDo(_slots + slot, _targets[_slots[slot].Target], submitted, isAlone: _pending.Count == 1))
                continue;
            _pending.RemoveAt(at);
            completions[got++] = new IoCompletion { Slot = slot, Result = _slots[slot].Length };
        }
        return got;
    }

    public override void Close()
    {
    }
}

internal enum Lie
{
    Lose, Stale, Tear512, Tear4096, MisdirectWrite, MisdirectRead, FlipWrite, FlipRead, Short, ZeroWrite, ZeroRead,
}

/// <summary>
/// A device over a real file that lies so many times in each way, at random moments, and knows what it did. A new write to a place where it lied waits until the
/// lie was told: so that each is still there to be found.
/// </summary>
internal sealed unsafe class LyingDevice
{
    public const int Block = 8192;

    /// <summary>What each lie is to be named.</summary>
    public static IReadOnlyDictionary<Lie, IoIntegrityErrorKind> Names { get; } = new Dictionary<Lie, IoIntegrityErrorKind>
    {
        [Lie.Lose] = IoIntegrityErrorKind.LostWrite, [Lie.Stale] = IoIntegrityErrorKind.StaleRead, [Lie.Tear512] = IoIntegrityErrorKind.TornWrite,
        [Lie.Tear4096] = IoIntegrityErrorKind.TornWrite, [Lie.MisdirectWrite] = IoIntegrityErrorKind.MisdirectedWrite, [Lie.MisdirectRead] = IoIntegrityErrorKind.MisdirectedRead,
        [Lie.FlipWrite] = IoIntegrityErrorKind.BitFlip, [Lie.FlipRead] = IoIntegrityErrorKind.BitFlip, [Lie.Short] = IoIntegrityErrorKind.NotRead,
        [Lie.ZeroWrite] = IoIntegrityErrorKind.Zeros, [Lie.ZeroRead] = IoIntegrityErrorKind.Zeros,
    };

    private readonly object _gate = new();
    private readonly Place[] _places;
    private readonly int _quota;
    private readonly int[] _lies = new int[Enum.GetValues<Lie>().Length];
    private readonly Random _random = new(18);
    private int _seed;
    private volatile bool _isOver;

    public LyingDevice(int places, int quota)
    {
        _places = [.. Enumerable.Range(0, places).Select(_ => new Place())];
        _quota = quota;
    }

    /// <summary>Every lie that is still to be seen, or was told: kind and offset.</summary>
    public List<Entry> Told { get; } = [];
    /// <summary>Lies that a read had seen when their place was written again: a judge that a busy computer has held up may still name them.</summary>
    public List<Entry> Late { get; } = [];
    public List<IoIntegrityError> Found { get; } = [];
    public bool IsDone => _lies.All(count => count >= _quota);
    public IReadOnlyList<int> Lies => _lies;

    public int Seed() => Interlocked.Increment(ref _seed);

    /// <summary>Writes wait no more.</summary>
    public void LetGo() => _isOver = true;

    /// <summary>The run has named something.</summary>
    public void Named(IoIntegrityError error)
    {
        lock (_gate)
        {
            if (!Found.Contains(error))
                Found.Add(error);
            // A stray write is named by its own place: the other one is free too.
            if (error.Kind == IoIntegrityErrorKind.MisdirectedWrite && Told.Find(t => t.Offset == error.Offset && t is { Lie: Lie.MisdirectWrite, IsResolved: false }) is { } entry)
            {
                entry.IsResolved = true;
                if (_places[entry.Other].Stray == entry)
                    _places[entry.Other].IsStrayTold = true;
                if (_places[error.Offset / Block].Own == entry)
                    _places[error.Offset / Block].IsTold = true;
                return;
            }
            // Of a read's lie, told late, a later write's at the same place is not told.
            if (_places[error.Offset / Block].Own is { } own && (Names[own.Lie] == error.Kind || own.Lie == Lie.MisdirectWrite && error.Kind == IoIntegrityErrorKind.LostWrite))
                _places[error.Offset / Block].IsTold = own.IsLostTold = true;
        }
    }

    public int Submitted(IoSlot* slot)
    {
        lock (_gate)
            return slot->Operation == SlotOperation.Flush ? 0 : _places[slot->Offset / Block].Versions.Count;
    }

    public bool TryDo(IoSlot* slot, TargetHandle target, int submitted, bool isAlone)
    {
        lock (_gate)
        {
            var index = (int)(slot->Offset / Block);
            var place = _places[index];
            var bytes = new Span<byte>(slot->Buffer, slot->Length);
            if (slot->Operation == SlotOperation.Read)
            {
                Read(bytes, target, index, place, submitted);
                return true;
            }
            // A read that has seen the lie is being judged: a write in that moment would make it another lie.
            if (place.IsOpen && Clock.Now - place.Seen < Clock.Second / 2)
                return false;
            // Alone it would wait for ever.
            if (!_isOver && !isAlone && place.IsOpen && place.Waits++ < 200_000)
                return false;
            var wasLie = place.IsLie;
            Forget(place);
            place.Waits = 0;
            Write(bytes, target, index, place, wasLie);
            return true;
        }
    }

    private void Write(Span<byte> bytes, TargetHandle target, int index, Place place, bool wasLie)
    {
        var before = new byte[Block];
        RandomAccess.Read(target.File, before, (long)index * Block);
        // What a lie left there is no generation of its own.
        place.Keep(wasLie ? null : before);
        var lie = wasLie ? null : Draw(Lie.Lose, Lie.Tear512, Lie.Tear4096, Lie.MisdirectWrite, Lie.FlipWrite, Lie.ZeroWrite);
        var copy = bytes.ToArray();
        var length = Block;
        var stray = -1;
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
                var other = _random.Next(_places.Length);
                if (other == index || _places[other].IsLie)
                {
                    lie = null;
                    break;
                }
                RandomAccess.Write(target.File, copy, (long)other * Block);
                length = 0;
                stray = other;
                break;
        }
        RandomAccess.Write(target.File, copy.AsSpan(0, length), (long)index * Block);
        if (lie is { } told)
            Note(told, index, place, lasts: true, stray);
    }

    private void Read(Span<byte> bytes, TargetHandle target, int index, Place place, int submitted)
    {
        var before = bytes.ToArray();
        RandomAccess.Read(target.File, bytes, (long)index * Block);
        if (place.IsLie)
        {
            place.Seen = Clock.Now;
            return;
        }
        var lie = Draw(Lie.Stale, Lie.MisdirectRead, Lie.FlipRead, Lie.Short, Lie.ZeroRead);
        switch (lie)
        {
            case Lie.Stale:
                // Three writes ago, seen from when the read was submitted: the writes after it were acknowledged before that.
                if (submitted < 3 || submitted != place.Versions.Count || place.Versions[submitted - 3] is not { } old)
                    return;
                old.CopyTo(bytes);
                break;
            case Lie.MisdirectRead:
                var other = _random.Next(_places.Length);
                if (other == index || _places[other].IsLie)
                    return;
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
                bytes.Clear();
                break;
            default:
                return;
        }
        Note(lie.Value, index, place, lasts: false);
    }

    /// <summary>A place is written again: what nobody saw there nobody will.</summary>
    private void Forget(Place place)
    {
        if (place.Own is not null)
            place.Own.WasSeen |= place.Seen != 0;
        if (place.Own is { } own && !place.IsTold && (own.Lie != Lie.MisdirectWrite || _places[own.Other].Stray != own))
        {
            Told.Remove(own);
            if (own.WasSeen)
                Late.Add(own);
        }
        if (place.Stray is { IsResolved: false } stray)
        {
            // A stray write that was, or will be, missed at its own place is a lost one; at neither place there is nothing to see.
            if (stray.IsLostTold || _places[stray.Offset / Block].Own == stray)
                stray.Lie = Lie.Lose;
            else
            {
                Told.Remove(stray);
                // Its own place had been read before: it may still be named, as what that read and the stray one's show.
                if (stray.WasSeen)
                    Late.AddRange([new() { Lie = Lie.Lose, Offset = stray.Offset }, new() { Lie = Lie.MisdirectWrite, Offset = stray.Offset }]);
            }
        }
        (place.Own, place.IsTold, place.Stray, place.IsStrayTold, place.Seen) = (null, false, null, false, 0);
    }

    private void Note(Lie lie, int index, Place place, bool lasts, int other = -1)
    {
        _lies[(int)lie]++;
        var entry = new Entry { Lie = lie, Offset = (long)index * Block, Other = other };
        Told.Add(entry);
        if (lasts)
            place.Own = entry;
        if (other >= 0)
            _places[other].Stray = entry;
    }

    private Lie? Draw(params Lie[] lies)
    {
        // Few at a time are unseen, so that the writes which wait for them leave room for reads.
        if (_random.Next(40) != 0 || _places.Count(p => p.IsOpen) > 12)
            return null;
        var lie = lies[_random.Next(lies.Length)];
        return _lies[(int)lie] < _quota ? lie : null;
    }

    /// <summary>A lie that is to be named.</summary>
    internal sealed class Entry
    {
        public Lie Lie;
        public long Offset;
        public int Other;
        public bool IsLostTold;
        public bool WasSeen;
        public bool IsResolved;
    }

    private sealed class Place
    {
        public Entry? Own;
        public Entry? Stray;
        public bool IsTold;
        public bool IsStrayTold;
        public int Waits;
        public long Seen;
        public bool IsLie => Own is not null || Stray is not null;
        public bool IsOpen => (Own is not null && !IsTold) || (Stray is not null && !IsStrayTold);
        public List<byte[]?> Versions { get; } = [];

        public void Keep(byte[]? content)
        {
            Versions.Add(content);
            if (Versions.Count > 4)
                Versions[^5] = null;
        }
    }
}
