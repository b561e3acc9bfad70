using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace IoBench.Engine;

internal struct ChecksumMapEntry
{
    public ulong Sum;

    /// <summary>
    /// Number of the last acknowledged write, 0 = content from before the run. Includes <see cref="ChecksumMap.InFlight"/> while a newer
    /// write is pending, and <see cref="ChecksumMap.HasFailedWrites"/> after newer writes failed.
    /// </summary>
    public ulong Number;
}

/// <summary>
/// Expected content of every group of sectors of a target: a checksum and the number of the last acknowledged write. All threads share it
/// without a lock: a write claims its groups before it starts, so that an offset never has two pending writes.
/// </summary>
internal sealed unsafe class ChecksumMap : IDisposable
{
    public const ulong InFlight = 1UL << 63;

    /// <summary>Flag: newer writes failed. Each of them can be complete, absent, or partial, until a write is acknowledged.</summary>
    public const ulong HasFailedWrites = 1UL << 62;

    public const ulong Flags = InFlight | HasFailedWrites;

    public const int BytesPerGroup = 24;

    // The CPU prefetches further cache lines by itself, because they are sequential.
    private const int MaxFetched = 32;

    private ChecksumMapEntry* _entries;
    private ulong* _claims;

    public ChecksumMap(long size, int groupSize)
    {
        GroupSize = groupSize;
        Count = size / groupSize;
        try
        {
            _entries = (ChecksumMapEntry*)NativeMemory.AllocZeroed((nuint)Count, (nuint)sizeof(ChecksumMapEntry));
            _claims = (ulong*)NativeMemory.AllocZeroed((nuint)Count, sizeof(ulong));
        }
        catch (OutOfMemoryException e)
        {
            Dispose();
            throw IoBenchException.Failure(
                ErrorIds.NotEnoughMemory,
                $"There is not enough memory to verify the file. IoBench needs {IoSize.Format(Count * BytesPerGroup)}.",
                null,
                e,
                advice: "Use a smaller file."
            );
        }
    }

    public int GroupSize { get; }

    public long Count { get; }

    public long MemoryBytes => Count * BytesPerGroup;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong GetWriteNumber(in ChecksumMapEntry entry) => entry.Number & ~Flags;

    public long GetGroup(long offset) => offset / GroupSize;

    /// <summary>Reads atomically, with the flags.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ChecksumMapEntry Read(long group)
    {
        var entry = _entries + group;
        while (true)
        {
            var number = Volatile.Read(ref entry->Number);
            var sum = Volatile.Read(ref entry->Sum);
            if (Volatile.Read(ref entry->Number) == number)
                return new ChecksumMapEntry { Sum = sum, Number = number };
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(long group, int count)
    {
        if (!Sse.IsSupported)
            return;
        var end = (byte*)(_entries + group + Math.Min(count, MaxFetched));
        for (var line = (byte*)((nuint)(_entries + group) & ~(nuint)(IoSlot.CacheLine - 1)); line < end; line += IoSlot.CacheLine)
            Sse.Prefetch0(line);
    }

    public ulong GetLastClaim(long group) => Volatile.Read(ref _claims[group]);

    /// <summary>Call before the run, or after damage was reported, so that it is reported once.</summary>
    public void SetChecksum(long group, ulong sum) => Volatile.Write(ref _entries[group].Sum, sum);

    /// <summary>Returns false if one of the groups has a pending write.</summary>
    /// <param name="newest">Receives the highest write number of the groups.</param>
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
                ReleaseClaim(group, i);
                return false;
            }
            newest = Math.Max(newest, number & ~Flags);
        }
        return true;
    }

    /// <summary>Call before the write starts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void SetClaimNumber(long group, int count, ulong number)
    {
        for (var i = 0; i < count; i++)
            Volatile.Write(ref _claims[group + i], number);
    }

    public void ReleaseClaim(long group, int count)
    {
        for (var i = 0; i < count; i++)
            Volatile.Write(ref _entries[group + i].Number, _entries[group + i].Number & ~InFlight);
    }

    /// <summary>Ends the claim of a failed write. The content is unknown until the next acknowledged write.</summary>
    public void AbandonClaim(long group, int count)
    {
        for (var i = 0; i < count; i++)
            Volatile.Write(ref _entries[group + i].Number, (_entries[group + i].Number & ~InFlight) | HasFailedWrites);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Acknowledge(long group, ulong sum, ulong number)
    {
        Volatile.Write(ref _entries[group].Sum, sum);
        Volatile.Write(ref _entries[group].Number, number);
    }

    /// <summary>Number of groups that hold the content from before the run.</summary>
    public long CountUnwrittenGroups()
    {
        var count = 0L;
        for (long i = 0; i < Count; i++)
            if (GetWriteNumber(_entries[i]) == 0)
                count++;
        return count;
    }

    public (long First, int Count) FindExtent(long group, int max)
    {
        var number = GetWriteNumber(Read(group));
        var first = group;
        var end = group + 1;
        while (number != 0 && first > 0 && end - first < max && GetWriteNumber(Read(first - 1)) == number)
            first--;
        while (number != 0 && end < Count && end - first < max && GetWriteNumber(Read(end)) == number)
            end++;
        return (first, (int)(end - first));
    }

    public long FindChecksum(ulong sum)
    {
        for (long i = 0; i < Count; i++)
            if (_entries[i].Sum == sum)
                return i;
        return -1;
    }

    public void Dispose()
    {
        NativeMemory.Free(_entries);
        NativeMemory.Free(_claims);
        _entries = null;
        _claims = null;
    }
}
