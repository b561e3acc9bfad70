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
    public List<(Lie Lie, long Offset)> Told { get; } = [];
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
            var place = _places[error.Offset / Block];
            place.IsTold = true;
            // A stray write is named by its own place: the other one is free too.
            if (error.Kind == IoIntegrityErrorKind.MisdirectedWrite && place.Stray is { } stray)
                (_places[stray].IsTold, place.Stray) = (true, null);
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
            // Alone it would wait for ever.
            if (!_isOver && !isAlone && place.IsLie && !place.IsTold && place.Waits++ < 200_000)
                return false;
            if (place.IsLie && !place.IsTold)
                Forget(index, place);
            var wasLie = place.IsLie;
            (place.IsLie, place.IsTold, place.Waits) = (false, false, 0);
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
                place.Stray = other;
                _places[other].IsLie = true;
                (_places[other].IsTold, _places[other].Lie) = (false, Lie.MisdirectWrite);
                RandomAccess.Write(target.File, copy, (long)other * Block);
                length = 0;
                break;
        }
        RandomAccess.Write(target.File, copy.AsSpan(0, length), (long)index * Block);
        if (lie is { } told)
            Note(told, index, place, lasts: true);
    }

    private void Read(Span<byte> bytes, TargetHandle target, int index, Place place, int submitted)
    {
        var before = bytes.ToArray();
        RandomAccess.Read(target.File, bytes, (long)index * Block);
        if (place.IsLie)
            return;
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

    // Written over before anybody saw it. A stray write that was seen to be missing at its own place is a lost one.
    private void Forget(int index, Place place)
    {
        var at = (long)index * Block;
        if (place.Lie != Lie.MisdirectWrite || place.Stray is not null)
            Told.RemoveAll(t => t.Offset == at && t.Lie == place.Lie);
        var own = Array.FindIndex(_places, p => p.Stray == index);
        if (own >= 0)
        {
            _places[own].Stray = null;
            if (Told.Remove((Lie.MisdirectWrite, (long)own * Block)))
                Told.Add((Lie.Lose, (long)own * Block));
        }
    }

    private void Note(Lie lie, int index, Place place, bool lasts)
    {
        _lies[(int)lie]++;
        Told.Add((lie, (long)index * Block));
        if (lasts)
            (place.IsLie, place.Lie) = (true, lie);
    }

    private Lie? Draw(params Lie[] lies)
    {
        // Few at a time are unseen, so that the writes which wait for them leave room for reads.
        if (_random.Next(40) != 0 || _places.Count(p => p.IsLie && !p.IsTold) > 12)
            return null;
        var lie = lies[_random.Next(lies.Length)];
        return _lies[(int)lie] < _quota ? lie : null;
    }

    private sealed class Place
    {
        public bool IsLie;
        public bool IsTold;
        public Lie Lie;
        public int? Stray;
        public int Waits;
        public List<byte[]?> Versions { get; } = [];

        public void Keep(byte[]? content)
        {
            Versions.Add(content);
            if (Versions.Count > 4)
                Versions[^5] = null;
        }
    }
}
