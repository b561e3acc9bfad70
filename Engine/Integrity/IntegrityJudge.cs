using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Looks into groups whose checksum is not the one that was expected: whether a write on its way explains them, and if not, what is wrong. One at a time.
/// </summary>
internal sealed unsafe class IntegrityJudge(TargetIntegrity target, IntegrityLog log)
{
    private const int MostCandidates = 6;

    private readonly IntegrityMap _map = target.Map;
    private readonly int _size = target.Map.GroupSize;
    private readonly byte[] _candidates = new byte[MostCandidates * BlockStamp.BlockSize];
    private readonly byte[] _expected = new byte[BlockStamp.BlockSize];

    /// <summary>Judges what a read brought.</summary>
    /// <param name="found">Its bytes.</param>
    /// <param name="offset">Its offset in bytes.</param>
    /// <param name="before">What its groups had to hold when it was started.</param>
    /// <param name="phase">When it was.</param>
    public void Judge(ReadOnlySpan<byte> found, long offset, MapEntry* before, IoIntegrityPhase phase)
    {
        lock (log.Gate)
        {
            var first = _map.GroupAt(offset);
            for (var i = 0; i < found.Length / _size;)
            {
                var group = found.Slice(i * _size, _size);
                if (IsAllowed(group, first + i, before[i]))
                    i++;
                else
                    i += Math.Max(1, Tell(found[(i * _size)..], first + i, before + i, phase));
            }
        }
    }

    private bool IsAllowed(ReadOnlySpan<byte> found, long group, MapEntry before)
    {
        var sum = BlockSum.Of(found);
        var now = _map.Read(group);
        if (sum == before.Sum || sum == now.Sum)
            return true;
        return ((before.Number | now.Number) & IntegrityMap.InFlight) != 0 || now.Number != before.Number ? IsMix(found, group, before.Number, now.Number, before.Sum) : false;
    }

    /// <summary>
    /// Whether a write that was on its way explains a group: each of its words is of the last acknowledged content or of a newer write's. A cache may hand out a
    /// write that is half done, so that whole sectors would be too much to ask.
    /// </summary>
    private bool IsMix(ReadOnlySpan<byte> found, long group, ulong before, ulong now, ulong sum)
    {
        var offset = group * _size;
        var oldest = before & ~IntegrityMap.InFlight;
        var numbers = new HashSet<ulong> { oldest, now & ~IntegrityMap.InFlight };
        if (((before | now) & IntegrityMap.InFlight) != 0)
            numbers.Add(_map.ClaimOf(group));
        for (var at = 0; at < _size; at += WriteBody.SectorSize)
            if (target.Content.IsStamped(found.Slice(at, WriteBody.SectorSize), offset + at, out var number) && number >= oldest)
                numbers.Add(number);
        var count = 0;
        foreach (var number in numbers.Take(MostCandidates))
            if (target.TryMake(_candidates.AsSpan(count * _size, _size), offset, number))
                count++;
        var words = MemoryMarshal.Cast<byte, ulong>(found);
        var known = MemoryMarshal.Cast<byte, ulong>(_candidates.AsSpan(0, count * _size));
        for (var i = 0; i < words.Length; i++)
        {
            var explained = false;
            for (var c = 0; c < count && !explained; c++)
                explained = known[c * words.Length + i] == words[i];
            if (explained)
                continue;
            // What an earlier run wrote there cannot be made again.
            if (oldest != 0 || (target.TryMake(_expected.AsSpan(0, _size), offset, 0) && BlockSum.Of(_expected.AsSpan(0, _size)) == sum))
                return false;
            log.Unjudged++;
            return true;
        }
        return true;
    }

