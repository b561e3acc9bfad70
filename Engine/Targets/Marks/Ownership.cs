using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal enum VerificationDepth
{
    /// <summary>Samples: sufficient for reading, and for predicting what a run would find.</summary>
    Samples,

    /// <summary>Every sector: required before the file is written or removed.</summary>
    Whole,
}

/// <summary>Whether IoBench created a file and nothing else has changed it since.</summary>
/// <param name="Reason">Why the file is not IoBench's, as text to append to its name; empty if it is.</param>
internal readonly record struct Ownership(bool IsOwn, string Reason, OwnershipMarker? Marker)
{
    /// <summary>A change of a tenth of the file goes undetected with a probability of 0.9^64 = 0.1%.</summary>
    public const int Samples = 64;

    public bool HasNoMarker { get; init; }

    private const string SizeChanged = "was made by IoBench, but its size has been changed since";

    /// <summary>Changes nothing. Reports progress (verified and total bytes) only if the whole file is verified.</summary>
    public static Ownership Determine(
        SafeFileHandle handle,
        string path,
        VerificationDepth depth,
        Action<long, long>? progress = null,
        CancellationToken token = default
    )
    {
        var text = OwnershipMarker.ReadText(handle, path);
        if (text is null)
            return CreateNotOwn("was not made by IoBench") with { HasNoMarker = true };
        if (OwnershipMarker.Parse(text) is not { } mark)
            return CreateNotOwn("has a damaged mark of IoBench");
        var status = PlatformFiles.Current.GetStatus(handle, path);
        if (status.Identity != mark.Identity)
            return CreateNotOwn("is a copy of an IoBench test file, not the file itself");
        var look = new ContentCheck(handle, path, mark, status.Size, depth, progress, token);
        var reason = mark.State switch
        {
            OwnershipMarkerState.Closed => CheckClosedMarker(look, status),
            OwnershipMarkerState.Open => CheckOpenMarker(look),
            _ => CheckUnfinishedFile(look),
        };
        return reason is null ? new Ownership(true, "", mark) : CreateNotOwn(reason);
    }

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
            return "was made by IoBench, but written to by others since";
        if (HashSamples(look.Handle, look.Path, mark.Id, mark.Size) != mark.SampleHash)
            return "was made by IoBench, but holds other content now";
        // The name or rights were changed, or the time was set back: verify the content, if it can be recognized.
        if (!isMoved && (mark.ChangedNotAfter == 0 || status.Changed <= mark.ChangedNotAfter))
            return null;
        if (mark.HasUnrecognizableContent)
            return "was made by IoBench, but touched since (its name, rights or times), and its content (zeros, a pattern) cannot be "
                + "recognised";
        return look.FindUnknownSector() is not { } at
            ? null
            : FormattableString.Invariant($"was made by IoBench, but holds content of others now (at offset {at:N0})");
    }

    private static string? CheckOpenMarker(ContentCheck look)
    {
        if (look.Size != look.Marker.Size)
            return SizeChanged;
        if (look.Marker.HasUnrecognizableContent)
            return "was being written with content that cannot be recognised when a run was killed";
        return look.FindUnknownSector() is not { } at
            ? null
            : FormattableString.Invariant(
                $"was being written when a run of IoBench ended, and holds content of others now (at offset {at:N0})"
            );
    }

    private static string? CheckUnfinishedFile(ContentCheck look)
    {
        if (look.Size > look.Marker.Size)
            return SizeChanged;
        if (look.Marker.HasUnrecognizableContent && look.Marker.FilledBytes > 0)
            return "was being made longer when IoBench was killed, and its content cannot be recognised";
        return look.FindUnknownSector() is not { } at
            ? null
            : FormattableString.Invariant($"was being made by IoBench, but holds content of others now (at offset {at:N0})");
    }

    private static Ownership CreateNotOwn(string reason) => new(false, reason, null);

    private sealed record ContentCheck(
        SafeFileHandle Handle,
        string Path,
        OwnershipMarker Marker,
        long Size,
        VerificationDepth Depth,
        Action<long, long>? Progress,
        CancellationToken Token
    )
    {
        public long? FindUnknownSector() =>
            Depth == VerificationDepth.Whole
                ? WholeFileVerifier.FindUnknownSector(Handle, Path, Marker, Size, Progress, Token)
                : FindUnknownSectorInSamples();

        private long? FindUnknownSectorInSamples()
        {
            using var reader = new BlockReader(Handle, Path);
            var proof = new SectorVerifier(Marker);
            // Use another key each time, so that repeated checks read other blocks.
            foreach (var offset in BlockReader.SelectSampleOffsets(Size, Samples, (ulong)Environment.TickCount64))
            {
                var block = reader.Read(offset);
                var zerosToo = Marker.State == OwnershipMarkerState.Making && offset + block.Length > Marker.FilledBytes;
                var unknown = proof.FindUnknownSector(block, offset, zerosToo);
                if (unknown >= 0)
                    return unknown;
            }
            return null;
        }
    }
}
