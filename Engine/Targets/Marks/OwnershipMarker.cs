using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal enum OwnershipMarkerState
{
    /// <summary>The file is being filled: beyond <see cref="OwnershipMarker.FilledBytes"/>, it holds content, zeros, or nothing.</summary>
    Making,

    Open,

    Closed,
}

/// <summary>Valid only for the file with this identity, size, time, and content: not for a copy or an overwritten file.</summary>
internal sealed record OwnershipMarker
{
    private const string FirstLine = "IoBench test file, mark 1";

    /// <summary>Dropping older write seeds can only make IoBench refuse its own file, never accept another one.</summary>
    private const int MaxSeeds = 32;

    public required string Id { get; init; }

    public required OwnershipMarkerState State { get; init; }

    public required string Identity { get; init; }

    public required ulong Seed { get; init; }

    public IReadOnlyList<ulong> WriteSeeds { get; init; } = [];

    public required long Size { get; init; }

    /// <summary>Number of bytes from the start that are certainly filled.</summary>
    public required long FilledBytes { get; init; }

    public long Modified { get; init; }

    /// <summary>Upper bound of <see cref="FileStatus.Changed"/>, because writing the marker changes that time; 0 = not known.</summary>
    public long ChangedNotAfter { get; init; }

    /// <summary>Hash over sampled blocks when the marker was closed; null before that.</summary>
    public string? SampleHash { get; init; }

    /// <summary>Whether a run wrote content without block headers, so that blocks cannot be verified after it was killed.</summary>
    public bool HasUnrecognizableContent { get; init; }

    public bool HasCompressibleContent { get; init; }

    /// <summary>Digest that an integrity check recorded; null if a test has written to the file since then.</summary>
    public ContentDigest? RecordedContent { get; init; }

    /// <summary>Error of an integrity check, in one line; null = none. The file is then evidence and never written again.</summary>
    public string? Evidence { get; init; }

    public static OwnershipMarker CreateForNewFile(string identity, long size)
    {
        Span<byte> random = stackalloc byte[24];
        CryptoLibrary.RequireInstalled();
        System.Security.Cryptography.RandomNumberGenerator.Fill(random);
        return new OwnershipMarker
        {
            Id = Convert.ToHexString(random[..16]),
            State = OwnershipMarkerState.Making,
            Identity = identity,
            Seed = BitConverter.ToUInt64(random[16..]),
            Size = size,
            FilledBytes = 0,
        };
    }

    public OwnershipMarker WithWriteSeed(ulong seed) =>
        WriteSeeds.Contains(seed) ? this : this with { WriteSeeds = [.. WriteSeeds.Skip(WriteSeeds.Count - MaxSeeds + 1), seed] };

    public string ToText()
    {
        var text = new StringBuilder(FirstLine).Append('\n');
        void Add(string name, string value) => text.Append(name).Append('=').Append(value).Append('\n');
        Add("id", Id);
        Add("state", State.ToString());
        Add("identity", Identity);
        Add("seed", Seed.ToString("x16", CultureInfo.InvariantCulture));
        if (WriteSeeds.Count > 0)
            Add("writes", string.Join(',', WriteSeeds.Select(s => s.ToString("x", CultureInfo.InvariantCulture))));
        Add("size", Size.ToString(CultureInfo.InvariantCulture));
        Add("filled", FilledBytes.ToString(CultureInfo.InvariantCulture));
        Add("modified", Modified.ToString(CultureInfo.InvariantCulture));
        if (ChangedNotAfter != 0)
            Add("changedBy", ChangedNotAfter.ToString(CultureInfo.InvariantCulture));
        if (SampleHash is not null)
            Add("proof", SampleHash);
        if (HasUnrecognizableContent)
            Add("opaque", "1");
        if (HasCompressibleContent)
            Add("compressible", "1");
        if (RecordedContent is { } recorded)
            Add("content", string.Create(CultureInfo.InvariantCulture, $"{recorded.Size},{recorded.Value:x16}"));
        if (Evidence is not null)
            Add("evidence", Evidence.ReplaceLineEndings(" "));
        return text.Append("end\n").ToString();
    }

    public static bool HasMarkerStart(string text) => text.StartsWith("IoBench test file, mark ", StringComparison.Ordinal);

