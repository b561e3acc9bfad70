using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Marks;

/// <summary>How much of a file's content is looked at where its mark alone proves nothing.</summary>
internal enum ProofDepth
{
    /// <summary>Samples: enough to say what a run would find, and for reading.</summary>
    Samples,

    /// <summary>Every sector: before anything is written or removed.</summary>
    Whole,
}

/// <summary>Whose a file is, and why.</summary>
/// <param name="IsOurs">IoBench made it and nobody else has changed it since.</param>
/// <param name="Reason">Why it is not ours, to stand behind the file's name: <c>has no mark of IoBench</c>; empty when it is.</param>
/// <param name="Mark">The mark, when the file is ours.</param>
internal readonly record struct Ownership(bool IsOurs, string Reason, FileMark? Mark)
{
    /// <summary>
    /// Blocks that are looked at where not all are: a file of which a tenth was changed by others escapes with a chance of 0.9^64 = 0.1 %. But then its
    /// times differ already; samples are there for a copy whose times were set back, where nearly all blocks differ.
    /// </summary>
    public const int Samples = 64;

    /// <summary>It never was ours: it has no mark at all.</summary>
    public bool IsUnmarked { get; init; }

    private const string SizeChanged = "was made by IoBench, but its size has been changed since";

    /// <summary>Judges an open regular file; changes nothing.</summary>
    /// <param name="handle">The file, open for reading.</param>
    /// <param name="depth">How much is looked at.</param>
    /// <param name="progress">Receives bytes proved and in all when the whole file is; null = nobody listens.</param>
    /// <param name="token">Ends that.</param>
    public static Ownership Judge(
        SafeFileHandle handle,
        string path,
        ProofDepth depth,
        Action<long, long>? progress = null,
        CancellationToken token = default
    )
    {
        var text = MarkStore.Read(handle, path);
        if (text is null)
            return Foreign("was not made by IoBench") with { IsUnmarked = true };
        if (FileMark.Parse(text) is not { } mark)
            return Foreign("has a damaged mark of IoBench");
        var status = PlatformFiles.Current.GetStatus(handle, path);
        if (status.Identity != mark.Identity)
            return Foreign("is a copy of an IoBench test file, not the file itself");
        var look = new Look(handle, path, mark, status.Size, depth, progress, token);
        var reason = mark.State switch
        {
            MarkState.Closed => JudgeClosed(look, status),
            MarkState.Open => JudgeOpen(look),
            _ => JudgeMaking(look),
        };
        return reason is null ? new Ownership(true, "", mark) : Foreign(reason);
    }

    /// <summary>The hash over sampled blocks that closes a mark.</summary>
    public static string Proof(SafeFileHandle handle, string path, string id, long size)
    {
        CryptoLibrary.Require();
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var reader = new BlockReader(handle, path);
        var key = ulong.Parse(id.AsSpan(0, 16), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        foreach (var offset in BlockReader.Offsets(size, Samples, key))
            hash.AppendData(reader.Read(offset));
        return Convert.ToHexString(hash.GetHashAndReset().AsSpan(0, 16));
    }

    private static string? JudgeClosed(Look look, FileStatus status)
    {
        var mark = look.Mark;
        if (status.Size != mark.Size)
            return SizeChanged;
        var isMoved = status.Modified != mark.Modified;
        if (isMoved && PlatformFiles.Current.TimesAreExact)
            return "was made by IoBench, but written to by others since";
        if (Proof(look.Handle, look.Path, mark.Id, mark.Size) != mark.Proof)
            return "was made by IoBench, but holds other content now";
        // Its name or rights were changed, or it was written to and its time set back: its content shows which, where it can be recognised.
        if (!isMoved && (mark.ChangedBy == 0 || status.Changed <= mark.ChangedBy))
            return null;
        if (mark.Opaque)
            return "was made by IoBench, but touched since (its name, rights or times), and its content (zeros, a pattern) cannot be recognised";
        return look.FirstForeign() is not { } at
            ? null
            : FormattableString.Invariant($"was made by IoBench, but holds content of others now (at offset {at:N0})");
    }

    private static string? JudgeOpen(Look look)
    {
        if (look.Size != look.Mark.Size)
            return SizeChanged;
        if (look.Mark.Opaque)
            return "was being written with content that cannot be recognised when a run was killed";
        return look.FirstForeign() is not { } at
            ? null
            : FormattableString.Invariant(
                $"was being written when a run of IoBench ended, and holds content of others now (at offset {at:N0})"
            );
    }

    private static string? JudgeMaking(Look look)
    {
        if (look.Size > look.Mark.Size)
            return SizeChanged;
        if (look.Mark.Opaque && look.Mark.Filled > 0)
            return "was being made longer when IoBench was killed, and its content cannot be recognised";
        return look.FirstForeign() is not { } at
            ? null
            : FormattableString.Invariant($"was being made by IoBench, but holds content of others now (at offset {at:N0})");
    }

    private static Ownership Foreign(string reason) => new(false, reason, null);

    private sealed record Look(
        SafeFileHandle Handle,
        string Path,
        FileMark Mark,
        long Size,
        ProofDepth Depth,
        Action<long, long>? Progress,
        CancellationToken Token
    )
    {
        /// <summary>Offset of the first sector that is not ours; null when none is found.</summary>
        public long? FirstForeign() =>
            Depth == ProofDepth.Whole ? WholeProof.FirstForeign(Handle, Path, Mark, Size, Progress, Token) : FirstSampled();

        private long? FirstSampled()
        {
            using var reader = new BlockReader(Handle, Path);
            var proof = new SectorProof(Mark);
            // Another key each time: what one look misses the next may find.
            foreach (var offset in BlockReader.Offsets(Size, Samples, (ulong)Environment.TickCount64))
            {
                var block = reader.Read(offset);
                var zerosToo = Mark.State == MarkState.Making && offset + block.Length > Mark.Filled;
                if (proof.FirstForeign(block, offset, zerosToo) is >= 0 and var at)
                    return at;
            }
            return null;
        }
    }
}