    /// <summary>Tells what is wrong with the first group; returns how many groups are told with it.</summary>
    private int Tell(ReadOnlySpan<byte> found, long group, MapEntry* before, IoIntegrityPhase phase)
    {
        var number = before->Number & ~IntegrityMap.InFlight;
        var (first, count) = _map.ExtentOf(group, target.Largest / _size);
        var again = Again(first, count, out var isAlone);
        var looks = Look(found[.._size], group, number, again is null ? default : again.AsSpan((int)(group - first) * _size, _size), phase);
        var lasts = Lasts(found[.._size], again is null ? default : again.AsSpan((int)(group - first) * _size, _size), group, isAlone);
        var error = new IoIntegrityError
        {
            Phase = phase,
            Path = target.Path,
            Time = DateTimeOffset.Now,
            Expected = NumberText(number),
            IsLasting = lasts,
        };
        var bad = looks.FindIndex(l => l.State != SectorState.Right);
        var worst = bad < 0 ? new SectorLook(SectorState.Wrong) : looks.MaxBy(l => Weight(l.State));
        error.Offset = group * _size + Math.Max(0, bad) * WriteBody.SectorSize;
        error.Length = (looks.FindLastIndex(l => l.State != SectorState.Right) + 1 - Math.Max(0, bad)) * WriteBody.SectorSize;
        if (error.Length <= 0)
            error.Length = _size;
        if (worst.State == SectorState.Old)
            return TellOld(found, group, before, first, count, again, isAlone, looks, error);
        var told = Alike(found, group, before, worst, phase, error);
        switch (worst.State)
        {
            case SectorState.NotRead:
                (error.Kind, error.Found) = (IoIntegrityErrorKind.NotRead, "the read left its buffer as it was");
                break;
            case SectorState.Zero:
                (error.Kind, error.Found) = (IoIntegrityErrorKind.Zeros, "zeros");
                break;
            case SectorState.OtherPlace:
                return TellOtherPlace(group, told, worst, number, error);
            case SectorState.Flipped:
                var flipped = looks.FindIndex(l => l.State == SectorState.Flipped);
                (error.Kind, error.Found) = (IoIntegrityErrorKind.BitFlip, Text($"{looks.Sum(l => l.Bits)} changed bit(s), the first is bit {worst.FirstBit % 8} of the byte at {group * _size + flipped * WriteBody.SectorSize + worst.FirstBit / 8:#,##0}"));
                break;
            default:
                (error.Kind, error.Found) = (IoIntegrityErrorKind.WrongContent, "bytes that no write of this file has");
                break;
        }
        if (worst.State != SectorState.NotRead)
            LearnIfLasting(group, told, error);
        Add(error, group, told, number);
        return told;
    }

    /// <summary>An older generation: lost, torn or only read so.</summary>
    private int TellOld(ReadOnlySpan<byte> found, long group, MapEntry* before, long first, int count, byte[]? again, bool isAlone, List<SectorLook> looks, IoIntegrityError error)
    {
        var number = before->Number & ~IntegrityMap.InFlight;
        var old = looks.First(l => l.State == SectorState.Old);
        error.Found = NumberText(old.Number);
        var told = 1;
        if (error.IsLasting != true)
        {
            error.Kind = IoIntegrityErrorKind.StaleRead;
            while (told * _size < found.Length && group + told < first + count && before[told].Number == before->Number && IsOld(found.Slice(told * _size, _size), group + told, number))
                told++;
            error.Length = Math.Max(error.Length, (group + told) * _size - error.Offset);
            Add(error, group, told, number);
            return told;
        }
        var states = new List<SectorLook>();
        for (var i = 0; i < count; i++)
            states.AddRange(Look(again.AsSpan(i * _size, _size), first + i, number, default, IoIntegrityPhase.FinalPass));
        var isTorn = states.Exists(s => s.State == SectorState.Right);
        var from = states.FindIndex(s => s.State == SectorState.Old);
        error.Kind = isTorn ? IoIntegrityErrorKind.TornWrite : IoIntegrityErrorKind.LostWrite;
        error.Offset = first * _size + from * WriteBody.SectorSize;
        error.Length = (states.FindLastIndex(s => s.State == SectorState.Old) + 1 - from) * WriteBody.SectorSize;
        if (isTorn)
            error.Found = Text($"{states.Count(s => s.State == SectorState.Right)} of its {states.Count} sectors, the rest is {NumberText(old.Number)}");
        for (var i = 0; i < count && isAlone; i++)
            _map.Learn(first + i, BlockSum.Of(again.AsSpan(i * _size, _size)));
        Add(error, first, count, number);
        return (int)Math.Min(found.Length / _size, first + count - group);
    }

