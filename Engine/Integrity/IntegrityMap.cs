using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace IoBench.Engine.Integrity;

/// <summary>What a group of sectors must hold.</summary>
internal struct MapEntry
{
    /// <summary>Its checksum.</summary>
    public ulong Sum;

    /// <summary>
    /// Number of the write that was acknowledged last, 0 = what it held before the run; with <see cref="IntegrityMap.InFlight"/> while a newer one is on its way, and
    /// <see cref="IntegrityMap.Unsettled"/> after newer ones have failed.
    /// </summary>
    public ulong Number;
}

/// <summary>
/// What every group of sectors of a target must hold: a checksum and the number of the last acknowledged write. Shared by all threads of a run without a
/// lock: a write claims its groups before it is started, so that no two writes to one place are ever in flight, and their last acknowledgement is the truth.
/// </summary>
internal sealed unsafe class IntegrityMap : IDisposable
{
    /// <summary>A newer write is on its way there.</summary>
    public const ulong InFlight = 1UL << 63;

    /// <summary>Newer writes have failed there: each of them may be there, or not, or in part, until one is acknowledged.</summary>
    public const ulong Unsettled = 1UL << 62;

    /// <summary>All that a number may carry.</summary>
    public const ulong Flags = InFlight | Unsettled;

    /// <summary>Bytes of memory per group.</summary>
    public const int BytesPerGroup = 24;

    // What lies behind, the processor fetches by itself: it sees lines that follow each other.
    private const int MaxFetched = 32;

    private MapEntry* _entries;
    private ulong* _claims;

    /// <summary>A map of so many bytes.</summary>
    /// <param name="size">Bytes of the target.</param>
    /// <param name="groupSize">Bytes of a group: 4,096, or 512 where I/Os begin or end within 4 KB.</param>
    public IntegrityMap(long size, int groupSize)
    {
        GroupSize = groupSize;
        Count = size / groupSize;
        try
        {
            _entries = (MapEntry*)NativeMemory.AllocZeroed((nuint)Count, (nuint)sizeof(MapEntry));
            _claims = (ulong*)NativeMemory.AllocZeroed((nuint)Count, sizeof(ulong));
        }
        catch (OutOfMemoryException e)
        {
            Dispose();
            throw IoBenchException.Failure(
                ErrorIds.NotEnoughMemory,
                $"there is not enough memory to check the file: {new IoSize(Count * BytesPerGroup).ToDisplayString()} are needed.",
                null,
                e,
                advice: "Use a smaller file."
            );
        }
    }

    /// <summary>Bytes of a group.</summary>
    public int GroupSize { get; }

    /// <summary>Groups.</summary>
    public long Count { get; }

    /// <summary>Bytes of memory that it takes.</summary>
    public long MemoryBytes => Count * BytesPerGroup;

    /// <summary>The number alone, of the write that was acknowledged last.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong NumberOf(in MapEntry entry) => entry.Number & ~Flags;

    /// <summary>The group at an offset.</summary>
    public long GroupAt(long offset) => offset / GroupSize;

    /// <summary>What a group must hold, and whether a write to it is on its way.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public MapEntry Read(long group)
    {
        var entry = _entries + group;
        while (true)
        {
            var number = Volatile.Read(ref entry->Number);
            var sum = Volatile.Read(ref entry->Sum);
            if (Volatile.Read(ref entry->Number) == number)
                return new MapEntry { Sum = sum, Number = number };
        }
    }

    /// <summary>Fetches what groups must hold into the processor's cache, without waiting for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fetch(long group, int count)
    {
        if (!Sse.IsSupported)
            return;
        var end = (byte*)(_entries + group + Math.Min(count, MaxFetched));
        for (var line = (byte*)((nuint)(_entries + group) & ~(nuint)(IoSlot.CacheLine - 1)); line < end; line += IoSlot.CacheLine)
            Sse.Prefetch0(line);
    }

    /// <summary>Number of the last write that claimed a group.</summary>
    public ulong ClaimOf(long group) => Volatile.Read(ref _claims[group]);

    /// <summary>Notes what groups hold before the run, or what was found in place of what should be there: the same damage is reported once.</summary>
    public void Learn(long group, ulong sum) => Volatile.Write(ref _entries[group].Sum, sum);

    /// <summary>Claims groups for a write; false when another write is on its way to one of them.</summary>
    /// <param name="group">The first.</param>
    /// <param name="count">How many.</param>
    /// <param name="newest">Receives the highest number of a write there.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryClaim(long group, int count, out ulong newest)
    {
        newest = 0;
        for (var i = 0; i < count; i++)
        {
            ref var place = ref _entries[group + i].Number;
            var number = Volatile.Read(ref place);
            if ((number & InFlight) != 0 || Interlocked.CompareExchange(ref place, number | InFlight, number) != number)
            {
                Release(group, i);
                return false;
            }
            newest = Math.Max(newest, number & ~Flags);
        }
        return true;
    }

    /// <summary>Notes which write claimed groups, before it is started.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Announce(long group, int count, ulong number)
    {
        for (var i = 0; i < count; i++)
            Volatile.Write(ref _claims[group + i], number);
    }

    /// <summary>Gives claimed groups back as they were.</summary>
    public void Release(long group, int count)
    {
        for (var i = 0; i < count; i++)
            Volatile.Write(ref _entries[group + i].Number, _entries[group + i].Number & ~InFlight);
    }

    /// <summary>The write to claimed groups has failed: what they hold is known again with the next one that is acknowledged.</summary>
    public void Abandon(long group, int count)
    {
        for (var i = 0; i < count; i++)
            Volatile.Write(ref _entries[group + i].Number, (_entries[group + i].Number & ~InFlight) | Unsettled);
    }

    /// <summary>A claimed group was written and the write acknowledged.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Acknowledge(long group, ulong sum, ulong number)
    {
        Volatile.Write(ref _entries[group].Sum, sum);
        Volatile.Write(ref _entries[group].Number, number);
    }

    /// <summary>The groups around one that the same write wrote last.</summary>
    public (long First, int Count) ExtentOf(long group, int max)
    {
        var number = NumberOf(Read(group));
        var (first, end) = (group, group + 1);
        while (number != 0 && first > 0 && end - first < max && NumberOf(Read(first - 1)) == number)
            first--;
        while (number != 0 && end < Count && end - first < max && NumberOf(Read(end)) == number)
            end++;
        return (first, (int)(end - first));
    }

    /// <summary>The first group that must hold bytes of a checksum; -1 when none does.</summary>
    public long Find(ulong sum)
    {
        for (long i = 0; i < Count; i++)
            if (_entries[i].Sum == sum)
                return i;
        return -1;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        NativeMemory.Free(_entries);
        NativeMemory.Free(_claims);
        _entries = null;
        _claims = null;
    }
}
