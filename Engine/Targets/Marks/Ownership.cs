using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal enum ProofDepth
{
    /// <summary>Samples: sufficient for reading, and for predicting what a run would find.</summary>
    Samples,

    /// <summary>Every sector: required before the file is written or removed.</summary>
    Whole,
}

/// <summary>Whether a file belongs to IoBench, and why not.</summary>
/// <param name="IsOurs">Whether IoBench created the file and nothing else has changed it since.</param>
/// <param name="Reason">Why the file is not IoBench's, as text to append to its name; empty if it is.</param>
/// <param name="Mark">The marker; null if the file is not IoBench's.</param>
internal readonly record struct Ownership(bool IsOurs, string Reason, FileMark? Mark)
{
    /// <summary>
    /// Number of sampled blocks. If a tenth of a file was changed, the change goes undetected with a probability of 0.9^64 = 0.1%. But such
    /// a change also
    /// changes the file's times; samples are needed for a copy whose times were set back, in which nearly all blocks differ.
    /// </summary>
    public const int Samples = 64;

    public bool IsUnmarked { get; init; }

    private const string SizeChanged = "was made by IoBench, but its size has been changed since";

    /// <summary>Determines the ownership of an open regular file without changing it.</summary>
    /// <param name="handle">The file, open for reading.</param>
    /// <param name="depth">How much is verified.</param>
    /// <param name="progress">Receives verified and total bytes if the whole file is verified; null = not needed.</param>
    /// <param name="token">Cancels the verification.</param>
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
        // If only the name or rights were changed, or the file was written and its time set back, verify the content, if it can be
        // recognized.
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
        /// <summary>Returns the offset of the first sector that IoBench did not write; null if none was found.</summary>
        public long? FirstForeign() =>
            Depth == ProofDepth.Whole ? WholeProof.FirstForeign(Handle, Path, Mark, Size, Progress, Token) : FirstSampled();

        private long? FirstSampled()
        {
            using var reader = new BlockReader(Handle, Path);
            var proof = new SectorProof(Mark);
            // Use another key each time, so that repeated checks read other blocks.
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