    private int TellOtherPlace(long group, int told, SectorLook look, ulong number, IoIntegrityError error)
    {
        error.Found = Text($"{NumberText(look.Number)} of offset {look.Place:#,##0}");
        error.Kind = IoIntegrityErrorKind.MisdirectedRead;
        // What is from before the run nobody has misdirected since.
        if (error.IsLasting != true || look.Number == 0)
        {
            LearnIfLasting(group, told, error);
            Add(error, group, told, number);
            return told;
        }
        error.Kind = IoIntegrityErrorKind.MisdirectedWrite;
        error.Expected = Text($"write {look.Number >> CheckedContent.ThreadBits:#,##0} of thread {look.Number & ((1 << CheckedContent.ThreadBits) - 1)} at its own place");
        var at = error.Offset;
        error.Offset = look.Place;
        error.Found = Text($"it is at offset {at:#,##0}, where {NumberText(number)} should be");
        LearnIfLasting(group, told, error);
        // Its own place still holds what was there before, if nothing newer came: told with this.
        log.Remember(target.Index, group, told, number);
        var own = _map.GroupAt(look.Place);
        if (own < _map.Count && _map.Read(own).Number == look.Number)
        {
            var (first, count) = _map.ExtentOf(own, target.Largest / _size);
            log.Remember(target.Index, first, count, look.Number);
            if (Again(first, count, out var isAlone) is { } there && isAlone)
                for (var i = 0; i < count; i++)
                    _map.Learn(first + i, BlockSum.Of(there.AsSpan(i * _size, _size)));
        }
        log.AddAstray(error, target.Index, look.Number);
        return told;
    }

    /// <summary>How many groups from the first one on have the same fault; the error's length covers them.</summary>
    private int Alike(ReadOnlySpan<byte> found, long group, MapEntry* before, SectorLook worst, IoIntegrityPhase phase, IoIntegrityError error)
    {
        var told = 1;
        if (worst.State is SectorState.Flipped)
            return told;
        for (; told * _size < found.Length; told++)
        {
            var next = found.Slice(told * _size, _size);
            if (IsAllowed(next, group + told, before[told]))
                break;
            var looks = Look(next, group + told, before[told].Number & ~IntegrityMap.InFlight, default, phase);
            var other = looks.MaxBy(l => Weight(l.State));
            var shift = looks.FindIndex(l => l.State == SectorState.OtherPlace);
            if (other.State != worst.State || (other.State == SectorState.OtherPlace && (other.Number != worst.Number || other.Place / _size != worst.Place / _size + told)))
                break;
            error.Length = (group + told + 1) * _size - error.Offset;
        }
        return told;
    }

    private bool IsOld(ReadOnlySpan<byte> found, long group, ulong number)
        => Look(found, group, number, default, IoIntegrityPhase.FinalPass).Exists(l => l.State == SectorState.Old);

