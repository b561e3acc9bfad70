using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Whose a file is, and why.</summary>
/// <param name="IsOurs">IoBench made it and nobody else has changed it since.</param>
/// <param name="Reason">Why it is not ours, to stand behind the file's name: <c>has no mark of IoBench</c>; empty when it is.</param>
/// <param name="Mark">The mark, when the file is ours.</param>
internal readonly record struct Ownership(bool IsOurs, string Reason, FileMark? Mark)
{
    // 16 blocks: a file of which a tenth was changed by others escapes with a chance of 0.9^16 = 19 %, but then its time of last
    // write differs already; the hash is there for a copy whose times were set back, where nearly all blocks differ.
    private const int ProofBlocks = 16;

    // After a kill the blocks are all there is to go by.
    private const int KilledBlocks = 64;

    private const int Sector = 512;

    /// <summary>The reason of a file that never was ours.</summary>
    public const string NoMark = "was not made by IoBench";

    /// <summary>Judges an open regular file; changes nothing.</summary>
    public static Ownership Judge(SafeFileHandle handle, string path)
    {
        var text = MarkStore.Read(handle, path);
        if (text is null)
            return Foreign(NoMark);
        if (FileMark.Parse(text) is not { } mark)
            return Foreign("has a damaged mark of IoBench");
        var status = PlatformFiles.Current.GetStatus(handle, path);
        if (status.Identity != mark.Identity)
            return Foreign("is a copy of an IoBench test file, not the file itself");
        var reason = mark.State switch
        {
            MarkState.Closed => JudgeClosed(handle, path, mark, status),
            MarkState.Open => JudgeOpen(handle, path, mark, status),
            _ => JudgeMaking(handle, path, mark, status),
        };
        return reason is null ? new Ownership(true, "", mark) : Foreign(reason);
    }

    /// <summary>The hash over sampled blocks that closes a mark.</summary>
    public static string Proof(SafeFileHandle handle, string path, string id, long size)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var sampler = new BlockSampler(handle, path);
        var key = ulong.Parse(id.AsSpan(0, 16), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        foreach (var offset in BlockSampler.Offsets(size, ProofBlocks, key))
            hash.AppendData(sampler.Read(offset));
        return Convert.ToHexString(hash.GetHashAndReset().AsSpan(0, 16));
    }

    private static string? JudgeClosed(SafeFileHandle handle, string path, FileMark mark, FileStatus status)
    {
        if (status.Size != mark.Size)
            return "was made by IoBench, but its size was changed since";
        if (status.Modified != mark.Modified)
            return "was made by IoBench, but written to by others since";
        return Proof(handle, path, mark.Id, mark.Size) == mark.Proof ? null : "was made by IoBench, but holds other content now";
    }

    private static string? JudgeOpen(SafeFileHandle handle, string path, FileMark mark, FileStatus status)
    {
        if (status.Size != mark.Size)
            return "was made by IoBench, but its size was changed since";
        if (mark.Opaque)
            return "was being written with content that cannot be recognised when a run was killed";
        return AllBlocksAreOurs(handle, path, mark, status.Size, zerosToo: false) ? null : "was made by IoBench, but holds content of others now";
    }

    private static string? JudgeMaking(SafeFileHandle handle, string path, FileMark mark, FileStatus status)
    {
        if (status.Size > mark.Size)
            return "was made by IoBench, but its size was changed since";
        if (mark.Opaque && mark.Filled > 0)
            return "was being made longer when IoBench was killed, and its content cannot be recognised";
        return AllBlocksAreOurs(handle, path, mark, status.Size, zerosToo: true) ? null : "was being made by IoBench, but holds content of others now";
    }

    private static bool AllBlocksAreOurs(SafeFileHandle handle, string path, FileMark mark, long size, bool zerosToo)
    {
        using var sampler = new BlockSampler(handle, path);
        // Another key each time: what one look misses the next may find.
        foreach (var offset in BlockSampler.Offsets(size, KilledBlocks, (ulong)Environment.TickCount64))
        {
            var block = sampler.Read(offset);
            if (!BlockIsOurs(block, mark, offset) && !(zerosToo && offset + block.Length > mark.Filled && block.IndexOfAnyExcept((byte)0) < 0))
                return false;
        }
        return true;
    }

    // One sector that proves is enough: I/Os smaller than 4 KB, or not aligned to it, leave stamps and remains of the fill
    // at any sector of a block, and the rest of a stamped write is not known here.
    private static bool BlockIsOurs(ReadOnlySpan<byte> block, FileMark mark, long offset)
    {
        for (var at = 0; at < block.Length; at += Sector)
        {
            var sector = block.Slice(at, Math.Min(Sector, block.Length - at));
            if (FillContent.Matches(sector, mark.Seed, offset + at))
                return true;
            foreach (var seed in mark.WriteSeeds)
                if (BlockStamp.IsOurs(sector, seed, offset + at))
                    return true;
        }
        return false;
    }

    private static Ownership Foreign(string reason) => new(false, reason, null);
}