    public static OwnershipMarker? Parse(string text)
    {
        var lines = text.Split('\n');
        // The line "end" detects a truncated marker.
        if (lines.Length < 3 || lines[0] != FirstLine || lines[^1].Length != 0 || lines[^2] != "end")
            return null;
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var line in lines[1..^2])
        {
            var at = line.IndexOf('=', StringComparison.Ordinal);
            if (at < 0 || !values.TryAdd(line[..at], line[(at + 1)..]))
                return null;
        }
        string Text(string name) => values.GetValueOrDefault(name, "");
        bool Number(string name, out long number) =>
            long.TryParse(Text(name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
        var seeds = new List<ulong>();
        foreach (var part in Text("writes").Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            if (!ulong.TryParse(part, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value))
                return null;
            seeds.Add(value);
        }
        if (
            Text("id").Length == 0
            || Text("identity").Length == 0
            || !Enum.TryParse<OwnershipMarkerState>(Text("state"), out var state)
            || !Enum.IsDefined(state)
            || !ulong.TryParse(Text("seed"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var seed)
            || !Number("size", out var size)
            || !Number("filled", out var filled)
            || !Number("modified", out var modified)
        )
            return null;
        var changedBy = 0L;
        if (values.ContainsKey("changedBy") && !Number("changedBy", out changedBy))
            return null;
        ContentDigest? content = null;
        if (values.TryGetValue("content", out var recorded) && (content = Engine.ContentDigest.Parse(recorded)) is null)
            return null;
        return new OwnershipMarker
        {
            Id = Text("id"),
            State = state,
            Identity = Text("identity"),
            Seed = seed,
            WriteSeeds = seeds,
            Size = size,
            FilledBytes = filled,
            Modified = modified,
            ChangedNotAfter = changedBy,
            SampleHash = values.GetValueOrDefault("proof"),
            HasUnrecognizableContent = values.ContainsKey("opaque"),
            HasCompressibleContent = values.ContainsKey("compressible"),
            RecordedContent = content,
            Evidence = values.GetValueOrDefault("evidence"),
        };
    }

    private const int MaxSidecarBytes = 65536;

    public static string GetSidecarPath(string path) => path + ".iobench";

    public static string? ReadText(SafeFileHandle handle, string path) =>
        PlatformFiles.Current.ReadNativeMarker(handle, path) ?? ReadSidecar(GetSidecarPath(path))?.Text;

    /// <summary>Stores the marker with the file if the file system can; otherwise in a sidecar <c>NAME.iobench</c>.</summary>
    public static void WriteText(SafeFileHandle handle, string path, string text)
    {
        if (PlatformFiles.Current.TryWriteNativeMarker(handle, path, text))
            return;
        var sidecar = GetSidecarPath(path);
        // Write to a new file and move it into place, so that the marker is always complete.
        var fresh = $"{sidecar}.{Guid.NewGuid():N}";
        if (IsNameTooLong(fresh))
            throw IoBenchException.Usage(
                "IoBench.PathTooLong",
                $"{path}: this file system does not support extended attributes, and the name is too long for an ownership marker in a separate file.",
                path,
                advice: $"Choose a name of at most {255 - fresh.Length + path.Length} bytes."
            );
        if (PlatformFiles.Current.TryGetStatus(sidecar) is not null && ReadSidecar(sidecar) is null)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{sidecar} exists, and IoBench did not create it. IoBench needs this name for the ownership marker of its test file.",
                sidecar,
                advice: "Specify another test file."
            );
        try
        {
            WriteNewSidecar(fresh, text);
            PlatformFiles.MoveFile(fresh, sidecar, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            RemoveNewSidecar(fresh);
            throw FileErrors.FromException(e, "write of", sidecar);
        }
        RemoveLeftovers(handle, path);
    }

    /// <summary>Removes the sidecar if it is the marker of this file, which may be gone.</summary>
    public static void RemoveSidecar(string path, FileStatus file)
    {
        var sidecar = GetSidecarPath(path);
        if (ReadSidecar(sidecar) is { } found && OwnershipMarker.Parse(found.Text)?.Identity == file.Identity)
            PlatformFiles.Current.DeleteIfSame(sidecar, found.Status);
    }

    /// <summary>Removes sidecars of killed runs: the sidecar's name, 32 digits, and the start of this file's marker.</summary>
    private static void RemoveLeftovers(SafeFileHandle handle, string path)
    {
        var sidecar = GetSidecarPath(path);
        var identity = $"\nidentity={PlatformFiles.Current.GetStatus(handle, path).Identity}\n";
        try
        {
            foreach (var file in Directory.EnumerateFiles(Path.GetDirectoryName(sidecar)!, Path.GetFileName(sidecar) + ".*"))
            {
                if (
                    file.Length != sidecar.Length + 33
                    || !Guid.TryParseExact(file[^32..], "N", out _)
                    || ReadSidecar(file) is not { } found
                    || !found.Text.Contains(identity, StringComparison.Ordinal)
                )
                    continue;
                using var leftover = PlatformFiles.Current.OpenToRead(file);
                if (PlatformFiles.Current.TryLockToRemove(leftover))
                    PlatformFiles.Current.DeleteIfSame(file, found.Status);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // The marker itself is in place. The next run retries the leftovers.
        }
    }

    // Locked while it is written, so that no other run removes it as a leftover.
    private static void WriteNewSidecar(string fresh, string text)
    {
        using var file = new FileStream(fresh, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        PlatformFiles.Current.TryLockForUse(file.SafeFileHandle);
        file.Write(Encoding.UTF8.GetBytes(text));
        file.Flush(flushToDisk: true);
    }

    private static void RemoveNewSidecar(string fresh)
    {
        try
        {
            File.Delete(fresh);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The error that led here already reports the failing disk. The next run removes the file.
        }
    }

    private static (string Text, FileStatus Status)? ReadSidecar(string sidecar)
    {
        if (
            IsNameTooLong(sidecar)
            || PlatformFiles.Current.TryGetStatus(sidecar) is not { Kind: FileKind.Regular, Size: <= MaxSidecarBytes }
        )
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(sidecar);
        var status = PlatformFiles.Current.GetStatus(handle, sidecar);
        if (status.Kind != FileKind.Regular)
            return null;
        var bytes = new byte[MaxSidecarBytes];
        var length = 0;
        try
        {
            for (int read; (read = PlatformFiles.Current.Read(handle, bytes.AsSpan(length), length)) > 0; )
                length += read;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "read of", sidecar);
        }
        var text = Encoding.UTF8.GetString(bytes, 0, length);
        return OwnershipMarker.HasMarkerStart(text) ? (text, status) : null;
    }

    // No file system allows longer names; shorter limits cause an error when the file is created.
    private static bool IsNameTooLong(string path)
    {
        const int longest = 255;
        var name = Path.GetFileName(path);
        return (OperatingSystem.IsWindows() ? name.Length : Encoding.UTF8.GetByteCount(name)) > longest;
    }

    /// <summary>Limited in time so that results are not delayed, but a minimum number is always verified.</summary>
    public const int MaxSamples = 512;
    private static readonly TimeSpan s_sampleTime = TimeSpan.FromMilliseconds(200);

    // Writing the marker changes the change time. The bound is later by this slack, and Close waits until the bound has passed, so
    // that no change in between goes undetected. Slow systems need more slack.
    private static readonly TimeSpan[] s_slack = [TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(1)];

    // FAT.
    private static readonly TimeSpan s_coarsestStep = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_clockStep = TimeSpan.FromMilliseconds(10);

    /// <summary>Extending a file takes long anyway. For a file of at most 4 MB, these samples cover all of it.</summary>
    public const int ExtensionSamples = 1024;

    public static SortedDictionary<long, byte[]> ReadSamples(SafeFileHandle handle, string path, long size, int samples = Ownership.Samples)
    {
        using var reader = new BlockReader(handle, path);
        var blocks = new SortedDictionary<long, byte[]>();
        foreach (var offset in BlockReader.SelectSampleOffsets(size, samples, RandomKey()))
            blocks.Add(offset, reader.Read(offset).ToArray());
        return blocks;
    }

    /// <summary>Returns the change outside IoBench, as text to append to the name; null if all samples are as expected.</summary>
    /// <param name="written">Content without block headers that the run wrote; null = none.</param>
    /// <param name="before">Samples from before the run if earlier content cannot be recognized; otherwise null.</param>
    /// <param name="isUnfinished">Whether the file can be shorter and hold zeros, because creating it was aborted.</param>
    /// <param name="reads">Receives each read with its start and end time in nanoseconds; null = not needed.</param>
    public static string? FindOutsideChange(
        SafeFileHandle handle,
        string path,
        OwnershipMarker mark,
        HeaderlessContent? written,
        SortedDictionary<long, byte[]>? before,
        bool isUnfinished = false,
        int max = MaxSamples,
        List<(long Offset, long Began, long Ended)>? reads = null
    )
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        if (isUnfinished ? status.Size > mark.Size || status.Size < mark.FilledBytes : status.Size != mark.Size)
            return string.Create(CultureInfo.InvariantCulture, $"has {status.Size} bytes instead of {mark.Size}");
        var proof = new SectorVerifier(mark, written);
        using var reader = new BlockReader(handle, path);
        var began = Stopwatch.GetTimestamp();
        var count = 0;
        // Shuffle the offsets, so that the samples are spread over the file if the time runs out.
        var offsets = BlockReader
            .SelectSampleOffsets(status.Size, max, RandomKey())
            .Where(offset => before is null || offset > before.Keys.Last())
            .ToArray();
        Random.Shared.Shuffle(offsets);
        // Always verify the samples from before the run: nothing else distinguishes that content from other content.
        var min = Ownership.Samples + (before?.Count ?? 0);
        foreach (var offset in (before?.Keys.AsEnumerable() ?? []).Concat(offsets))
        {
            if (count++ >= min && Stopwatch.GetElapsedTime(began) > s_sampleTime)
                break;
            ReadOnlySpan<byte> known = before is not null && before.TryGetValue(offset, out var block) ? block : [];
            var asked = reads is null ? 0 : Clock.Now;
            var content = reader.Read(offset);
            reads?.Add((offset, asked, Clock.Now));
            if (
                proof.FindUnknownSector(content, offset, zerosToo: isUnfinished && offset + content.Length > mark.FilledBytes, known)
                is >= 0
                    and var at
            )
                return string.Create(CultureInfo.InvariantCulture, $"contains data at offset {at:N0} that IoBench did not write");
        }
        return null;
    }

    public static OwnershipMarker Close(SafeFileHandle handle, string path, OwnershipMarker mark)
    {
        // Where times are coarse, the content is verified before the next write. If it cannot be recognized, only a later time shows a
        // change, so the last write must lie in an earlier step of the clock than whatever comes after the marker.
        if (mark.HasUnrecognizableContent && PlatformFiles.Current.GetStatus(handle, path).HasCoarseTimes)
            Thread.Sleep(s_coarsestStep + s_clockStep);
        var closed = CreateClosed(handle, path, mark);
        OwnershipMarker.WriteText(handle, path, closed.ToText());
        foreach (var slack in s_slack)
        {
            var now = PlatformFiles.Current.GetStatus(handle, path).Changed;
            if (now == 0)
                return closed;
            var bound = closed with { ChangedNotAfter = now + (long)slack.TotalNanoseconds };
            OwnershipMarker.WriteText(handle, path, bound.ToText());
            if (PlatformFiles.Current.GetStatus(handle, path).Changed > bound.ChangedNotAfter)
                continue;
            // After the file system's clock has passed the bound, any change gets a later time than the bound.
            Thread.Sleep(slack + s_clockStep);
            return bound;
        }
        OwnershipMarker.WriteText(handle, path, closed.ToText());
        return closed;
    }

    public static OwnershipMarker CloseAsEvidence(SafeFileHandle handle, string path, OwnershipMarker mark, string evidence)
    {
        // The file becomes read-only after the marker was written, which changes the change time; so no change time is recorded.
        var closed = CreateClosed(handle, path, mark) with
        {
            Evidence = evidence,
        };
        OwnershipMarker.WriteText(handle, path, closed.ToText());
        try
        {
            File.SetAttributes(path, File.GetAttributes(path) | FileAttributes.ReadOnly);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The marker still prevents IoBench from writing to the file.
        }
        return closed;
    }

    private static ulong RandomKey() => MemoryMarshal.Read<ulong>(Guid.NewGuid().ToByteArray());

    private static OwnershipMarker CreateClosed(SafeFileHandle handle, string path, OwnershipMarker mark)
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        return mark with
        {
            State = OwnershipMarkerState.Closed,
            Size = status.Size,
            FilledBytes = status.Size,
            Modified = status.Modified,
            ChangedNotAfter = 0,
            SampleHash = Ownership.HashSamples(handle, path, mark.Id, status.Size),
        };
    }
}
