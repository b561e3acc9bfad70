using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Whether IoBench created a file and nothing else has changed it since.</summary>
/// <param name="Reason">Why the file is not IoBench's, as text to append to its name; empty if it is.</param>
internal readonly record struct Ownership(bool IsOwn, string Reason, OwnershipMarker? Marker)
{
    /// <summary>A change of a tenth of the file goes undetected with a probability of 0.9^64 = 0.1%.</summary>
    public const int Samples = 64;

    public bool HasNoMarker { get; init; }

    /// <summary>Marker that states what the content must be, even if the file is a copy or was changed; null without a valid one.</summary>
    public OwnershipMarker? ContentMarker { get; init; }

    /// <summary>Why other content does not show damage by the storage; null if only the storage can have changed the file.</summary>
    public IoUnverifiedReason? OutsideChange { get; init; }

    /// <summary>Whether the content changed although the system's times show that no program wrote to the file.</summary>
    public bool IsDamaged =>
        !IsOwn && OutsideChange is null && ContentMarker is { State: OwnershipMarkerState.Closed, ChangedNotAfter: not 0 };

    private const string SizeChanged = "was created by IoBench, but its size changed later";

    /// <summary>Changes nothing. Reports progress (verified and total bytes) only if the whole file is verified.</summary>
    /// <param name="wholeFile">
    /// Whether to verify every sector, which is required before the file is written or removed. Samples are sufficient for reading, and for
    /// predicting what a run would find.
    /// </param>
    /// <param name="isVerifiedLater">
    /// Whether the caller reads all content before it writes. Then the marker and the times decide, so that damage does not look like a
    /// change by another program.
    /// </param>
    public static Ownership Determine(
        SafeFileHandle handle,
        string path,
        bool wholeFile,
        Action<long, long>? progress = null,
        bool isVerifiedLater = false,
        CancellationToken token = default
    )
    {
        var text = OwnershipMarker.ReadText(handle, path);
        if (text is null)
            return CreateNotOwn("was not created by IoBench") with { HasNoMarker = true, OutsideChange = IoUnverifiedReason.NoMarker };
        if (OwnershipMarker.Parse(text) is not { } mark)
            return CreateNotOwn("has a damaged ownership marker") with { OutsideChange = IoUnverifiedReason.DamagedMarker };
        var status = PlatformFiles.Current.GetStatus(handle, path);
        var change = FindOutsideChange(mark, status);
        if (change == IoUnverifiedReason.Copy)
            return CreateNotOwn("is a copy of an IoBench test file, not the file itself") with
            {
                ContentMarker = mark,
                OutsideChange = change,
            };
        var look = new ContentCheck(handle, path, mark, status.Size, wholeFile, progress, token)
        {
            IsSkipped = isVerifiedLater && change is null,
        };
        var reason = mark.State switch
        {
            OwnershipMarkerState.Closed => CheckClosedMarker(look, status),
            OwnershipMarkerState.Open => CheckOpenMarker(look),
            _ => CheckUnfinishedFile(look),
        };
        return reason is null
            ? new Ownership(true, "", mark) { ContentMarker = mark, OutsideChange = change }
            : CreateNotOwn(reason) with
            {
                ContentMarker = mark,
                OutsideChange = change,
            };
    }

    // An open marker records no times, because the run that was killed was still writing.
    private static IoUnverifiedReason? FindOutsideChange(OwnershipMarker mark, FileStatus status)
    {
        if (status.Identity != mark.Identity)
            return IoUnverifiedReason.Copy;
        if (mark.State == OwnershipMarkerState.Making ? status.Size > mark.Size : status.Size != mark.Size)
            return IoUnverifiedReason.SizeChanged;
        if (mark.State != OwnershipMarkerState.Closed)
            return null;
        if (status.Modified != mark.Modified || IsChangedAfterClosing(mark, status))
            return IoUnverifiedReason.ChangedOutside;
        return status.HasCoarseTimes ? IoUnverifiedReason.CoarseTimes : null;
    }

    private static bool IsChangedAfterClosing(OwnershipMarker mark, FileStatus status) =>
        mark.ChangedNotAfter != 0 && status.Changed > mark.ChangedNotAfter;

    public static string HashSamples(SafeFileHandle handle, string path, string id, long size)
    {
        CryptoLibrary.RequireInstalled();
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var reader = new BlockReader(handle, path);
        var key = ulong.Parse(id.AsSpan(0, 16), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        foreach (var offset in BlockReader.SelectSampleOffsets(size, Samples, key))
            hash.AppendData(reader.Read(offset));
        return Convert.ToHexString(hash.GetHashAndReset().AsSpan(0, 16));
    }

    private static string? CheckClosedMarker(ContentCheck look, FileStatus status)
    {
        var mark = look.Marker;
        if (status.Size != mark.Size)
            return SizeChanged;
        var isMoved = status.Modified != mark.Modified;
        if (isMoved && PlatformFiles.Current.HasExactTimes)
            return "was created by IoBench, but another program wrote to it later";
        if (look.IsSkipped)
            return null;
        var isTouched = isMoved || IsChangedAfterClosing(mark, status);
        if (HashSamples(look.Handle, look.Path, mark.Id, mark.Size) != mark.SampleHash)
            return isTouched
                ? "was created by IoBench, but its content changed later"
                : "was created by IoBench, but its content changed later although no program wrote to the file, so the storage might have damaged the content";
        if (!isTouched && (!status.HasCoarseTimes || mark.HasUnrecognizableContent))
            return null;
        // The name or rights were changed, the time was set back or is not exact: verify the content, if it can be recognized.
        if (mark.HasUnrecognizableContent)
            return "was created by IoBench, but its name, permissions, or timestamps changed later, and its content (zeros, a pattern, or the bytes of another file) cannot be "
                + "verified";
        return look.FindUnknownSector() is not { } at
            ? null
            : FormattableString.Invariant($"was created by IoBench, but now contains different data at offset {at:N0}");
    }

    private static string? CheckOpenMarker(ContentCheck look)
    {
        if (look.Size != look.Marker.Size)
            return SizeChanged;
        if (look.Marker.HasUnrecognizableContent)
            return "was being written when a run was killed, and its content (zeros, a pattern, or the bytes of another file) cannot be verified";
        if (look.IsSkipped)
            return null;
        return look.FindUnknownSector() is not { } at
            ? null
            : FormattableString.Invariant(
                $"was being written when a run of IoBench ended, and now contains different data at offset {at:N0}"
            );
    }

    private static string? CheckUnfinishedFile(ContentCheck look)
    {
        if (look.Size > look.Marker.Size)
            return SizeChanged;
        if (look.Marker.HasUnrecognizableContent && look.Marker.FilledBytes > 0)
            return "was being extended when IoBench was killed, and its content cannot be verified";
        return look.FindUnknownSector() is not { } at
            ? null
            : FormattableString.Invariant(
                $"was being created when a run of IoBench ended, and now contains different data at offset {at:N0}"
            );
    }

    private static Ownership CreateNotOwn(string reason) => new(false, reason, null);

    private sealed record ContentCheck(
        SafeFileHandle Handle,
        string Path,
        OwnershipMarker Marker,
        long Size,
        bool IsWholeFile,
        Action<long, long>? Progress,
        CancellationToken Token
    )
    {
        public bool IsSkipped { get; init; }

        /// <summary>Returns the offset of the first sector found that IoBench did not write; null if there is none.</summary>
        public long? FindUnknownSector()
        {
            var proof = new SectorVerifier(Marker);
            return IsWholeFile ? FindUnknownSectorInFile(proof) : FindUnknownSectorInSamples(proof);
        }

        private long? FindUnknownSectorInFile(SectorVerifier proof)
        {
            var first = long.MaxValue;
            ParallelFileWork.Read(Handle, Path, Size, "IoBench proof", IsKnown, Progress, Token);
            return first == long.MaxValue ? null : first;

            bool IsKnown(ReadOnlySpan<byte> chunk, long offset, bool isUnbuffered)
            {
                var unknown = FindUnknownSector(proof, chunk, offset);
                // A file that became shorter was changed outside IoBench.
                if (unknown < 0 && chunk.Length < Math.Min(ParallelFileWork.ChunkSize, Size - offset))
                    unknown = offset + chunk.Length;
                if (unknown < 0)
                    return true;
                lock (proof)
                    first = Math.Min(first, unknown);
                return false;
            }
        }

        private long? FindUnknownSectorInSamples(SectorVerifier proof)
        {
            using var reader = new BlockReader(Handle, Path);
            // Use another key each time, so that repeated checks read other blocks.
            foreach (var offset in BlockReader.SelectSampleOffsets(Size, Samples, (ulong)Environment.TickCount64))
                if (FindUnknownSector(proof, reader.Read(offset), offset) is >= 0 and var unknown)
                    return unknown;
            return null;
        }

        private long FindUnknownSector(SectorVerifier proof, ReadOnlySpan<byte> part, long offset)
        {
            // Only a file that is being created has parts that were never written.
            var filled = Marker.State == OwnershipMarkerState.Making ? Marker.FilledBytes : long.MaxValue;
            for (var at = 0; at < part.Length; at += BlockReader.BlockSize)
            {
                var block = part.Slice(at, Math.Min(BlockReader.BlockSize, part.Length - at));
                var unknown = proof.FindUnknownSector(block, offset + at, zerosToo: offset + at + block.Length > filled);
                if (unknown >= 0)
                    return unknown;
            }
            return -1;
        }
    }
}