    private List<SectorLook> Look(ReadOnlySpan<byte> found, long group, ulong number, ReadOnlySpan<byte> again, IoIntegrityPhase phase)
    {
        var looks = new List<SectorLook>();
        var expected = Expected(group, number, again);
        for (var at = 0; at < _size; at += WriteBody.SectorSize)
            looks.Add(SectorLook.At(found.Slice(at, WriteBody.SectorSize), group * _size + at, number, target, expected.Length == 0 ? default : expected.Slice(at, WriteBody.SectorSize), phase == IoIntegrityPhase.Test));
        // A newer write that is on its way may be what was flipped.
        if (looks.Exists(l => l.State == SectorState.Wrong) && (_map.Read(group).Number & ~IntegrityMap.InFlight) is var now)
            foreach (var newer in (ReadOnlySpan<ulong>)[now, _map.ClaimOf(group)])
                if (newer > number && target.TryMake(_expected.AsSpan(0, _size), group * _size, newer))
                    for (var i = 0; i < looks.Count; i++)
                        if (looks[i].State == SectorState.Wrong)
                            looks[i] = SectorLook.At(found.Slice(i * WriteBody.SectorSize, WriteBody.SectorSize), group * _size + i * WriteBody.SectorSize, newer, target,
                                _expected.AsSpan(i * WriteBody.SectorSize, WriteBody.SectorSize), isPoisoned: false);
        // Content without a stamp is known by its checksum, if it stands whole where it does not belong.
        if (looks.TrueForAll(l => l.State == SectorState.Wrong) && _map.Find(BlockSum.Of(found)) is >= 0 and var elsewhere && elsewhere != group)
            return [.. looks.Select((_, i) => new SectorLook(SectorState.OtherPlace, _map.Read(elsewhere).Number & ~IntegrityMap.InFlight, elsewhere * _size + i * WriteBody.SectorSize))];
        return looks;
    }

    // What a second read brought, if that is right; else what can be made.
    private ReadOnlySpan<byte> Expected(long group, ulong number, ReadOnlySpan<byte> again)
    {
        if (again.Length > 0 && BlockSum.Of(again) == _map.Read(group).Sum)
            return again;
        return target.TryMake(_expected.AsSpan(0, _size), group * _size, number) ? _expected.AsSpan(0, _size) : default;
    }

    /// <summary>
    /// Whether a second read found it wrong too. While a newer write is on its way, the same wrong bytes say that it lasts, and the right ones that it does not;
    /// anything else says nothing.
    /// </summary>
    private bool? Lasts(ReadOnlySpan<byte> found, ReadOnlySpan<byte> again, long group, bool isAlone)
    {
        if (again.IsEmpty)
            return null;
        if (BlockSum.Of(again) == _map.Read(group).Sum)
            return false;
        return isAlone || again.SequenceEqual(found) ? true : null;
    }

    /// <summary>Reads groups again; null when they cannot be read.</summary>
    /// <param name="first">The first.</param>
    /// <param name="count">How many.</param>
    /// <param name="isAlone">Receives whether no write could come between.</param>
    private byte[]? Again(long first, int count, out bool isAlone)
    {
        isAlone = _map.TryClaim(first, count, out _);
        try
        {
            return target.ReadAgain(first, count);
        }
        finally
        {
            if (isAlone)
                _map.Release(first, count);
        }
    }

    /// <summary>Takes what lasts for what must be there, so that it is told once; not where a newer write is on its way, which it could not be told from.</summary>
    private void LearnIfLasting(long group, int count, IoIntegrityError error)
    {
        if (error.IsLasting != true)
            return;
        var there = Again(group, count, out var isAlone);
        for (var i = 0; i < count && isAlone && there is not null; i++)
            _map.Learn(group + i, BlockSum.Of(there.AsSpan(i * _size, _size)));
    }

    private void Add(IoIntegrityError error, long group, int count, ulong number)
    {
        if (log.IsTold(target.Index, group, number))
            return;
        if (error.IsLasting == true)
            log.Remember(target.Index, group, count, number);
        log.Add(error, target.Index, number);
    }

    private static int Weight(SectorState state) => state switch
    {
        SectorState.NotRead => 6,
        SectorState.Zero => 5,
        SectorState.OtherPlace => 4,
        SectorState.Flipped => 3,
        SectorState.Wrong => 2,
        SectorState.Old => 1,
        _ => 0,
    };

    /// <summary>A write's number for people.</summary>
    internal static string NumberText(ulong number)
        => number == 0 ? "the content from before the test" : Text($"write {number >> CheckedContent.ThreadBits:#,##0} of thread {number & ((1 << CheckedContent.ThreadBits) - 1)}");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
